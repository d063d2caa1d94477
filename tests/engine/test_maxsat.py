"""Tests that MaxSAT ends at the optimum, and is never above it where it is interrupted."""

from dataclasses import replace
from functools import cache

import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.exact.maxsat import MaxSat, MaxSatConfig
from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.config import ProofConfig
from nlrouter.engine.prove.proof import Proof
from nlrouter.generators import generate
from tests.engine.routing_oracle import cheapest_cost, exact_cost, random_problem
from tests.engine.tiny_layers import check_routing, random_nets, two_layer_problem

HASTY = MaxSatConfig(core_conflicts=1)


@cache
def exact(seed: int) -> float:
    """Return the cost of the best answer of a random board."""
    return cheapest_cost(random_problem(seed))


def solve(nets: Nets, config: MaxSatConfig | None, most: float) -> MaxSat:
    """Search in the smallest of steps; no bound on the way may be above the optimum."""
    search = MaxSat(nets, config)
    while not search.done:
        before = search.bound
        search.step(Deadline(1e-3, WorkClock()))
        assert before <= search.bound <= max(most, 0)
    if search.routing is not None:
        target = nets.targets(search.routing.assignment)
        assert check_routing(nets, target, search.routing.paths) == search.routing.cost
        assert search.bound == search.routing.cost
    return search


@pytest.mark.parametrize("config", [None, HASTY], ids=["usual", "hasty"])
@pytest.mark.parametrize("seed", range(100))
def test_tiny_boards(seed: int, config: MaxSatConfig | None) -> None:
    """Tests that whole boards, their vias open, end at the optimum, or without an answer."""
    nets = nets_of(random_problem(seed))
    best = exact(seed)
    search = solve(nets, config, NO_ANSWER if best == float("inf") else best - nets.constant)
    if best == float("inf"):
        assert search.bound == NO_ANSWER and search.routing is None
    else:
        assert search.bound == best - nets.constant


@pytest.mark.parametrize(
    ("size", "seed"), [((6, 6, 4), 5), ((7, 7, 5), 44), ((8, 8, 6), 2), ((8, 8, 6), 9)]
)
def test_cores_of_which_most_is_paid(size: tuple[int, int, int], seed: int) -> None:
    """Tests layers on which of some core three costs and more have to be paid."""
    nets = replace(random_nets(seed, *size), constant=0)
    assert solve(nets, None, NO_ANSWER).bound == exact_cost(nets)


@pytest.mark.parametrize("seed", range(100))
def test_any_routing(seed: int) -> None:
    """Tests that any routing is a valid one at its cost, and that none is told where none is."""
    nets = nets_of(random_problem(seed))
    search = MaxSat(nets)
    routing = search.any_routing(Deadline(60))
    assert (routing is None) == (exact(seed) == float("inf")) == (search.bound == NO_ANSWER)
    if routing is not None:
        target = nets.targets(routing.assignment)
        assert check_routing(nets, target, routing.paths) == routing.cost
        assert fault(nets, routing) == ""


@pytest.mark.parametrize("seed", range(40))
def test_a_routing_that_is_forbidden(seed: int) -> None:
    """Tests that it is not found again, and what is found then is another one."""
    nets = nets_of(random_problem(seed))
    routing = MaxSat(nets).any_routing(Deadline(60))
    if routing is None:
        return
    search = MaxSat(nets)
    search.forbid(routing.paths)
    other = search.any_routing(Deadline(60))
    assert (other is None) == (search.bound == NO_ANSWER)
    if other is not None:
        assert fault(nets, other) == ""
        assert [path.tolist() for path in other.paths] != [path.tolist() for path in routing.paths]


@pytest.mark.parametrize("seed", range(20))
def test_vias(seed: int) -> None:
    """Tests boards on which all lines have to choose a via."""
    problem = two_layer_problem(seed, 3 + seed % 2, 4, 3)
    nets, best = nets_of(problem), cheapest_cost(problem)
    search = solve(nets, None, NO_ANSWER if best == float("inf") else best - nets.constant)
    assert (search.routing is None) == (best == float("inf"))


def test_stopping() -> None:
    """Tests that a search told to stop claims nothing by it, and can go on."""
    nets = replace(random_nets(3, 8, 8, 5), constant=0)
    search = MaxSat(nets)
    search.step(Deadline(60, stopped=lambda: True))
    assert search.bound == 0 and search.routing is None
    other = solve(nets, None, NO_ANSWER)
    search.step(Deadline(60))
    assert search.bound == other.bound


def test_work_is_counted() -> None:
    """Tests that by a clock that counts work the search ends where it did before."""
    bounds = []
    for _ in range(2):
        clock = WorkClock()
        search = MaxSat(random_nets(1, 12, 12, 6))
        search.step(Deadline(0.1, clock))
        bounds.append((search.bound, clock.seconds))
        assert clock.seconds >= 0.1 or search.done
    assert bounds[0] == bounds[1]


def test_closed() -> None:
    """Tests that a search that is closed keeps its bound, and raises it no more."""
    search = MaxSat(random_nets(0, 5, 5, 3))
    search.step(Deadline(0))
    bound = search.bound
    search.close()
    search.step(Deadline(0.05))
    assert search.bound == bound and search.routing is None


@pytest.mark.parametrize("keeps", [False, True])
def test_the_record(keeps: bool) -> None:
    """Tests that a record is kept where it is wanted, up to when the search is closed, in order."""
    for seed in range(6):
        search = MaxSat(random_nets(seed, 5, 5, 3), keeps=keeps)
        search.step(Deadline(60))
        assert len(search.paid) == search.bound or search.bound == NO_ANSWER
        assert search.record == []
        search.close()
        lemmas = [line for line in search.record if not line.startswith("d")]
        assert bool(lemmas) == (keeps and bool(search.paid))
        # Each core is among what the solver has refuted by then.
        refuted = [when for when, _ in search.paid]
        assert refuted == sorted(refuted)
        if lemmas:
            assert refuted[-1] <= lemmas.count("0")


def test_a_refutation_for_the_record() -> None:
    """Tests that a search shows once more that there is no routing, where something else has."""
    for seed, hopeless in ((seed, exact(seed) == float("inf")) for seed in range(30)):
        search = MaxSat(nets_of(random_problem(seed)), keeps=True)
        search.refute(Deadline(60))
        assert (search.bound == NO_ANSWER) == hopeless
        assert [costs for _, costs in search.paid] == ([[]] if hopeless else [])


@pytest.mark.parametrize(("lines", "asked"), [(60, True), (110, False)])
def test_spans_of_many_vias_are_left_out(lines: int, asked: bool) -> None:
    """Tests that a proof has no MaxSAT where writing who takes which via takes minutes."""
    problem, _ = generate(30, 30, 2, lines, lines, 0.4, seed=0)
    nets = nets_of(problem)
    assert len(nets.classes[0].vias) == lines
    assert (Proof(nets, ProofConfig()).maxsat is not None) == asked
