"""Tests that CP-SAT on a whole part claims what trying everything finds, and no more."""

from __future__ import annotations

from math import inf

import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.nets.nets import BoardNets, Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.whole_proof import WholeProof, WholeProofConfig
from nlrouter.engine.search import Search, SearchConfig
from nlrouter.problem import Problem
from tests.engine.open_flow import end_open
from tests.engine.routing_oracle import cheapest_cost
from tests.engine.tiny_layers import check_routing, routable_two_layers, two_layer_problem

LONG = 3600.0
"""Seconds: what is tested is what a run claims that has come to its end."""


def whole(problem: Problem) -> tuple[Nets, int]:
    """Return the only part of a board, and what it costs."""
    nets = nets_of(problem)
    (part,) = split(nets)
    cost = cheapest_cost(problem)
    return part.nets, NO_ANSWER if cost == inf else int(cost) - nets.constant


def solved(nets: Nets, upper: int | None) -> WholeProof:
    """Return what one run makes of a part."""
    proof = WholeProof(nets, 0, WholeProofConfig(first_seconds=LONG))
    proof.step(Deadline(LONG), upper)
    if proof.routing is not None:
        target = nets.targets(proof.routing.assignment)
        assert check_routing(nets, target, proof.routing.paths) == proof.routing.cost
    return proof


@pytest.mark.parametrize("seed", range(12))
def test_what_a_run_claims(seed: int) -> None:
    """Tests bound and routing, with no routing known, the best one, and one a little worse."""
    nets, cost = whole(two_layer_problem(seed, 3, 4, 2 + seed % 2))
    for upper in (None, 30) if cost == NO_ANSWER else (None, cost, cost + 1, cost + 2, cost + 9):
        proof = solved(nets, upper)
        better = cost < NO_ANSWER and (upper is None or cost < upper)
        assert (proof.routing is not None) == better
        assert proof.bound == (cost if better or upper is None else upper)
        assert better or upper is None or cost >= upper


@pytest.mark.parametrize("seed", range(12))
def test_a_routing_that_cannot_be(seed: int) -> None:
    """Tests that less than the optimum is claimed where an upper cost is below it."""
    nets, cost = whole(two_layer_problem(seed, 3, 4, 2))
    if cost < NO_ANSWER:
        proof = solved(nets, cost - 1)
        assert proof.routing is None
        assert proof.bound == cost - 1


def test_no_time() -> None:
    """Tests that a run that is stopped claims nothing that is not so."""
    for seed in range(12):
        nets, cost = whole(two_layer_problem(seed, 3, 4, 2))
        proof = WholeProof(nets, 0)
        for upper in (None, cost, cost + 1):
            proof.step(Deadline(0, stopped=lambda: True), upper)
            assert proof.bound <= cost


@pytest.mark.parametrize(
    ("upper", "least", "bound", "stopped", "then", "pays"),
    [
        (100, 95, 95, False, 24.0, True),
        (100, 96, 95, False, 24.0, False),
        (100, 0, 80, False, 24.0, False),
        (None, 0, 80, False, 24.0, True),
        (100, 96, 80, True, 8.0, True),
    ],
)
def test_runs_that_end_open(
    upper: int | None,
    least: int,
    bound: int,
    stopped: bool,
    then: float,
    pays: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that the next run is longer, and there is none after a bound that says too little.

    A run that somebody stopped says nothing, and one that ends before its time as much as others.
    """
    seconds = end_open(monkeypatch, bound)
    nets, _ = whole(two_layer_problem(0, 3, 4, 2))
    proof = WholeProof(nets, 0)
    for _ in range(2):
        proof.step(Deadline(LONG, WorkClock(), lambda: stopped), upper, least)
    assert seconds == [8.0, then]
    assert proof.pays == pays


def test_waits_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that there is no run while there is no answer, however long that has been so."""
    nets, _ = routable_two_layers(0, 3, 4, 2)
    assert isinstance(nets, BoardNets)
    (part,) = split(nets)
    search = Search(0, part, 0, SearchConfig())
    monkeypatch.setattr(Finder, "flagging", True)
    assert not search.solves
    while search.finder.best is None:
        search.finder.step(Deadline(60))
    assert search.solves
