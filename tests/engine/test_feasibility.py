"""Tests of the simple reasons for which a board has no answer."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np
import pytest

from nlrouter.answer import Answer
from nlrouter.engine.nets.alternating import crossing_lines
from nlrouter.engine.nets.crowding import crowded_block
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.engine.nets.nets import nets_of
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.routing_oracle import cheapest_cost, random_problem, routable_problem
from tests.engine.tiny_layers import every_path, every_routing, layer_problem

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
    "on layer 1, between columns 2 and 3 (counted from 0), 3 lines must cross (LINE#4; LINE#1, "
    "LINE#2), but only 2 places are open to them": (
        "SIZE 5X4X2\nLINE_NUM 4\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (0,3,1) (0,3,2)\n"
        "LINE#3 (2,0,1) (2,1,1)\nLINE#4 (2,2,1) (3,2,1)\n"
        "VIA#a (4,0,1) (4,0,2)\nVIA#b (4,3,1) (4,3,2)\n"
    ),
    "on layer 2, between rows 0 and 1 (counted from 0), 1 line must cross (1 of LINE#2, LINE#3), "
    "but only 0 places are open to it": (
        "SIZE 2X4X2\nLINE_NUM 3\nLINE#1 (1,1,2) (0,1,2)\nLINE#2 (1,2,1) (0,2,2)\n"
        "LINE#3 (0,2,1) (1,2,2)\nVIA#a (1,0,1) (1,0,2)\nVIA#b (1,3,1) (1,3,2)\n"
    ),
    "on layer 1, 4 lines must leave the block from (0,2) to (2,4) (LINE#1; LINE#2; LINE#3; "
    "LINE#4), but only 3 places are open to them": (
        "SIZE 5X5\nLINE_NUM 4\nLINE#1 (2,2)-(1,1)\nLINE#2 (2,3)-(3,1)\nLINE#3 (3,2)-(1,4)\n"
        "LINE#4 (3,3)-(0,4)\n"
    ),
    "on layer 1, LINE#1 must cross LINE#2 as their ends alternate along the border": (
        "SIZE 72X72X2\nLINE_NUM 2\nLINE#1 (0,0,1) (71,71,1)\nLINE#2 (71,0,1) (0,71,1)\n"
    ),
    "on layer 1, LINE#1 must cross LINE#2 as their ends and vias alternate along the border": (
        "SIZE 6X6X2\nLINE_NUM 2\nLINE#1 (0,0,1) (5,5,1)\nLINE#2 (5,0,1) (3,3,2)\n"
        "VIA#a (0,5,1) (0,5,2)\n"
    ),
    "on layer 1, LINE#1 must cross one of LINE#2, LINE#3 as their ends and vias alternate": (
        "SIZE 6X6X2\nLINE_NUM 3\nLINE#1 (0,0,1) (5,5,1)\nLINE#2 (5,0,1) (3,3,2)\n"
        "LINE#3 (3,0,1) (4,4,2)\nVIA#a (0,5,1) (0,5,2)\nVIA#b (5,3,1) (5,3,2)\n"
    ),
    "on layer 1, LINE#1 must cross one of LINE#3, LINE#4, whichever via it takes, as their ends": (
        "SIZE 6X6X3\nLINE_NUM 4\nLINE#1 (0,0,1) (2,2,2)\nLINE#2 (3,2,1) (3,3,2)\n"
        "LINE#3 (3,0,1) (2,2,3)\nLINE#4 (2,3,1) (3,3,3)\n"
        "VIA#a (5,0,1) (5,0,2)\nVIA#b (5,3,1) (5,3,2)\n"
        "VIA#c (5,5,1) (5,5,2) (5,5,3)\nVIA#d (0,5,1) (0,5,2) (0,5,3)\n"
    ),
    "on layer 2, LINE#1 must cross LINE#2 as their ends alternate along the wall at (2,3)": (
        "SIZE 7X7X3\nLINE_NUM 3\nLINE#1 (2,3,2) (4,3,2)\nLINE#2 (3,2,2) (3,4,2)\n"
        "LINE#3 (0,0,1) (0,0,3)\nVIA#a (3,3,1) (3,3,2) (3,3,3)\n"
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


@pytest.mark.parametrize(("reason", "least"), [(crowded_block, 230), (crossing_lines, 25)])
def test_reason_alone(reason: Callable[[Problem, Answer], str], least: int) -> None:
    """Tests that no board with an answer is refused for a cut or for lines that must cross."""
    found = 0
    for seed in range(150, 900):
        problem = random_problem(seed)
        spans = Counter(line.span for line in problem.lines if line.crosses_layers)
        if spans == Counter(via.span for via in problem.vias) and reason(
            problem, np.zeros(problem.shape, np.int32)
        ):
            found += 1
            assert cheapest_cost(problem) == float("inf"), seed
    assert found > least


def crowded(problem: Problem, top: int, bottom: int, left: int, right: int) -> bool:
    """Tell whether more lines must leave a block of a board of one layer than can."""
    ends = {end: line.number for line in problem.lines for end in line.ends}
    block = {Cell(0, y, x) for y in range(top, bottom + 1) for x in range(left, right + 1)}
    leaving = [line for line in problem.lines if len(block.intersection(line.ends)) == 1]
    own: Counter[int] = Counter()
    for z, y, x in block:
        able = set()
        for near in (Cell(z, y - 1, x), Cell(z, y + 1, x), Cell(z, y, x - 1), Cell(z, y, x + 1)):
            on_board = 0 <= near.y < problem.height and 0 <= near.x < problem.width
            users = {ends[cell] for cell in (Cell(z, y, x), near) if cell in ends}
            if on_board and near not in block and len(users) < 2:
                able |= users or {0}
        own.update([0] if 0 in able or len(able) > 1 else able)
    return len(leaving) > own[0] + sum(own[line.number] > 0 for line in leaving)


def test_every_block_is_looked_at() -> None:
    """Tests against one block after the other: what is crowded is found, and nothing else."""
    told = 0
    for seed in range(150):
        problem = layer_problem(seed, 4 + seed % 3, 5, 3 + seed % 5)
        rows, columns = range(problem.height), range(problem.width)
        blocks = [
            (top, bottom, left, right)
            for top, bottom in combinations_with_replacement(rows, 2)
            for left, right in combinations_with_replacement(columns, 2)
        ]
        found = [block for block in blocks if crowded(problem, *block)]
        reason = crowded_block(problem, np.zeros(problem.shape, np.int32))
        if not reason:
            assert not [b for b in found if b[0] < b[1] and b[2] < b[3]], seed
        else:
            told += 1
            assert found, (seed, reason)
    assert told > 40


@pytest.mark.parametrize("keep", [False, True])
def test_small_layers_told_apart(keep: bool) -> None:
    """Tests layers of up to 4x4 cells, also with a line fixed: what has no answer is told."""
    untold = told = 0
    for seed in range(300):
        problem = layer_problem(seed, 3 + seed % 2, 4, 2 + seed % 3)
        fixed = np.zeros(problem.shape, np.int32)
        if keep:
            nets = nets_of(problem)
            paths = every_path(nets, 0, int(nets.target[0]))
            if not paths:
                continue
            drawn = np.zeros((1, nets.cells), np.int32)
            drawn[0, list(paths[seed % len(paths)])] = 1
            fixed = nets.unframed(drawn)
        nets = nets_of(problem, fixed)
        routable = next(every_routing(nets, nets.target), None) is not None
        reason = infeasible_reason(problem, fixed)
        assert not (routable and reason), (seed, reason)
        told += bool(reason)
        untold += not routable and not reason
    assert told > 100 and untold <= told // 50


OPEN = {
    "ends that touch": "SIZE 4X4\nLINE_NUM 2\nLINE#1 (0,1)-(0,2)\nLINE#2 (0,0)-(0,3)\n",
    "an end off the border": "SIZE 5X5\nLINE_NUM 2\nLINE#1 (0,2)-(3,2)\nLINE#2 (2,0)-(2,4)\n",
    "an end that sticks out": (
        "SIZE 5X5\nLINE_NUM 3\nLINE#1 (0,2)-(2,2)\nLINE#2 (1,0)-(1,4)\nLINE#3 (0,0)-(0,1)\n"
    ),
    "a pair in its own order": "SIZE 4X4\nLINE_NUM 2\nLINE#1 (0,0)-(3,0)\nLINE#2 (0,3)-(3,3)\n",
    "the other via": (
        "SIZE 6X6X2\nLINE_NUM 3\nLINE#1 (0,0,1) (5,5,1)\nLINE#2 (2,3,1) (3,3,2)\n"
        "LINE#3 (3,0,1) (4,4,2)\nVIA#a (0,5,1) (0,5,2)\nVIA#b (5,3,1) (5,3,2)\n"
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_ends_that_do_not_alternate(name: str) -> None:
    """Tests boards on which something lets a line past the other."""
    problem = parse_problem(OPEN[name], name)
    assert infeasible_reason(problem) == ""


def test_end_beside_its_partner_or_via() -> None:
    """Tests that an end needs no free cell where it touches its goal."""
    lines = (Line(1, (Cell(0, 0, 0), Cell(0, 0, 1))), Line(2, (Cell(0, 1, 0), Cell(1, 1, 0))))
    assert infeasible_reason(Problem(2, 2, 2, lines, (Via("a", 1, 1, 0, 1),))) == ""
