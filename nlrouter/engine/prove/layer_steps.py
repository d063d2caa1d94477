"""The layers of a node whose vias are all settled: each is proven alone, once for all nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.node import Node
from nlrouter.engine.prove.tree import Method, Tree

if TYPE_CHECKING:
    from nlrouter.engine.prove.proof import Proof

ProofMaker = Callable[[Nets, NDArray[np.float64] | None], "Proof"]
"""Makes the proof of a layer: of its nets, from prices."""


MOST_PROOFS = 50
"""Proofs of a part's layers that are kept, of those asked for last: 5 MB each on 24x24."""


class LayerProofs:
    """The latest proofs of a part's layers, one for each layer and the targets of its nets.

    Parameters
    ----------
    nets
        The part.
    make
        Makes a proof.
    """

    def __init__(self, nets: Nets, make: ProofMaker) -> None:
        self._nets = nets
        self._make = make
        self._proofs: dict[tuple[int, bytes], Proof] = {}

    def of(
        self, z: int, target: NDArray[np.int32], prices: NDArray[np.float64] | None = None
    ) -> Proof:
        """Return the proof of a layer, as far as it has come.

        Parameters
        ----------
        z
            Index of the layer.
        target
            ``(nets,)`` targets of all nets.
        prices
            ``(1, cells)`` prices that a proof which is not known yet is to start from, or None.
        """
        key = self._key(z, target)
        proof = self._proofs.pop(key, None)
        if proof is None:
            proof = self._make(self._nets.layer_alone(z, target), prices)
        self._proofs[key] = proof  # As the last one asked for.
        if len(self._proofs) > max(MOST_PROOFS, self._nets.layers):
            del self._proofs[next(iter(self._proofs))]
        return proof

    def _key(self, z: int, target: NDArray[np.int32]) -> tuple[int, bytes]:
        """Return what tells a layer with its targets from others."""
        return z, target[self._nets.layer == z].tobytes()


class Layers(Method):
    """Proves the layers of a node whose vias are all settled.

    Parameters
    ----------
    proofs
        The proofs of the part's layers.
    """

    name = "layers"

    def __init__(self, proofs: LayerProofs) -> None:
        self._proofs = proofs

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Work on the layer of the node that has had the least time."""
        if not node.layered:
            return False
        dual = node.dual
        proofs = [
            self._proofs.of(z, dual.target, dual.prices[z : z + 1]) for z in range(tree.nets.layers)
        ]
        due = [proof for proof in proofs if not (proof.exact or proof.waits)]
        if due and not self._take(tree, node, proofs, upper):
            total = sum(proof.bound for proof in proofs)

            def limit(proof: Proof) -> int | None:
                return None if upper is None else upper - total + proof.bound

            first, *rest = sorted(
                due, key=lambda proof: (proof.tree.idle(limit(proof)), proof.spent)
            )
            for proof in rest:
                proof.tree.lend(limit(proof), 1)
            first.step(deadline, limit(first))
        self._take(tree, node, proofs, upper)
        node.stuck = all(proof.exact or proof.waits for proof in proofs)
        return True

    def _take(self, tree: Tree, node: Node, proofs: list[Proof], upper: int | None) -> bool:
        """Take up what the layers show; return whether the node is done with."""
        for proof in proofs:
            proof.take_up()
        node.proofs = tuple(proofs)
        node.bound = max(node.bound, min(sum(proof.bound for proof in proofs), NO_ANSWER))
        tree.keep(_joined(tree.nets, node, proofs))
        return upper is not None and node.bound >= upper


def _joined(nets: Nets, node: Node, proofs: list[Proof]) -> Routing | None:
    """Put the routings of a node's layers together, if all have one."""
    routings = [proof.routing for proof in proofs if proof.routing is not None]
    if len(routings) < len(proofs):
        return None
    paths: list[NDArray[np.int32]] = [np.empty(0, np.int32)] * nets.count
    for z, routing in enumerate(routings):
        for net, path in zip(np.flatnonzero(nets.layer == z), routing.paths, strict=True):
            paths[net] = path
    assignment = tuple(np.argmax(allowed, axis=1) for allowed in node.dual.domains)
    return Routing(paths, assignment, sum(routing.cost for routing in routings))
