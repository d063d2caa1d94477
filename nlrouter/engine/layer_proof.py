"""Proves what one layer costs when the ends of all its nets are settled.

Three ways take turns, each with its share of the time: crossing cuts in the dual, the frontier
search within a limit, and CP-SAT on what reduced-cost fixing leaves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.cuts import SeparationConfig, separate
from nlrouter.engine.dual import Dual
from nlrouter.engine.fixing import allowed_cells
from nlrouter.engine.nets import Nets
from nlrouter.engine.parts import Routing
from nlrouter.engine.profiles import ProfileConfig, layer_of, search_profiles
from nlrouter.result import Status, ceil_bound


@dataclass(frozen=True)
class LayerProofConfig:
    """Settings of a layer's proof."""

    separation: SeparationConfig = field(default_factory=SeparationConfig)
    rounds: int = 60
    """Rounds of the dual between separations: the average flow has moved by then."""
    first_profiles: int = 1 << 14
    """Profiles at one cell in the first frontier search, a hundredth of a second's work."""
    profiles_growth: int = 4
    """Factor on that number when a search gives up."""
    most_profiles: int = 1 << 21
    """That number at the most: 200 MB."""
    first_flow: float = 2.0
    """Seconds of the first CP-SAT run; it needs some to presolve."""
    flow_growth: float = 2.0
    """Factor on these seconds when a run ends open: it always starts from nothing."""


class LayerProof:
    """The proof of one layer.

    Parameters
    ----------
    nets
        The layer's nets, all settled.
    prices
        ``(1, cells)`` prices to start from, or None.
    seed
        Seed of CP-SAT.
    should_stop
        Asked during long work whether to stop at once.

    Attributes
    ----------
    bound
        No routing of the layer costs less; infinite where there is none.
    routing
        The best routing found on the way, or None.
    """

    def __init__(
        self,
        nets: Nets,
        prices: NDArray[np.float64] | None,
        seed: int,
        should_stop: Callable[[], bool],
        config: LayerProofConfig | None = None,
    ) -> None:
        self.nets = nets
        self.config = config or LayerProofConfig()
        self.dual = Dual(nets)
        if prices is not None:
            self.dual.prices = prices
        self.bound = 0
        self.routing: Routing | None = None
        self._seed = seed
        self._should_stop = should_stop
        self._profiles = self.config.first_profiles
        self._flow_seconds = self.config.first_flow
        self._paths: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None
        self._spent = {self._cut: 0.0, self._sweep: 0.0, self._flow: 0.0}

    def listen(self, should_stop: Callable[[], bool]) -> None:
        """Let long work stop for another reason from now on."""
        self._should_stop = should_stop

    @property
    def exact(self) -> bool:
        """Whether the layer's cost is known."""
        return self.routing is not None and self.bound >= self.routing.cost

    def step(self, deadline: Deadline, limit: int | None) -> None:
        """Do a piece of work to show that no routing costs ``limit`` or less, or to find one."""
        upper = None if limit is None else limit + 1
        if self._paths is None or not (self.dual.cuts.cuts or self.dual.converged):
            relaxed = self.dual.improve(deadline, self.config.rounds, upper)
            if self._paths is None:
                self._paths = relaxed.paths, relaxed.lengths
            self._raise(self.dual.bound)
            return
        method = min(self._spent, key=lambda way: self._spent[way])
        start = time.process_time()
        method(deadline, limit)
        self._spent[method] += time.process_time() - start

    def _raise(self, bound: float) -> None:
        self.bound = max(self.bound, ceil_bound(min(bound, 1e9)))

    def _cut(self, deadline: Deadline, limit: int | None) -> None:
        """Add crossing cuts to the dual."""
        assert self._paths is not None
        nets = self.nets
        upper = None if limit is None else limit + 1
        found = separate(
            nets.layer, nets.source, self.dual.target, nets.free, self.dual.flow, *self._paths,
            nets.stride, self.config.separation,
        )  # fmt: skip
        if not found and self.dual.converged:
            self._spent[self._cut] = np.inf
            return
        self.dual.add_cuts(found)
        self.dual.improve(deadline, self.config.rounds, upper)
        self._raise(self.dual.bound)

    def _sweep(self, deadline: Deadline, limit: int | None) -> None:
        """Visit the profiles within the bound, or a little above it."""
        aim = self.bound
        if limit is None or aim > limit:
            return
        result = search_profiles(layer_of(self.dual, 0), aim, ProfileConfig(most=self._profiles))
        if result.paths is not None:
            paths = [result.paths[net] for net in range(self.nets.count)]
            self.routing = Routing(paths, (), result.cost)
            self._raise(result.cost)
        elif result.complete:
            self._raise(aim + 1)
        elif self._profiles < self.config.most_profiles:
            self._profiles *= self.config.profiles_growth
        else:
            self._spent[self._sweep] += 1.0

    def _flow(self, deadline: Deadline, limit: int | None) -> None:
        """Solve what is left of the flow model for some seconds."""
        from nlrouter.engine.flow_model import solve_flow

        allowed = None if limit is None else allowed_cells(self.dual, limit)
        result = solve_flow(
            self.nets, np.arange(self.nets.count, dtype=np.int32), self.nets.target, self.nets.free,
            deadline.within(self._flow_seconds), allowed=allowed, upper=limit,
            cuts=self.dual.cuts.cuts, seed=self._seed, should_stop=self._should_stop,
        )  # fmt: skip
        known = 1e9 if self.routing is None else self.routing.cost
        if result.paths is not None and result.cost is not None and result.cost < known:
            self.routing = Routing(result.paths, (), result.cost)
        if result.status is Status.INFEASIBLE:
            self._raise(1e9 if limit is None else limit + 1)
        else:
            self._raise(result.bound if limit is None else min(result.bound, limit + 1))
            self._flow_seconds *= self.config.flow_growth
