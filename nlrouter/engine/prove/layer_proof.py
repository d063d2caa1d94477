"""Proves what one layer costs when the ends of all its nets are settled.

Four ways take turns, each with its share of the time: branch and bound on the sides that nets
pass each other, core-guided MaxSAT, the frontier search within a limit, and CP-SAT on what
reduced-cost fixing leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.fixing import allowed_cells
from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engine.exact.frontier import MOST_NETS, FrontierConfig, layer_of, search_frontier
from nlrouter.engine.exact.maxsat import MaxSat, MaxSatConfig
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.proof import Proof
from nlrouter.engine.prove.side_share import SideNode, SideShare
from nlrouter.engine.prove.side_tree import SideTree, SideTreeConfig
from nlrouter.engine.schedule.turns import Turns, Work
from nlrouter.result import Status


@dataclass(frozen=True)
class LayerProofConfig:
    """Settings of a layer's proof."""

    tree: SideTreeConfig = field(default_factory=SideTreeConfig)
    flow: FlowConfig = field(default_factory=FlowConfig)
    maxsat: MaxSatConfig = field(default_factory=MaxSatConfig)
    tree_share: float = 0.75
    """Share of the time for the branch and bound on sides, which closes most."""
    other_share: float = 0.075
    """Shares of the frontier search and of CP-SAT."""
    maxsat_share: float = 0.75
    """Share of MaxSAT while it is worth while: what it closes at all it closes at once."""
    maxsat_slice: float = 0.1
    """Seconds of a turn of MaxSAT."""
    wait_seconds: float = 0.02
    """Time to wait for what is lent: it counts as if this process had worked on the tree."""
    first_states: int = 1 << 14
    """States at one cell in the first frontier search, a hundredth of a second's work."""
    states_growth: int = 4
    """Factor on that number when a search gives up."""
    most_states: int = 1 << 20
    """That number at the most: 100 MB, and a second or two, in which nothing else is heard."""
    visit_seconds: float = 1.7e-7
    """Work of a state that the frontier search visits, for a `WorkClock`."""
    room_seconds: float = 3e-7
    """Work of making room for a state at one cell."""
    first_flow: float = 2.0
    """Seconds of the first CP-SAT run; it needs some to presolve."""
    flow_growth: float = 2.0
    """Factor on these seconds when a run ends open: it always starts from nothing."""
    flow_size: int = 200_000
    """Largest layer for CP-SAT, in nets times free cells. Making the model of 36x36 with 140 nets
    takes a second; with 52x52 and 150 nets it is 10 s and 2 GB."""
    maxsat_cells: int = 8000
    """Free cells of the largest layer for MaxSAT: 200x200 with 600 nets take 4 s to begin with."""

    most_proofs: int = 50
    """Proofs of a part's layers that are kept, of those asked for last: 5 MB each on 24x24."""


