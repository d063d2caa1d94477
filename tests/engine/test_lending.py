"""Tests that no bound is claimed while a node that has been lent is still open."""

from __future__ import annotations

import pickle
import random
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.bonds import BondConfig
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.assistant import Assistant
from nlrouter.engine.prove.config import ProverConfig
from nlrouter.engine.prove.layer_proof import LayerProof, LayerProofConfig
from nlrouter.engine.prove.prover import Prover
from nlrouter.engine.prove.questions import Questions
from nlrouter.engine.prove.side_share import SideNode, SideShare, pack, unpack
from nlrouter.engine.prove.side_tree import SideTree, SideTreeConfig
from nlrouter.engine.prove.via_node import Node
from nlrouter.engine.prove.via_share import LayerShare, Left, Share, ViaShare
from nlrouter.files.problem_file import read_problem
from nlrouter.problem import Problem
from tests.engine.tiny_layers import check_routing

BOARDS = Path(__file__).parents[2] / "problems"
NONE = MaxSatConfig(trial_seconds=0.0)
UNTIED = DualConfig(bonds=BondConfig(most_bits=0))
BRANCHES = SideTreeConfig(dual=UNTIED)
TREES = ProverConfig(
    dual=UNTIED, maxsat=NONE, layer=LayerProofConfig(tree=BRANCHES, maxsat=NONE, other_share=1e-6)
)
"""Trees of vias and sides, and hardly anything else: bonds would close most at the root."""


@cache
def nets_of_part(board: str, part: int) -> Nets:
    """Return the nets of a part."""
    return split(nets_of(read_problem(str(BOARDS / f"{board}.txt"))))[part].nets


def a_little() -> Deadline:
    """Return time for one or two steps."""
    return Deadline(0.02, WorkClock())


def sent(thing: object) -> object:
    """Return what arrives of something that is sent to another process."""
    return pickle.loads(pickle.dumps(thing))


class Helpers:
    """Processes that do what a prover lends, each in its own time, or never."""

    def __init__(self, prover: Prover, seed: int) -> None:
        self.prover = prover
        self.random = random.Random(seed)
        self.assistants = [Assistant(prover) for _ in range(2)]
        self.shares: list[Share] = []
        self.settled: list[tuple[int, Left]] = []

    def borrow(self) -> int:
        """Take whatever there is; return how much."""
        before = len(self.shares)
        while (share := self.prover.lend()) is not None:
            self.shares.append(cast("Share", sent(share)))
        return len(self.shares) - before

    def bring_back(self) -> None:
        """Do one of the shares, or give it back undone, and tell some things twice."""
        if not self.shares:
            return
        share = self.shares.pop(self.random.randrange(len(self.shares)))
        if self.random.random() < 0.2:
            self.prover.settle(share.number, None)
            return
        assistant = self.random.choice(self.assistants)
        left = cast("Left", sent(assistant.do(share, a_little())))
        self.prover.settle(share.number, left)
        self.settled.append((share.number, left))
        number, old = self.random.choice(self.settled)
        self.prover.settle(number, old)

    @property
    def found(self) -> list[int]:
        """The costs of the routings that they have found, each of them correct."""
        routings = [assistant.routing for assistant in self.assistants]
        nets = self.prover.nets
        return [
            check_routing(nets, nets.targets(routing.assignment), routing.paths)
            for routing in routings
            if routing is not None
        ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("board", "part", "cost", "upper"),
    [
        ("shared_span_8x8x2", 0, 63, 63),
        ("shared_span_8x8x2", 0, 63, 64),
        ("nested_detours_13x13x2", 1, 32, 32),
        ("nested_detours_13x13x2", 1, 32, None),
    ],
)
def test_the_bound_ends_at_the_cost(
    board: str, part: int, cost: int, upper: int | None, seed: int
) -> None:
    """Tests a prover that lends all it can: its bound never passes the cost, and reaches it."""
    prover = Prover(nets_of_part(board, part), 0, TREES)
    helpers = Helpers(prover, seed)
    lent = 0
    for _ in range(1000):
        if prover.bound >= cost:
            break
        known = [*helpers.found, *([] if upper is None else [upper])]
        prover.step(a_little(), min(known, default=None))
        assert prover.bound <= cost
        lent += helpers.borrow()
        if prover.waits or helpers.random.random() < 0.3:
            helpers.bring_back()
    assert prover.bound == cost
    assert lent
    assert all(found >= cost for found in helpers.found)


