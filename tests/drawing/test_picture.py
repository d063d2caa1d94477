"""Tests of pictures: that everything is there, in its place, and in reproducible bytes."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

import nlrouter
from nlrouter.drawing import fonts
from nlrouter.drawing.animation import AnimationConfig, animate
from nlrouter.drawing.formats import STILL
from nlrouter.drawing.layout import PictureConfig
from nlrouter.drawing.picture import TooLargeError, draw, render
from nlrouter.drawing.scene import compose
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import parse_problem, read_problem

ROOT = Path(__file__).resolve().parents[2]


def picture(board: str, *, answered: bool = True, **options: object) -> Figure:
    """Draw one of our boards."""
    problem = read_problem(str(ROOT / "problems" / f"{board}.txt"))
    answer = read_answer(str(ROOT / "answers" / f"{board}.txt")) if answered else None
    return draw(compose(problem, answer, board), **options)  # type: ignore[arg-type]


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.parametrize("board", ["smallest_2x2x2", "strip_12x1x3", "full_36x36x1"])
def test_texts_are_on_the_picture_and_apart(board: str) -> None:
    """Tests that no text is cut off by the edge, and none runs into another."""
    figure = picture(board)
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in figure.axes[0].texts]
    for box in boxes:
        assert figure.bbox.x0 <= box.x0
        assert box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0
        assert box.y1 <= figure.bbox.y1
    corners = np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes])
    low = np.maximum(corners[:, None, :2], corners[None, :, :2])
    high = np.minimum(corners[:, None, 2:], corners[None, :, 2:])
    overlapping = np.argwhere(np.all(low < high, axis=2))
    assert [(i, j) for i, j in overlapping.tolist() if i != j] == []


def test_everything_is_named() -> None:
    """Tests that ends, vias on each layer that they pass, layers and coordinates are labelled."""
    found = texts(picture("through_5x5x8"))
    problem = read_problem(str(ROOT / "problems" / "through_5x5x8.txt"))
    for via in problem.vias:
        assert found.count(via.name) == len(via.cells)
    for z in range(8):
        assert f"layer {z + 1}" in found
    assert found.count("0") == 16
    assert found.count("8") == 2


def test_passed_vias_name_their_line() -> None:
    """Tests that a via tells its layers where lines enter it, and else the line that passes."""
    found = texts(picture("through_5x5x8", layers=[1]))
    answer = read_answer(str(ROOT / "answers" / "through_5x5x8.txt"))
    for via in read_problem(str(ROOT / "problems" / "through_5x5x8.txt")).vias:
        if via.bottom <= 1 <= via.top:
            passed = via.bottom < 1 < via.top
            span = f"{via.bottom + 1}-{via.top + 1}"
            below = str(answer[1, via.y, via.x]) if passed else span
            assert found[found.index(via.name) + 1] == below
    bare = texts(picture("through_5x5x8", layers=[1], answered=False))
    assert bare[bare.index("a") + 1] == "1-3"


def outlines(figure: Figure, style: str) -> list[NDArray[np.float64]]:
    """Return the corners of the shapes that have a solid or a dashed edge."""
    found = []
    for stamp in figure.axes[0].collections:
        if isinstance(stamp, PathCollection):
            (_, dashes), *_ = cast(list[tuple[float, object]], stamp.get_linestyle())
            if (dashes is not None) == (style == "dashed"):
                found += [np.asarray(path.vertices) for path in stamp.get_paths()]
    return found


def test_passed_vias_are_told_from_entered_ones() -> None:
    """Tests that only the cells which a via passes have a dashed edge."""
    problem = read_problem(str(ROOT / "problems" / "through_5x5x8.txt"))
    passed = sum(len(via.cells) - 2 for via in problem.vias)
    assert len(outlines(picture("through_5x5x8"), "dashed")) == passed


def posts(figure: Figure, form: str) -> list[NDArray[np.float64]]:
    """Return the solid or the dotted parts of posts."""
    lines = [c for c in figure.axes[0].collections if isinstance(c, LineCollection)]
    above = [line for line in lines if 2 < line.get_zorder() < 3]
    *_, seen, hidden = above
    return list((seen if form == "seen" else hidden).get_segments())


def test_stack() -> None:
    """Tests that layer 1 is lowest, and that posts stand upright from layer to layer."""
    figure = picture("random_12x12x3", stack=True)
    places = {text.get_text(): text.get_position() for text in figure.axes[0].texts}
    # The axes' y runs downwards.
    assert places["layer 1"][1] > places["layer 2"][1] > places["layer 3"][1]
    problem = read_problem(str(ROOT / "problems" / "random_12x12x3.txt"))
    seen, hidden = posts(figure, "seen"), posts(figure, "hidden")
    assert len(seen) == len(hidden) == sum(len(via.cells) - 1 for via in problem.vias)
    for top, bottom in zip(hidden, seen, strict=True):
        assert np.allclose(top[1], bottom[0])
        assert np.ptp([*top[:, 0], *bottom[:, 0]]) < 1e-9
        assert top[0, 1] < top[1, 1] < bottom[1, 1]


def test_stack_of_many_layers() -> None:
    """Tests that eight large layers stand in stacks side by side, and not in a ribbon."""
    figure = picture("random_36x36x8", stack=True)
    width, height = figure.get_size_inches()
    assert 0.5 < width / height < 2.5
    places = {text.get_text(): text.get_position() for text in figure.axes[0].texts}
    assert places["layer 1"][0] == places["layer 4"][0] < places["layer 5"][0]
    assert places["layer 1"][1] == places["layer 5"][1] > places["layer 4"][1]


def test_beside_each_other_are_no_posts() -> None:
    """Tests that posts belong to the stack alone."""
    lines = picture("random_12x12x3").axes[0].collections
    assert not any(2 < line.get_zorder() < 3 for line in lines)


def test_texts_of_a_stack_are_on_the_picture() -> None:
    """Tests that no text of a stack is cut off by the edge."""
    for board in ("smallest_2x2x2", "strip_12x1x3", "stacked_vias_5x5x6"):
        figure = picture(board, stack=True)
        renderer = FigureCanvasAgg(figure).get_renderer()
        for text in figure.axes[0].texts:
            box = text.get_window_extent(renderer)
            assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
            assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1


def test_same_colours_whatever_the_answer() -> None:
    """Tests that before and after can be compared: ends have the colours of the bare board."""
    fills = []
    for answered in (False, True):
        stamps = list(picture("random_24x24x3", answered=answered).axes[0].collections)
        ends = next(stamp for stamp in reversed(stamps) if len(stamp.get_paths()) == 200)
        fills.append(np.asarray(ends.get_facecolor()))
    assert np.array_equal(fills[0], fills[1])


def test_dark_paper() -> None:
    """Tests that paper is dark throughout, and its lines have the colours for it."""
    figure = picture("random_10x10x2", dark=True)
    pixels = Image.open(io.BytesIO(render(figure, "png"))).convert("RGB")
    dark = np.all(np.asarray(pixels) < 0x50, axis=2)
    assert dark.mean() > 0.8


def test_japanese_or_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that what no font has becomes a question mark."""
    assert fonts.printable("a\U0010ffff") == "a?"
    monkeypatch.setattr(fonts, "fontManager", SimpleNamespace(get_font_names=lambda: []))
    fonts.families.cache_clear()
    assert not fonts.has_japanese()
    monkeypatch.undo()
    fonts.families.cache_clear()


