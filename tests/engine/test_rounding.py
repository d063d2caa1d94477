"""Tests that walks that nets have taken are rounded to the cheapest routing they make up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.assistant import Assistant
from nlrouter.engine.prove.layer_proof import LayerProof, LayerProofConfig
from nlrouter.engine.prove.prover import Prover, ProverConfig
from nlrouter.engine.bounds.rounding import RoundingConfig, cheapest_routing
from nlrouter.engine.prove.side_share import SideShare
from nlrouter.engine.prove.side_tree import SideTree
from nlrouter.engine.prove.via_node import Node
from nlrouter.engine.prove.via_share import LayerShare, Share
from nlrouter.problem import Problem
from tests.engine.tiny_layers import check_routing, path_cost, routable_nets

APART = [((0, 0, 1), (4, 1, 1)), ((0, 3, 1), (4, 4, 1))]
CROSSING = [((0, 0, 1), (4, 4, 1)), ((0, 4, 1), (4, 0, 1))]
TREE = LayerProofConfig(maxsat=MaxSatConfig(trial_seconds=0.0), other_share=1e-9)
"""The side tree, and hardly anything else."""


def nets_between(*ends: tuple[tuple[int, int, int], tuple[int, int, int]]) -> Nets:
    """Return the nets of a board of 5x5x1."""
    return replace(nets_of(Problem(5, 5, 1, list(ends))), constant=0)


def cheapest(
    nets: Nets, *walks: list[int], below: int = 1000, config: RoundingConfig | None = None
) -> Routing | None:
    """Return the cheapest routing of walks, each of them a net and cells ``y * 5 + x``."""
    edges = [(net, walk_of(nets, cells)) for net, *cells in walks]
    return cheapest_routing(nets, edges, below, config or RoundingConfig())


def walk_of(nets: Nets, cells: list[int]) -> NDArray[np.int32]:
    """Return the edges of a walk along cells of a board of 5x5x1."""
    return edges_of(nets, framed(nets, cells))


def framed(nets: Nets, cells: list[int]) -> list[int]:
    """Return the framed numbers of cells ``y * 5 + x``."""
    return [(cell // 5 + 1) * nets.stride + cell % 5 + 1 for cell in cells]


def edges_of(nets: Nets, path: Sequence[int]) -> NDArray[np.int32]:
    """Return the edges of a walk along framed cells."""
    return np.array(
        [min(a, b) + nets.cells * (abs(a - b) > 1) for a, b in pairwise(path)], np.int32
    )


def test_paths_apart() -> None:
    """Tests that paths that do not meet are a routing."""
    nets = nets_between(*APART)
    walks = enumerate(Dual(nets).improve(Deadline(60), 1).walks)
    routing = cheapest_routing(nets, walks, 100, RoundingConfig())
    assert routing is not None
    assert check_routing(nets, nets.target, routing.paths) == routing.cost == 10


def test_paths_that_meet() -> None:
    """Tests that paths that share a cell are none."""
    nets = nets_between(*CROSSING)
    walks = enumerate(Dual(nets).improve(Deadline(60), 1).walks)
    assert cheapest_routing(nets, walks, 100, RoundingConfig()) is None


def test_walks_that_are_no_paths() -> None:
    """Tests that walks are passed over that come to a cell twice, go aside or stop short."""
    nets = nets_between(((0, 0, 1), (2, 0, 1)))
    assert cheapest(nets, [0, 0, 1, 2]) is not None
    assert cheapest(nets, [0, 0, 1, 6, 5, 10, 11, 6, 7, 2]) is None
    assert cheapest(nets, [0, 0, 1]) is None
    aside = np.concatenate([walk_of(nets, [0, 1, 2]), walk_of(nets, [20, 21])])
    assert cheapest_routing(nets, [(0, aside)], 100, RoundingConfig()) is None


def test_a_net_without_a_walk() -> None:
    """Tests that there is no routing where a net has none."""
    assert cheapest(nets_between(*APART), [0, 0, 1, 2, 3, 4, 9]) is None


WAYS = [[0, 1, 2], [0, 5, 6, 7, 2], [10, 11, 12], [10, 5, 6, 7, 12], [10, 15, 16, 17, 12]]


def test_the_cheapest_choice() -> None:
    """Tests that of walks that meet the cheapest choice is made in which they do not."""
    nets = nets_between(((0, 0, 1), (2, 0, 1)), ((0, 2, 1), (2, 2, 1)))
    ways = [[0, *WAYS[1]], [1, *WAYS[3]], [1, *WAYS[4]]]
    routing = cheapest(nets, *ways)
    assert routing is not None and routing.cost == 10
    routing = cheapest(nets, *ways, [0, *WAYS[0]])
    assert routing is not None and routing.cost == 6
    assert cheapest(nets, *ways, [0, *WAYS[0]], below=6) is None
    assert cheapest(nets, *ways[:2]) is None


def test_a_choice_that_leaves_others_none() -> None:
    """Tests that a walk is given up if it leaves two other nets only walks that meet."""
    nets = nets_between(((4, 2, 1), (2, 2, 1)), ((0, 0, 1), (0, 4, 1)), ((2, 1, 1), (2, 3, 1)))
    across = [[14, 13, 12], [14, 19, 24, 23, 22, 21, 16, 11, 12]]
    left = [[0, 5, 10, 15, 20], [0, 1, 2, 3, 8, 13, 18, 23, 22, 21, 20]]
    inside = [[7, 6, 5, 10, 15, 16, 17], [7, 8, 13, 18, 17]]
    ways = [[net, *way] for net, own in enumerate([across, left, inside]) for way in own]
    routing = cheapest(nets, *ways)
    assert routing is not None
    assert [len(path) for path in routing.paths] == [9, 5, 5]
    assert cheapest(nets, *ways, config=RoundingConfig(most_ways=6)) is None  # It ends in time.


@pytest.mark.parametrize("seed", range(20))
def test_against_every_choice(seed: int) -> None:
    """Tests that it costs as little as the best of all choices of walks, and is a routing."""
    nets, routings = routable_nets(seed, 4, 5, 3)
    nets = replace(nets, constant=0)
    rng = np.random.default_rng(seed)
    some = [routings[k] for k in rng.integers(len(routings), size=6)]
    walks = [(net, edges_of(nets, path)) for each in some for net, path in enumerate(each)]
    routing = cheapest_routing(nets, walks, 1000, RoundingConfig())
    assert routing is not None
    choices = product(*zip(*some, strict=True))
    costs = [sum(map(path_cost, choice)) for choice in choices if apart(choice)]
    assert check_routing(nets, nets.target, routing.paths) == routing.cost == min(costs)


def apart(paths: tuple[tuple[int, ...], ...]) -> bool:
    """Return whether no paths share a cell."""
    cells = np.concatenate(paths)
    return len(np.unique(cells)) == len(cells)


def test_trees() -> None:
    """Tests that a tree's routing is one, and that its cost is never below the optimum."""
    found = 0
    for seed in range(30):
        nets, routings = routable_nets(seed, 4, 5, 3)
        nets = replace(nets, constant=0)
        best = min(sum(map(path_cost, routing)) for routing in routings)
        tree = SideTree(nets, None)
        for _ in range(20):
            tree.step(Deadline(60), best)
        if tree.routing is not None:
            found += 1
            cost = check_routing(nets, nets.target, tree.routing.paths)
            assert cost == tree.routing.cost >= best
    assert found > 10


