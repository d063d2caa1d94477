"""Tests that what the finder keeps is an answer, and ever a better one."""

from math import isinf

import numpy as np
import pytest

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.finder import NEIGHBOURHOODS, Finder
from nlrouter.engine.find.via_swaps import ViaSwaps
from nlrouter.engine.find.working import Neighbourhood, Working
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import merge, split
from nlrouter.engine.nets.routing import Routing
from nlrouter.generators import generate
from nlrouter.problem import Problem
from nlrouter.tally import Tallies
from tests.engine.routing_oracle import (
    cheapest_cost,
    exact_routing,
    random_problem,
    routable_problem,
)
from tests.engine.tiny_layers import check_routing, path_cost, random_nets

REQUESTS = [
    # width, height, layers, lines, vias, fill
    (8, 7, 1, 6, 0, 0.6),
    (7, 7, 2, 6, 4, 0.5),
    (8, 8, 3, 10, 8, 0.5),
    (1, 9, 2, 3, 1, 0.6),
]


def check(
    problem: Problem, steps: int, seed: int, config: FinderConfig | None = None
) -> int | None:
    """Let finders work on all parts; check each best routing; return the cost of the answer."""
    nets = nets_of(problem)
    parts = split(nets)
    best: list[Routing] = []
    for k, part in enumerate(parts):
        finder = Finder(part.nets, seed + k, config)
        last = None
        for _ in range(steps):
            better = finder.step(Deadline(60))
            assert better == (finder.best is not last)
            if better:
                assert finder.best is not None
                assert last is None or finder.best.cost < last.cost
                last = finder.best
                target = part.nets.targets(last.assignment)
                assert check_routing(part.nets, target, last.paths) == last.cost
        if finder.best is None:
            return None
        best.append(finder.best)
    answer, cost = merge(nets, parts, best)
    assert violations(problem, answer) == []
    assert measure(answer) == cost
    return cost.total


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_answers_obey_the_rules(request_: tuple[int, int, int, int, int, float], seed: int) -> None:
    """Tests that every routing kept is valid, cheaper than the last and costs what it says."""
    problem, hidden = generate(*request_, seed=seed)
    total = check(problem, 12, seed)
    assert total is not None and total <= measure(hidden).total


@pytest.mark.parametrize("seed", range(40))
def test_tiny_boards(seed: int) -> None:
    """Tests that tiny boards are solved, and never below the optimum."""
    problem = routable_problem(seed)
    total = check(problem, 40, seed)
    assert total is not None and total >= cheapest_cost(problem)


def test_boards_without_an_answer() -> None:
    """Tests that nothing is kept where there is no answer."""
    boards = (random_problem(seed) for seed in range(400))
    hard = [board for board in boards if not infeasible_reason(board)]
    hopeless = [board for board in hard if isinf(cheapest_cost(board))]
    assert len(hopeless) > 5
    for seed, problem in enumerate(hopeless):
        assert check(problem, 20, seed) is None


def test_starting_over() -> None:
    """Tests that many steps on a small board, which start over often, lose no answer."""
    problem, _ = generate(5, 5, 2, 4, 3, 0.5, seed=3)
    (part,) = split(nets_of(problem))
    finder = Finder(part.nets, 0)
    costs = []
    for _ in range(1500):
        finder.step(Deadline(60))
        costs.append(finder.best.cost if finder.best else 10**9)
    assert costs == sorted(costs, reverse=True)


def test_layers_are_tried_anew() -> None:
    """Tests that each layer is tried alone, the others and the vias being those of the best."""
    problem, _ = generate(8, 8, 3, 10, 8, 0.5, seed=1)
    (part,) = split(nets_of(problem))
    finder = Finder(part.nets, 0, FinderConfig(patience=0.5, trial_patience=0.5))
    tried = set()
    for _ in range(200):
        finder.step(Deadline(60))
        if (z := finder.working.focus) is None:
            continue
        assert finder.best is not None
        paths, vias = finder.working.copy()
        others = np.flatnonzero(part.nets.layer != z)
        assert all((paths[net] == finder.best.paths[net]).all() for net in others)
        for known, taken in zip(finder.best.assignment, vias, strict=True):
            assert (known == taken).all()
        tried.add(z)
    assert tried == {0, 1, 2}


