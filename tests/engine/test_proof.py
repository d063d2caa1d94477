"""Tests that the proof of a part, or of a layer, ends at the optimum and is never above it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path

import pytest

from nlrouter import generate
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.config import ProofConfig, TreeConfig
from nlrouter.engine.prove.proof import METHODS, Proof
from nlrouter.engine.prove.tree import Tree
from nlrouter.files.problem_file import read_problem
from nlrouter.tally import Tallies
from tests.engine.routing_oracle import cheapest_cost, exact_cost, random_problem
from tests.engine.test_tree import EAGER
from tests.engine.tiny_layers import (
    MIXED,
    check_routing,
    layer_problem,
    mixed_nets,
    random_nets,
    routable_two_layers,
    two_layer_problem,
)

STEPS = 400
TREE = frozenset({"maxsat", "only answer"})
"""What is switched off where the tree is to do it all."""


def prove(proof: Proof, best: int, uppers: Iterable[int | None]) -> Proof:
    """Let a proof go on with each limit until it knows all, checking each step."""
    nets, last = proof.nets, 0
    for upper in uppers:
        for _ in range(STEPS):
            known = proof.routing.cost if proof.routing else NO_ANSWER
            if proof.bound >= min(known, NO_ANSWER if upper is None else upper) or proof.waits:
                break
            proof.step(Deadline(60), upper)
            assert last <= proof.bound <= best or (upper is not None and upper <= best)
            last = proof.bound
    if proof.routing is not None:
        target = nets.targets(proof.routing.assignment)
        assert check_routing(nets, target, proof.routing.paths) == proof.routing.cost
        assert proof.routing.cost >= best
    return proof


@pytest.mark.parametrize("seed", range(60))
def test_tiny_boards(seed: int) -> None:
    """Tests that the parts' bounds add up to the optimum, or one says that there is no answer."""
    problem = random_problem(seed)
    nets, best = nets_of(problem), cheapest_cost(problem)
    parts = split(nets)
    bounds = [prove(Proof(part.nets), exact_cost(part.nets), [None]).bound for part in parts]
    if best == inf:
        assert max(bounds) == NO_ANSWER
    else:
        total = sum(bound * part.copies for bound, part in zip(bounds, parts, strict=True))
        assert nets.constant + total == best


@pytest.mark.parametrize("without", [frozenset[str](), TREE], ids=["all", "tree"])
@pytest.mark.parametrize("seed", range(16))
def test_vias(seed: int, without: frozenset[str]) -> None:
    """Tests boards with vias to choose, without a known answer and with one of several costs."""
    (part,) = split(routable_two_layers(seed, 3 + seed % 2, 4, 3)[0])
    nets, best = part.nets, exact_cost(part.nets)
    for uppers in ([None], [best], [best + 1], [best + 6], [best + 9, best + 2]):
        proof = prove(Proof(nets, tallies=Tallies(without)), best, uppers)
        assert proof.bound == best
        assert uppers == [best] or (proof.routing is not None and proof.routing.cost == best)


@cache
def mixed(seed: int) -> tuple[Nets, int]:
    """Return a board on which some lines go through vias, and its optimum."""
    nets = mixed_nets(seed)
    return nets, exact_cost(nets)


@pytest.mark.parametrize("more", [0, 8])
def test_nets_tied_while_vias_are_open(more: int) -> None:
    """Tests that the bound ends at the optimum where nets are tied, with vias open."""
    ties = 0
    for nets, best in map(mixed, MIXED):
        tallies = Tallies(TREE)
        proof = Proof(nets, ProofConfig(tree=replace(EAGER, few_ways=1)), tallies)
        assert prove(proof, best, [best + more] * 5).bound == best
        ties += tallies["bonds"].calls
    assert ties > 30


SIZES = [(4, 4, 3), (3, 5, 3), (5, 3, 2), (1, 7, 2), (4, 5, 3), (5, 5, 4)]


