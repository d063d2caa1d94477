"""Tests that proofs of layers are kept by the layer and the targets of its nets."""

from __future__ import annotations

import numpy as np
from nlrouter.engine.prove.layer_proof import LayerProofConfig
from nlrouter.engine.prove.layer_proofs import LayerProofs

from tests.engine.tiny_layers import routable_two_layers


def test_one_for_each_layer_and_targets() -> None:
    """Tests that a layer has another proof for other targets, and only then."""
    nets, _ = routable_two_layers(0, 3, 4, 2)
    proofs = LayerProofs(nets, 0, LayerProofConfig())
    target, other = (nets.targets((np.array(order),)) for order in ((0, 1), (1, 0)))
    assert proofs.of(0, target) is proofs.of(0, target.copy())
    assert proofs.of(0, target) is not proofs.of(0, other)
    assert proofs.of(0, target) is not proofs.of(1, target)
    elsewhere = np.where(nets.layer == 1, other, target)
    assert proofs.of(0, elsewhere) is proofs.of(0, target)
    assert proofs.of(1, elsewhere).nets.target.tolist() == other[nets.layer == 1].tolist()


def test_others_are_forgotten() -> None:
    """Tests that only the proofs of layers with the given targets are kept."""
    nets, _ = routable_two_layers(0, 3, 4, 2)
    proofs = LayerProofs(nets, 0, LayerProofConfig())
    target, other = (nets.targets((np.array(order),)) for order in ((0, 1), (1, 0)))
    before = [proofs.of(0, target), proofs.of(1, target), proofs.of(0, other)]
    proofs.forget_others(target)
    assert [proofs.of(0, target), proofs.of(1, target)] == before[:2]
    assert proofs.of(0, other) is not before[2]


def test_as_many_as_there_is_room_for() -> None:
    """Tests that the proof that was asked for longest ago makes room, but for those of one node."""
    nets, _ = routable_two_layers(0, 3, 4, 2)
    target, other = (nets.targets((np.array(order),)) for order in ((0, 1), (1, 0)))
    proofs = LayerProofs(nets, 0, LayerProofConfig(most_proofs=3))
    before = [proofs.of(0, target), proofs.of(1, target), proofs.of(0, other)]
    assert proofs.of(0, target) is before[0]
    proofs.of(1, other)
    assert [proofs.of(0, target), proofs.of(0, other)] == [before[0], before[2]]
    assert proofs.of(1, target) is not before[1]
    tight = LayerProofs(nets, 0, LayerProofConfig(most_proofs=1))
    assert tight.of(0, target) is not tight.of(1, target)
    assert tight.of(0, target) is tight.of(0, target)


def test_prices_to_start_from() -> None:
    """Tests that a proof starts from the prices that are known of its layer."""
    nets, _ = routable_two_layers(0, 3, 4, 2)
    prices = np.random.default_rng(0).random((1, nets.cells))
    proof = LayerProofs(nets, 0, LayerProofConfig()).of(0, nets.target, prices)
    assert (proof._tree.root.prices == prices).all()
