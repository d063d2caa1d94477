"""Tests of the choice of colours: each pair apart for all eyes, and lines that touch told apart."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import colour
import numpy as np
import pytest
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.drawing import palette
from nlrouter.drawing.palette import (
    DARK,
    DARK_PAPER,
    LIGHT,
    PAPER,
    colours,
    terminal_colours,
    text_on,
)
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.problem import Problem

ROOT = Path(__file__).resolve().parents[2]


def board(name: str) -> Problem:
    return read_problem(str(ROOT / "problems" / f"{name}.txt"))


def linear(chosen: tuple[str, ...]) -> NDArray[np.float64]:
    """Return linear RGB as a library for colours sees it."""
    encoded = [colour.notation.HEX_to_RGB(one) for one in chosen]
    return np.asarray(colour.cctf_decoding(np.array(encoded), "sRGB"))


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG 2."""
    low, high = sorted(linear((one, other)) @ (0.2126, 0.7152, 0.0722))
    return float((high + 0.05) / (low + 0.05))


def touching(answer: Answer) -> set[tuple[int, int]]:
    """Return the pairs of lines that have cells side by side or corner to corner."""
    pairs = set()
    for one, other in (
        (answer[:, 1:], answer[:, :-1]),
        (answer[:, :, 1:], answer[:, :, :-1]),
        (answer[:, 1:, 1:], answer[:, :-1, :-1]),
        (answer[:, 1:, :-1], answer[:, :-1, 1:]),
    ):
        apart = (one != other) & (one != 0) & (other != 0)
        pairs |= set(zip(one[apart].tolist(), other[apart].tolist(), strict=True))
    return {(min(pair), max(pair)) for pair in pairs}


@pytest.mark.parametrize("chosen", [LIGHT, DARK])
@pytest.mark.parametrize(
    ("eyes", "least"), [(None, 18.0), ("Protanomaly", 12.0), ("Deuteranomaly", 12.0)]
)
def test_each_pair_is_told_apart(chosen: tuple[str, ...], eyes: str | None, least: float) -> None:
    """Tests the least CIEDE2000 of two colours, for normal eyes and without red or green."""
    seen = linear(chosen)
    if eyes is not None:
        seen = np.clip(seen @ colour.matrix_cvd_Machado2009(eyes, 1.0).T, 0.0, 1.0)
    lab = colour.XYZ_to_Lab(colour.RGB_to_XYZ(seen, "sRGB"))
    distances = colour.delta_E(lab[:, None], lab[None], method="CIE 2000")
    assert distances[~np.eye(len(chosen), dtype=bool)].min() >= least


@pytest.mark.parametrize(("chosen", "paper"), [(LIGHT, PAPER), (DARK, DARK_PAPER)])
def test_contrast(chosen: tuple[str, ...], paper: str) -> None:
    """Tests that lines stand out from the paper, and text from lines."""
    assert min(contrast(one, paper) for one in chosen) >= 3.0
    assert min(contrast(one, text_on(one)) for one in chosen) >= 4.5


def test_light_and_dark_go_together() -> None:
    """Tests that lines which share a colour on light paper, and only they, do on dark paper."""
    problem = board("random_24x24x3")
    pairs = set(zip(colours(problem), colours(problem, dark=True), strict=True))
    assert len(pairs) == len(LIGHT) == len(DARK)


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("random_30x30x1", 0.0),
        ("random_24x24x3", 0.01),
        ("full_36x36x1", 0.02),
        ("random_36x36x8", 0.02),
    ],
)
def test_touching_lines_differ(name: str, share: float) -> None:
    """Tests that few lines which touch in a good answer share a colour; by chance 8 % would."""
    chosen = colours(board(name))
    pairs = touching(read_answer(str(ROOT / "answers" / f"{name}.txt")))
    alike = [pair for pair in pairs if chosen[pair[0] - 1] == chosen[pair[1] - 1]]
    assert len(alike) <= share * len(pairs)


def test_colours_are_used_evenly() -> None:
    """Tests that colours repeat only where lines are more than they, and none of them often."""
    assert len(set(colours(board("bus_12x12x2")))) == 11
    chosen = colours(board("random_12x12x3"))
    assert max(chosen.count(one) for one in LIGHT) == 3
    assert len(set(terminal_colours(board("switchbox_12x12x2")))) == 8


def test_crossing_lines_without_vias() -> None:
    """Tests that a board has colours on which no via has the layers of a line."""
    problem = parse_problem(
        "SIZE 4X4X3\nLINE_NUM 1\nLINE#1 (0,0,1) (3,0,3)\nVIA#a (1,1,1) (1,1,2)\n", "q"
    )
    assert len(colours(problem)) == 1


def test_wide_boards_are_sampled() -> None:
    """Tests that a board of a million cells is looked at by few of them, and still as it lies."""
    lines = "".join(f"LINE#{n} ({40 * n},0) ({40 * n},1023)\n" for n in range(1, 25))
    chosen = colours(parse_problem(f"SIZE 1024X1024\nLINE_NUM 24\n{lines}", "wide"))
    assert all(one != other for one, other in pairwise(chosen))


def test_very_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that beyond a number of lines colours follow the numbers."""
    monkeypatch.setattr(palette, "MOST_LINES", 20)
    palette._indices.cache_clear()
    assert colours(board("random_12x12x3")) == (LIGHT * 3)[:25]
    palette._indices.cache_clear()
