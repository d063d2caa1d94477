"""Tests that no method of the tree leaves a routing out, against all routings of tiny parts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.bonds import BondConfig
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.sided_search import SidedSearchConfig
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.bounds.via_pairs import ViaPairConfig
from nlrouter.engine.nets.nets import OPEN, Nets, nets_of
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.asking import AskConfig
from nlrouter.engine.prove.config import ProofConfig, TreeConfig
from nlrouter.engine.prove.layer_steps import Layers
from nlrouter.engine.prove.node import Node
from nlrouter.engine.prove.pair_steps import ViaPairs
from nlrouter.engine.prove.pricing import MorePrices, Prices
from nlrouter.engine.prove.proof import METHODS, layer_proofs
from nlrouter.engine.prove.questions import Question, Questions
from nlrouter.engine.prove.tree import Method, Tree
from nlrouter.engine.prove.via_steps import FewVias, ViaBranch
from nlrouter.tally import Tallies
from tests.engine.test_questions import can_be_asked, parity_of
from tests.engine.tiny_layers import (
    MIXED,
    all_routings,
    mixed_nets,
    random_nets,
    two_layer_problem,
)

EAGER = TreeConfig(
    dual=DualConfig(
        sure=0.3,
        bonds=BondConfig(doubt=1e-6),
        searches=SidedSearchConfig(radius=1.0),
        via_pairs=ViaPairConfig(least_price=-1.0),
    ),
    ask=AskConfig(doubt=1e-6),
    rounds=4,
    near_rounds=4,
    few_ways=1,
    again=1.0,
    conflict_share=1e9,
)
"""Does with a node whatever can be done, and hardly prices it."""

REST = (Prices, MorePrices, ViaBranch)
"""What else a tree needs to get on with its nodes."""


@cache
def parts() -> list[tuple[Nets, list[Routing]]]:
    """Return tiny parts that have routings, and all of these."""
    drawn = [replace(random_nets(seed, 4, 5, 3), constant=0) for seed in range(30)]
    drawn += [replace(random_nets(seed, 5, 5, 4), constant=0) for seed in range(60)]
    drawn += [replace(nets_of(two_layer_problem(k, 4, 4, 3)), constant=0) for k in range(20)]
    drawn += [mixed_nets(seed, (4, 5, 2, 1)) for seed in range(20)]
    drawn += [mixed_nets(seed, (4, 4, 3, 1)) for seed in range(60)]
    found = [(nets, all_routings(nets)) for nets in drawn]
    return [(nets, routings) for nets, routings in found if routings]


def in_node(node: Node, routing: Routing) -> bool:
    """Return whether a routing has the vias that a node leaves, and the sides and cells."""
    dual = node.dual
    for allowed, chosen in zip(dual.domains, routing.assignment, strict=True):
        if not allowed[range(len(chosen)), chosen].all():
            return False
    for net, (path, passages) in enumerate(zip(routing.paths, dual.passages, strict=True)):
        if not set(dual.left.get(net, ())).isdisjoint(path.tolist()):
            return False
        for passage in passages:
            end = passage.name[1]
            ray = np.zeros((2, dual.nets.cells), np.bool_)
            if end >= 0:
                assert dual.curves is not None
                ray = dual.curves.rays[end]
            if parity_of(tuple(path.tolist()), passage, ray) != passage.parity:
                return False
    return True


def check(tree: Tree, routings: list[Routing], upper: int | None) -> None:
    """Check that each routing of interest is in an open node, whose bound it does not refute."""
    for routing in routings:
        if upper is None or routing.cost < upper:
            homes = [node for node in tree.nodes if in_node(node, routing)]
            assert homes
            assert min(node.bound for node in homes) <= routing.cost + TOLERANCE
    if upper is None or routings[0].cost < upper:
        assert tree.bound <= routings[0].cost + TOLERANCE
    if tree.routing is not None:
        assert tree.routing.cost >= routings[0].cost


def doubtful(questions: Questions, dual: Dual, least: float) -> list[tuple[float, Question]]:
    """Return all questions about sides that have no answer yet."""
    pairs = np.argwhere(np.triu(questions.curves.compared, 1)).tolist()
    return [
        (1.0, (i, j, -1))
        for i, j in pairs
        if not questions.settled(dual, i, j) and questions._room(dual, i)
    ]


def tieable(questions: Questions, dual: Dual, least: float) -> list[tuple[float, tuple[int, int]]]:
    """Return all pairs of nets that can be tied, whatever the least doubt."""
    led = dual.leads != OPEN
    pairs = np.argwhere(np.triu(questions.curves.compared & led & led[:, None], 1)).tolist()
    return [
        (1.0, (i, j))
        for i, j in pairs
        if not questions.settled(dual, i, j) and (i, j) not in dual.via_pairs
    ]


def crossing(questions: Questions, dual: Dual) -> list[tuple[float, Question]]:
    """Return all questions in covers that have no answer yet."""
    count = dual.nets.count
    return [
        (1.0, (i, j, p))
        for i, j in permutations(range(count), 2)
        for p in range(2 * count)
        if p % count not in (i, j) and dual.passed(i, (j, p)) is None
        if all(questions._room(dual, net, 2) for net in (i, j))
        if can_be_asked(dual, questions, (i, j, p))
    ]


def contested(dual: Dual, most: int) -> list[tuple[tuple[int, int], int]]:
    """Return cells that two nets have not left to each other, whether they hold them or not."""
    pairs = combinations(range(dual.nets.count), 2)
    cells = np.flatnonzero(dual.nets.free[0]).tolist()
    left = [set(dual.left.get(net, ())) for net in range(dual.nets.count)]
    return [((i, j), cell) for i, j in pairs for cell in cells if cell not in left[i] | left[j]][
        ::7
    ]


@pytest.fixture
def doubts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all be asked that can be."""
    monkeypatch.setattr(Questions, "doubtful", doubtful)
    monkeypatch.setattr(Questions, "pairs", tieable)
    monkeypatch.setattr(Questions, "crossing", crossing)
    monkeypatch.setattr("nlrouter.engine.prove.cell_steps.contested", contested)


