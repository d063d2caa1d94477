"""Tests of the exact flow model, against the best answer found by trying everything."""

import signal
from functools import cache
from math import inf, isinf
from typing import Any

import numpy as np
import pytest

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.cuts import Cut, SeparationConfig, separate
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.flow_model import FlowResult, solve_flow
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.paths.shortcut import cut_short
from nlrouter.files.problem_file import parse_problem
from nlrouter.result import Status, ceil_bound
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

# One layer, two lines that are straight if they may: 1 along the top, 2 along the bottom.
FLAT = nets_of(
    parse_problem("SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n", "flat")
)


# Three lines that change layers side by side.
SIDE_BY_SIDE = nets_of(
    parse_problem(
        "SIZE 7X5X2\nLINE_NUM 3\nLINE#1 (0,0,1) (6,0,2)\nLINE#2 (0,2,1) (6,2,2)\n"
        "LINE#3 (0,4,1) (6,4,2)\nVIA#a (3,0,1) (3,0,2)\nVIA#b (3,2,1) (3,2,2)\n"
        "VIA#c (3,4,1) (3,4,2)\n",
        "side by side",
    )
)


def flat_cell(y: int, x: int) -> int:
    """Return the framed cell of `FLAT`."""
    return (y + 1) * FLAT.stride + x + 1


@cache
def optimum(seed: int) -> float:
    """Return the cost of the best answer of a random board, less what every answer costs."""
    return cheapest_cost(random_problem(seed)) - nets_of(random_problem(seed)).constant


def solvable(count: int) -> list[int]:
    """Return the first seeds whose boards have an answer."""
    return [seed for seed in SEEDS if not isinf(optimum(seed))][:count]


def solve(nets: Nets, seconds: float = 60, **options: Any) -> FlowResult:
    """Solve a whole board."""
    members = np.arange(nets.count, dtype=np.int32)
    return solve_flow(nets, members, nets.target, nets.free, Deadline(seconds), **options)


@pytest.mark.parametrize("seed", SEEDS)
def test_optimum_is_that_of_trying_everything(seed: int) -> None:
    """Tests that cost, status and bound are right and the answer obeys the rules."""
    problem = random_problem(seed)
    nets = nets_of(problem)
    bounds: list[int] = []
    costs: list[int] = []
    result = solve(nets, on_bound=bounds.append, on_answer=lambda _p, _a, c: costs.append(c))
    if isinf(optimum(seed)):
        assert result == FlowResult(Status.INFEASIBLE, None, None, None, 0)
        return
    assert (result.status, result.cost, result.bound) == (Status.OPTIMAL,) + 2 * (optimum(seed),)
    assert bounds == sorted(bounds) and all(bound <= optimum(seed) for bound in bounds)
    assert costs[-1] == optimum(seed) and costs == sorted(costs, reverse=True)
    assert result.paths is not None and result.assignment is not None
    answer = nets.answer(result.paths, result.assignment)
    assert violations(problem, answer) == []
    assert measure(answer).total == nets.constant + optimum(seed)


@pytest.mark.parametrize("seed", solvable(30))
def test_dual_bound_is_not_above_the_optimum(seed: int) -> None:
    """Tests that the Lagrangian bound holds."""
    nets = nets_of(random_problem(seed))
    dual = Dual(nets)
    dual.improve(Deadline(5), 60)
    assert ceil_bound(dual.bound) <= nets.constant + optimum(seed)


@pytest.mark.parametrize("seed", solvable(25))
def test_upper_cost_is_kept(seed: int) -> None:
    """Tests that the optimum is found within itself and refused within less."""
    nets = nets_of(random_problem(seed))
    upper = int(optimum(seed))
    assert solve(nets, upper=upper).cost == upper
    refused = solve(nets, upper=upper - 1)
    assert (refused.status, refused.paths, refused.bound) == (Status.INFEASIBLE, None, upper)


def some_cuts(nets: Nets, seed: int) -> list[Cut]:
    """Return crossing cuts that come of a flow of noise."""
    dual = Dual(nets)
    routing = dual.improve(Deadline(5), 1)
    noise = np.random.default_rng(seed).random((nets.count, 2, nets.cells), np.float32)
    source, target = nets.source, nets.targets(routing.assignment)
    config = SeparationConfig(contact=0.0)
    return separate(
        nets.layer, source, target, nets.free, noise / np.float32(50), routing.paths,
        routing.lengths, nets.stride, config,
    )  # fmt: skip


def test_cuts_do_not_change_the_optimum() -> None:
    """Tests that crossing cuts exclude no best answer, once the vias are settled."""
    count = 0
    for seed in solvable(45):
        nets = nets_of(random_problem(seed))
        members = np.arange(nets.count, dtype=np.int32)
        target = nets.targets(Dual(nets).improve(Deadline(5), 1).assignment)
        cuts = some_cuts(nets, seed)
        count += len(cuts)
        plain, cut = (
            solve_flow(nets, members, target, nets.free, Deadline(60), cuts=given)
            for given in ((), cuts)
        )
        assert (plain.status, plain.cost) == (cut.status, cut.cost)
    assert count > 50


