"""Whether a routing gets cheaper with other vias: its layers proven, as far as need be."""

from __future__ import annotations

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.layer_steps import LayerProofs
from nlrouter.engine.prove.proof import Proof


class Trial:
    """The search for a routing that has other vias than a known one and costs less.

    Parameters
    ----------
    nets
        The part.
    known
        The known routing; the layers on which no via changes stay as they are.
    assignment
        The vias.
    proofs
        Where the proofs of layers are kept.

    Attributes
    ----------
    routing
        The cheaper routing, once there is one.
    """

    def __init__(
        self, nets: Nets, known: Routing, assignment: Assignment, proofs: LayerProofs
    ) -> None:
        self.routing: Routing | None = None
        self._known = known
        self._assignment = assignment
        target, before = nets.targets(assignment), nets.targets(known.assignment)
        self._layers = []
        for z in np.unique(nets.layer[target != before]).tolist():
            # What has not helped to prove the layer so far does not help now.
            guided = "maxsat" in proofs.of(z, before).phases
            self._layers.append(
                (np.flatnonzero(nets.layer == z), proofs.of(z, target, guided=guided))
            )
        here = np.concatenate([members for members, _ in self._layers])
        self._limit = Routing.along([known.paths[net] for net in here], ()).cost - 1

    @property
    def spent(self) -> float:
        """Seconds of work so far."""
        return sum(proof.spent for _, proof in self._layers)

    @property
    def failed(self) -> bool:
        """Whether it is proven that no such routing exists."""
        return self._left() < 0

    @property
    def stuck(self) -> bool:
        """Whether nothing is left to do, though it is not known what comes out."""
        return not self._open

    @property
    def _open(self) -> list[Proof]:
        """The proofs that can go on."""
        return [proof for _, proof in self._layers if not (proof.exact or proof.waits)]

    def step(self, deadline: Deadline) -> None:
        """Do a piece of work on the layer that has had the least."""
        proof = min(self._open, key=lambda proof: proof.spent)
        proof.step(deadline, self._left() + proof.bound + 1)
        self._join()

    def _left(self) -> int:
        """Return by how much the layers may cost more than their bounds."""
        return self._limit - sum(proof.bound for _, proof in self._layers)

    def _join(self) -> None:
        """Put the layers' routings together, if all have one and that is cheaper."""
        joined = self._known
        for members, proof in self._layers:
            if proof.routing is None:
                return
            joined = joined.rerouted(members, proof.routing.paths, self._assignment)
        if joined.cost < self._known.cost:
            self.routing = joined
