"""Tests of the simple reasons for which a board has no answer."""

from collections import Counter

import numpy as np
import pytest

from nlrouter.engine.nets.crowding import crowded_cut
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.routing_oracle import cheapest_cost, random_problem, routable_problem

CASES = {
    "2 lines (LINE#1, LINE#2) must cross from layer 1 to layer 2, but 1 via joins just": (
        "SIZE 4X3X3\nLINE_NUM 2\nLINE#1 (0,0,1) (1,0,2)\nLINE#2 (0,2,1) (1,2,2)\n"
        "VIA#a (3,0,1) (3,0,2)\nVIA#b (3,2,1) (3,2,2) (3,2,3)\n"
    ),
    "1 line (LINE#1) must cross from layer 1 to layer 3, but 0 vias join just": (
        "SIZE 4X3X3\nLINE_NUM 1\nLINE#1 (0,0,1) (1,0,3)\nVIA#a (3,0,1) (3,0,2)\n"
    ),
    "LINE#1 is walled in: no free way on layer 1 leads from its end (0,0) layer 1 to its other": (
        "SIZE 2X2\nLINE_NUM 2\nLINE#1 (0,0)-(1,1)\nLINE#2 (1,0)-(0,1)\n"
    ),
    "LINE#1 is walled in: no free way on layer 2 leads from its end (2,0) layer 2 to a via from": (
        "SIZE 3X2X2\nLINE_NUM 2\nLINE#1 (0,0,1) (2,0,2)\nLINE#2 (1,0,2) (2,1,2)\n"
        "VIA#a (0,1,1) (0,1,2)\n"
    ),
    "on layer 1, between columns 1 and 2 (counted from 0), 3 lines must cross (LINE#1; LINE#2; "
    "LINE#3), but only 1 place is open to them": (
        "SIZE 5X3\nLINE_NUM 4\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,1)-(4,1)\nLINE#3 (0,2)-(4,2)\n"
        "LINE#4 (2,1)-(2,0)\n"
    ),
    "on layer 1, between columns 1 and 2 (counted from 0), 2 lines must cross (LINE#1, LINE#2), "
    "but only 1 place is open to them": (
        "SIZE 5X4X2\nLINE_NUM 4\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (0,3,1) (0,3,2)\n"
        "LINE#3 (2,0,1) (2,1,1)\nLINE#4 (2,2,1) (3,2,1)\n"
        "VIA#a (4,0,1) (4,0,2)\nVIA#b (4,3,1) (4,3,2)\n"
    ),
    "on layer 2, between rows 0 and 1 (counted from 0), 1 line must cross (1 of LINE#2, LINE#3), "
    "but only 0 places are open to it": (
        "SIZE 2X4X2\nLINE_NUM 3\nLINE#1 (1,1,2) (0,1,2)\nLINE#2 (1,2,1) (0,2,2)\n"
        "LINE#3 (0,2,1) (1,2,2)\nVIA#a (1,0,1) (1,0,2)\nVIA#b (1,3,1) (1,3,2)\n"
    ),
}


@pytest.mark.parametrize("expected", CASES)
def test_reason(expected: str) -> None:
    """Tests that each reason names the line and what it lacks."""
    problem = parse_problem(CASES[expected], "case")
    assert infeasible_reason(problem).startswith(expected)


@pytest.mark.parametrize("seed", range(75))
def test_no_reason_where_there_is_an_answer(seed: int) -> None:
    """Tests that no board with an answer is refused."""
    assert infeasible_reason(routable_problem(seed)) == ""


def test_crowded_cuts() -> None:
    """Tests that no board with an answer has a cut that too many lines must cross."""
    found = 0
    for seed in range(150, 900):
        problem = random_problem(seed)
        spans = Counter(line.span for line in problem.lines if line.crosses_layers)
        if spans == Counter(via.span for via in problem.vias) and crowded_cut(
            problem, np.zeros(problem.shape, np.int32)
        ):
            found += 1
            assert cheapest_cost(problem) == float("inf"), seed
    assert found > 50


def test_end_beside_its_partner_or_via() -> None:
    """Tests that an end needs no free cell where it touches its goal."""
    lines = (Line(1, (Cell(0, 0, 0), Cell(0, 0, 1))), Line(2, (Cell(0, 1, 0), Cell(1, 1, 0))))
    assert infeasible_reason(Problem(2, 2, 2, lines, (Via("a", 1, 1, 0, 1),))) == ""
