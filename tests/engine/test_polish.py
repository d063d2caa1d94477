"""Tests that a routing is polished to the least that its vias allow, and vias like them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.nets.nets import BoardNets, Nets
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.polish import Polish, PolishConfig
from nlrouter.engine.prove.trial import Trial
from nlrouter.engine.prove.via_exchange import ViaExchangeConfig
from nlrouter.engine.search import Board, Role, Search, SearchConfig
from tests.engine.tiny_layers import (
    check_routing,
    every_routing,
    random_nets,
    routable_two_layers,
)

ALONE = PolishConfig(exchange=ViaExchangeConfig(most=0))
"""With the routing's own vias alone."""


def routings(nets: Nets, vias: tuple[int, ...]) -> tuple[Routing, int]:
    """Return the dearest routing with some vias, and the least cost with them."""
    assignment = (np.array(vias),)
    found = [
        Routing.along([np.array(path, np.int32) for path in paths], assignment)
        for paths in every_routing(nets, nets.targets(assignment))
    ]
    by_cost = sorted(found, key=lambda routing: routing.cost)
    return by_cost[-1], by_cost[0].cost


def polished(polish: Polish, routing: Routing) -> Routing:
    """Return what a routing becomes when it is polished to the end, and check it."""
    while polish.due(routing):
        better = polish.step(Deadline(60), routing)
        if better is not None:
            assert better.cost < routing.cost
            routing = better
    nets = polish.nets
    assert check_routing(nets, nets.targets(routing.assignment), routing.paths) == routing.cost
    return routing


@pytest.mark.parametrize("seed", range(12))
def test_the_least_that_vias_allow(seed: int) -> None:
    """Tests that polishing ends at the cheapest routing of all that have the vias."""
    nets, costs = routable_two_layers(seed, 3, 4, 2)
    polish = Polish(nets, 0, ALONE)
    for vias in costs:
        dearest, least = routings(nets, vias)
        best = polished(polish, dearest)
        assert best.cost == least
        assert [chosen.tolist() for chosen in best.assignment] == [list(vias)]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("lines", [2, 3])
def test_the_least_that_exchanges_allow(seed: int, lines: int) -> None:
    """Tests that polishing ends at the cheapest routing where any vias are an exchange away."""
    nets, costs = routable_two_layers(seed, 3, 4, lines)
    least = min(costs.values()) - nets.constant
    for vias in costs:
        assert polished(Polish(nets, 0), routings(nets, vias)[0]).cost == least


def test_proofs_of_a_trial_go_on() -> None:
    """Tests that what a trial has proven is not proven again once its routing is polished."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    routing, _ = routings(nets, max(costs, key=lambda vias: costs[vias]))
    polish = Polish(nets, 0)
    while polish._trial is None:
        routing = polish.step(Deadline(60), routing) or routing
    tried = [proof for _, proof in polish._trial._layers]
    while polish._trial is not None:
        routing = polish.step(Deadline(60), routing) or routing
    assert routing.cost == min(costs.values()) - nets.constant
    assert polish.due(routing)
    polish.step(Deadline(60), routing)
    assert [layer.proof for layer in polish._layers] == tried


def test_exchanges_wait_for_proofs() -> None:
    """Tests that no vias are exchanged where the layers were not proven with those there are."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, max(costs, key=lambda vias: costs[vias]))
    polish = Polish(nets, 0, PolishConfig(most_seconds=0.0))
    assert costs[tuple(polished(polish, dearest).assignment[0])] == max(costs.values())


def test_a_trial_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that an exchange is given up when it has had its time."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, max(costs, key=lambda vias: costs[vias]))
    steps = []
    monkeypatch.setattr(Trial, "step", lambda trial, deadline: steps.append(trial))
    monkeypatch.setattr(Trial, "spent", 3.0)
    assert costs[tuple(polished(Polish(nets, 0), dearest).assignment[0])] == max(costs.values())
    assert len(steps) == len(set(steps)) > 0


def test_what_is_polished_is_not_due() -> None:
    """Tests that a polished routing is left alone, and one with the same vias is soon polished."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, least = routings(nets, next(iter(costs)))
    assert least < dearest.cost
    polish = Polish(nets, 0, ALONE)
    assert not polish.due(polished(polish, dearest))
    again = replace(dearest)
    assert polish.due(again)
    for _ in range(nets.layers):
        again = polish.step(Deadline(60), again) or again
    assert again.cost == least


def test_layers_without_vias() -> None:
    """Tests that a part on which no line has a via to choose is not polished."""
    nets = random_nets(0, 4, 4, 2)
    paths = [np.array(path, np.int32) for path in next(every_routing(nets, nets.target))]
    assert not Polish(nets, 0).due(Routing.along(paths, ()))


def test_layers_that_are_too_much() -> None:
    """Tests that a layer is given up when it has had its time, and none is begun that is large."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, next(iter(costs)))
    assert not Polish(nets, 0, PolishConfig(cells=nets.cells - 1)).due(dearest)
    impatient = Polish(nets, 0, PolishConfig(most_seconds=0.0))
    assert impatient.step(Deadline(60), dearest) is None
    assert not impatient.due(dearest)


@pytest.mark.parametrize("role", [Role.ALL, Role.SOLVE])
def test_a_search_polishes(monkeypatch: pytest.MonkeyPatch, role: Role) -> None:
    """Tests that a search whose finder pauses has its answer polished, and tells the finder."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, next(iter(costs)))
    (part,) = split(nets)
    monkeypatch.setattr(Finder, "pausing", True)
    monkeypatch.setattr(Finder, "step", lambda self, deadline: deadline.work(0.01))
    monkeypatch.setattr(Search, "solves", False)
    monkeypatch.setattr(Search, "_prove", lambda self, deadline, board: deadline.work(0.01))
    search = Search(0, part, 0, SearchConfig())
    deadline = Deadline(60, WorkClock())
    assert isinstance(nets, BoardNets)
    board = Board(nets, [part], deadline, lambda progress: None)
    board.take_routing(0, dearest, "find")
    search.finder.adopt(dearest)
    while not deadline.passed() and search.polish.due(board.routings[0] or dearest):
        search.step(board, deadline, role)
    assert board.routings[0] is not None
    assert board.routings[0].cost == min(costs.values()) - nets.constant
    assert search.finder.best is board.routings[0]