def limit(best: int, k: int, *, falls: bool) -> int | None:
    """Return the limit at a step: always the same, or first none and then one that falls."""
    if not falls:
        return best + 1
    return None if k < 1 else best + (20 if k < 4 else 10 if k < 8 else 5 if k < 12 else 1)


@pytest.mark.parametrize(
    ("first", "falls"),
    [(Layers, False), *((way, True) for way in (Layers, *METHODS))],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
@pytest.mark.usefixtures("doubts")
def test_no_routing_is_left_out(first: type[Method], falls: bool) -> None:
    """Tests each method, called whenever it can be; with `Layers`, all of them in their order.

    Limits that fall hold all that one which stays does; it takes 10 s for each method.
    """
    calls = 0
    for nets, routings in parts():
        tallies = Tallies()
        ways = [way() for way in (METHODS if first is Layers else (first, *REST))]
        if first is Layers:
            ways.insert(0, Layers(layer_proofs(nets, ProofConfig(), tallies)))
        config = replace(EAGER, few_ways=4) if first is FewVias else EAGER
        tree = Tree(nets, ways, config, tallies)
        for k in range(40):
            upper = limit(routings[0].cost, k, falls=falls)
            if tree.stuck or not tree.nodes:
                break
            tree.step(Deadline(60), upper)
            if upper is not None:
                tree.drop(upper)
            check(tree, routings, upper)
        calls += sum(tally.calls for name, tally in tallies.items() if name == first.name)
    assert calls > 20


def test_what_is_kept_for_a_certificate() -> None:
    """Tests that nodes that are done with stay as leaves, if they are wanted."""
    nets, routings = next(entry for entry in parts() if entry[0].classes)
    best = routings[0].cost
    for keeps in (False, True):
        tree = Tree(nets, [Prices(), ViaBranch()], EAGER, Tallies(), keeps=keeps)
        for _ in range(12):
            tree.step(Deadline(60), best + 10)
        assert len(tree.nodes) > 1
        decisions = [node.decisions for node in tree.nodes]
        tree.drop(0)
        assert not tree.nodes
        assert [leaf.decisions for leaf in tree.leaves] == (decisions if keeps else [])


def test_nodes_that_rest() -> None:
    """Tests that a node that another is worked on instead of keeps nothing that takes much room."""
    nets = mixed_nets(MIXED[1])
    tree = Tree(nets, [Prices(), ViaBranch()], TreeConfig(), Tallies())
    while len(tree.nodes) < 2 or tree.least is tree._at:
        tree.step(Deadline(60), None)
    left = tree._at
    assert left is not None and left.dual._found is not None
    tree.step(Deadline(60), None)
    assert left.dual._found is None
    assert tree._at is not None and tree._at.dual._found is not None


@pytest.mark.parametrize("size", [0, 10**6])
def test_parts_too_large_to_ask_about(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that no curves are drawn, and nothing is asked, where a part is too large for it."""
    tallies = Tallies()
    nets = mixed_nets(MIXED[0])
    monkeypatch.setattr("nlrouter.engine.prove.pricing.MOST_SIZE", size)
    ways = [way() for way in METHODS if way is not ViaPairs]  # Which would leave nothing to ask.
    tree = Tree(nets, ways, EAGER, tallies)
    for _ in range(40):
        tree.step(Deadline(60), 100)
    asked = {"bonds", "sides"} & {name for name, tally in tallies.items() if tally.calls}
    assert bool(asked) == bool(size)
    assert any(node.dual.curves is not None for node in tree.nodes) == bool(size)


def test_curves_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that nodes with the same ends share their questions, the last ones used are kept."""
    nets = mixed_nets(MIXED[0])
    monkeypatch.setattr("nlrouter.engine.prove.tree.MOST_DRAWN", 2)
    tree = Tree(nets, [], EAGER, Tallies())
    root = Dual(nets)
    choices = [
        tuple(np.roll(np.eye(len(c), dtype=np.bool_), k) for c in root.domains) for k in (0, 1)
    ]
    duals = [root, *(root.restricted(domains) for domains in choices)]
    known = [tree.questions(dual) for dual in duals[:2]]
    assert tree.questions(root) is known[0]
    tree.questions(duals[2])
    assert tree.questions(root.sided([])) is known[0]
    assert tree.questions(duals[1]) is not known[1]
    for dual in duals:
        settled = dual.target >= 0
        expected = settled[:, None] & settled & (nets.layer[:, None] == nets.layer)
        assert (tree.questions(dual).curves.compared == expected).all()


def test_curves_cross_as_they_do() -> None:
    """Tests that curves are compared by paths, not by the walks of nets with settled sides."""
    for seed in MIXED:
        nets = mixed_nets(seed)
        plain = Tree(nets, [], EAGER, Tallies()).questions(Dual(nets)).curves
        pairs = np.argwhere(np.triu(plain.compared, 1)).tolist()
        for bits in range(8):
            settled = [
                (i, Passage((j, -1), np.stack([plain.crossed[j]] * 2), (bits >> k % 3) & 1))
                for k, (i, j) in enumerate(pairs)
            ]
            tree = Tree(nets, [], EAGER, Tallies())
            sided = tree.questions(Dual(nets).sided(settled)).curves
            assert (sided.parity == plain.parity).all()