def test_layers_are_not_tried_without_groups() -> None:
    """Tests that no layer is tried where nothing could shorten it."""
    problem, _ = generate(8, 8, 3, 10, 8, 0.5, seed=1)
    (part,) = split(nets_of(problem))
    config = FinderConfig(patience=0.5, trial_patience=0.5)
    finder = Finder(part.nets, 0, config, Tallies(frozenset({"groups"})))
    for _ in range(60):
        finder.step(Deadline(60))
        assert finder.working.focus is None


def test_compiling_ahead() -> None:
    """Tests that what is done only to compile it routes nothing, and is in nobody's way."""
    for seed in range(5):
        problem = routable_problem(seed)
        (part, *_) = split(nets_of(problem))
        finder = Finder(part.nets, seed)
        finder.compile_ahead()
        assert not finder.working.lengths.any() and finder.working.standing == (0, 0)
        while finder.best is None:
            finder.step(Deadline(60))


@pytest.mark.parametrize("steps_before", [0, 5])
def test_adoption(steps_before: int) -> None:
    """Tests that a routing found elsewhere is taken up if it is better, before any work as well."""
    problem, _ = generate(8, 7, 2, 6, 4, 0.6, seed=5)
    (part,) = split(nets_of(problem))
    nets = part.nets
    routing = exact_routing(nets)
    assert routing is not None
    finder = Finder(nets, 0)
    for _ in range(steps_before):
        finder.step(Deadline(60))
    known = finder.best
    assert finder.adopt(routing) == (known is None or known.cost > routing.cost)
    assert not finder.adopt(routing)
    for _ in range(40):
        assert not finder.step(Deadline(60))
    assert finder.best is not None and finder.best.cost == routing.cost


@pytest.mark.parametrize("layers", [1, 2])
def test_far_answers_from_elsewhere(layers: int) -> None:
    """Tests that an unsettled routing is given up for a far dearer answer where no via is open."""
    problem, _ = generate(8, 7, layers, 6, 4 * (layers - 1), 0.6, seed=5)
    (part,) = split(nets_of(problem))
    routing = exact_routing(part.nets)
    assert routing is not None
    finder = Finder(part.nets, 0)
    finder.started = True
    finder.working.overlaps[0], finder.working.costs[0] = 1, routing.cost // 3
    assert finder.adopt(routing)
    assert (finder.working.standing == (0, routing.cost)) == (not part.nets.classes)


@pytest.mark.parametrize("seed", range(1, 4))
def test_every_seed_finds_the_best_vias(seed: int) -> None:
    """Tests that seeds agree where the vias decide: swaps alone end at 134 and 135.

    All but eight of the seeds from 0 to 83 do; those end at 132 and 133.
    """
    problem, _ = generate(14, 14, 2, 12, 12, 0.75, seed=4)
    (part,) = split(nets_of(problem))
    finder = Finder(part.nets, seed)
    for _ in range(120):
        finder.step(Deadline(60))
    assert finder.best is not None and finder.best.cost <= 131


def test_no_time() -> None:
    """Tests that a deadline that has passed still allows a step."""
    problem, _ = generate(8, 8, 3, 10, 8, 0.5, seed=0)
    for part in split(nets_of(problem)):
        finder = Finder(part.nets, 0)
        before = finder.best
        for _ in range(2):
            assert finder.step(Deadline(0)) == (finder.best is not before)
            before = finder.best


