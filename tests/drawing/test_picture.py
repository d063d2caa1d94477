"""Tests of pictures: that everything is there, in its place, and in reproducible bytes."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from nlrouter.drawing.animation import AnimationConfig, animate
from nlrouter.drawing.picture import FORMATS, draw, render
from nlrouter.drawing.scene import compose
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import read_problem

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


@pytest.mark.parametrize("form", FORMATS)
def test_same_board_same_bytes(form: str) -> None:
    """Tests that pictures can be compared and kept under version control."""
    first, second = (render(picture("hyphens_8x8"), form) for _ in range(2))
    assert first == second
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])


def test_svg_is_well_formed() -> None:
    """Tests that a name with markup in it stays a name."""
    problem = read_problem(str(ROOT / "problems" / "hyphens_8x8.txt"))
    figure = draw(compose(problem, None, "<b>&$x^$ 問題"))
    assert texts(figure)[-1].startswith("<b>&$x^$ ??   8X8X1")
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
