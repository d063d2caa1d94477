"""Tests of what there is to draw and to say."""

from __future__ import annotations

import numpy as np

from nlrouter.drawing.scene import MAX_TOLD, compose, single_cells, strokes
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Problem

FLAT = parse_problem("SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n", "flat")
GOOD = np.array([[[1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [2, 2, 2, 2, 2]]], dtype=np.int32)


def test_captions() -> None:
    """Tests that cost, bound, gap and status are told as far as they are known."""
    head = "flat   5X3X1, 2 lines, 0 vias"
    cost = "cost 10 = 10 cells + 0 bends"
    assert compose(FLAT, None, "flat").caption == (head,)
    assert compose(FLAT, GOOD, "flat").caption == (head, f"{cost}   correct")
    told = f"{cost}   bound 9   gap 10.0 %   feasible"
    assert compose(FLAT, GOOD, "flat", bound=9).caption[1] == told
    assert compose(FLAT, GOOD, "flat", bound=10).caption[1] == f"{cost}   bound 10   optimal"


def test_violations_are_marked_and_told() -> None:
    """Tests that a mark has the number of the sentence that tells what is wrong."""
    wrong = GOOD.copy()
    wrong[0, 0, 2] = 7
    scene = compose(FLAT, wrong, "flat")
    assert scene.caption[1:] == (
        "wrong: 2 violations",
        "1. number 7 at (2,0) layer 1: there are LINE#1 to LINE#2 only",
        "2. LINE#1 is cut: the piece at (0,0) layer 1 does not reach its end (4,0) layer 1",
    )
    assert scene.marks == {Cell(0, 0, 2): [1], Cell(0, 0, 1): [2]}


def test_many_violations_are_not_all_told() -> None:
    """Tests that a broken answer does not fill the page."""
    wrong = np.arange(3, 18, dtype=np.int32).reshape(1, 3, 5)
    scene = compose(FLAT, wrong, "flat")
    assert len(scene.caption) == MAX_TOLD + 3
    assert scene.caption[-1].endswith(" more")
    assert len(scene.marks) == 15


def test_strokes_and_single_cells() -> None:
    """Tests that runs become strokes in x and in y, and that cells alone are found."""
    answer = np.array([[[1, 1, 0], [0, 1, 2], [3, 1, 0]]], dtype=np.int32)
    assert [(s.number, s.start[1:], s.stop[1:]) for s in strokes(answer)] == [
        (1, (0, 0), (0, 1)),
        (1, (0, 1), (2, 1)),
    ]
    assert single_cells(answer) == [Cell(0, 1, 2), Cell(0, 2, 0)]


def test_cut_is_marked_where_the_piece_ends() -> None:
    """Tests that the mark of a line that is cut is at the gap, not at its end."""
    problem = Problem(5, 2, 1, [((0, 0, 1), (4, 0, 1))])
    scene = compose(problem, np.array([[[1, 1, 0, 0, 1], [0, 1, 0, 0, 0]]], np.int32), "q")
    assert list(scene.marks) == [Cell(0, 1, 1)]
