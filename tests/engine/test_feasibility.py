"""Tests of the simple reasons for which a board has no answer."""

import pytest
from routing_oracle import cheapest_cost, random_problem

from nlrouter.engine.feasibility import infeasible_reason
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Line, Problem, Via

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
}


@pytest.mark.parametrize("expected", CASES)
def test_reason(expected: str) -> None:
    """Tests that each reason names the line and what it lacks."""
    problem = parse_problem(CASES[expected], "case")
    assert infeasible_reason(problem).startswith(expected)


@pytest.mark.parametrize("seed", range(150))
def test_no_reason_where_there_is_an_answer(seed: int) -> None:
    """Tests that no board with an answer is refused."""
    problem = random_problem(seed)
    if infeasible_reason(problem):
        assert cheapest_cost(problem) == float("inf")


def test_end_beside_its_partner_or_via() -> None:
    """Tests that an end needs no free cell where it touches its goal."""
    lines = (Line(1, (Cell(0, 0, 0), Cell(0, 0, 1))), Line(2, (Cell(0, 1, 0), Cell(1, 1, 0))))
    assert infeasible_reason(Problem(2, 2, 2, lines, (Via("a", 1, 1, 0, 1),))) == ""
