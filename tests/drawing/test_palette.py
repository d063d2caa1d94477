"""Tests of the choice of colours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from nlrouter.drawing.palette import MUTED, TERMINAL, colour_lines
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import read_problem

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("board", ["full_36x36x1", "random_24x24x3", "random_36x36x8"])
@pytest.mark.parametrize("count", [len(MUTED), len(TERMINAL)])
def test_lines_that_touch_differ(board: str, count: int) -> None:
    """Tests that neighbours on crowded boards have different colours."""
    problem = read_problem(str(ROOT / "problems" / f"{board}.txt"))
    answer = read_answer(str(ROOT / "answers" / f"{board}.txt"))
    colours = np.array([-1, *colour_lines(problem, answer, count)])
    assert colours.max() < count
    for one, other in (
        (answer[:, 1:], answer[:, :-1]),
        (answer[:, :, 1:], answer[:, :, :-1]),
        (answer[:, 1:, 1:], answer[:, :-1, :-1]),
        (answer[:, 1:, :-1], answer[:, :-1, 1:]),
    ):
        touching = (one != other) & (one != 0) & (other != 0)
        assert np.all(colours[one[touching]] != colours[other[touching]])


def test_few_lines_all_differ() -> None:
    """Tests that colours do not repeat while there are enough, with and without an answer."""
    problem = read_problem(str(ROOT / "problems" / "switchbox_12x12x2.txt"))
    blank = np.zeros(problem.shape, dtype=np.int32)
    assert len(set(colour_lines(problem, blank, 8))) == 8
    assert len(set(colour_lines(problem, blank, 3))) <= 3


def test_numbers_of_no_line_do_no_harm() -> None:
    """Tests that a wrong answer's strange numbers get no colour."""
    problem = read_problem(str(ROOT / "problems" / "switchbox_12x12x2.txt"))
    answer = np.full(problem.shape, 500000, dtype=np.int32)
    assert len(colour_lines(problem, answer, 3)) == 8


def test_colours_are_far_apart() -> None:
    """Tests that no two colours are close, neither in full colour nor without red or green.

    The matrices are those of Machado et al. 2009 for protanopia and deuteranopia.
    """
    protan = [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
    deutan = [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    colours = np.array([to_rgb(colour) for colour in MUTED]) ** 2.2
    for matrix in (np.eye(3), np.array(protan), np.array(deutan)):
        seen = np.clip(colours @ matrix.T, 0, 1) ** (1 / 2.2)
        distances = np.linalg.norm(seen[:, None] - seen[None], axis=2) + np.eye(len(MUTED))
        assert distances.min() > 0.12
