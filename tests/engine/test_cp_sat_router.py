"""Tests of boards that are routed by CP-SAT alone, against trying everything."""

from __future__ import annotations

import threading
from math import inf, isinf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nlrouter
from nlrouter.answer import only
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.deadline import WALL, Deadline
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engines import Engine
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.problem import Problem
from nlrouter.result import Outcome, Progress, Status, unobserved
from tests.board_router import route_board
from tests.engine.routing_oracle import cheapest_cost, random_problem

PROBLEMS = Path(__file__).parents[2] / "problems"

TWO = parse_problem("SIZE 5X4\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,3)-(4,3)\n", "two")
BENT = np.array([[[1, 1, 0, 1, 1], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0], [2, 2, 2, 2, 2]]], np.int32)


def run(
    problem: Problem,
    seconds: float = 60,
    flow: FlowConfig | None = None,
    seen: list[Progress] | None = None,
    stop: threading.Event | None = None,
    **asked: Any,
) -> Outcome:
    """Route a board, and check the answer."""
    result = route_board(
        problem,
        Deadline(seconds, WALL, (stop or threading.Event()).is_set),
        unobserved if seen is None else seen.append,
        config=RouterConfig(engine=Engine.CP_SAT, flow=flow or FlowConfig()),
        **asked,
    )
    if result.answer is not None:
        assert violations(problem, result.answer) == []
        assert measure(result.answer) == result.cost
    return result


@pytest.mark.parametrize("seed", range(60))
def test_tiny_boards(seed: int) -> None:
    """Tests that the optimum is found and proven, or that there is no answer."""
    problem = random_problem(seed)
    cost = cheapest_cost(problem)
    seen: list[Progress] = []
    result = run(problem, seen=seen)
    if isinf(cost):
        assert result.status is Status.INFEASIBLE
        return
    assert result.cost is not None
    assert (result.status, result.cost.total, result.lower_bound) == (Status.OPTIMAL, cost, cost)
    assert all((moment.lower_bound or 0) <= cost for moment in seen)


@pytest.mark.parametrize("name", ["random_10x10x2", "switchbox_12x12x2"])
def test_small_boards(name: str) -> None:
    """Tests that small boards are closed at the cost that the other engine finds."""
    problem = read_problem(str(PROBLEMS / f"{name}.txt"))
    known = read_answer(str(PROBLEMS.parent / "answers" / f"{name}.txt"))
    result = run(problem)
    assert result.status is Status.OPTIMAL and result.cost is not None
    assert result.cost == measure(known)


def test_no_answer() -> None:
    """Tests that a board is proven to have none where nothing simple shows it."""
    text = "SIZE 4X4\nLINE_NUM 3\nLINE#1 (1,1)-(2,3)\nLINE#2 (2,1)-(1,3)\nLINE#3 (0,2)-(3,1)\n"
    problem = parse_problem(text, "none")
    assert isinf(cheapest_cost(problem))
    assert run(problem).status is Status.INFEASIBLE


def test_start() -> None:
    """Tests that a complete start is the first answer, and a better one is found."""
    seen: list[Progress] = []
    result = run(TWO, start=BENT, seen=seen)
    answers = [moment.answer for moment in seen if moment.answer is not None]
    assert np.array_equal(answers[0], BENT)
    assert result.cost is not None and result.cost.total == 10
    kept = run(TWO, 0.0, start=BENT)
    assert kept.status is Status.FEASIBLE and kept.answer is not None
    assert np.array_equal(kept.answer, BENT)


def test_incomplete_start() -> None:
    """Tests that lines of a start are there where there is no time for more."""
    lines = only(BENT, frozenset({1}))
    assert run(TWO, start=lines).status is Status.OPTIMAL
    partial = run(TWO, 0.0, start=lines).partial
    assert partial is not None and np.array_equal(only(partial, frozenset({1})), lines)


@pytest.mark.parametrize("fixed", [{1}, {1, 2}])
def test_fixed_lines(fixed: set[int]) -> None:
    """Tests that fixed lines stay, and that cost and bound are of the board on which they do."""
    result = run(TWO, start=BENT, fixed=frozenset(fixed))
    assert result.status is Status.OPTIMAL and result.answer is not None
    assert np.array_equal(result.answer, BENT)


def test_large_parts_are_left_out() -> None:
    """Tests that a model beyond all measure is not made, and that this is said."""
    with pytest.warns(RuntimeWarning, match=r"CP-SAT leaves out a part of 2 nets: .*most 40"):
        result = run(TWO, flow=FlowConfig(most_arcs=40))
    assert result.status is Status.FEASIBLE and result.lower_bound == 4  # Lines tried in a row.


def test_stop() -> None:
    """Tests that the search ends when it is told to, with what it knows."""
    problem = read_problem(str(PROBLEMS / "random_24x24x3.txt"))
    stop = threading.Event()
    stop.set()
    result = run(problem, inf, stop=stop)
    assert result.status is Status.UNKNOWN


def test_interface() -> None:
    """Tests that the public function has this engine, and no other than those that there are."""
    result = nlrouter.route(TWO, engine="cp-sat", workers=1)
    assert result.status is Status.OPTIMAL and result.cost is not None
    assert result.cost.total == 10
    with pytest.raises(ValueError, match="engine='sat' is none of portfolio, cp-sat"):
        nlrouter.route(TWO, engine="sat")  # type: ignore[arg-type]
