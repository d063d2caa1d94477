"""Tests that a routing is polished to the least that its vias allow."""

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
from nlrouter.engine.prove.proof import METHODS
from nlrouter.engine.search import Board, Role, Search, SearchConfig
from nlrouter.tally import Tallies
from tests.engine.tiny_layers import (
    check_routing,
    every_routing,
    random_nets,
    routable_two_layers,
)


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
    polish = Polish(nets, 0)
    for vias in costs:
        dearest, least = routings(nets, vias)
        best = polished(polish, dearest)
        assert best.cost == least
        assert [chosen.tolist() for chosen in best.assignment] == [list(vias)]


def test_layers_of_which_nothing_is_left_to_do() -> None:
    """Tests that a layer is given up where its proof is stuck."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, max(costs, key=lambda vias: costs[vias]))
    without = frozenset({"maxsat", *(method.name for method in METHODS)})
    polish = Polish(nets, 0, tallies=Tallies(without))
    for _ in range(1000):
        if polish.due(dearest):
            assert polish.step(Deadline(60), dearest) is None
    assert not polish.due(dearest)


def test_what_is_polished_is_not_due() -> None:
    """Tests that a polished routing is left alone, and one with the same vias is soon polished."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, least = routings(nets, next(iter(costs)))
    assert least < dearest.cost
    polish = Polish(nets, 0)
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


def test_layers_that_are_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a layer is given up when it has had its time, and none is begun that is large."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, next(iter(costs)))
    with monkeypatch.context() as small:
        small.setattr("nlrouter.engine.prove.polish.MOST_CELLS", nets.cells - 1)
        assert not Polish(nets, 0, PolishConfig()).due(dearest)
    impatient = Polish(nets, 0, PolishConfig(most_seconds=0.0))
    while impatient.due(dearest):
        assert impatient.step(Deadline(60), dearest) is None


@pytest.mark.parametrize(
    ("role", "far", "polishes"),
    [
        (Role.ALL, False, True),
        (Role.POLISH, False, True),
        (Role.PROVE, True, True),
        (Role.POLISH, True, False),
        (Role.PROVE, False, False),
        (Role.FIND, False, False),
        (Role.FIND, True, False),
        (Role.OPEN, False, False),
    ],
)
def test_a_search_polishes(
    monkeypatch: pytest.MonkeyPatch, role: Role, far: bool, polishes: bool
) -> None:
    """Tests that an answer is polished, and the finder told, by the process whose work that is.

    It is the prover's where its proof is far from the end.
    """
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, least = routings(nets, next(iter(costs)))
    (part,) = split(nets)
    monkeypatch.setattr(Finder, "pausing", True)
    monkeypatch.setattr(Finder, "step", lambda self, deadline: deadline.work(0.01))
    monkeypatch.setattr(Search, "_prove", lambda self, deadline, board: deadline.work(0.01))
    search = Search(0, part, 0, SearchConfig())
    deadline = Deadline(3, WorkClock())
    assert isinstance(nets, BoardNets)
    board = Board(nets, [part], deadline, lambda progress: None)
    board.take_routing(0, dearest, "find")
    search.finder.adopt(dearest)
    while not deadline.passed() and search.polish.due(board.routings[0] or dearest):
        search.step(board, deadline, role, far=far)
    assert board.routings[0] is not None
    assert board.routings[0].cost == (least if polishes else dearest.cost)
    assert search.finder.best is board.routings[0]


@pytest.mark.parametrize("far", [False, True])
def test_a_far_prover_finds(far: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a process that proves finds as well exactly where the end of its proof is far."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, next(iter(costs)))
    assert isinstance(nets, BoardNets)
    (part,) = split(nets)
    done = []
    for name in ("_find", "_prove"):

        def work(self: Search, deadline: Deadline, board: Board, name: str = name) -> None:
            done.append(name)
            deadline.work(0.1)

        monkeypatch.setattr(Search, name, work)
    search = Search(0, part, 0, SearchConfig())
    deadline = Deadline(60, WorkClock())
    board = Board(nets, [part], deadline, lambda progress: None)
    board.take_routing(0, dearest, "find")
    search.finder.adopt(dearest)
    for _ in range(30):
        search.step(board, deadline, Role.PROVE, far=far)
    assert done.count("_find") == (10 if far else 0)


def test_polish_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that nothing is polished where that is switched off."""
    nets, costs = routable_two_layers(0, 3, 4, 2)
    dearest, _ = routings(nets, max(costs, key=lambda vias: costs[vias]))
    monkeypatch.setattr(Finder, "pausing", True)
    assert isinstance(nets, BoardNets)
    (part,) = split(nets)
    board = Board(nets, [part], Deadline(60), lambda progress: None)
    board.take_routing(0, dearest, "find")
    for without, polishes in ((frozenset[str](), True), (frozenset({"polish"}), False)):
        search = Search(0, part, 0, SearchConfig(), without)
        assert (search._polish in search._shares(board, Role.ALL, far=False)) == polishes


def test_who_proves() -> None:
    """Tests that bounds come from those who lead proofs: only they can write what shows them."""
    nets, _ = routable_two_layers(0, 3, 4, 2)
    assert isinstance(nets, BoardNets)
    (part,) = split(nets)
    board = Board(nets, [part], Deadline(60), lambda progress: None)
    search = Search(0, part, 0, SearchConfig())
    prove = {role for role in Role if search._prove in search._shares(board, role, far=False)}
    assert prove == {Role.OPEN, Role.ALL, Role.PROVE}
