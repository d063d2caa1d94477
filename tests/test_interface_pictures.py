"""Tests of pictures from Python: what nldraw draws, with what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image

import nlrouter
from nlrouter.commands import nlcheck, nldraw

ROOT = Path(__file__).resolve().parents[1]
BOARD = str(ROOT / "problems" / "smallest_2x2x2.txt")
ANSWER = str(ROOT / "answers" / "smallest_2x2x2.txt")
PROBLEM, BEST = nlrouter.read_problem(BOARD), nlrouter.read_answer(ANSWER)
TITLE = "smallest_2x2x2"


def test_gif_of_the_layers(tmp_path: Path) -> None:
    """Tests that a GIF shows one layer after another, as the command's does to the byte."""
    nlrouter.draw(PROBLEM, BEST, tmp_path / "a.gif", title=TITLE, bound=6, pace=0.5)
    asked = [BOARD, ANSWER, "--bound", "6", "--pace", "0.5", "--lang", "en"]
    assert nldraw.main([*asked, "-o", str(tmp_path / "b.gif")]) == 0
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()
    with Image.open(tmp_path / "a.gif") as picture:
        assert picture.n_frames == PROBLEM.layers  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", ["png", "gif"])
def test_picture_of_a_layer(tmp_path: Path, form: str) -> None:
    """Tests that a layer can be drawn alone, as nlcheck draws each to the byte."""
    assert (
        nlcheck.main(["--input", BOARD, "--target", ANSWER, f"--{form}", str(tmp_path / "b")]) == 0
    )
    for layer in (1, 2):
        path = tmp_path / f"a.{layer}.{form}"
        nlrouter.draw(PROBLEM, BEST, path, layers=[layer], title=TITLE)
        assert path.read_bytes() == (tmp_path / f"b.{layer}.{form}").read_bytes()


def test_animation_of_a_history(tmp_path: Path) -> None:
    """Tests that answers become frames, as the command's do to the byte."""
    answers = [np.where(BEST == 2, 0, BEST), BEST]
    for number, answer in enumerate(answers, start=1):
        nlrouter.write_answer(tmp_path / f"000{number}.txt", PROBLEM, answer)
    nlrouter.animate(PROBLEM, answers, tmp_path / "a.gif", title=TITLE, dark=True, stack=True)
    asked = [BOARD, "--history", str(tmp_path), "--dark", "--stack", "--lang", "en"]
    assert nldraw.main([*asked, "-o", str(tmp_path / "b.gif")]) == 0
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


@pytest.mark.parametrize(("asked", "settings"), [([], {}), (["--ascii"], {"ascii": True})])
def test_text(
    asked: list[str], settings: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that text is what the command prints into a pipe."""
    assert nldraw.main([BOARD, ANSWER, "--bound", "5", "--lang", "en", *asked]) == 0
    drawn = nlrouter.draw_text(PROBLEM, BEST, title=TITLE, bound=5, **settings)
    assert drawn == capsys.readouterr().out


def test_japanese_without_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a picture in a language that no font has comes with a warning."""
    monkeypatch.setattr("nlrouter.drawing.fonts.has_japanese", lambda: False)
    with pytest.warns(RuntimeWarning, match="captions are in English"):
        nlrouter.draw(PROBLEM, lang="ja")


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda: nlrouter.draw(PROBLEM, BEST, bound=7), "bound: found 7, expected at most 6"),
        (
            lambda: nlrouter.draw(PROBLEM, BEST, bound=cast(Any, 1.5)),
            "bound=1.5 is not a whole number",
        ),
        (lambda: nlrouter.draw(PROBLEM, bound=7), "bound: found 7, expected none without"),
        (lambda: nlrouter.draw_text(PROBLEM, BEST, bound=7), "bound: found 7, expected at most 6"),
        (lambda: nlrouter.animate(PROBLEM, [BEST], "x.gif", bound=7), "expected at most 6"),
        (lambda: nlrouter.draw(PROBLEM, BEST, "x.gif", stack=True), "stack: it shows all layers"),
        (lambda: nlrouter.draw(PROBLEM, layers=[0]), "layer=0 is not a whole number from 1 to 2"),
        (lambda: nlrouter.draw(PROBLEM, layers=[]), "layers: found none"),
        (lambda: nlrouter.draw(PROBLEM, BEST, "x.svg", pace=1), "pace=1: expected an output"),
        (lambda: nlrouter.draw(PROBLEM, BEST, "x.gif", pace=0), "pace=0 is not a number of sec"),
        (lambda: nlrouter.animate(PROBLEM, [BEST], "x.png"), "x.png: expected an ending of gif"),
        (lambda: nlrouter.animate(PROBLEM, [], "x.gif"), "answers: found none"),
        (lambda: nlrouter.draw_text(PROBLEM, width=0), "width=0 is not a whole number from 1"),
        (lambda: nlrouter.draw_text(PROBLEM, lang="de"), "found language 'de', expected en or ja"),
    ],
)
def test_what_nldraw_refuses(
    function: Callable[[], object],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that what the command refuses is refused in a sentence, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=words):
        function()
    assert list(tmp_path.iterdir()) == []
