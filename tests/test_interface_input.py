"""Tests that public functions refuse what they cannot take, as the commands do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
    lambda drawing: nlrouter.draw_text(SMALL, drawing),
    lambda drawing: nlrouter.animate(SMALL, [drawing], "x.gif"),
    lambda drawing: nlrouter.route(SMALL, start=drawing, time_limit=1, workers=1),
    lambda drawing: nlrouter.complete(SMALL, drawing, time_limit=1, workers=1),
    lambda drawing: nlrouter.explain(SMALL, drawing),
    lambda drawing: nlrouter.missing_lines(SMALL, drawing),
    lambda drawing: nlrouter.clean(SMALL, drawing),
    lambda drawing: nlrouter.format_answer(drawing, 1),
    lambda drawing: nlrouter.write_answer("no such folder/x.txt", SMALL, drawing),
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


SEARCHES: list[Callable[..., object]] = [
    partial(nlrouter.route, SMALL),
    partial(nlrouter.complete, SMALL, [[[0, 0, 0]]]),
]


@pytest.mark.parametrize("function", SEARCHES)
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"time_limit": float("nan")}, "time_limit=nan is not a positive number of seconds"),
        ({"time_limit": -1}, "time_limit=-1 is not a positive number of seconds"),
        ({"time_limit": 0}, "time_limit=0 is not a positive number of seconds"),
        ({"time_limit": "1"}, "time_limit='1' is not a positive number of seconds"),
        ({"workers": 0}, "workers=0 is not a whole number from 1 to 2147483647"),
        ({"workers": 1.5}, "workers=1.5 is not a whole number from 1"),
        ({"seed": -1}, "seed=-1 is not a whole number from 0"),
        ({"seed": 2**31}, "seed=2147483648 is not a whole number from 0"),
    ],
)
def test_settings_of_a_search(
    function: Callable[..., object], settings: dict[str, Any], words: str
) -> None:
    """Tests that a search with a setting that no command takes is refused before it starts."""
    with pytest.raises(ValueError, match=words):
        function(**settings)


def test_more_seconds_than_a_float_takes() -> None:
    """Tests that a time limit beyond all floats is none, and a share beyond them is refused."""
    assert nlrouter.route(SMALL, time_limit=10**400, workers=1).cost == nlrouter.Cost(3, 0)
    with pytest.raises(ValueError, match="is not a share from 0 to 1"):
        nlrouter.generate(size=(6, 6, 1), fill=-(10**400))


def test_no_time_for_a_start() -> None:
    """Tests that a time limit of 0 keeps to what a start has, as on the command line."""
    result = nlrouter.route(SMALL, start=[[[1, 1, 1]]], time_limit=0, workers=1)
    assert result.cost == nlrouter.Cost(3, 0)


def test_settings_of_a_grade() -> None:
    """Tests that work and seed of a grade are checked as those of a search are."""
    with pytest.raises(ValueError, match="work=-2 is not a positive number of seconds"):
        nlrouter.difficulty(SMALL, -2)
    with pytest.raises(ValueError, match="seed=-1 is not a whole number"):
        nlrouter.difficulty(SMALL, 1, seed=-1)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"seed": -1}, "seed=-1 is not a whole number from 0"),
        ({"lines": 0}, "lines=0 is not a whole number from 1"),
        ({"lines": 10**9}, "lines=1000000000 is not a whole number from 1 to 524288"),
        ({"size": (6, 6)}, "expected columns, rows and layers"),
        ({"lines": 2.0}, "lines=2.0 is not a whole number"),
        ({"vias": 1.5}, "vias=1.5 is not a share from 0 to 1"),
        ({"vias": -1}, "vias=-1 is not a whole number from 0"),
        ({"fill": float("nan")}, "fill=nan is not a share from 0 to 1"),
        ({"size": (10**6, 10**6, 1)}, "expected up to 8 layers and 1048576 cells"),
        ({"spans": "all"}, "spans='all': expected any, adjacent, through or pairs of layers"),
        ({"spans": [(0, 1)]}, "bottom=0 is not a whole number from 1"),
        ({"spans": [(1, 3)]}, "a via cannot join layers 1 and 3 of 2"),
        ({"unique": True}, "unique: found the kind 'random', expected 'full'"),
        ({"kind": "full", "unique": True, "time_limit": 0}, "time_limit=0 is not a positive"),
    ],
)
def test_boards_that_cannot_be_asked_for(asked: dict[str, Any], words: str) -> None:
    """Tests that what nlgen refuses is refused from Python as well."""
    with pytest.raises(ValueError, match=words):
        nlrouter.generate(**asked)


def test_only_correct_answers_are_explained() -> None:
    """Tests that an answer is refused that breaks a rule, and a partial one with a wrong line."""
    with pytest.raises(ValueError, match="answer: the answer is empty, expected a correct one"):
        nlrouter.explain(SMALL, [[[0, 0, 0]]])
    with pytest.raises(ValueError, match="fixed: found line 2, expected numbers from 1 to 1"):
        nlrouter.explain(SMALL, [[[1, 1, 1]]], fixed=[2])
    with pytest.raises(ValueError, match="answer: found object, expected whole numbers"):
        nlrouter.explain(SMALL, cast(Any, None))
    with pytest.raises(ValueError, match="partial: expected complete and correct lines: line 1"):
        nlrouter.missing_lines(
            nlrouter.Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))]), [[[1, 1, 0], [0, 0, 1]]]
        )


@pytest.mark.parametrize(
    ("size", "lines", "vias", "words"),
    [
        ((3, 3, 1), [], {}, "LINE_NUM 0: expected a line"),
        ((2000, 1000, 1), [((0, 0, 1), (1, 1, 1))], {}, "expected at most 1048576 cells"),
        ((3.0, 3, 1), [((0, 0, 1), (1, 1, 1))], {}, "SIZE 3.0X3X1: expected whole numbers"),
        ((3, 3, 1), [((0, 0, 1), (0, 1.5, 1))], {}, r"LINE#1: \(0, 1.5, 1\): expected whole"),
        ((3, 3, 1), [((0, 0), (1, 1))], {}, r"LINE#1: \(0, 0\): expected whole numbers \(x, y, l"),
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
    """Tests that places may be numbers of an array, and are plain numbers on the board."""
    first, second = np.array([[0, 0, 1], [2, 0, 1]])
    board = nlrouter.Problem(3, 1, 1, [(tuple(first), tuple(second))])
    places = [number for line in board.lines for end in line.ends for number in end]
    assert {type(number) for number in places} == {int}
    assert nlrouter.parse_problem(nlrouter.format_problem(board)) == SMALL == board


def test_answers_of_puzzles() -> None:
    """Tests that what is no puzzle, rule set or number is refused in a sentence."""
    flat = nlrouter.Problem(2, 1, 1, [((0, 0, 1), (1, 0, 1))])
    layers = nlrouter.Problem(2, 1, 2, [((0, 0, 1), (1, 0, 1))])
    with pytest.raises(ValueError, match="a puzzle has one layer, the board has 2"):
        nlrouter.answers(layers)
    with pytest.raises(ValueError, match="expected one of adc, nikoli, flow"):
        nlrouter.answers(flat, "flw")
    with pytest.raises(ValueError, match="limit"):
        nlrouter.answers(flat, limit=0)
    assert nlrouter.answers(flat, "flow").verdict == "only one answer"
