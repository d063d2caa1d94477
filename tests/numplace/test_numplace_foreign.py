"""Tests of calcudoku as other programs and sites write them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlrouter.files.errors import FileError
from numplace.constraints import Arithmetic
from numplace.files.calcudoku_foreign import read_cages
from numplace.files.detect import parse_puzzles

SPEC = "A-0 A B+7 B\nC+7 A D/2 B\nC D D E+5\nF*2 F 3 E\n"
"""KEN-02, which has all four operations and a number."""
CAGES = [
    ([(0, 0), (0, 1), (1, 1)], "-", 0),
    ([(0, 2), (0, 3), (1, 3)], "+", 7),
    ([(1, 0), (2, 0)], "+", 7),
    ([(1, 2), (2, 1), (2, 2)], "/", 2),
    ([(2, 3), (3, 3)], "+", 5),
    ([(3, 0), (3, 1)], "*", 2),
    ([(3, 2)], "", 3),
]
WORDS = {"+": "Add", "-": "\u2212", "*": "\u00d7", "/": "divide", "": None}


def meaning(text: str) -> Any:
    """Return what a text's puzzle is, but for the names of groups."""
    (puzzle,) = parse_puzzles(text, "x")
    groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
    clues = {(frozenset(each.cells), each.op, each.target) for each in groups}
    return puzzle.width, clues, puzzle.givens


def cell_names(row: int, column: int) -> list[Any]:
    """Return the ways to name a cell, of which a file uses one."""
    return [
        [row, column],
        [row + 1, column + 1],
        {"row": row, "col": column},
        {"x": column, "y": row},
        f"r{row + 1}c{column + 1}",
        f"{'ABCD'[column]}{row + 1}",
        f"{row},{column}",
        4 * row + column,
        4 * row + column + 1,
    ]


@pytest.mark.parametrize("way", range(9))
def test_json_with_cages(way: int) -> None:
    """Tests ways to name cells, operations, targets, sizes and lists in JSON."""
    cages = [([cell_names(*cell)[way] for cell in cells], op, n) for cells, op, n in CAGES]
    records: list[Any] = [
        {"size": 4, "cages": [{"cells": c, "op": op, "target": n} for c, op, n in cages]},
        {"groups": [{"Squares": c, "Operation": WORDS[op], "Value": n} for c, op, n in cages]},
        {"puzzle": {"n": 4, "blocks": [{"cells": c, "clue": f"{n}{op}"} for c, op, n in cages]}},
        [[f"{op}{n}", c] for c, op, n in cages],
        [[n, op, c] for c, op, n in cages],
    ]
    for record in records:
        assert meaning(json.dumps(record)) == meaning(SPEC)


@pytest.mark.parametrize(
    "text",
    [
        SPEC.replace("*", "\u00d7").replace("/", "\u00f7").replace("-", "\u2212"),
        "A0- A B7+ B\nC7+ A D2/ B\nC D D E5+\nF2x F 3 E\n",
        "a-0\nb+7\nc+7\nd/2\ne+5\nf*2\ng=3\n\naabb\ncadb\ncdde\nffge\n",
        "a a b b\nc a d b\nc d d e\nf f g e\n\n"
        "a: 0-\nb: 7+\nc: 7 +\nd: 2\u00f7\ne: +5\nf: x2\ng: 3\n",
    ],
)
def test_text_of_others(text: str, run: Callable, tmp_path: Path) -> None:
    """Tests other signs, the target first, and letters with a list of clues before or after."""
    assert meaning(text) == meaning(SPEC)
    path = tmp_path / "x"
    path.write_text(text)
    answer = run("solve", path, "--quiet")
    assert answer.code == 0 and answer.out == "1 4 2 3\n4 3 1 2\n3 2 4 1\n2 1 3 4\n"
    assert run("cdok", "examine", "-i", path).code == 0


def test_cells_in_no_group(run: Callable, tmp_path: Path) -> None:
    """Tests that a hole is a cell of any number, which is told."""
    path = tmp_path / "x"
    for text in ("A+3 A .\nB*6 B B\n_ 3 1\n", json.dumps([[3, "+", [[0, 0], [0, 1]]],
                 [6, "*", [[1, 0], [1, 1], [1, 2]]], [3, [[2, 1]]], [1, [[2, 2]]]])):  # fmt: skip
        path.write_text(text)
        outcome = run("solve", path)
        assert outcome.code == 0 and outcome.out == "1 2 3\n3 1 2\n2 3 1\n"
        assert f"{path}: in no group, so of any number: r1c3, r3c1\n" in outcome.err


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"size": 4}, "found JSON without a list of cages, expected a puzzle of ours, or 'cages'"),
        ([[3, "+"]], "without a list of cells"),
        ([["max", 3, [[0, 0], [0, 1]]]], "the clue 'max 3', expected a target and one of"),
        ([[3, [[0, 0], [0, 1]]]], "the clue '3', expected a target and one of the operations"),
        ([[3, "+", [[0, 0], [0, True]]]], "the cell '[0, true]', expected row and column"),
        ([[3, "+", [[0, 0], [0, 0]]], [1, [[1, 1]]]], "found r1c1 twice, expected each cell in"),
        ([[3, "+", [[0, 0], [1, 1]]]], "that group at r1c1 is not connected"),
        ({"size": 3, "cages": [[3, "+", [[5, 5], [5, 6]]]]}, "found cells from 5 to 6 in a square"),
        ({"size": 2, "cages": [[3, [[0, 0]]]]}, "found number 3 at r1c1, expected 1 to 2"),
        ({"size": 2, "cages": [[0, "/", [[0, 0], [0, 1]]]]}, "found target 0 for '/' in group at"),
        ({"size": 99, "cages": [[3, [[0, 0]]]]}, "in a square of side 99"),
    ],
)
def test_what_cannot_be_read(record: Any, message: str, run: Callable, tmp_path: Path) -> None:
    """Tests that what is missing or strange in JSON is told in a sentence."""
    path = tmp_path / "x"
    path.write_text(json.dumps(record))
    outcome = run("solve", path)
    assert outcome.code == 2 and message in outcome.err and len(outcome.err.splitlines()) == 1


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 20)
    | st.sampled_from(["+", "3+", "r1c1", "A1", ""]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["cages", "cells", "op", "target", "size", "row"]), inner)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json(record: Any) -> None:
    """Tests that JSON of whatever shape is a puzzle or told in a sentence."""
    with suppress(FileError):
        assert 1 <= read_cages(record, "x").width <= 16
