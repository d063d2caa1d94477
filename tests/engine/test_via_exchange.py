"""Tests that exchanges of vias are found, and what they cost at the least."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.via_exchange import (
    Exchange,
    ViaExchangeConfig,
    ViaExchanges,
    cycles,
)
from tests.engine.tiny_layers import every_routing, routable_two_layers


def a_routing(nets: Nets, vias: tuple[int, ...]) -> Routing:
    """Return some routing with these vias."""
    assignment = (np.array(vias),)
    paths = next(every_routing(nets, nets.targets(assignment)))
    return Routing.along([np.array(path, np.int32) for path in paths], assignment)


EVERY = ViaExchangeConfig(most=1000)


def found(nets: Nets, routing: Routing, config: ViaExchangeConfig | None = None) -> list[Exchange]:
    """Return the exchanges that may make a routing cheaper."""
    exchanges = ViaExchanges(nets, routing, config)
    while exchanges.found is None:
        exchanges.step(Deadline(60))
    return exchanges.found


@pytest.mark.parametrize("height", [3, 4])
@pytest.mark.parametrize("seed", range(12))
def test_bounds_hold(seed: int, height: int) -> None:
    """Tests that no exchange costs less than its bound, and none that pays is left out."""
    nets, costs = routable_two_layers(seed, height, 4, 3)
    for vias in costs:
        routing = a_routing(nets, vias)
        bounds = {}
        for exchange in found(nets, routing, EVERY):
            (after,) = exchange.applied(routing.assignment)
            assert np.count_nonzero(after != routing.assignment[0]) == len(exchange.lines)
            bounds[tuple(after)] = exchange.bound
        for other, cost in costs.items():
            if other in bounds:
                assert bounds[other] <= cost - nets.constant + 1e-6
            elif other != vias:
                assert cost - nets.constant >= routing.cost


@pytest.mark.parametrize("seed", range(6))
def test_lengths_in_turn(seed: int) -> None:
    """Tests that exchanges of all lengths have turns, of each the one of the least bound first."""
    nets, costs = routable_two_layers(seed, 4, 4, 4)
    routing = a_routing(nets, max(costs, key=lambda vias: costs[vias]))
    by_length: dict[int, list[float]] = {}
    rounds = []
    every = found(nets, routing, EVERY)
    for exchange in every:
        alike = by_length.setdefault(len(exchange.lines), [])
        alike.append(exchange.bound)
        rounds.append((len(alike), len(exchange.lines)))
    assert rounds == sorted(rounds)
    assert all(bounds == sorted(bounds) for bounds in by_length.values())
    few = found(nets, routing, ViaExchangeConfig(most=2))
    assert [exchange.bound for exchange in few] == [exchange.bound for exchange in every[:2]]


def cycle_cost(dearer: np.ndarray, lines: np.ndarray) -> float:
    """Return what lines pay more when each takes the via of the next."""
    return float(dearer[lines, np.roll(lines, -1)].sum())


@pytest.mark.parametrize("size", [1, 2, 5, 6])
def test_every_cycle_once(size: int) -> None:
    """Tests that a beam that is wide enough finds each cycle once, and its cost."""
    dearer = np.random.default_rng(size).normal(size=(size, size))
    every = ViaExchangeConfig(longest=size, few=1000, beam=1000)
    found = cycles(dearer, every)
    assert all(extra == pytest.approx(cycle_cost(dearer, lines)) for extra, lines in found)
    known = {
        order[order.index(min(order)) :] + order[: order.index(min(order))]
        for length in range(2, size + 1)
        for order in permutations(range(size), length)
    }
    assert sorted(tuple(lines) for _, lines in found) == sorted(known)


def test_few_of_each_length() -> None:
    """Tests that of each length the cheapest cycles are kept."""
    dearer = np.random.default_rng(0).normal(size=(6, 6))
    kept = ViaExchangeConfig(longest=4, few=3)
    best = cycles(dearer, kept)
    everything = cycles(dearer, ViaExchangeConfig(longest=4, few=1000, beam=1000))
    assert [len(lines) for _, lines in best] == [2] * 3 + [3] * 3 + [4] * 3
    for length in (2, 3, 4):
        costs = sorted(extra for extra, lines in everything if len(lines) == length)
        assert [extra for extra, lines in best if len(lines) == length] == costs[:3]


def test_what_cannot_be_reached() -> None:
    """Tests that no cycle has a line at a via that it may not take."""
    dearer = np.full((3, 3), np.inf)
    dearer[0, 1] = dearer[1, 0] = 1.0
    assert [list(lines) for _, lines in cycles(dearer, ViaExchangeConfig())] == [[0, 1]]
