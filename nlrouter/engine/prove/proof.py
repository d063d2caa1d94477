"""Proves what some nets cost at least, and closes them where it can: a part, or one layer of it.

Branch and bound (``tree``) and core-guided MaxSAT take turns with what looks for any routing: the
search for puzzles on a layer without open vias, else MaxSAT's solver.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.maxsat import MaxSat
from nlrouter.engine.exact.only_answer import OnlyAnswer
from nlrouter.engine.exact.sat_clauses import writable
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.cell_steps import Cells
from nlrouter.engine.prove.config import ProofConfig
from nlrouter.engine.prove.layer_steps import LayerProofs, Layers
from nlrouter.engine.prove.loans import Lender
from nlrouter.engine.prove.node import Node
from nlrouter.engine.prove.pair_steps import Favourites, ViaPairs
from nlrouter.engine.prove.pricing import MorePrices, Prices
from nlrouter.engine.prove.side_steps import Bonds, Covers, Sides
from nlrouter.engine.prove.tree import Method, Tree
from nlrouter.engine.prove.via_steps import Conflicts, FewVias, ReducedCosts, ViaBranch
from nlrouter.engine.schedule.turns import Turns, Work
from nlrouter.engine.schedule.work import PROOF_STEP
from nlrouter.result import ceil_bound
from nlrouter.tally import Tallies

METHODS: tuple[type[Method], ...] = (
    FewVias, Bonds, Prices, ReducedCosts, Conflicts, ViaPairs, Favourites, Sides, MorePrices,
    Covers, Cells, ViaBranch,
)  # fmt: skip
"""What can be done with a node, in the order of trying: what is cheap, then what gains most."""


class Proof:
    """The proof of what some nets cost at least, worked on step by step.

    Parameters
    ----------
    nets
        What is to be routed.
    config
        Settings.
    tallies
        Where is counted what each method costs and gains.
    prices
        ``(layers, cells)`` prices to start from, or None.
    of_layer
        Whether it is of a layer whose ends are settled by a node of a part's tree. Its limit may
        rise again, and any routing is looked for by the part's proof.
    keeps
        Whether what a certificate needs is kept.
    lender
        Lends nodes to other processes.

    Attributes
    ----------
    bound
        No routing costs less; `NO_ANSWER` where there is none.
    routing
        The best routing found on the way, or None.
    phases
        What has raised the bound: ``prove`` (branch and bound), ``maxsat``.
    waits
        Whether no way is left that is worth while.
    """

    def __init__(
        self,
        nets: Nets,
        config: ProofConfig | None = None,
        tallies: Tallies | None = None,
        prices: NDArray[np.float64] | None = None,
        *,
        of_layer: bool = False,
        keeps: bool = False,
        lender: Lender | None = None,
    ) -> None:
        self.nets = nets
        self.config = config = config or ProofConfig()
        self.tallies = Tallies() if tallies is None else tallies
        self.bound = 0
        self.routing: Routing | None = None
        self.phases: set[str] = set()
        self.waits = False
        self.lender = lender or Lender()
        self._of_layer = of_layer
        self._keeps = keeps
        without = self.tallies.without
        layers = layer_proofs(nets, config, self.tallies, keeps=keeps, lender=self.lender)
        methods = [Layers(layers), *self._methods()]
        self.tree = Tree(
            nets, methods, config.tree, self.tallies, prices, keeps=keeps, lender=self.lender
        )
        self.maxsat: MaxSat | None = None
        if "maxsat" not in without and writable(nets):
            self.maxsat = MaxSat(nets, config.maxsat, keeps=keeps)
        self._only: OnlyAnswer | None = None
        if not (of_layer or nets.classes or nets.layers > 1 or "only answer" in without):
            self._only = OnlyAnswer(nets)
        self._turns = Turns()
        self._upper: int | None = None

    def _methods(self) -> list[Method]:
        """Return the methods that are used, made anew."""
        without = self.tallies.without
        used = (way for way in METHODS if way.name not in without)
        return [way() for way in used if way.told or not self._keeps]

    def borrowed(self, node: Node) -> Tree:
        """Return a tree of a node that another process has lent, of this part or a layer of it."""
        tree = Tree(node.dual.nets, self._methods(), self.config.tree, self.tallies)
        tree.nodes, tree.branched, tree.bound = [node], True, max(0.0, node.bound)
        return tree

    @property
    def spent(self) -> float:
        """Seconds of work so far."""
        return self._turns.total + self.tree.seconds_lent

    @property
    def exact(self) -> bool:
        """Whether the cost is known."""
        return self.routing is not None and self.bound >= self.routing.cost

    def step(self, deadline: Deadline, upper: int | None) -> None:
        """Do a piece of work to raise the bound, or to find a cheaper routing.

        Parameters
        ----------
        deadline
            When to stop at the latest.
        upper
            Only routings that cost less are of interest; None where any is. Of a part it is the
            cost of the best known one.
        """
        if not self._of_layer:
            deadline.work(PROOF_STEP)
            known = (upper, self._upper, None if self.routing is None else self.routing.cost)
            # Nodes that were dropped are not missed as long as it never rises.
            self._upper = upper = min((cost for cost in known if cost is not None), default=None)
        shares = self._shares(upper)
        idle = not shares and self.tree.idle(upper)
        self.waits = not (shares or idle)
        if idle:
            self.lender.pause()
        if shares:
            due: dict[Work, float] = {self._guide: self.config.maxsat_slice}
            self._turns.take(self._turns.next(shares, due), deadline, upper)
        self.take_up()
        if upper is not None and not self._of_layer:
            self.tree.drop(upper)
            self.bound = min(self.bound, upper)

    def _shares(self, upper: int | None) -> dict[Work, float]:
        """Return the share of each way that is worth while; none where all have ended open."""
        shares: dict[Work, float] = {}
        if self._only is not None:
            spent = self._turns.spent.get(self._seek, 0.0)
            # That it is the only one cannot be told in a certificate.
            if self._only.worth(spent, upper) and not (self._keeps and upper is not None):
                shares[self._seek] = self.config.first_share if upper is None else 1.0
        elif self.maxsat is not None and not self.maxsat.done and self._seeks(upper):
            shares[self._satisfy] = 1.0
        if not (self.tree.stuck or self.tree.idle(upper)):
            shares[self.tree.step] = 1.0
        if self.maxsat is not None:
            spent = self._turns.spent.get(self._guide, 0.0)
            if not self.exact and self._tight(upper) and self.maxsat.worth(spent):
                shares[self._guide] = 1.0
            elif not self._seeks(upper):
                self.maxsat.close()  # What is not worth while once is not later.
        return shares

    def _tight(self, upper: int | None) -> bool:
        """Whether lines may need most of the cells: elsewhere cores are large."""
        return upper is None or upper >= self.config.tight * int(self.nets.free.sum())

    def _seeks(self, upper: int | None) -> bool:
        """Whether any routing is welcome."""
        return upper is None and not self._of_layer

    def take_up(self) -> None:
        """Take up what the tree shows: also what has come back of nodes that were lent."""
        self._keep(self.tree.routing)
        self._raise(self.tree.bound, "prove")

    def _guide(self, deadline: Deadline, _upper: int | None) -> None:
        """Go on with MaxSAT, whose bound does not depend on the limit."""
        assert self.maxsat is not None
        before = self.bound
        with self.tallies.at_work("maxsat") as tally:
            self.maxsat.step(deadline.within(self.config.maxsat_slice))
            tally.better += self._keep(self.maxsat.routing)
            self._raise(self.maxsat.bound, "maxsat")
            tally.raised += self.bound - before if self.bound < NO_ANSWER else 0

    def _seek(self, deadline: Deadline, upper: int | None) -> None:
        """Look for any routing of the layer, and whether it is the only one."""
        assert self._only is not None
        with self.tallies.at_work("only answer") as tally:
            seconds = self.config.first_seconds if upper is None else self.config.maxsat_slice
            self._only.step(deadline.within(seconds))
            tally.better += self._keep(self._only.routing)
            if self._only.bound >= NO_ANSWER or not self._keeps:
                self._raise(self._only.bound, "only answer")
        self._record_none(deadline)

    def _satisfy(self, deadline: Deadline, _upper: int | None) -> None:
        """Look for any routing with MaxSAT's solver."""
        assert self.maxsat is not None
        with self.tallies.at_work("maxsat") as tally:
            slot = deadline.within(self.config.maxsat_slice)
            tally.better += self._keep(self.maxsat.any_routing(slot))
            self._raise(self.maxsat.bound, "maxsat")
        self._record_none(deadline)

    def _record_none(self, deadline: Deadline) -> None:
        """Let MaxSAT show that there is no routing, for a certificate, once that is known."""
        if self._keeps and self.bound >= NO_ANSWER and self.maxsat is not None:
            self.maxsat.refute(deadline)

    def _keep(self, routing: Routing | None) -> bool:
        """Take note of a routing; return whether it is the best."""
        better = routing is not None and (self.routing is None or routing.cost < self.routing.cost)
        if better:
            self.routing = routing
        return better

    def _raise(self, bound: float, phase: str) -> None:
        """Take note of a bound, `NO_ANSWER` above what all free cells cost, bent."""
        most = 2 * int(self.nets.free.sum()) + 1
        raised = NO_ANSWER if bound > most else ceil_bound(bound)
        if raised > self.bound:
            self.bound = raised
            self.phases.add(phase)


def layer_proofs(
    nets: Nets,
    config: ProofConfig,
    tallies: Tallies,
    *,
    keeps: bool = False,
    lender: Lender | None = None,
) -> LayerProofs:
    """Return the proofs of a part's layers, none of which has begun; see `Proof`."""

    def make(layer: Nets, prices: NDArray[np.float64] | None) -> Proof:
        return Proof(layer, config, tallies, prices, of_layer=True, keeps=keeps, lender=lender)

    return LayerProofs(nets, make)
