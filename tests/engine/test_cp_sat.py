"""Tests of the CP-SAT model, against the best answer found by trying everything."""

import signal
from dataclasses import replace
from functools import cache
from math import inf

import numpy as np
import pytest

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.exact.cp_sat import Known, solve
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.files.problem_file import parse_problem
from tests.engine.routing_oracle import cheapest_cost, random_problem

SEEDS = range(90)

# The contest's sample: seconds of work, so that there is time to stop it.
SLOW = nets_of(
    parse_problem(
        "SIZE 10X10X2\nLINE_NUM 7\n"
        "LINE#1 (8,1,1) (8,9,2)\nLINE#2 (2,4,1) (3,9,2)\nLINE#3 (7,6,1) (1,9,2)\n"
        "LINE#4 (6,6,1) (1,8,2)\nLINE#5 (9,3,1) (5,7,2)\nLINE#6 (1,1,1) (7,3,2)\n"
        "LINE#7 (1,2,1) (6,3,2)\n"
        "VIA#a (8,8,1) (8,8,2)\nVIA#b (2,9,1) (2,9,2)\nVIA#c (0,9,1) (0,9,2)\n"
        "VIA#d (0,8,1) (0,8,2)\nVIA#e (5,6,1) (5,6,2)\nVIA#f (7,2,1) (7,2,2)\n"
        "VIA#g (6,2,1) (6,2,2)\n",
        "slow",
    )
)

FLAT = nets_of(
    parse_problem("SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n", "flat")
)
"""Two lines that are straight if they may."""

SIDE_BY_SIDE = nets_of(
    parse_problem(
        "SIZE 7X5X2\nLINE_NUM 3\nLINE#1 (0,0,1) (6,0,2)\nLINE#2 (0,2,1) (6,2,2)\n"
        "LINE#3 (0,4,1) (6,4,2)\nVIA#a (3,0,1) (3,0,2)\nVIA#b (3,2,1) (3,2,2)\n"
        "VIA#c (3,4,1) (3,4,2)\n",
        "side by side",
    )
)
"""Three lines that change layers."""


@cache
def optimum(seed: int) -> float:
    """Return the cost of the best answer of a random board, less what every answer costs."""
    return cheapest_cost(random_problem(seed)) - nets_of(random_problem(seed)).constant


def last(nets: Nets) -> Known:
    """Return what is known in the end."""
    *_, known = solve(nets, Deadline(60))
    return known


@pytest.mark.parametrize("seed", SEEDS)
def test_optimum_is_that_of_trying_everything(seed: int) -> None:
    """Tests that cost and bound are right at any time, and that the answer obeys the rules."""
    problem = random_problem(seed)
    nets = nets_of(problem)
    moments = list(solve(nets, Deadline(60), seed=seed))
    if optimum(seed) == inf:
        assert moments[-1] == Known(None, NO_ANSWER)
        return
    bounds = [known.bound for known in moments]
    costs = [known.routing.cost for known in moments if known.routing is not None]
    assert bounds == sorted(bounds) and bounds[-1] == optimum(seed)
    assert costs == sorted(costs, reverse=True) and costs[-1] == optimum(seed)
    routing = moments[-1].routing
    assert routing is not None
    answer = nets.answer(routing.paths, routing.assignment)
    assert violations(problem, answer) == []
    assert measure(answer).total == nets.constant + optimum(seed)


def test_lines_keep_vias_that_are_settled() -> None:
    """Tests that a line whose via is its target takes it, and others choose among those left."""
    nets = SIDE_BY_SIDE
    free = last(nets).routing
    assert free is not None and free.cost == 3 * 4
    (span,) = nets.classes
    target = nets.target.copy()
    target[[span.lower[0], span.upper[0]]] = span.via_cells[1]
    settled = last(replace(nets, target=target)).routing
    assert settled is not None
    assert settled.assignment[0].tolist() in ([1, 0, 2], [1, 2, 0])
    assert violations(nets.problem, nets.answer(settled.paths, settled.assignment)) == []


@pytest.mark.parametrize("nets", [FLAT, SIDE_BY_SIDE])
def test_start_is_taken_up(nets: Nets) -> None:
    """Tests that the first answer of a search that starts from the best one is that."""
    best = last(nets).routing
    assert best is not None
    for start in (best.paths, [None, *best.paths[1:]]):
        found = [known.routing for known in solve(nets, Deadline(60), start=start)]
        first = next(routing for routing in found if routing is not None)
        assert first.cost == best.cost


def test_no_nets() -> None:
    """Tests that nothing costs nothing."""
    nothing = FLAT.layer_alone(1, FLAT.target)
    assert last(nothing).bound == 0
    routing = last(nothing).routing
    assert routing is not None and routing.paths == []


def test_closing_stops() -> None:
    """Tests that the solver stops with whoever listens to it."""
    search = solve(SLOW, Deadline(inf))
    known = next(known for known in search if known.bound > 0)
    search.close()
    assert known.bound <= 69


def test_a_wish_to_stop_stops() -> None:
    """Tests that the solver stops when it is told to, and claims no more than it knows."""
    stop = False
    search = solve(SLOW, Deadline(inf, stopped=lambda: stop))
    for known in search:
        stop = stop or known.bound > 0
    assert 0 < known.bound < 69


def test_deadlines_stop() -> None:
    """Tests that no time left gives neither an answer nor a refusal, be it time or work."""
    for deadline in (Deadline(0.0), Deadline(0.0, WorkClock())):
        *_, known = solve(SLOW, deadline)
        assert known == Known(None, 0)
    clock = WorkClock()
    *_, known = solve(SLOW, Deadline(0.5, clock))
    assert known.bound < 69 and clock.seconds > 0.4


def test_work_is_the_same_again() -> None:
    """Tests that a limit of work gives equal results."""

    def told() -> list[tuple[int, int | None]]:
        news = [(known.bound, None if known.routing is None else known.routing.cost)
                for known in solve(SLOW, Deadline(1.0, WorkClock()))]  # fmt: skip
        return [now for k, now in enumerate(news) if now not in news[:k]]

    assert told() == told()


def test_interrupts_stay_pythons() -> None:
    """Tests that the solver leaves the handling of interrupts as it was."""
    # A shell starts what runs in the background with interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        last(FLAT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_paths_have_no_loops() -> None:
    """Tests that what is read of any solution is a routing, loops or not."""
    for known in solve(SLOW, Deadline(2.0, WorkClock())):
        if known.routing is not None:
            answer = SLOW.answer(known.routing.paths, known.routing.assignment)
            assert violations(SLOW.problem, answer) == []
            assert measure(answer).total == SLOW.constant + known.routing.cost
            assert all(len(np.unique(path)) == len(path) for path in known.routing.paths)
