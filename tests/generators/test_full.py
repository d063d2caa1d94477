"""Tests that full boards are full, whatever else is asked of them."""

import numpy as np
import pytest

from nlrouter.generators import NoBoard, fill_board
from tests.generators.generated_board import check


@pytest.mark.parametrize("size", [(3, 1), (1, 7), (2, 3), (3, 3), (5, 4), (12, 7), (36, 36)])
@pytest.mark.parametrize("seed", range(24))
def test_full_board(size: tuple[int, int], seed: int) -> None:
    """Tests that a full board is full, with lines of three cells or more."""
    width, height = size
    problem, answer = fill_board(width, height, seed)
    check(problem, answer)
    assert problem.shape == (1, height, width)
    assert np.bincount(answer.ravel())[1:].min() >= 3
    assert answer.all()


@pytest.mark.parametrize("size", [(0, 3), (1, 2), (2, 2)])
def test_no_full_board(size: tuple[int, int]) -> None:
    """Tests that a size that no lines fill is refused."""
    with pytest.raises(ValueError, match=r"full board|fill a layer"):
        fill_board(*size, seed=0)


@pytest.mark.parametrize("lines", [3, 9, 25])
def test_number_of_lines(lines: int) -> None:
    """Tests that long or short lines fill a board as well."""
    for seed in range(5):
        problem, answer = fill_board(8, 8, seed, lines=lines)
        check(problem, answer)
        assert answer.all()
        assert len(problem.lines) == lines


def test_layers_and_vias() -> None:
    """Tests that a full board may have layers, and lines across them."""
    for seed in range(5):
        problem, answer = fill_board(7, 6, seed, layers=4, lines=24, vias=6)
        check(problem, answer)
        assert answer.all()
        assert (len(problem.lines), len(problem.vias)) == (24, 6)


def test_too_few_lines() -> None:
    """Tests that lines that cannot fill the board are refused in the end."""
    with pytest.raises(NoBoard, match="1 lines"):
        fill_board(5, 5, seed=0, lines=1)