def test_cuts_bind() -> None:
    """Tests that a cut which demands one of two steps makes a net take it, in either direction."""
    # Net 0 is to cross between its row and the next in the second column, or net 1 in its fourth.
    down, up = np.array([[1, flat_cell(0, 1)]]), np.array([[1, flat_cell(1, 3)]])
    cut = Cut((0, 1), (down.astype(np.int32), up.astype(np.int32)))
    result = solve(FLAT, cuts=[cut])
    assert result.cost == 3 + 8
    members = np.array([1], np.int32)
    alone = solve_flow(FLAT, members, FLAT.target, FLAT.free, Deadline(60), cuts=[cut])
    assert alone.cost == 3


def test_allowed_cells_are_kept_to() -> None:
    """Tests that a net uses none but its allowed cells, and has no answer without any."""
    allowed = np.ones((FLAT.count, FLAT.cells), np.bool_)
    allowed[0, flat_cell(0, 2)] = False
    result = solve(FLAT, allowed=allowed)
    assert result.cost == 3 + 7 and result.paths is not None
    assert flat_cell(0, 2) not in result.paths[0]
    assert solve(FLAT, allowed=allowed & False).status == Status.INFEASIBLE


def test_allowed_cells_are_kept_to_with_open_vias() -> None:
    """Tests that forbidding each net the cells of its best path leaves no such path."""
    routed = 0
    for seed in solvable(15):
        nets = nets_of(random_problem(seed))
        free = solve(nets)
        assert free.paths is not None
        allowed = np.ones((nets.count, nets.cells), np.bool_)
        for net, path in enumerate(free.paths):
            allowed[net, path] = False
        result = solve(nets, allowed=allowed)
        routed += result.paths is not None
        for net, path in enumerate(result.paths or []):
            assert allowed[net, path[1:-1]].all()
    assert routed > 2


@pytest.mark.parametrize("seed", solvable(25))
def test_part_of_the_nets_among_walls(seed: int) -> None:
    """Tests that one layer alone, with vias settled and the rest as walls, costs what it did."""
    nets = nets_of(random_problem(seed))
    whole = solve(nets)
    assert whole.paths is not None and whole.assignment is not None
    members = np.flatnonzero(nets.layer == nets.layer[0]).astype(np.int32)
    free = nets.free.copy()
    for net in set(range(nets.count)) - set(members.tolist()):
        free[nets.layer[net], whole.paths[net]] = False
    target = nets.targets(whole.assignment)
    hint = [whole.paths[net] for net in members]
    part = solve_flow(nets, members, target, free, Deadline(60), hint=hint)
    assert part.paths is not None and part.assignment is not None
    for before, after in zip(whole.assignment, part.assignment, strict=True):
        assert np.array_equal(before, after)
    paths = list(whole.paths)
    for net, path in zip(members.tolist(), part.paths, strict=True):
        paths[net] = path
    answer = nets.answer(paths, part.assignment)
    assert violations(nets.problem, answer) == []
    assert measure(answer).total == nets.constant + optimum(seed)


def test_lines_choose_among_the_vias_left() -> None:
    """Tests that a line whose via is settled keeps it while the others' are chosen."""
    nets = SIDE_BY_SIDE
    assert solve(nets).cost == 3 * 4
    target = nets.target.copy()
    (span,) = nets.classes
    target[[span.lower[0], span.upper[0]]] = span.via_cells[1]
    members = np.arange(nets.count, dtype=np.int32)
    result = solve_flow(nets, members, target, nets.free, Deadline(60))
    assert result.status == Status.OPTIMAL and result.assignment is not None
    assert result.assignment[0].tolist() in ([1, 0, 2], [1, 2, 0])
    assert result.paths is not None
    answer = nets.answer(result.paths, result.assignment)
    assert violations(nets.problem, answer) == []


def test_hint_is_taken_up() -> None:
    """Tests that the first answer of a solve that starts from the best one is that."""
    costs: list[int] = []
    best = solve(FLAT)
    solve(FLAT, hint=best.paths, on_answer=lambda _p, _a, cost: costs.append(cost))
    assert costs == [6]
    open_vias = solvable(90)[-1]
    nets = nets_of(random_problem(open_vias))
    assert solve(nets, hint=solve(nets).paths).cost == optimum(open_vias)


def test_no_members() -> None:
    """Tests that nothing costs nothing."""
    nothing = np.zeros(0, np.int32)
    result = solve_flow(FLAT, nothing, FLAT.target, FLAT.free, Deadline(60))
    assert (result.status, result.paths, result.cost) == (Status.OPTIMAL, [], 0)


def test_a_wish_to_stop_stops() -> None:
    """Tests that a solve ends soon after it is told to, and claims no more than it knows."""
    asked = 0

    def enough() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    members = np.arange(SLOW.count, dtype=np.int32)
    deadline = Deadline(inf, stopped=enough)
    result = solve_flow(SLOW, members, SLOW.target, SLOW.free, deadline)
    assert asked > 3
    assert result.status in (Status.FEASIBLE, Status.UNKNOWN)
    assert 0 < result.bound < 97 - SLOW.constant


def test_deadline_stops() -> None:
    """Tests that no time left gives neither an answer nor a refusal."""
    assert solve(SLOW, 0.0).status == Status.UNKNOWN


def test_interrupts_stay_pythons() -> None:
    """Tests that the solver leaves the handling of interrupts as it was."""
    # A shell starts what runs in the background with interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        solve(FLAT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_detours_arecut_short() -> None:
    """Tests that a path which touches itself loses all between the cells that touch."""
    path = [0, 10, 20, 21, 11, 12, 13, 3]
    assert cut_short(path, [1, -1, 10, -10]).tolist() == [0, 10, 11, 12, 13, 3]
