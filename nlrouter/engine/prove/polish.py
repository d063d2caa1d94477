"""Routes the layers of an answer as cheaply as its vias allow.

With its vias settled a layer of a board on which they are open is mostly proven in a second. So
what an answer's vias can give at best is soon known, where groups and windows are one cell dearer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.config import ProofConfig
from nlrouter.engine.prove.proof import Proof, layer_proofs
from nlrouter.tally import Tallies

MOST_CELLS = 3000
"""Framed cells of the largest layer, 52x52: what is larger is not proven in so short a time."""


@dataclass(frozen=True)
class PolishConfig:
    """Settings of the polishing."""

    proof: ProofConfig = field(default_factory=ProofConfig)
    most_seconds: float = 6.0
    """Work on a layer with the same ends at the most: what is not proven by then is left."""


@dataclass
class _Layer:
    """A layer of the routing that is polished: its nets, what they cost, and the proof of that."""

    members: NDArray[np.intp]
    cost: int
    proof: Proof


class Polish:
    """The search for the cheapest routing with the vias of the best one.

    Parameters
    ----------
    nets
        The part.
    seed
        Seed of the solvers.
    config
        Settings.
    tallies
        Where is counted what the methods of the proofs cost and gain.
    """

    def __init__(
        self,
        nets: Nets,
        seed: int,
        config: PolishConfig | None = None,
        tallies: Tallies | None = None,
    ) -> None:
        self.nets = nets
        self.config = config or PolishConfig()
        tallies = Tallies() if tallies is None else tallies
        self._proofs = layer_proofs(nets, seed, self.config.proof, tallies)
        self._routing: Routing | None = None
        self._layers: list[_Layer] = []
        self._worth = bool(nets.classes) and nets.cells <= MOST_CELLS

    def due(self, routing: Routing) -> bool:
        """Return whether a routing may get cheaper: it is another one, or work on it is left."""
        return self._worth and (routing is not self._routing or bool(self._open))

    def step(self, deadline: Deadline, routing: Routing) -> Routing | None:
        """Do a piece of work on a routing; return a cheaper one, if that has come of it."""
        if routing is not self._routing:
            self._take_up(routing)
        layer = min(self._open, key=lambda layer: layer.proof.spent, default=None)
        if layer is None:
            return None
        layer.proof.step(deadline, layer.cost)
        found = layer.proof.routing
        if found is None or found.cost >= layer.cost:
            return None
        layer.cost = found.cost
        self._routing = routing.rerouted(layer.members, found.paths, routing.assignment)
        return self._routing

    @property
    def _open(self) -> list[_Layer]:
        """The layers whose cost may still fall."""
        return [
            layer
            for layer in self._layers
            if layer.proof.bound < layer.cost
            and not layer.proof.waits
            and layer.proof.spent < self.config.most_seconds
        ]

    def _take_up(self, routing: Routing) -> None:
        """Begin with a routing; the proofs of layers with the same ends go on where they stood."""
        target = self.nets.targets(routing.assignment)
        self._proofs.forget_others(target)
        self._layers = []
        for z in np.unique(self.nets.layer).tolist():
            members = np.flatnonzero(self.nets.layer == z)
            cost = Routing.along([routing.paths[net] for net in members], ()).cost
            self._layers.append(_Layer(members, cost, self._proofs.of(z, target)))
        self._routing = routing