class LayerProof(Proof):
    """The proof of one layer, the ends of all its nets being settled.

    Parameters
    ----------
    nets, seed
        See `Proof`.
    prices
        ``(1, cells)`` prices to start from, or None.
    config
        Settings.
    guided
        Whether to try MaxSAT.

    Attributes
    ----------
    waits
        Whether the last step found that all that is left to do of the side tree has been lent, or
        that no way is left that is worth while.
    """

    def __init__(
        self,
        nets: Nets,
        seed: int,
        prices: NDArray[np.float64] | None,
        config: LayerProofConfig | None = None,
        *,
        guided: bool = True,
    ) -> None:
        super().__init__(nets, seed)
        self.config = config or LayerProofConfig()
        self._tree = SideTree(nets, prices, self.config.tree)
        self._states = self.config.first_states
        self._swept = -1
        self._flow_seconds = self.config.first_flow
        self._maxsat = MaxSat(nets, self.config.maxsat)
        self._guided = guided and int(nets.free.sum()) <= self.config.maxsat_cells
        self._turns = Turns()
        self.waits = False

    @property
    def spent(self) -> float:
        """Seconds of work so far."""
        return self._turns.total

    @property
    def exact(self) -> bool:
        """Whether the layer's cost is known."""
        return self.routing is not None and self.bound >= self.routing.cost

    def step(self, deadline: Deadline, limit: int | None) -> None:
        """Do a piece of work to show that no routing costs ``limit`` or less, or to find one."""
        due = {self._flow: self._flow_seconds, self._guide: self.config.maxsat_slice}
        shares = self._shares()
        method = self._turns.next(shares, due) if shares else self._branch
        self.waits = not shares or (method == self._branch and self._tree.waits(limit))
        if self.waits:
            self._turns.charge(method, self.config.wait_seconds)
        else:
            self._turns.take(method, deadline, limit)
        if self.exact:
            self._maxsat.close()  # Its memory, while the proof is kept for what it has shown.

    def lend(self, number: int, limit: int | None) -> SideShare | None:
        """Give a node of the side tree away; see `SideTree.lend`."""
        return self._tree.lend(number, limit)

    def settle(self, number: int, left: list[SideNode] | None) -> None:
        """Take up what is left of such a node; see `SideTree.settle`."""
        self._tree.settle(number, left)
        self.waits = False
        self._raise(self._tree.bound, "prove")  # A tree that is stuck has no turn to tell it in.

    def _shares(self) -> dict[Work, float]:
        """Return the share of each way that is worth while; none where all have ended open."""
        config, nets = self.config, self.nets
        cells = int(nets.free.sum())
        shares: dict[Work, float] = {}
        stuck = self._tree.stuck
        if not stuck:
            shares[self._branch] = config.tree_share
        if stuck or self._tree.visited > 1 or self._tree.root.converged:
            if nets.count <= MOST_NETS and self.bound > self._swept:
                shares[self._sweep] = config.other_share
            if nets.count * cells <= config.flow_size:
                shares[self._flow] = config.other_share
        if self._guided and self._maxsat.worth(self._turns.spent.get(self._guide, 0.0)):
            shares[self._guide] = config.maxsat_share
        else:
            self._maxsat.close()  # What is not worth while once is not later.
        return shares

    def _raise(self, bound: float, phase: str) -> None:
        raised = self.capped(bound)
        if raised > self.bound:
            self.bound = raised
            self.phases.add(phase)

    def _branch(self, deadline: Deadline, limit: int | None) -> None:
        """Go on with the branch and bound on sides."""
        self._tree.step(deadline, limit)
        if self._tree.routing is not None:
            self.keep(self._tree.routing)
        self._raise(self._tree.bound, "prove")

    def _sweep(self, deadline: Deadline, limit: int | None) -> None:
        """Visit the frontier states within the bound, or a little above it."""
        aim = self.bound
        if limit is not None and aim > limit:
            return
        result = search_frontier(
            layer_of(self._tree.root, 0), aim, FrontierConfig(most=self._states)
        )
        room = self._states * self.config.room_seconds
        deadline.work(0.01 + room + result.visited * self.config.visit_seconds)
        if result.paths is not None:
            paths = [result.paths[net] for net in range(self.nets.count)]
            self.keep(Routing(paths, (), result.cost))
        if result.complete:
            self._raise(result.bound, "sweep")
        elif self._states < self.config.most_states:
            self._states = min(self._states * self.config.states_growth, self.config.most_states)
        else:
            self._swept = aim  # There is no use in it until the bound has risen.

    def _guide(self, deadline: Deadline, _limit: int | None) -> None:
        """Go on with MaxSAT, whose bound does not depend on the limit."""
        self._maxsat.step(deadline.within(self.config.maxsat_slice))
        if self._maxsat.routing is not None:
            self.keep(self._maxsat.routing)
        self._raise(self._maxsat.bound, "maxsat")

    def _flow(self, deadline: Deadline, limit: int | None) -> None:
        """Solve what is left of the flow model for some seconds."""
        from nlrouter.engine.exact.flow_model import solve_flow

        allowed = None if limit is None else allowed_cells(self._tree.root, limit)
        slot = deadline.within(self._flow_seconds)
        cut_short = deadline.remaining() < self._flow_seconds
        result = solve_flow(
            self.nets, np.arange(self.nets.count, dtype=np.int32), self.nets.target, self.nets.free,
            slot, allowed=allowed, upper=limit,
            cuts=self._tree.root.cuts.cuts, seed=self.seed, config=self.config.flow,
        )  # fmt: skip
        if result.paths is not None and result.cost is not None:
            self.keep(Routing(result.paths, (), result.cost))
        if result.status is Status.INFEASIBLE:
            self._raise(NO_ANSWER if limit is None else limit + 1, "solve")
        else:
            bound = result.bound if limit is None else min(result.bound, limit + 1)
            self._raise(bound, "solve")
            if not (cut_short or deadline.stopped()):  # It may end a little before its time.
                self._flow_seconds *= self.config.flow_growth