def test_public_function(tmp_path: Path) -> None:
    """Tests that `nlrouter.drawing` can what the command can."""
    problem = read_problem(str(ROOT / "problems" / "smallest_2x2x2.txt"))
    path = tmp_path / "a.png"
    lang, layer = ("ja", "第 1 層") if fonts.has_japanese() else ("en", "layer 1")
    figure = nlrouter.draw(problem, None, path, stack=True, dark=True, lang=lang)
    assert layer in texts(figure)
    pixels = Image.open(path).convert("RGB")
    assert pixels.getpixel((0, 0)) == (0x1C, 0x1F, 0x26)
    with pytest.raises(ValueError, match="found language 'de', expected en or ja"):
        nlrouter.draw(problem, lang="de")


def test_too_large() -> None:
    """Tests that what would be invisible, or take minutes, is refused at once."""
    wide = parse_problem("SIZE 2001X1\nLINE_NUM 1\nLINE#1 (0,0) (9,0)\n", "wide")
    with pytest.raises(TooLargeError, match="2001 columns, expected at most 2000"):
        draw(compose(wide, None, "wide"))
    with pytest.raises(TooLargeError, match="expected at most 20 for"):
        picture("random_10x10x2", config=PictureConfig(most_things=20))


def test_violations_are_marked() -> None:
    """Tests that a wrong cell has the number of its sentence."""
    problem = read_problem(str(ROOT / "problems" / "hyphens_8x8.txt"))
    answer = read_answer(str(ROOT / "answers" / "hyphens_8x8.txt"))
    answer[0, 0, 1] = 77
    figure = draw(compose(problem, answer, "wrong"))
    marked = [text for text in figure.axes[0].texts if text.get_bbox_patch() is not None]
    assert [text.get_text() for text in marked] == ["1"]
    assert any(text.startswith("1. number 77 at (1,0)") for text in texts(figure))
    assert "77" in texts(figure)


@pytest.mark.parametrize("form", STILL)
def test_same_board_same_bytes(form: str) -> None:
    """Tests that pictures can be compared and kept under version control."""
    first, second = (render(picture("hyphens_8x8"), form) for _ in range(2))
    assert first == second
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])


def test_svg_is_well_formed() -> None:
    """Tests that a name with markup in it stays a name."""
    problem = read_problem(str(ROOT / "problems" / "hyphens_8x8.txt"))
    figure = draw(compose(problem, None, "<b>&$x^$ \U0010ffff"))
    assert texts(figure)[-1].startswith("<b>&$x^$ ?   8X8X1")
    ElementTree.fromstring(render(figure, "svg"))


def test_animation() -> None:
    """Tests that a GIF has a frame for each figure, of one size, and the last one stays."""
    frames = [picture("stacked_vias_5x5x6", layers=[z]) for z in range(3)]
    frames.append(picture("hyphens_8x8"))
    config = AnimationConfig()
    gif = Image.open(io.BytesIO(animate(frames, config)))
    assert gif.n_frames == 4  # type: ignore[attr-defined]
    durations = []
    for index in range(4):
        gif.seek(index)
        durations.append(gif.info["duration"])
    assert durations == [config.hold] * 3 + [config.hold_last]


def test_wide_frames_are_made_smaller() -> None:
    """Tests that an animation of a large board can be shown."""
    gif = Image.open(io.BytesIO(animate([picture("sparse_36x36x2")], AnimationConfig(widest=400))))
    assert gif.width == 400
