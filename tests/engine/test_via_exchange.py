"""Tests that exchanges of vias are found, and what they cost at the least."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, permutations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.via_exchange import (
    Cycle,
    Exchange,
    ViaExchangeConfig,
    ViaExchanges,
    cycles,
)
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.tiny_layers import every_routing, routable_two_layers, two_layer_problem


def a_routing(nets: Nets, vias: tuple[int, ...]) -> Routing:
    """Return some routing with these vias."""
    assignment = (np.array(vias),)
    paths = next(every_routing(nets, nets.targets(assignment)))
    return Routing.along([np.array(path, np.int32) for path in paths], assignment)


EVERY = ViaExchangeConfig(cycle_turns=10**6, most=1000)


def found(
    nets: Nets, routing: Routing, config: ViaExchangeConfig | None = None
) -> list[list[Exchange]]:
    """Return the exchanges that may make a routing cheaper, those found at once together."""
    exchanges, rounds = ViaExchanges(nets, routing, config), []
    while not exchanges.done:
        exchanges.step(Deadline(60))
        if exchanges.found:
            rounds.append(exchanges.found)
            exchanges.found = []
    return rounds


@pytest.mark.parametrize(("height", "lines"), [(3, 3), (4, 3), (4, 4)])
@pytest.mark.parametrize("seed", range(12))
def test_bounds_hold(seed: int, height: int, lines: int) -> None:
    """Tests that no exchange costs less than its bound, and none that pays is left out."""
    nets, costs = routable_two_layers(seed, height, 4, lines)
    for vias in list(costs)[:6]:
        routing = a_routing(nets, vias)
        bounds = {}
        for exchange in chain(*found(nets, routing, EVERY)):
            (after,) = exchange.applied(routing.assignment)
            assert np.count_nonzero(after != routing.assignment[0]) == exchange.size
            bounds[tuple(after)] = exchange.bound
        for other, cost in costs.items():
            if other in bounds:
                assert bounds[other] <= cost - nets.constant + 1e-6
            elif other != vias:
                assert cost - nets.constant >= routing.cost


def five_lines(seed: int) -> tuple[Nets, Routing]:
    """Return a part of five lines that share five vias, and a routing dearer than any of it."""
    nets = nets_of(two_layer_problem(seed, 7, 7, 5))
    return nets, Routing([], (np.arange(5),), 1000)


@pytest.mark.parametrize("seed", range(2))
def test_sizes_in_turn(seed: int) -> None:
    """Tests that of n lines the exchange of the k-th least bound has turn k * n."""
    nets, routing = five_lines(seed)
    by_size: dict[int, list[float]] = {}
    turns = []
    every = found(nets, routing, EVERY)[0]
    for exchange in every:
        alike = by_size.setdefault(exchange.size, [])
        alike.append(exchange.bound)
        turns.append(len(alike) * exchange.size)
    assert turns == sorted(turns)
    assert set(by_size) == {2, 3, 4, 5}
    assert all(bounds == sorted(bounds) for bounds in by_size.values())
    few = found(nets, routing, replace(EVERY, most=6))[0]
    assert [exchange.bound for exchange in few] == [exchange.bound for exchange in every[:6]]


@pytest.mark.parametrize("seed", range(2))
def test_the_rest_comes_again(seed: int) -> None:
    """Tests that of what is left of cycles and pairs, as many as of both before come once more."""
    nets, routing = five_lines(seed)
    singles, pairs = (round_[:] for round_ in found(nets, routing, EVERY))
    first, second, rest = found(nets, routing, replace(EVERY, most=6))
    assert first == singles[:6] and second == pairs[:6]
    left = sorted(singles[6:] + pairs[6:], key=lambda exchange: exchange.bound)
    assert len(rest) == 12 and all(exchange in left for exchange in rest)
    for size in {exchange.size for exchange in rest}:
        alike = [exchange for exchange in rest if exchange.size == size]
        assert alike == [exchange for exchange in left if exchange.size == size][: len(alike)]


def test_turns_end() -> None:
    """Tests that only cycles and pairs with a turn are priced anew."""
    cycles, pairs = found(*five_lines(0), ViaExchangeConfig(cycle_turns=9))
    assert sorted(exchange.size for exchange in cycles) == [2] * 4 + [3] * 3 + [4] * 2 + [5]
    assert sorted(exchange.size for exchange in pairs) == [4] * 4 + [5] * 3


@pytest.mark.parametrize("seed", range(2))
def test_pairs_come_last(seed: int) -> None:
    """Tests that after the cycles come all pairs of them in which no line is twice."""
    singles, pairs = found(*five_lines(seed), EVERY)
    assert {len(exchange.cycles) for exchange in singles} == {1}
    assert {len(exchange.cycles) for exchange in pairs} == {2}
    lines = [sorted(sum((cycle.lines for cycle in pair.cycles), ())) for pair in pairs]
    assert all(len(set(both)) == len(both) for both in lines)
    assert [len(both) for both in lines].count(4) == 15
    assert [len(both) for both in lines].count(5) == 20


def cycles_of(nets: Nets, routing: Routing, kept: int) -> list[Cycle]:
    """Return the cycles of which exchanges are made."""
    exchanges = ViaExchanges(nets, routing, ViaExchangeConfig(kept=kept))
    while exchanges._layers:
        exchanges.step(Deadline(60))
    return exchanges._cycles()


def test_few_of_all_classes() -> None:
    """Tests that of each length as many cycles are kept where lines have several classes of via."""
    ends = [(Cell(z, 0, x), Cell(z + 1, 5, 5 - x)) for z in (0, 2) for x in range(3)]
    lines = tuple(Line(k + 1, pair) for k, pair in enumerate(ends))
    vias = tuple(Via("abcdef"[3 * (z // 2) + x], 3, x, z, z + 1) for z in (0, 2) for x in range(3))
    nets = nets_of(Problem(6, 6, 4, lines, vias))
    routing = Routing([], (np.arange(3), np.arange(3)), 1000)
    every, best = (cycles_of(nets, routing, kept) for kept in (100, 2))
    assert {cycle.span for cycle in every} == {0, 1}
    for length in (2, 3):
        alike = sorted(cycle.extra for cycle in every if len(cycle.lines) == length)
        assert [cycle.extra for cycle in best if len(cycle.lines) == length] == alike[:2]


def cycle_cost(dearer: np.ndarray, lines: tuple[int, ...]) -> float:
    """Return what lines pay more when each takes the via of the next."""
    return float(dearer[lines, np.roll(lines, -1)].sum())


@pytest.mark.parametrize("size", [1, 2, 5, 6])
def test_every_cycle_once(size: int) -> None:
    """Tests that a beam that is wide enough finds each cycle once, and its cost."""
    dearer = np.random.default_rng(size).normal(size=(size, size))
    every = ViaExchangeConfig(longest=size, kept=1000, beam=1000)
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
    kept = ViaExchangeConfig(longest=4, kept=3)
    best = cycles(dearer, kept)
    everything = cycles(dearer, ViaExchangeConfig(longest=4, kept=1000, beam=1000))
    assert [len(lines) for _, lines in best] == [2] * 3 + [3] * 3 + [4] * 3
    for length in (2, 3, 4):
        costs = sorted(extra for extra, lines in everything if len(lines) == length)
        assert [extra for extra, lines in best if len(lines) == length] == costs[:3]


def test_what_cannot_be_reached() -> None:
    """Tests that no cycle has a line at a via that it may not take."""
    dearer = np.full((3, 3), np.inf)
    dearer[0, 1] = dearer[1, 0] = 1.0
    assert [list(lines) for _, lines in cycles(dearer, ViaExchangeConfig())] == [[0, 1]]
