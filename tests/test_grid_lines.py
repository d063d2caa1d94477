"""Tests of following drawn lines."""

import numpy as np
import pytest

from nlrouter.grid import follow
from nlrouter.problem import Cell


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        ([[1, 1, 2], [2, 1, 2], [2, 1, 1]], [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)]),
        ([[1, 0, 1]], [(0, 0)]),
        ([[1, 2], [2, 1]], [(0, 0)]),
        ([[1, 1], [1, 1]], [(0, 0), (0, 1), (1, 1), (1, 0)]),
    ],
    ids=["bent", "cut", "diagonal", "block"],
)
def test_follow(rows: list[list[int]], path: list[tuple[int, int]]) -> None:
    """Tests that a line is followed to its end or to a cut, and a block not for ever."""
    answer = np.array([np.zeros_like(rows), rows], dtype=np.int32)
    assert follow(answer, Cell(1, 0, 0)) == [Cell(1, y, x) for y, x in path]


def test_layer_alone() -> None:
    """Tests that a line is not followed to another layer."""
    answer = np.ones((3, 1, 2), dtype=np.int32)
    assert follow(answer, Cell(1, 0, 0)) == [Cell(1, 0, 0), Cell(1, 0, 1)]
