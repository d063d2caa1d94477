"""Branch and bound on the sides that the nets of one layer pass each other.

A pair of nets is chosen whose two cases both promise to raise the bound, and the node is replaced
by one for each. What a case costs at least is known from one search per net. Crossing cuts come
in only where no pair is left to branch on: a settled side does more than cuts, at less expense.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.cuts import SeparationConfig, separate
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.sides import MOST_BITS, draw_curves
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.side_share import Decision, SideNode, SideShare, pack, unpack


@dataclass(frozen=True)
class SideTreeConfig:
    """Settings of the branch and bound."""

    dual: DualConfig = field(default_factory=DualConfig)
    separation: SeparationConfig = field(default_factory=SeparationConfig)
    rounds: int = 30
    """Rounds of the dual per step at the root and between separations of cuts."""
    child_rounds: int = 40
    """Rounds of a new node: it starts from its parent's prices, and branching gains more."""
    most_size: int = 3_000_000
    """Nets times cells of a layer up to which it is branched on: a node takes 12 bytes of each."""
    uncertainty: float = 1.0
    """What a pair that is of two minds by a whole side counts, in units of cost."""


@dataclass
class _Node:
    """A set of settled sides and its dual.

    ``decisions`` are net, other net and side, in order. ``stuck`` is one with nothing left to
    branch on, to cut off or to price better.
    """

    dual: Dual
    settled: frozenset[tuple[int, int]]
    bound: float
    fresh: bool = True
    stuck: bool = False
    decisions: tuple[Decision, ...] = ()