@pytest.mark.parametrize("without", [frozenset[str](), TREE], ids=["all", "tree"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_layers(seed: int, size: tuple[int, int, int], without: frozenset[str]) -> None:
    """Tests layers with limits and without, of which those of a layer's own proof may rise."""
    nets = replace(random_nets(seed, *size), constant=0)
    best = exact_cost(nets)

    def layer(*uppers: int | None) -> Proof:
        return prove(Proof(nets, tallies=Tallies(without), of_layer=True), best, uppers)

    if best == NO_ANSWER:
        assert layer(None).bound == NO_ANSWER or without
        assert layer(12).bound >= 12 or without
        return
    for uppers in ([None], [best + 3], [best + 1], [best - 4, best - 1, best + 1], [2, None]):
        proof = layer(*uppers)
        assert proof.exact and proof.bound == best
    assert layer(best).bound == best


@pytest.mark.parametrize("below", [2, 5])
@pytest.mark.parametrize(("size", "seed"), [((7, 7, 5), 0), ((8, 8, 6), 20), ((8, 8, 6), 31)])
def test_limits_that_rise(size: tuple[int, int, int], seed: int, below: int) -> None:
    """Tests that what is too dear for one limit is not missed when a higher one is named."""
    nets = replace(nets_of(layer_problem(seed, *size)), constant=0)
    best = exact_cost(nets)
    assert best < NO_ANSWER
    proof = Proof(nets, tallies=Tallies(TREE), of_layer=True)
    assert prove(proof, best, range(best - below + 1, best + 3)).bound == best


def crossing_nets(seed: int) -> Nets:
    """Return the part of a board of two layers with three lines and vias."""
    (part,) = split(nets_of(two_layer_problem(seed, 3 + seed % 2, 4, 3)))
    return part.nets


@cache
def crossing() -> list[tuple[Nets, int]]:
    """Return such parts and their optima; many have no routing."""
    return [(nets, exact_cost(nets)) for nets in map(crossing_nets, range(30))]


def test_no_vias_that_serve() -> None:
    """Tests that parts with vias to choose but without a routing are seen to have none."""
    hopeless = [nets for nets, best in crossing() if best == NO_ANSWER]
    assert len(hopeless) > 5
    for nets in hopeless:
        assert prove(Proof(nets), NO_ANSWER, [None]).bound == NO_ANSWER


def test_a_step_after_the_end_changes_nothing() -> None:
    """Tests that a proof that knows all may be asked to go on, with a routing and without."""
    for nets, best in crossing():
        proof = prove(Proof(nets), best, [None])
        for _ in range(3):
            proof.step(Deadline(60), None if proof.routing is None else proof.routing.cost)
        assert proof.bound == best


def test_no_routing_by_sat() -> None:
    """Tests that SAT alone shows that there is no routing, or finds one, and makes up neither."""
    for nets, best in crossing():
        proof = Proof(nets, ProofConfig(maxsat_slice=60.0))
        proof._satisfy(Deadline(3600.0), None)
        assert (proof.bound == NO_ANSWER) == (best == NO_ANSWER) == (proof.routing is None)
        assert proof.phases == ({"maxsat"} if best == NO_ANSWER else set())


def test_stopping() -> None:
    """Tests that a proof told to stop claims nothing by it."""
    for nets, best in crossing()[:10]:
        proof = Proof(nets)
        for _ in range(6):
            proof.step(Deadline(60, stopped=lambda: True), None)
            assert proof.bound <= best


def test_whole_boards_with_empty_layers() -> None:
    """Tests that layers without nets do no harm where a board is not split."""
    for seed in range(30):
        nets = replace(nets_of(random_problem(seed)), constant=0)
        best = exact_cost(nets)
        assert prove(Proof(nets), best, [None]).bound == best


def test_a_large_part_has_a_bound_after_a_single_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that neither SAT nor more rounds of the dual keep the first bound waiting."""
    nets = crossing_nets(3)
    monkeypatch.setattr("nlrouter.engine.bounds.relaxation.EDGE", 1.0)
    proof = Proof(nets, tallies=Tallies(TREE))
    clock = WorkClock()
    proof.step(Deadline(1e6, clock), None)
    assert proof.bound > 0
    one_round = clock.seconds
    assert 0 < one_round < nets.count * nets.cells
    proof.step(Deadline(1e6, clock), None)
    assert clock.seconds < 6 * one_round


def test_the_root_is_tied_at_once_and_branched_on_at_good_prices() -> None:
    """Tests that bonds do not wait for the best prices, but that branches do for good ones."""
    (part,) = split(nets_of(generate("random", (16, 16, 1), lines=10, fill=0.9, seed=5)[0]))
    tree = Proof(part.nets, tallies=Tallies(frozenset({"maxsat", "only answer"}))).tree
    settled = []
    while not tree.branched:
        assert tree.least is not None and tree.least.open(NO_ANSWER), "closed without a branch"
        dual = tree.nodes[0].dual
        best, good, tied = dual.converged, dual.steady, len(dual.bonds)
        tree.step(Deadline(60), NO_ANSWER)
        if len(tree.nodes[0].dual.bonds) > tied:
            settled.append(best)
    assert not settled[0]
    assert good


@pytest.mark.parametrize(("share", "below"), [(1e-9, {False}), (1e9, {False, True})])
def test_conflicts_have_their_share(
    share: float, below: set[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that without a share of the time conflicts are looked for at the root alone."""
    (part,) = split(nets_of(generate("random", (10, 10, 2), fill=0.6, seed=20)[0]))
    tree = TreeConfig(conflict_share=share, few_ways=1)
    proof = Proof(part.nets, ProofConfig(tree=tree), Tallies(frozenset({"maxsat", "via pairs"})))
    searched = set()

    def find(_dual: Dual, _upper: int, deadline: Deadline) -> None:
        deadline.work(1.0)
        searched.add(proof.tree.branched)

    monkeypatch.setattr("nlrouter.engine.prove.via_steps.find_conflicts", find)
    deadline = Deadline(1000, WorkClock())
    best = 92
    while proof.bound < best:
        proof.step(deadline, best)
    assert searched == below


@pytest.mark.parametrize("keeps", [True, False])
def test_what_no_certificate_tells_is_left_out_of_it(keeps: bool) -> None:
    """Tests that a method without words for it is not used where a certificate is kept."""
    methods = Proof(random_nets(0, 4, 4, 2), keeps=keeps).tree._methods
    assert all(way.told for way in methods) == keeps


@pytest.mark.parametrize("seed", range(5))
def test_a_proof_names_its_means(seed: int) -> None:
    """Tests that a proof names what raised its bound, and nothing where none did."""
    proof = Proof(random_nets(seed, 4, 4, 3))
    assert not proof.phases
    while not (proof.exact or proof.bound >= NO_ANSWER):
        before, known = proof.bound, set(proof.phases)
        proof.step(Deadline(60), None)
        assert proof.bound > before or proof.phases == known
    assert proof.phases and proof.phases <= {"prove", "maxsat", "only answer"}


@pytest.mark.parametrize("guided", [False, True])
def test_maxsat_where_it_is_to_be_tried(guided: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that where the tree is stuck MaxSAT goes on, unless it is switched off."""
    monkeypatch.setattr(Tree, "stuck", True)
    tallies = Tallies(frozenset() if guided else frozenset({"maxsat"}))
    proof = Proof(random_nets(0, 4, 4, 3), tallies=tallies, of_layer=True)
    proof.step(Deadline(60), None)
    assert proof.waits == (not guided)
    assert proof.phases == ({"maxsat"} if guided else set())


def test_maxsat_that_is_not_worth_while() -> None:
    """Tests that it is closed for good where its cores are too large, or too slow to come."""
    config = MaxSatConfig(trial_seconds=0.0)
    proof = Proof(random_nets(1, 12, 12, 6), ProofConfig(maxsat=config), of_layer=True)
    assert proof.maxsat is not None and not proof.maxsat.done
    proof.step(Deadline(60), None)
    assert proof.maxsat.done and proof.phases <= {"prove"}


@pytest.mark.parametrize(("share", "tried"), [(0.5, False), (0.9, True), (None, True)])
def test_maxsat_of_tight_boards(share: float | None, tried: bool) -> None:
    """Tests that it is closed once an answer is known that leaves many cells empty."""
    nets = random_nets(1, 12, 12, 6)
    proof = Proof(nets, of_layer=True)
    proof.step(Deadline(60), None if share is None else int(share * nets.free.sum()))
    assert proof.maxsat is not None and proof.maxsat.done != tried


BOARD = Path(__file__).resolve().parents[1] / "data" / "boards" / "dear_survivor_6x6x1.txt"
"""Where the tree has soon nothing left to branch on; the optimum of its nets is 33."""


def test_a_stuck_tree_takes_no_turns() -> None:
    """Tests that by the work clock, too, the others go on where branching cannot."""
    proof = Proof(replace(nets_of(read_problem(str(BOARD))), constant=0))
    deadline = Deadline(10, WorkClock())
    steps = 0
    while not proof.exact and not deadline.passed():
        proof.step(deadline, None)
        steps += 1
    assert proof.bound == 33
    assert steps < 200


def test_methods_that_are_switched_off() -> None:
    """Tests that a proof does without each method, and is still never above the optimum."""
    for name in {*(method.name for method in METHODS), *TREE, "rounding"}:
        for nets, best in map(mixed, MIXED[:1]):
            tallies = Tallies(frozenset({name}))
            prove(Proof(nets, ProofConfig(tree=EAGER), tallies), best, [None, best + 1])
            assert name not in tallies
