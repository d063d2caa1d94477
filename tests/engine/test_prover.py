"""Tests that the prover ends at the optimum of a part, and is never above it on the way."""

from dataclasses import replace
from functools import cache

import pytest

from nlrouter import generate
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.conflicts import ConflictConfig
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.config import ProverConfig
from nlrouter.engine.prove.open_sides import OpenSidesConfig
from nlrouter.engine.prove.prover import Prover
from nlrouter.engine.prove.sat_proof import SatProofConfig
from nlrouter.engine.prove.via_narrowing import ViaNarrowingConfig
from nlrouter.engine.prove.via_node import Node
from nlrouter.problem import Problem
from tests.engine.routing_oracle import cheapest_cost, exact_cost, random_problem
from tests.engine.tiny_layers import check_routing, routable_two_layers, two_layer_problem

STEPS = 400


@cache
def exact(seed: int) -> float:
    """Return the cost of the best answer of a random board."""
    return cheapest_cost(random_problem(seed))


def prove(nets: Nets, upper: int | None, best: float) -> Prover:
    """Let a prover work on a part until it knows the cost, checking each step."""
    prover = Prover(nets, 0)
    last = 0
    for _ in range(STEPS):
        known = prover.routing.cost if prover.routing else NO_ANSWER
        if prover.bound >= min(known, NO_ANSWER if upper is None else upper):
            break
        prover.step(Deadline(60), upper)
        assert last <= prover.bound <= best
        last = prover.bound
    if prover.routing is not None:
        target = nets.targets(prover.routing.assignment)
        assert check_routing(nets, target, prover.routing.paths) == prover.routing.cost
        assert prover.routing.cost >= best
    return prover


@pytest.mark.parametrize("seed", range(100))
def test_tiny_boards(seed: int) -> None:
    """Tests that the parts' bounds add up to the optimum, or one says that there is no answer."""
    nets = nets_of(random_problem(seed))
    parts = split(nets)
    bounds = [prove(part.nets, None, exact_cost(part.nets)).bound for part in parts]
    if exact(seed) == float("inf"):
        assert max(bounds) == NO_ANSWER
    else:
        total = sum(bound * part.copies for bound, part in zip(bounds, parts, strict=True))
        assert nets.constant + total == exact(seed)


def crossing_board(seed: int) -> Problem:
    """Return a board of two layers with three lines and vias."""
    return two_layer_problem(seed, 3 + seed % 2, 4, 3)


@pytest.mark.parametrize("seed", range(20))
def test_vias(seed: int) -> None:
    """Tests boards with vias to choose, without a known answer and with one of several costs."""
    nets, _ = routable_two_layers(seed, 3 + seed % 2, 4, 3)
    (part,) = split(nets)
    best = exact_cost(part.nets)
    assert prove(part.nets, None, best).bound == best
    for more in (0, 1, 6):
        prover = prove(part.nets, int(best) + more, best)
        assert prover.bound == best
        assert more == 0 or (prover.routing is not None and prover.routing.cost == best)


def test_no_vias_that_serve() -> None:
    """Tests that boards with vias to choose but without an answer are seen to have none."""
    hopeless = 0
    for seed in range(20):
        (part,) = split(nets_of(crossing_board(seed)))
        if exact_cost(part.nets) == NO_ANSWER:
            hopeless += 1
            assert prove(part.nets, None, NO_ANSWER).bound == NO_ANSWER
    assert hopeless > 5


def test_a_step_after_the_end_changes_nothing() -> None:
    """Tests that a prover that knows all may be asked to go on, with an answer and without."""
    for seed in range(30):
        (part,) = split(nets_of(crossing_board(seed)))
        prover = prove(part.nets, None, exact_cost(part.nets))
        bound = prover.bound
        for _ in range(3):
            prover.step(Deadline(60), None if prover.routing is None else prover.routing.cost)
        assert prover.bound == bound


