"""CP-SAT on the flow model of a whole part, its vias open: the other way to a proof.

It beats the branch and bound on boards with many vias and little room, and is of no use on
large ones. It has no means to go on where it stopped, so every run is longer than the last.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.proof import Proof
from nlrouter.result import Status


@dataclass(frozen=True)
class WholeProofConfig:
    """Settings of the runs."""

    flow: FlowConfig = field(default_factory=FlowConfig)
    size: int = 60_000
    """Largest part, in nets times free cells of their layers; building is slow beyond."""
    first_seconds: float = 8.0
    """Seconds of the first run: what closes at all mostly does within."""
    growth: float = 3.0
    """Factor on these seconds when a run ends open."""
    hopeless: float = 0.9
    """Share of the best known cost below which the bound of a run is so far off that there is no
    other run: random boards 60 to 85 % full stay at 0.4 to 0.84 however long they last."""


class WholeProof(Proof):
    """The proof of one part by CP-SAT.

    Attributes
    ----------
    pays
        Whether it is worth while: settled layers are left to `LayerProof`, large parts and those of
        which a run has shown little to the branch and bound.
    """

    def __init__(
        self,
        nets: Nets,
        seed: int,
        config: WholeProofConfig | None = None,
    ) -> None:
        super().__init__(nets, seed)
        self.config = config or WholeProofConfig()
        self.phases.add("solve")
        self._seconds = self.config.first_seconds
        size = int(nets.free.sum(axis=1)[nets.layer].sum())
        self.pays = bool(nets.classes) and size <= self.config.size

    def step(self, deadline: Deadline, upper: int | None, least: int = 0) -> None:
        """Run for a while.

        Parameters
        ----------
        deadline
            When to stop at the latest.
        upper
            Cost of the best known routing, or None.
        least
            The best bound that is known.
        """
        from nlrouter.engine.exact.flow_model import solve_flow

        nets = self.nets
        slot = deadline.within(self._seconds)
        result = solve_flow(
            nets,
            np.arange(nets.count, dtype=np.int32),
            nets.target,
            nets.free,
            slot,
            upper=None if upper is None else upper - 1,
            seed=self.seed,
            config=self.config.flow,
        )
        if result.paths is not None and result.assignment is not None and result.cost is not None:
            self.keep(Routing(result.paths, result.assignment, result.cost))
        bound = result.bound
        if result.status is Status.INFEASIBLE:
            bound = NO_ANSWER if upper is None else upper
        self.bound = max(self.bound, bound)
        closed = result.status in (Status.INFEASIBLE, Status.OPTIMAL)
        # The solver may end a little before its time.
        if not closed and not deadline.stopped():
            self._seconds *= self.config.growth
            self.pays = upper is None or bound >= max(least, self.config.hopeless * upper)