@pytest.mark.parametrize("steps", [3, 8, 15])
def test_vias_that_never_come_back(steps: int) -> None:
    """Tests that a node counts until it comes back, undone as well, and that it can be done."""
    prover = Prover(nets_of_part("shared_span_8x8x2", 0), 0, TREES)
    share = None
    while share is None or isinstance(share.work, LayerShare):
        prover.step(a_little(), 63)
        share = prover.lend() if steps < 1 else None
        steps -= 1
    assert isinstance(share.work, ViaShare)
    while not prover.waits:
        prover.step(a_little(), 63)
        assert prover.bound <= share.work.node.bound < 63
    for _ in range(3):
        prover.settle(share.number + 1, None)
        prover.step(a_little(), 63)
        assert prover.waits and prover.bound <= share.work.node.bound
    prover.settle(share.number, None)
    while prover.bound < 63:
        prover.step(a_little(), 63)
        assert not prover.waits
    assert prover.bound == 63


@pytest.fixture
def lent_side() -> tuple[SideTree, SideShare]:
    """Return the side tree of a layer, with nothing left to do up to 31 but a node that is lent."""
    nets = nets_of_part("nested_detours_13x13x2", 1)
    tree = SideTree(nets.layer_alone(0, nets.target), None, BRANCHES)
    share = None
    while share is None:
        tree.step(a_little(), 31)
        share = tree.lend(7, 31)
    while not tree.waits(31):
        tree.step(a_little(), 31)
        assert tree.bound <= share.node.bound <= 31
    return tree, share


def test_sides_that_never_come_back(lent_side: tuple[SideTree, SideShare]) -> None:
    """Tests the same of a node of a layer's side tree."""
    tree, share = lent_side
    tree.settle(8, None)
    assert tree.waits(31)
    left = SideTree(tree.nets, None, BRANCHES).explore(share, a_little())
    tree.settle(7, left)
    tree.settle(7, [])
    tree.step(a_little(), 31)
    while tree.bound <= 31:
        assert not tree.waits(31)
        tree.step(a_little(), 31)
    assert tree.bound <= 32


def test_sides_that_come_back_undone(lent_side: tuple[SideTree, SideShare]) -> None:
    """Tests that a node given back as it was counts as before, and is worked on."""
    tree, share = lent_side
    tree.settle(7, None)
    assert not tree.waits(31)
    tree.step(a_little(), 0)
    assert tree.bound <= share.node.bound
    while tree.bound <= 31:
        tree.step(a_little(), 31)
    assert tree.bound <= 32


def test_a_tree_that_is_stuck_tells_what_comes_back() -> None:
    """Tests that the last piece raises a layer's bound where nothing else is left to be done.

    The prices of an open node may have found a routing and come to their end: it then takes no
    turn in which the bound could be told.
    """
    nets = nets_of_part("nested_detours_13x13x2", 1)
    proof = LayerProof(nets.layer_alone(0, nets.target), 0, None, TREES.layer)
    while proof.lend(7, 31) is None:
        proof.step(a_little(), 31)
    while not proof.waits:
        proof.step(a_little(), 31)
    assert proof.bound <= 31
    for node in proof._tree._nodes:
        node.stuck = True
    proof.settle(7, [])
    assert proof.bound == 32


def test_an_old_limit_is_kept() -> None:
    """Tests that what was dropped for a limit is not missed when a higher one is named."""
    prover = Prover(nets_of_part("shared_span_8x8x2", 0), 0, TREES)
    while prover.bound < 40:
        prover.step(a_little(), 40)
    prover.step(a_little(), None)
    assert prover.bound == 40


def test_a_node_without_routings() -> None:
    """Tests that nothing is left of a node whose lines must cross, which is a proof of that."""
    crossing = Problem(3, 3, 1, [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1))])
    tree = SideTree(nets_of(crossing), None)
    node = SideNode([()] * 2, (), 0.0, True, False, *root_state(tree))
    assert tree.explore(SideShare(node, None), Deadline(60.0, WorkClock())) == []


