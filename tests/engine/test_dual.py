"""Tests that the dual's bound holds, for its own prices and for any others."""

from dataclasses import replace
from functools import cache
from math import inf

import numpy as np
import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.via_matching import ViaMatchingConfig
from nlrouter.engine.nets.nets import Assignment, nets_of
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.schedule.work import EDGE
from nlrouter.result import ceil_bound
from tests.engine.routing_oracle import cheapest_cost, exact_routing, random_problem
from tests.engine.tiny_layers import every_path, only_domains, random_nets

SEEDS = range(60)


@cache
def optimum(seed: int) -> float:
    """Return the cost of the best answer of a random board."""
    return cheapest_cost(random_problem(seed))


@cache
def best_settled(seed: int) -> tuple[Assignment, float]:
    """Return some assignment of a random board, and the cost of its best routing."""
    nets = nets_of(random_problem(seed))
    random = np.random.default_rng(seed)
    assignment = tuple(random.permutation(len(span.vias)) for span in nets.classes)
    exact = exact_routing(replace(nets, target=nets.targets(assignment)))
    return assignment, float("inf") if exact is None else nets.constant + exact.cost


def value_at(dual: Dual, prices: np.ndarray) -> float:
    """Return the bound at given prices."""
    return float(dual.nets.constant + dual.route(prices).value - prices.sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_bound_after_improvement(seed: int) -> None:
    """Tests that the bound is not above the optimum, nor below what it was."""
    nets = nets_of(random_problem(seed))
    dual = Dual(nets)
    last = -np.inf
    for _ in range(4):
        dual.improve(Deadline(60), 25)
        assert last <= dual.value
        last = dual.value
        assert ceil_bound(min(dual.value, NO_ANSWER)) <= optimum(seed)
    assert dual.value == pytest.approx(value_at(dual, dual.prices))


@pytest.mark.parametrize("seed", SEEDS)
def test_bound_of_a_settled_choice(seed: int) -> None:
    """Tests that the bound of one assignment is not above the best routing with it."""
    nets = nets_of(random_problem(seed))
    assignment, cost = best_settled(seed)
    dual = Dual(nets)
    dual.improve(Deadline(60), 10)
    settled = dual.restricted(only_domains(assignment))
    relaxed = settled.improve(Deadline(60), 60)
    assert ceil_bound(min(settled.value, NO_ANSWER)) <= cost
    for chosen, expected in zip(relaxed.assignment, assignment, strict=True):
        assert np.array_equal(chosen, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_fewer_vias(seed: int) -> None:
    """Tests that prices are the best ones still, and the bound holds, without vias not in use."""
    nets = nets_of(random_problem(seed))
    dual = Dual(nets)
    dual.improve(Deadline(60), 300)
    taken = [dual.averages.taken[span.lower, : len(span.vias)] for span in nets.classes]
    unused = dual.narrowed(tuple(own > 0.01 for own in taken))
    assert unused.converged == dual.converged
    assert unused.value == dual.value
    if any((own > 0.5).any() for own in taken):
        assert dual.narrowed(tuple(own < 0.5 for own in taken)).averages is not dual.averages


@pytest.mark.parametrize("seed", SEEDS)
def test_any_prices_prove_a_bound(seed: int) -> None:
    """Tests that prices drawn at random prove no more than there is."""
    nets = nets_of(random_problem(seed))
    random = np.random.default_rng(seed)
    for scale in (0.3, 2.0, 30.0):
        prices = np.where(nets.free, random.exponential(scale, nets.free.shape), 0.0)
        value = value_at(Dual(nets), prices)
        assert ceil_bound(min(value, NO_ANSWER)) <= optimum(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_vias_looked_for_nearby(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the matching is as cheap when nets look no farther than they must."""
    nets = nets_of(random_problem(seed))
    prices = np.where(nets.free, np.random.default_rng(seed).exponential(2.0, nets.free.shape), 0.0)
    monkeypatch.setattr("nlrouter.engine.bounds.relaxation.FIRST_WIDTH", 2)
    near = Dual(nets, config=DualConfig(vias=ViaMatchingConfig(0.0, 1.05)))
    everywhere = Dual(nets, config=DualConfig(vias=ViaMatchingConfig(radius=INFINITE)))
    for factor in (1.0, 0.2):
        found = near.route(factor * prices)
        expected = everywhere.route(factor * prices)
        if expected.value >= INFINITE:
            assert found.value >= INFINITE
            continue
        assert found.value == pytest.approx(expected.value)
        target = nets.targets(found.assignment)
        for net in range(nets.count):
            path = found.paths[net, : found.lengths[net]]
            assert (path[0], path[-1]) == (nets.source[net], target[net])
            assert set(np.abs(np.diff(path)).tolist()) <= {1, nets.stride}


def test_short_calls_converge() -> None:
    """Tests that the search for prices goes on where the last call ended, round by round."""
    for seed in range(10):
        nets = random_nets(seed, 6, 6, 4)
        at_once, by_rounds = Dual(nets), Dual(nets)
        at_once.improve(Deadline(60), 500)
        for _ in range(500):
            by_rounds.improve(Deadline(60), 1)
        assert by_rounds.value == pytest.approx(at_once.value)


@pytest.mark.parametrize("seed", range(60))
def test_infinite_only_without_a_path(seed: int) -> None:
    """Tests that the bound is infinite exactly where some net of its own has no path."""
    nets = random_nets(seed, 3, 3, 3)
    dual = Dual(nets)
    dual.improve(Deadline(60), 5)
    cut_off = any(not every_path(nets, net, int(nets.target[net])) for net in range(nets.count))
    assert (dual.value >= INFINITE / 2) == cut_off


def test_nets_that_do_not_meet_converge() -> None:
    """Tests that the search for prices ends where no cell is wanted twice."""
    for seed in range(50):
        nets = random_nets(seed, 5, 5, 2)
        dual = Dual(nets)
        for _ in range(30):
            dual.improve(Deadline(60), 60)
        assert dual.converged or dual.value >= INFINITE / 2


def test_rounds_are_work() -> None:
    """Tests that by a work clock each round takes its share of the time, and ends it."""
    nets = random_nets(3, 5, 6, 4)
    dual = Dual(nets)
    clock = WorkClock()
    relaxed = dual.improve(Deadline(inf, clock), 1)
    seconds = EDGE * int(relaxed.counts.sum())
    assert clock.seconds == pytest.approx(seconds)
    dual.improve(Deadline(2.5 * seconds, clock), 100)
    assert 3.0 * seconds < clock.seconds < 6.0 * seconds