def test_no_answer_by_sat() -> None:
    """Tests that a proof by SAT that there is no answer is not lost, and none is made up."""
    proven = 0
    for seed in range(40):
        (part,) = split(nets_of(crossing_board(seed)))
        best = exact_cost(part.nets)
        prover = Prover(part.nets, 0, ProverConfig(sat=SatProofConfig(first_seconds=3600.0)))
        for _ in range(2):  # In turns for one that fills the board, and for any.
            prover._satisfy(Deadline(3600.0), None)
        bounds = {node.bound for node in prover._nodes}
        if best == NO_ANSWER:
            proven += 1
            assert bounds == {NO_ANSWER}
        else:
            assert max(bounds) <= best
            assert prover.routing is not None
    assert proven > 5


def test_stopping() -> None:
    """Tests that a prover told to stop claims nothing by it."""
    for seed in range(10):
        (part,) = split(nets_of(crossing_board(seed)))
        prover = Prover(part.nets, 0)
        for _ in range(6):
            prover.step(Deadline(60, stopped=lambda: True), None)
            assert prover.bound <= exact_cost(part.nets)


def test_whole_boards_with_empty_layers() -> None:
    """Tests that layers without nets do no harm where a board is not split."""
    for seed in range(40):
        nets = replace(nets_of(random_problem(seed)), constant=0)
        prover = prove(nets, None, exact_cost(nets))
        assert prover.bound == exact_cost(nets)


def test_a_large_part_has_a_bound_after_a_single_round() -> None:
    """Tests that neither SAT nor more rounds of the dual keep the first bound waiting."""
    nets = split(nets_of(two_layer_problem(0, 6, 6, 3)))[0].nets
    slow = DualConfig(cell_seconds=100 / (nets.count * nets.cells), edge_seconds=1.0)
    config = ProverConfig(dual=slow, sat_cells=0, maxsat_cells=0)
    prover = Prover(nets, 0, config)
    clock = WorkClock()
    prover.step(Deadline(1e6, clock), None)
    assert prover.bound > 0
    one_round = clock.seconds
    assert 0 < one_round < nets.count * nets.cells
    prover.step(Deadline(1e6, clock), None)
    assert clock.seconds < 6 * one_round


@pytest.mark.parametrize(("share", "below"), [(1e-9, {False}), (1e9, {False, True})])
def test_conflicts_have_their_share(
    share: float, below: set[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that without a share of the time conflicts are looked for at the root alone."""
    (part,) = split(nets_of(generate("random", (10, 10, 2), fill=0.6, seed=20)[0]))
    narrowing = ViaNarrowingConfig(share=share)
    config = ProverConfig(narrowing=narrowing, few_assignments=0, maxsat_cells=0)
    prover = Prover(part.nets, 0, config)
    searched = set()

    def find(_dual: Dual, _upper: int, deadline: Deadline, _config: ConflictConfig) -> None:
        deadline.work(1.0)
        searched.add(prover._branched is not None)

    monkeypatch.setattr("nlrouter.engine.prove.via_narrowing.find_conflicts", find)
    deadline = Deadline(1000, WorkClock())
    best = 92
    while prover.bound < best:
        prover.step(deadline, best)
    assert searched == below


@pytest.mark.parametrize("asks", [True, False])
def test_nodes_that_are_left(*, asks: bool) -> None:
    """Tests that a node that another takes the place of keeps only what is sent of it as well."""
    nets, _ = routable_two_layers(0, 4, 4, 3)
    sides = OpenSidesConfig() if asks else OpenSidesConfig(most_size=0)
    prover = Prover(nets, 0, ProverConfig(sides=sides))
    one, other = (Node(Dual(nets, config=prover._dual), 0) for _ in range(2))
    prover._turn_to(one)
    for node in (one, other):
        node.dual.improve(Deadline(60), 5)
    prover._turn_to(one)
    assert one.dual._found is not None
    prover._turn_to(other)
    assert one.dual._found is None and other.dual._found is not None
    assert len(one.dual.averages.flow) == 0
    assert len(other.dual.averages.flow) == (0 if asks else nets.count)