@pytest.mark.parametrize("kind", ["sides", "vias"])
def test_nothing_is_done_about_a_node_without_routings(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a helper is done at once with what is known to have none, also without a limit.

    By counted work, of which there is none, it would never end.
    """
    nets = nets_of_part("shared_span_8x8x2", 0)
    if kind == "sides":
        monkeypatch.setattr(SideTree, "_work", None)
        layer = nets.layer_alone(0, nets.target)
        tree = SideTree(layer, None)
        side = SideNode([()] * layer.count, (), INFINITE, False, False, *root_state(tree))
        assert tree.explore(SideShare(side, None), Deadline(60.0, WorkClock())) == []
        return
    monkeypatch.setattr(Prover, "_settle_vias", None)
    node = Node(Dual(nets), NO_ANSWER)
    share = Share(1, ViaShare(node.packed(), None))
    left = Assistant(Prover(nets, 0, TREES)).do(share, Deadline(60.0, WorkClock()))
    assert [other.bound for other in left.nodes] == [NO_ANSWER]


def test_a_layer_that_waits_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that nobody waits for what is lent of a layer while another one is to be proven."""
    nets = nets_of_part("shared_span_8x8x2", 0)
    prover = Prover(nets, 0, TREES)
    turns: list[int] = []

    class FakeProof(SimpleNamespace):
        def step(self, *_: object) -> None:
            turns.append(self.z)

    proofs = [
        FakeProof(z=z, bound=1, exact=False, spent=z, waits=z == 0, routing=None, phases=set())
        for z in range(nets.layers)
    ]
    monkeypatch.setattr(prover._layers, "of", lambda z, *_: proofs[z])
    node = Node(Dual(nets), 0)
    prover._prove_layers(node, a_little(), None)
    assert (turns, prover.waits) == ([1], False)
    proofs[1].waits = True
    prover._prove_layers(node, a_little(), None)
    assert (turns, prover.waits) == ([1, 0], True)


@pytest.mark.parametrize("most", [0, 10**9])
def test_covers_of_large_layers(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that no questions in covers are asked where nets would take too long to lift."""
    nets = nets_of_part("nested_detours_13x13x2", 1)
    tree = SideTree(nets.layer_alone(0, nets.target), None, SideTreeConfig(most_cover_size=most))
    tree.step(a_little(), None)
    monkeypatch.setattr(Questions, "doubtful", lambda *_, **__: [])
    monkeypatch.setattr(Questions, "crossing", lambda *_: ["in a cover"])
    monkeypatch.setattr(Dual, "converged", True)
    asked = [question for found, _ in tree._candidates(tree._least) for question in found]
    assert asked == ["in a cover"] * (most > 0)


def test_the_method_goes_along() -> None:
    """Tests that another process goes on with the method that a node's prices are found by."""
    nets = nets_of_part("nested_detours_13x13x2", 1)
    tree = SideTree(nets.layer_alone(0, nets.target), None)
    while not tree.root.converged:
        tree.step(a_little(), None)
    assert unpack(tree.root, pack(tree.root, 0.0, fresh=False, stuck=False)).proximal is None
    assert tree.root.refine()
    packed = pack(tree.root, 0.0, fresh=False, stuck=False)
    assert unpack(SideTree(tree.nets, None).root, packed).proximal is not None


def root_state(tree: SideTree) -> tuple[Any, ...]:
    """Return what a root that has not been worked on has to send."""
    root, seen = tree.root, tree.root.averages
    return root.prices, root.cuts, root.value, seen.sides, seen.turns, root.proximal is None


def test_the_time_of_a_helper_is_counted() -> None:
    """Tests that what a helper spends on nodes is noted: conflicts have a share of it."""
    nets = nets_of(read_problem(str(BOARDS / "shared_span_8x8x2.txt")))
    lender = Prover(split(nets)[0].nets, 0)
    assistant = Assistant(lender)
    (node,) = lender._nodes
    assistant.do(Share(0, ViaShare(node.packed(), None)), Deadline(0.05, WorkClock()))
    assert assistant._prover._turns.total >= 0.05
