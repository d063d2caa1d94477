"""Tests that a layer with its targets is proven once, and that its node takes up what comes."""

from __future__ import annotations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.config import ProofConfig, TreeConfig
from nlrouter.engine.prove.layer_steps import LayerProofs, Layers
from nlrouter.engine.prove.node import Node
from nlrouter.engine.prove.proof import Proof, layer_proofs
from nlrouter.engine.prove.tree import Tree
from nlrouter.tally import Tallies
from tests.engine.tiny_layers import every_routing, only_domains, routable_two_layers

NETS, COSTS = routable_two_layers(0, 3, 4, 2)
TARGET, OTHER = (NETS.targets((np.array(order),)) for order in ((0, 1), (1, 0)))


def proofs_of(nets: Nets) -> LayerProofs:
    """Return the proofs of a part's layers, nothing being known."""
    return layer_proofs(nets, ProofConfig(), Tallies())


def test_one_for_each_layer_and_targets() -> None:
    """Tests that a layer has another proof for other targets, and only then."""
    proofs = proofs_of(NETS)
    assert proofs.of(0, TARGET) is proofs.of(0, TARGET.copy())
    assert proofs.of(0, TARGET) is not proofs.of(0, OTHER)
    assert proofs.of(0, TARGET) is not proofs.of(1, TARGET)
    elsewhere = np.where(NETS.layer == 1, OTHER, TARGET)
    assert proofs.of(0, elsewhere) is proofs.of(0, TARGET)
    assert proofs.of(1, elsewhere).nets.target.tolist() == OTHER[NETS.layer == 1].tolist()


def test_as_many_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the proof that was asked for longest ago makes room, but for those of one node."""
    proofs = proofs_of(NETS)
    monkeypatch.setattr("nlrouter.engine.prove.layer_steps.MOST_PROOFS", 3)
    before = [proofs.of(0, TARGET), proofs.of(1, TARGET), proofs.of(0, OTHER)]
    assert proofs.of(0, TARGET) is before[0]
    proofs.of(1, OTHER)
    assert [proofs.of(0, TARGET), proofs.of(0, OTHER)] == [before[0], before[2]]
    assert proofs.of(1, TARGET) is not before[1]
    monkeypatch.setattr("nlrouter.engine.prove.layer_steps.MOST_PROOFS", 1)
    tight = proofs_of(NETS)
    assert tight.of(0, TARGET) is not tight.of(1, TARGET)
    assert tight.of(0, TARGET) is tight.of(0, TARGET)


def test_what_a_proof_starts_from() -> None:
    """Tests that it starts from the prices that are known."""
    prices = np.random.default_rng(0).random((1, NETS.cells))
    proofs = proofs_of(NETS)
    assert (proofs.of(0, TARGET, prices).tree.nodes[0].dual.prices == prices).all()


def test_layers_that_are_not_proven_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that routings of all layers are put together before they are known to be the best."""
    vias = next(iter(COSTS))
    target = NETS.targets((np.array(vias),))
    routings = sorted(every_routing(NETS, target), key=lambda paths: -sum(map(len, paths)))[:2]
    proofs = proofs_of(NETS)
    node = Node(Dual(NETS, only_domains((np.array(vias),))))
    tree = Tree(NETS, [Layers(proofs)], TreeConfig(), Tallies())
    tree.nodes = [node]

    def find(proof: Proof, _deadline: Deadline, _upper: int | None) -> None:
        members = np.flatnonzero([proof is proofs.of(int(z), target) for z in NETS.layer])
        paths = [np.array(routings[-1][net], np.int32) for net in members]
        proof._keep(Routing.along(paths, ()))
        proof._turns.charge(proof.tree.step, 1.0)

    monkeypatch.setattr(Proof, "step", find)
    for _ in range(NETS.layers):
        assert tree.routing is None
        tree.step(Deadline(60), None)
    assert tree.routing is not None and node.bound == 0
    for path, known in zip(tree.routing.paths, routings[-1], strict=True):
        assert path.tolist() == list(known)
    assert tree.routing.assignment[0].tolist() == list(vias)
