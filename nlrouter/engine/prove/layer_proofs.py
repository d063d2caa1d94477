"""Keeps the latest proofs of a part's layers, so that what is known of one is not proven again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.prove.layer_proof import LayerProof, LayerProofConfig


class LayerProofs:
    """The latest proofs of a part's layers, one for each layer and the targets of its nets.

    Parameters
    ----------
    nets
        The part.
    seed
        Seed of the solvers.
    config
        Settings of each proof.
    """

    def __init__(self, nets: Nets, seed: int, config: LayerProofConfig) -> None:
        self._nets = nets
        self._seed = seed
        self._config = config
        self._proofs: dict[tuple[int, bytes], LayerProof] = {}

    def of(
        self,
        z: int,
        target: NDArray[np.int32],
        prices: NDArray[np.float64] | None = None,
        *,
        guided: bool = True,
    ) -> LayerProof:
        """Return the proof of a layer, as far as it has come.

        Parameters
        ----------
        z
            Index of the layer.
        target
            ``(nets,)`` targets of all nets.
        prices
            ``(1, cells)`` prices that a proof which is not known yet is to start from, or None.
        guided
            Whether one that is not known yet is to try MaxSAT.
        """
        key = self._key(z, target)
        proof = self._proofs.pop(key, None)
        if proof is None:
            nets = self._nets.layer_alone(z, target)
            proof = LayerProof(nets, self._seed, prices, self._config, guided=guided)
        self._proofs[key] = proof  # As the last one asked for.
        if len(self._proofs) > max(self._config.most_proofs, self._nets.layers):
            del self._proofs[next(iter(self._proofs))]
        return proof

    def forget_others(self, target: NDArray[np.int32]) -> None:
        """Drop all proofs but those of the layers with these targets."""
        kept = {self._key(z, target) for z in range(self._nets.layers)}
        self._proofs = {key: proof for key, proof in self._proofs.items() if key in kept}

    def _key(self, z: int, target: NDArray[np.int32]) -> tuple[int, bytes]:
        """Return what tells a layer with its targets from others."""
        return z, target[self._nets.layer == z].tobytes()