def test_a_layer_is_closed_by_its_tree() -> None:
    """Tests that a layer is done once a node's paths are a routing that costs the bound."""
    proof = LayerProof(nets_between(*APART), 0, None, TREE)
    for _ in range(5):
        if not proof.exact:
            proof.step(Deadline(60, WorkClock()), None)
    assert proof.exact and proof.bound == 10


def test_a_routing_that_a_helper_found() -> None:
    """Tests that it is sent along with what is left, and taken up."""
    nets = nets_between(*APART)
    lender = Prover(nets, 0, ProverConfig(layer=TREE))
    tree = SideTree(nets, None)
    packed = tree._packed(tree._least)
    share = Share(1, LayerShare(0, nets.target, SideShare(packed, None)))
    left = Assistant(lender).do(share, Deadline(60))
    assert left.routing is not None and left.routing.cost == 10
    proof = lender._layers.of(0, nets.target)
    lender._lent[1] = proof
    lender.settle(1, left)
    assert proof.routing is left.routing


def test_layers_that_are_not_proven_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that routings of all layers are put together before they are known to be the best."""
    nets = nets_between(APART[0])
    prover = Prover(nets, 0, ProverConfig(layer=TREE))
    node = Node(Dual(nets), 0)
    proof = prover._layers.of(0, node.dual.target)
    bent = [[0, 1, 6, 7, 8, 9], [0, 5, 6, 7, 8, 9]]

    def find(*_: object) -> None:
        proof.keep(Routing.along([np.array(framed(nets, bent.pop(0)), np.int32)], ()))

    monkeypatch.setattr(LayerProof, "step", find)
    for cost in (6, 5):
        prover._prove_layers(node, Deadline(60), None)
        assert prover.routing is not None and prover.routing.cost == cost
        assert node.bound == 0
