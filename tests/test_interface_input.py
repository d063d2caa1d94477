"""Tests that public functions refuse what they cannot take, as the commands do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import nlrouter
from nlrouter.problem import Cell, Line, Via

SMALL = nlrouter.Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])

WITH_ANSWER: list[Callable[[Any], object]] = [
    lambda drawing: nlrouter.check(SMALL, drawing),
    lambda drawing: nlrouter.judge(SMALL, drawing),
    nlrouter.cost,
    lambda drawing: nlrouter.draw(SMALL, drawing),
    lambda drawing: nlrouter.route(SMALL, start=drawing, time_limit=1, workers=1),
    lambda drawing: nlrouter.complete(SMALL, drawing, time_limit=1, workers=1),
]


@pytest.mark.parametrize("function", WITH_ANSWER)
def test_numbers_beyond_32_bits(function: Callable[[Any], object]) -> None:
    """Tests that a number is refused that would be a line's if its upper bits were lost."""
    with pytest.raises(ValueError, match="found 4294967297, expected numbers up to 2147483647"):
        function([[[2**32 + 1] * 3]])


@pytest.mark.parametrize("function", WITH_ANSWER)
def test_layers_that_are_missing(function: Callable[[Any], object]) -> None:
    """Tests that a drawing without layers is refused."""
    with pytest.raises(ValueError, match=r"found the shape \(1, 3\), expected"):
        function([[1, 1, 1]])


@pytest.mark.parametrize(
    ("size", "lines", "vias", "words"),
    [
        ((3, 3, 1), [], {}, "LINE_NUM 0: expected a line"),
        ((2000, 1000, 1), [((0, 0, 1), (1, 1, 1))], {}, "expected at most 1048576 cells"),
        ((3.0, 3, 1), [((0, 0, 1), (1, 1, 1))], {}, "SIZE 3.0X3X1: expected whole numbers"),
        ((3, 3, 1), [((0, 0, 1), (0, 1.5, 1))], {}, r"LINE#1: \(0, 1.5, 1\): expected whole"),
        (
            (3, 3, 2),
            [((0, 0, 1), (0, 1, 2))],
            {"a": [(2, 2, 1), (2, 2, 2.0)]},
            r"VIA#a: \(2, 2, 2.0\): expected whole",
        ),
        (
            (3, 3, 1),
            [Line(1, (Cell(0, 0, 0), Cell(0, cast(int, 1.0), 0)))],
            {},
            "LINE#1: expected whole",
        ),
        (
            (3, 3, 2),
            [((0, 0, 1), (0, 1, 2))],
            [Via("a", 2, 2, 0, cast(int, 1.0))],
            "VIA#a: expected whole numbers",
        ),
    ],
)
def test_boards_that_no_file_holds(size: Any, lines: Any, vias: Any, words: str) -> None:
    """Tests that a board is refused that could be written to a file and not read again."""
    with pytest.raises(ValueError, match=words):
        nlrouter.Problem(size[0], size[1], size[2], lines, vias)


def test_whole_numbers_of_numpy() -> None:
    """Tests that places may be numbers of an array."""
    first, second = np.array([[0, 0, 1], [2, 0, 1]])
    board = nlrouter.Problem(3, 1, 1, [(tuple(first), tuple(second))])
    assert nlrouter.parse_problem(nlrouter.format_problem(board)) == SMALL == board
