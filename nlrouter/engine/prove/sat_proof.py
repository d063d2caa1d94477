"""Any routing of a part, or a proof that it has none, by SAT with its vias open.

For parts without an answer. Runs for one that fills the board and for any take turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.config import SatConfig
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.result import Status


@dataclass(frozen=True)
class SatProofConfig:
    """Settings of the runs."""

    sat: SatConfig = field(default_factory=SatConfig)
    first_seconds: float = 1.0
    """Seconds of the first run."""
    growth: float = 1.5
    """Factor on these seconds when a run ends open."""


class SatProof:
    """The search for any routing of one part.

    Parameters
    ----------
    nets
        The part.
    seed
        Seed of the SAT engine.
    config
        Settings.

    Attributes
    ----------
    bound
        0, or `NO_ANSWER` where there is none.
    routing
        The best routing found, or None.
    """

    def __init__(self, nets: Nets, seed: int, config: SatProofConfig | None = None) -> None:
        self.nets = nets
        self.seed = seed
        self.config = config or SatProofConfig()
        self.bound = 0
        self.routing: Routing | None = None
        self._seconds = self.config.first_seconds
        self._runs = 0
        self._may_fill = True

    def step(self, deadline: Deadline) -> None:
        """Run for a while."""
        from nlrouter.engine.exact.sat_model import solve_sat

        full = self._may_fill and self._runs % 2 == 0
        nets = self.nets
        slot = deadline.within(self._seconds)
        result = solve_sat(
            nets, np.arange(nets.count, dtype=np.int32), nets.target, slot, full=full,
            seed=self.seed + self._runs, config=self.config.sat,
        )  # fmt: skip
        self._runs += 1
        if result.paths is not None and result.assignment is not None:
            self.routing = Routing.along(result.paths, result.assignment)
        elif result.status is not Status.INFEASIBLE:
            if slot.elapsed() >= self._seconds:
                self._seconds *= self.config.growth
        elif full:
            self._may_fill = False
        else:
            self.bound = NO_ANSWER
