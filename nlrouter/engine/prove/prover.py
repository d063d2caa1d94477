"""Proves what a part of a board costs at least, and closes it where it can.

Branch and bound on which via each line takes, and on which side nets pass each other that take
none. A node leaves some vias to some lines; its bound is that of the dual. Where every line has its
via, the layers have nothing more to do with each other, and each is proven for itself, once for all
nodes that share it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import cast

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.choices import assignments, possible, propagate, with_via
from nlrouter.engine.bounds.cuts import separate
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.maxsat import MaxSat
from nlrouter.engine.nets.choice import free_choice
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.config import ProverConfig
from nlrouter.engine.prove.layer_proof import LayerProof
from nlrouter.engine.prove.layer_proofs import LayerProofs
from nlrouter.engine.prove.open_sides import OpenSides
from nlrouter.engine.prove.proof import Proof
from nlrouter.engine.prove.sat_proof import SatProof
from nlrouter.engine.prove.side_share import SideNode
from nlrouter.engine.prove.via_narrowing import ViaNarrowing
from nlrouter.engine.prove.via_node import Node, unpacked
from nlrouter.engine.prove.via_share import LayerShare, Left, Share, ViaNode, ViaShare
from nlrouter.engine.schedule.turns import Turns, Work
from nlrouter.result import ceil_bound


@dataclass(frozen=True)
class _LayerWork:
    """A layer of the settled node that was worked on last, and up to which cost it matters."""

    number: int
    target: NDArray[np.int32]
    proof: LayerProof
    limit: int | None


class Prover(Proof):
    """The proof of one part, by branch and bound.

    Nodes may be lent to other processes (`lend`), of this tree and of the layers' side trees. The
    bound rests on this: every routing that costs less than the best known one is in an open node,
    held or lent. A lent node counts by the bound that it was lent with, until it is settled, once,
    by the open nodes in its place.

    Attributes
    ----------
    waits
        Whether the last step found that all that is left to do has been lent.
    """

    def __init__(
        self,
        nets: Nets,
        seed: int,
        config: ProverConfig | None = None,
    ) -> None:
        super().__init__(nets, seed)
        self.config = config or ProverConfig()
        self.phases.add("prove")
        self._narrowing = ViaNarrowing(self.config.narrowing)
        self._sides = OpenSides(nets, self.config.sides)
        # Where sides are asked about there are no cuts, and an average flow would only take room.
        self._dual = dual = self.config.dual
        if self._sides.asks:
            self._dual = replace(dual, averages=replace(dual.averages, most_flow=0))
        self._nodes = [Node(Dual(nets, free_choice(nets), self._dual), 0)]
        self._layers = LayerProofs(nets, seed, self.config.layer)
        self._sat = SatProof(nets, seed, self.config.sat)
        self._maxsat = MaxSat(nets, self.config.maxsat)
        self._turns = Turns()
        self._branched: tuple[Node, float] | None = None
        self._at: Node | None = None
        self.waits = False
        self._upper: int | None = None
        self._loans = 0
        self._lent: dict[int, Node | LayerProof] = {}
        self._working: list[_LayerWork] = []

    @property
    def round_seconds(self) -> float:
        """Seconds of a round of the dual."""
        return self._nodes[0].dual.round_seconds if self._nodes else 0.0

    def step(self, deadline: Deadline, upper: int | None) -> None:
        """Do a piece of work.

        Parameters
        ----------
        deadline
            When to stop at the latest.
        upper
            Cost of the best known routing, or None.
        """
        known = (upper, self._upper, None if self.routing is None else self.routing.cost)
        # Nodes that were dropped are not missed as long as it never rises.
        self._upper = upper = min((cost for cost in known if cost is not None), default=None)
        self.waits = False
        if self._nodes or self._lent_nodes:
            self._work(deadline, upper)
        if upper is not None:
            self._nodes = [node for node in self._nodes if node.bound < upper]
        bounds = [node.bound for node in (*self._nodes, *self._lent_nodes)]
        least = self.capped(min(bounds, default=NO_ANSWER))
        self.bound = max(self.bound, least if upper is None else min(least, upper))

    def _work(self, deadline: Deadline, upper: int | None) -> None:
        """Let the way whose turn it is do a piece of work."""
        self._reconsider(upper)
        deadline.work(self.config.step_seconds)
        shares: dict[Work, float] = {self._advance: 1.0}
        if upper is None and self.nets.free.sum() <= self.config.sat_cells:
            shares = {self._satisfy: self.config.sat_share, **shares}
        if self._guides:
            shares[self._guide] = self.config.maxsat_share
        due: dict[Work, float] = {self._guide: self.config.maxsat_slice}
        self._turns.take(self._turns.next(shares, due), deadline, upper)

    @property
    def _guides(self) -> bool:
        """Whether MaxSAT has turns: where vias are open, as settled layers have their own."""
        return (
            bool(self.nets.classes)
            and int(self.nets.free.sum()) <= self.config.maxsat_cells
            and self._maxsat.worth(self._turns.spent.get(self._guide, 0.0))
        )

    def _guide(self, deadline: Deadline, upper: int | None) -> None:
        """Go on with MaxSAT on the whole part."""
        self._maxsat.step(deadline.within(self.config.maxsat_slice))
        if self._maxsat.routing is not None:
            self.keep(self._maxsat.routing)
        bound = self._maxsat.bound if upper is None else min(self._maxsat.bound, upper)
        if bound > self.bound:
            self.bound = bound
            self.phases.add("maxsat")

    def _reconsider(self, upper: int | None) -> None:
        """Start the tree anew where a better answer now narrows the root much more."""
        if upper is None or self._branched is None:
            return
        root, gap = self._branched
        if upper - root.bound <= self.config.renewal * gap:
            root.sought = inf
            self._nodes = [root]
            self._forget_lent()
            self._branched = None

    def _advance(self, deadline: Deadline, upper: int | None) -> None:
        """Work on the node of the least bound."""
        self._working = []
        if not self._nodes:
            self._wait()
            return
        node = min(self._nodes, key=lambda node: node.bound)
        self._turn_to(node)
        if node.settled:
            self._prove_layers(node, deadline, upper)
        else:
            self._settle_vias(node, deadline, upper)

    def _turn_to(self, node: Node) -> None:
        """Let go of what the node takes up that was worked on before another one."""
        if self._at is not node and self._at is not None:
            self._at.dual.rest()
            if not self._sides.asks:  # Cuts have been looked for at the root.
                self._at.dual.averages.forget_flow()
        self._at = node

    def _wait(self) -> None:
        """Take note that what is left of the tree has been lent."""
        self.waits = True
        self._turns.charge(self._advance, self.config.wait_seconds)

    def _settle_vias(self, node: Node, deadline: Deadline, upper: int | None) -> None:
        """Raise the bound of a node whose vias are open, take vias out, or branch on it."""
        few = self.config.few_assignments
        soon = upper is not None and not node.sided
        soon = soon and assignments(node.dual.choice, few + 1) <= few
        if soon and self._branched is not None:
            self._branch(node, upper)
        elif self._sides.due(node.dual):
            self._improve(node, deadline, upper)
        elif not self._tighten(node, deadline, upper, soon=soon):
            self._branch(node, upper)

    def _tighten(self, node: Node, deadline: Deadline, upper: int | None, *, soon: bool) -> bool:
        """Do what may spare giving a line its via; return whether there was anything to do."""
        if upper is not None:
            spent = inf if self._branched is None else self._turns.total
            if self._narrowing.narrow(node, deadline, upper, spent):
                return True
        if upper is not None and node.sided:
            if self._ask(node, upper):
                return True
            if not node.dual.converged:
                self._improve(node, deadline, upper)
                return True
            return False
        if soon:
            return False
        if not self._sides.asks:
            return node.separations < self.config.cut_rounds and self._cut(node)
        return upper is not None and self._ask(node, upper)

    def _improve(self, node: Node, deadline: Deadline, upper: int | None) -> None:
        """Raise the bound of a node by better prices."""
        dual = node.dual
        rounds = dual.rounds_within(self.config.dual_seconds, self.config.rounds)
        self._sides.improve(dual, deadline, rounds, upper)
        node.bound = max(node.bound, ceil_bound(min(dual.bound, NO_ANSWER)))

    def _cut(self, node: Node) -> bool:
        """Add crossing cuts between settled nets; return whether there were any."""
        node.separations += 1
        flow = node.dual.averages.flow
        if not len(flow):
            return False
        paths = node.dual.route(node.dual.prices, node.dual.cuts)
        nets = self.nets
        found = separate(
            nets.layer, nets.source, node.dual.target, nets.free, flow, paths.paths,
            paths.lengths, nets.stride, self.config.separation,
        )  # fmt: skip
        if not found:
            return False
        node.dual.add_cuts(found)
        return True

    def _ask(self, node: Node, upper: int) -> bool:
        """Settle sides of nets whose ends are settled; return whether there were any to settle."""
        tied = self._sides.tied(node.dual)
        if tied is not None:
            below = Node(tied, node.bound, node.separations, node.conflicts, node.sought)
            self._replace(node, upper, [below])
            return True
        limit = upper - 1 + TOLERANCE
        asked = self._sides.ask(node.dual, node.bound, limit)
        if asked.cases and min(case.bound for case in asked.cases) > limit:
            node.bound = upper
        elif asked.forced:
            node.dual = node.dual.sided(asked.forced)
        elif asked.cases:
            self._replace(
                node,
                upper,
                [
                    Node(
                        case.dual, max(node.bound, ceil_bound(min(case.bound, NO_ANSWER))),
                        node.separations, node.conflicts, node.sought,
                    )
                    for case in asked.cases
                ],
            )  # fmt: skip
        else:
            return False
        return True

    def _replace(self, node: Node, upper: int | None, below: list[Node]) -> None:
        """Let others take the place of a node."""
        if self._branched is None:
            self._branched = node, inf if upper is None else upper - node.bound
        self._nodes = [other for other in self._nodes if other is not node]
        self._nodes += below

    def _branch(self, node: Node, upper: int | None) -> None:
        """Replace a node by one for each via that its most open line may take."""
        choice = node.dual.choice
        i, row = max(
            ((i, row) for i, allowed in enumerate(choice) for row in range(len(allowed))),
            key=lambda place: _openness(choice[place[0]][place[1]]),
        )
        below = []
        for column in np.flatnonzero(choice[i][row]):
            child = propagate(with_via(choice, i, row, int(column)), node.conflicts)
            if possible(child):
                dual = node.dual.restricted(child)
                below.append(Node(dual, node.bound, conflicts=node.conflicts))
        self._replace(node, upper, below)

    def _prove_layers(self, node: Node, deadline: Deadline, upper: int | None) -> None:
        """Work on the layer of a settled node that leaves most open."""
        dual = node.dual
        proofs = [
            self._layers.of(z, dual.target, dual.prices[z : z + 1]) for z in range(self.nets.layers)
        ]
        bounds = [proof.bound for proof in proofs]
        node.bound = max(node.bound, min(sum(bounds), NO_ANSWER))
        if all(proof.exact for proof in proofs):
            self._take(node, proofs)
            return
        if upper is not None and node.bound >= upper:
            return
        self._working = [
            _LayerWork(z, node.dual.target, proof, limit)
            for z, proof in enumerate(proofs)
            for limit in [None if upper is None else upper - 1 - (sum(bounds) - proof.bound)]
            if not proof.exact
        ]
        due = min(self._working, key=lambda layer: (layer.proof.waits, layer.proof.spent))
        due.proof.step(deadline, due.limit)
        if due.proof.waits:
            self._wait()
        self.phases |= due.proof.phases
        node.bound = max(node.bound, min(sum(p.bound for p in proofs), NO_ANSWER))
        self._take(node, proofs)

    def _take(self, node: Node, proofs: list[LayerProof]) -> None:
        """Put the routings of a node's layers together, if that is the best routing so far."""
        routings = [proof.routing for proof in proofs if proof.routing is not None]
        if len(routings) < len(proofs):
            return
        cost = sum(routing.cost for routing in routings)
        if self.routing is not None and self.routing.cost <= cost:
            return
        paths: list[NDArray[np.int32]] = [np.empty(0, np.int32)] * self.nets.count
        for z, routing in enumerate(routings):
            for net, path in zip(np.flatnonzero(self.nets.layer == z), routing.paths, strict=True):
                paths[net] = path
        assignment = tuple(np.argmax(allowed, axis=1) for allowed in node.dual.choice)
        self.keep(Routing(paths, assignment, cost))

    @property
    def _lent_nodes(self) -> list[Node]:
        """The nodes of this tree that are lent."""
        return [lent for lent in self._lent.values() if isinstance(lent, Node)]

    def _forget_lent(self) -> None:
        """Call back all nodes of this tree that are lent: what is told of them is passed over."""
        self._lent = {
            number: lent for number, lent in self._lent.items() if isinstance(lent, LayerProof)
        }

    def lend(self) -> Share | None:
        """Give a piece of the work away; None if none can be spared."""
        number = self._loans
        for layer in self._working:
            side = layer.proof.lend(number, layer.limit)
            if side is not None:
                self._loans += 1
                self._lent[number] = layer.proof
                return Share(number, LayerShare(layer.number, layer.target, side))
        # The node of the least bound is the one that is worked on here.
        spare = sorted(self._nodes, key=lambda node: node.bound)[1:]
        if not spare:
            return None
        node = spare[0]
        self._loans += 1
        self._nodes = [other for other in self._nodes if other is not node]
        self._lent[number] = node
        return Share(number, ViaShare(node.packed(), self._upper))

    def settle(self, number: int, left: Left | None) -> None:
        """Take up what is left of a piece of work that was lent.

        Parameters
        ----------
        number
            Its number; one that is not lent (any more) is passed over.
        left
            The open nodes in its place, or None where nothing has been done.
        """
        lent = self._lent.pop(number, None)
        if lent is None:
            return
        if left is not None:
            self.phases |= left.phases
        if isinstance(lent, LayerProof):
            lent.settle(number, None if left is None else cast("list[SideNode]", left.nodes))
            if left is not None and left.routing is not None:
                lent.keep(left.routing)
        elif left is None:
            self._nodes.append(lent)
        else:
            for packed in cast("list[ViaNode]", left.nodes):
                self._hold(packed, lent.bound)

    def _hold(self, packed: ViaNode, least: int) -> None:
        """Take up a node of another process, whose bound is ``least`` if not more."""
        self._nodes.append(unpacked(packed, self.nets, least, self._dual))

    def _satisfy(self, deadline: Deadline, _upper: int | None) -> None:
        """Look for any routing with a SAT engine."""
        self._sat.step(deadline)
        if self._sat.routing is not None:
            self.keep(self._sat.routing)
        if self._sat.bound >= NO_ANSWER:
            for node in self._nodes:
                node.bound = NO_ANSWER
            self._forget_lent()


def _openness(row: NDArray[np.bool_]) -> float:
    """Order lines for branching: few vias are best, but not a single one."""
    count = int(row.sum())
    return -np.inf if count < 2 else -count
