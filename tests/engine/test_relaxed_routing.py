"""Tests that relaxed paths are taken for a routing where they are one, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.prove.layer_proof import LayerProof, LayerProofConfig
from nlrouter.engine.prove.relaxed_routing import as_routing
from nlrouter.engine.prove.side_share import SideShare
from nlrouter.engine.prove.side_tree import SideTree
from nlrouter.problem import Problem
from tests.engine.tiny_layers import check_routing, path_cost, routable_nets

APART = [((0, 0, 1), (4, 1, 1)), ((0, 3, 1), (4, 4, 1))]
CROSSING = [((0, 0, 1), (4, 4, 1)), ((0, 4, 1), (4, 0, 1))]
TREE = LayerProofConfig(maxsat=MaxSatConfig(trial_seconds=0.0), other_share=1e-9)
"""The side tree, and hardly anything else."""


def nets_between(*ends: tuple[tuple[int, int, int], tuple[int, int, int]]) -> Nets:
    """Return the nets of a board of 5x5x1."""
    return replace(nets_of(Problem(5, 5, 1, list(ends))), constant=0)


def test_paths_apart() -> None:
    """Tests that paths that do not meet are a routing."""
    nets = nets_between(*APART)
    routing = as_routing(nets, Dual(nets).improve(Deadline(60), 1))
    assert routing is not None
    assert check_routing(nets, nets.target, routing.paths) == routing.cost == 10


def test_paths_that_meet() -> None:
    """Tests that paths that share a cell, and walks that come back to one, are none."""
    nets = nets_between(*CROSSING)
    assert as_routing(nets, Dual(nets).improve(Deadline(60), 1)) is None
    nets = nets_between(APART[0])
    relaxed = Dual(nets).improve(Deadline(60), 1)
    assert as_routing(nets, relaxed) is not None
    count = int(relaxed.counts[0])
    aside = 3 * nets.stride + 2
    edges = np.concatenate([relaxed.edges[0, :count], [aside]]).astype(np.int32)
    beside = replace(relaxed, edges=edges[None], counts=np.array([count + 1], np.int32))
    assert as_routing(nets, beside) is None
    assert as_routing(nets, replace(relaxed, counts=relaxed.counts - 1)) is None


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


def test_a_node_that_comes_back_stuck() -> None:
    """Tests that it is looked at once more, as its routing was not sent along."""
    nets = nets_between(*APART)
    tree = SideTree(nets, None)
    other = SideTree(nets, None)
    other.step(Deadline(60), None)
    while not other.stuck:
        other.step(Deadline(60), None)
    left = tree.explore(SideShare(other._packed(other._least), None), Deadline(60))
    assert tree.routing is not None and len(left) == 1
