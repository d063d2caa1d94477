"""One line drawn past all the others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlrouter.checker.rules import violations
from nlrouter.files.problem_file import read_problem
from nlrouter.problem import Problem
from nlrouter.routing.completion import complete
from nlrouter.routing.one_line import draw_line

BOARDS = Path(__file__).resolve().parents[2] / "problems"


def test_line_goes_around_the_others() -> None:
    """Tests that a line takes its cheapest way past what is drawn, its own old way being free."""
    board = Problem(4, 4, 1, [((0, 1, 1), (3, 1, 1)), ((2, 0, 1), (2, 2, 1))])
    drawn = np.array([[[1, 1, 2, 0], [1, 0, 2, 1], [0, 0, 2, 0], [0, 0, 0, 0]]], np.int32)
    assert draw_line(board, drawn, 1) == pytest.approx(
        np.array([[[0, 0, 2, 0], [1, 0, 2, 1], [1, 0, 2, 1], [1, 1, 1, 1]]])
    )
    drawn[0, 3, 1] = 2
    assert draw_line(board, drawn, 1) is None


def test_each_line_of_a_board() -> None:
    """Tests that each line can be taken out of an answer and drawn again, vias included."""
    board = read_problem(str(BOARDS / "random_12x12x3.txt"))
    answer = complete(board, np.zeros(board.shape, np.int32), time_limit=10, workers=1).answer
    assert answer is not None
    for line in board.lines:
        drawn = draw_line(board, np.where(answer == line.number, 0, answer), line.number)
        assert drawn is not None and not violations(board, drawn)