class SideTree:
    """The branch and bound of one layer.

    Nodes may be lent to other processes. Every routing of the layer is in an open node, held or
    lent; a lent one counts by the bound that it was lent with, until it is settled.

    Parameters
    ----------
    nets
        The layer's nets, all settled.
    prices
        ``(1, cells)`` prices to start from, or None.

    Attributes
    ----------
    bound
        No routing of the layer costs less, as a float; infinite where there is none.
    root
        The dual without any settled side.
    visited
        Nodes made so far.
    """

    def __init__(
        self,
        nets: Nets,
        prices: NDArray[np.float64] | None,
        config: SideTreeConfig | None = None,
    ) -> None:
        self.nets = nets
        self.config = config or SideTreeConfig()
        self.root = Dual(nets, config=self.config.dual)
        if prices is not None:
            self.root.prices = prices
        self.bound = -np.inf
        self.visited = 1
        self._nodes = [_Node(self.root, frozenset(), -np.inf)]
        self._lent: dict[int, _Node] = {}
        self._paths: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None

    @property
    def leaves(self) -> list[tuple[tuple[Decision, ...], Dual]]:
        """The open nodes: the decisions (net, other net, side) from the root, and the dual."""
        return [(node.decisions, node.dual) for node in self._nodes]

    @property
    def stuck(self) -> bool:
        """Whether its bound cannot rise any more by this tree's means."""
        return self._nodes != [] and self._least.stuck and self._least.bound <= self._lent_bound

    @property
    def _least(self) -> _Node:
        """The node that decides the bound, of those that are held."""
        return min(self._nodes, key=lambda node: node.bound)

    @property
    def _lent_bound(self) -> float:
        """The least bound of what is lent."""
        return min((node.bound for node in self._lent.values()), default=INFINITE)

    def waits(self, limit: int | None) -> bool:
        """Return whether all that is left to do up to ``limit`` is lent."""
        if not self._lent or self.stuck:
            return False
        return not self._nodes or self._least.stuck or not _within(self._least.bound, limit)

    def lend(self, number: int, limit: int | None) -> SideShare | None:
        """Give a node away, by a number that is used once; None if none can be spared.

        Parameters
        ----------
        number
            What `settle` is to be called with.
        limit
            Greatest cost that is of interest, or None.
        """
        due = [node for node in self._nodes if not node.stuck and _within(node.bound, limit)]
        if len(due) < 2 or self._paths is None:
            return None
        node = sorted(due, key=lambda node: node.bound)[1]
        self._nodes = [other for other in self._nodes if other is not node]
        self._lent[number] = node
        return SideShare(self._packed(node), limit)

    def settle(self, number: int, left: list[SideNode] | None) -> None:
        """Take up what is left of a node that was lent.

        Parameters
        ----------
        number
            The node's; one that is not lent (any more) is passed over.
        left
            The open nodes in its place, or None where nothing has been done.
        """
        node = self._lent.pop(number, None)
        if node is None:
            return
        if left is None:
            self._nodes.append(node)
            return
        self.visited += len(left)
        for packed in left:
            self._hold(packed, node.bound)

    def explore(self, share: SideShare, deadline: Deadline) -> list[SideNode]:
        """Work on a node of another process's tree of the same layer; return what is left of it."""
        if self._paths is None:  # Whatever the paths are, the curves are the same.
            relaxed = self.root.route(self.root.prices, self.root.cuts)
            self._draw(relaxed.paths, relaxed.lengths)
        self._nodes = []
        self._hold(share.node, share.node.bound)
        while True:
            node = self._least
            if node.stuck or not _within(node.bound, share.limit):
                break
            self._work(node, deadline, None if share.limit is None else share.limit + 1)
            if deadline.passed():
                break
        return [self._packed(node) for node in self._nodes]

    def _packed(self, node: _Node) -> SideNode:
        """Return what another process needs of a node."""
        return pack(node.dual, node.decisions, node.bound, fresh=node.fresh, stuck=node.stuck)

    def _hold(self, packed: SideNode, least: float) -> None:
        """Take up a node of another process, whose bound is ``least`` if not more."""
        pairs = frozenset(pair for i, j, _ in packed.decisions for pair in ((i, j), (j, i)))
        bound = max(packed.bound, least)
        dual = unpack(self.root, packed)
        self._nodes.append(_Node(dual, pairs, bound, packed.fresh, packed.stuck, packed.decisions))

    def step(self, deadline: Deadline, limit: int | None) -> None:
        """Work on the node of the least bound, unless that is above ``limit``.

        Nodes above it are kept, as the next limit may be higher.

        Parameters
        ----------
        deadline
            When to stop at the latest.
        limit
            Greatest cost that is of interest, or None.
        """
        if self._nodes and _within(self._least.bound, limit):
            self._work(self._least, deadline, None if limit is None else limit + 1)
        held = min((node.bound for node in self._nodes), default=INFINITE)
        self.bound = max(self.bound, min(held, self._lent_bound))

    def _work(self, node: _Node, deadline: Deadline, upper: int | None) -> None:
        """Improve the bound of a node, or branch on it."""
        if node.fresh:
            rounds = self.config.rounds if node.dual is self.root else self.config.child_rounds
            relaxed = node.dual.improve(deadline, rounds, upper)
            if self._paths is None:
                self._draw(relaxed.paths, relaxed.lengths)
            node.fresh = node.dual is self.root and not node.dual.converged
            node.bound = max(node.bound, node.dual.bound)
            return
        if not self._branch(node):
            self._cut(node, deadline, upper)
            node.bound = max(node.bound, node.dual.bound)

    def _draw(self, paths: NDArray[np.int32], lengths: NDArray[np.int32]) -> None:
        """Draw the curves that sides refer to, along some paths."""
        nets = self.nets
        self._paths = paths, lengths
        self.root.watch(
            draw_curves(nets.source, self.root.target, paths, lengths, nets.cells, nets.stride)
        )

    def _cut(self, node: _Node, deadline: Deadline, upper: int | None) -> None:
        """Add crossing cuts to a node's dual."""
        assert self._paths is not None
        nets, dual = self.nets, node.dual
        if len(dual.flow) and not dual.flow.any():
            node.fresh = True  # It comes from another process, without its flow.
            return
        found = []
        if len(dual.flow):
            found = separate(
                nets.layer, nets.source, dual.target, nets.free, dual.flow, *self._paths,
                nets.stride, self.config.separation,
            )  # fmt: skip
        found = [cut for cut in found if cut.nets not in node.settled]
        if found:
            dual.add_cuts(found)
        elif dual.converged:
            node.stuck = True
            return
        dual.improve(deadline, self.config.rounds, upper)
        dual.drop_slack_cuts()

    def _branch(self, node: _Node) -> bool:
        """Replace a node by the two cases of the most promising pair; return whether it could."""
        if self.nets.count * self.nets.cells > self.config.most_size:
            return False
        best: tuple[float, list[_Node]] = (-np.inf, [])
        for i, j in self._candidates(node):
            cases, score = self._cases(node, i, j)
            if score > best[0]:
                best = (score, cases)
        if not best[1]:
            return False
        self._nodes = [other for other in self._nodes if other is not node]
        self._nodes += best[1]
        self.visited += len(best[1])
        return True

    def _candidates(self, node: _Node) -> list[tuple[int, int]]:
        """Return the pairs that are of two minds, or that cuts keep from it; the most so first."""
        dual = node.dual
        assert self.root.curves is not None
        doubt = np.zeros((self.nets.count, self.nets.count))
        sides, parity = dual.sides, self.root.curves.parity
        for case in (0, 1):
            other = (parity - case) % 2
            away = np.abs(sides - case) + np.abs(sides.T - other)
            doubt = away if case == 0 else np.minimum(doubt, away)
        for cut, multiplier in zip(dual.cuts.cuts, dual.cuts.multipliers, strict=True):
            i, j = min(cut.nets), max(cut.nets)
            doubt[i, j] += 0.2 * multiplier
        pairs = [
            (i, j)
            for i in range(self.nets.count)
            for j in range(i + 1, self.nets.count)
            if (i, j) not in node.settled
            and doubt[i, j] > 0.02
            and min(dual.bits[i], dual.bits[j]) < MOST_BITS
        ]
        pairs.sort(key=lambda pair: -doubt[pair])
        return pairs[:24]

    def _cases(self, node: _Node, i: int, j: int) -> tuple[list[_Node], float]:
        """Return the nodes of the two cases of a pair, and how promising they are."""
        curves = self.root.curves
        assert curves is not None
        dual = node.dual
        nodes = []
        score = 1.0
        for side in (0, 1):
            other = (int(curves.parity[i, j]) - side) % 2
            sides = [(i, curves.crossed[j], side), (j, curves.crossed[i], other)]
            child = dual.sided(sides)
            gain = max(0.0, child.probe([i, j]) - dual.probe([i, j]))
            away = abs(dual.sides[i, j] - side) + abs(dual.sides[j, i] - other)
            score *= 0.01 + min(gain, 50.0) + self.config.uncertainty * away
            bound = max(node.bound, dual.value + gain)
            decisions = (*node.decisions, (i, j, side))
            settled = node.settled | {(i, j), (j, i)}
            nodes.append(_Node(child, settled, bound, decisions=decisions))
        return nodes, score


def _within(bound: float, limit: int | None) -> bool:
    """Return whether a bound leaves something of interest."""
    return limit is None or bound <= limit + 1e-6