def test_equal_seeds() -> None:
    """Tests that equal seeds find the same routings at the same steps."""
    problem, _ = generate(8, 8, 2, 9, 5, 0.6, seed=1)
    (part,) = split(nets_of(problem))
    runs = []
    for _ in range(2):
        finder = Finder(part.nets, 7)
        costs = []
        for _ in range(25):
            finder.step(Deadline(60))
            costs.append(finder.best.cost if finder.best else None)
        runs.append(costs)
    assert runs[0] == runs[1]


def test_lines_push_each_other_out_where_repair_is_stuck() -> None:
    """Tests that an answer comes from displacement where nothing else is done."""
    problem, _ = generate(8, 8, 3, 10, 8, 0.5, seed=2)
    config = FinderConfig(rounds=1)
    for part in split(nets_of(problem)):
        finder = Finder(part.nets, 0, config)
        for _ in range(30):
            if finder.step(Deadline(60)):
                break
        assert finder.best is not None
        target = part.nets.targets(finder.best.assignment)
        assert check_routing(part.nets, target, finder.best.paths) == finder.best.cost


def rise_of_a_swap(uphill: float) -> int:
    """Return by how much a swap has made a routing dearer at the most."""
    problem, _ = generate(12, 12, 2, 8, 8, 0.6, seed=1)
    (part,) = split(nets_of(problem))
    finder = Finder(part.nets, 0, FinderConfig(tries=1, uphill=uphill))
    while finder.best is None:
        finder.step(Deadline(60))
    rise = 0
    for _ in range(60):
        overlaps, cost = finder.working.standing
        assert overlaps == 0
        ViaSwaps().change(finder.working)
        rise = max(rise, finder.working.standing[1] - cost)
    return rise


def test_a_swap_costs_no_more_than_it_may() -> None:
    """Tests that swaps make a routing dearer where they may, and not where they may not."""
    assert rise_of_a_swap(uphill=1e-9) == 0
    assert rise_of_a_swap(uphill=20.0) > 0


def check_working(working: Working) -> None:
    """Check that targets, paths, overlaps and costs are what the work on a routing rests on."""
    nets = working.nets
    assert (working.target == nets.targets(tuple(working.assignment))).all()
    assert all(sorted(chosen) == list(range(len(chosen))) for chosen in working.assignment)
    held = np.zeros(nets.free.shape, np.int64)
    costs = np.zeros(nets.layers)
    for net, path in enumerate(working.copy()[0]):
        if not len(path):
            continue
        z, inner = nets.layer[net], path[1:-1]
        assert path[0] == nets.source[net] and path[-1] == working.target[net]
        assert np.isin(np.abs(np.diff(path)), (1, nets.stride)).all()
        assert nets.free[z, inner].all()
        held[z, inner] += 1
        costs[z] += path_cost(path)
    if working.lengths.all():
        assert working.overlaps.tolist() == (held > 1).sum(axis=1).tolist()
        assert working.costs.tolist() == costs.tolist()


@pytest.mark.parametrize("way", NEIGHBOURHOODS, ids=lambda way: way.name)
@pytest.mark.parametrize("rounds", [1, 150])
def test_each_way_to_change_a_routing(way: type[Neighbourhood], rounds: int) -> None:
    """Tests that what a neighbourhood leaves is whole and no worse."""
    changed = 0
    for seed in range(8):
        problem, _ = generate(9, 8, 2, 9, 6, 0.6, seed=seed)
        (part,) = split(nets_of(problem))
        finder = Finder(part.nets, seed, FinderConfig(rounds=rounds, uphill=1e-9))
        finder.step(Deadline(60))
        working = finder.working
        for _ in range(20):
            before = working.standing
            assert way().share(part.nets) > 0
            way().change(working)
            assert working.standing <= before or 0 < working.standing[0] == before[0]
            check_working(working)
            changed += working.standing != before
    assert changed


def test_ways_that_need_vias() -> None:
    """Tests that where no via can be chosen those that choose vias are not tried."""
    nets = random_nets(0, 5, 5, 3)
    assert all(bool(way().share(nets)) != way.of_vias for way in NEIGHBOURHOODS)
