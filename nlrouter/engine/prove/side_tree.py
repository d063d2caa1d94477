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


@dataclass(frozen=True)
class SideTreeConfig:
    """Settings of the branch and bound."""

    dual: DualConfig = field(default_factory=DualConfig)
    separation: SeparationConfig = field(default_factory=SeparationConfig)
    rounds: int = 30
    """Rounds of the dual per step at the root and between separations of cuts."""
    dual_seconds: float = 4.0
    """Work of the rounds of a step at the most, which counts on large layers."""
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
    decisions: tuple[tuple[int, int, int], ...] = ()


class SideTree:
    """The branch and bound of one layer.

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
        self._paths: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None

    @property
    def leaves(self) -> list[tuple[tuple[tuple[int, int, int], ...], Dual]]:
        """The open nodes: the decisions (net, other net, side) from the root, and the dual."""
        return [(node.decisions, node.dual) for node in self._nodes]

    @property
    def stuck(self) -> bool:
        """Whether its bound cannot rise any more by this tree's means."""
        return bool(self._nodes) and self._least.stuck

    @property
    def _least(self) -> _Node:
        """The node that decides the bound."""
        return min(self._nodes, key=lambda node: node.bound)

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
        if not self._nodes:
            return
        node = self._least
        if limit is None or node.bound <= limit + 1e-6:
            self._work(node, deadline, None if limit is None else limit + 1)
        self.bound = max(self.bound, min((node.bound for node in self._nodes), default=INFINITE))

    def _work(self, node: _Node, deadline: Deadline, upper: int | None) -> None:
        """Improve the bound of a node, or branch on it."""
        if node.fresh:
            rounds = self.config.rounds if node.dual is self.root else self.config.child_rounds
            rounds = node.dual.rounds_within(self.config.dual_seconds, rounds)
            relaxed = node.dual.improve(deadline, rounds, upper)
            if self._paths is None:
                self._paths = relaxed.paths, relaxed.lengths
                curves = draw_curves(
                    self.nets.source,
                    self.root.target,
                    *self._paths,
                    self.nets.cells,
                    self.nets.stride,
                )
                self.root.watch(curves)
            node.fresh = node.dual is self.root and not node.dual.converged
            node.bound = max(node.bound, node.dual.bound)
            return
        if not self._branch(node):
            self._cut(node, deadline, upper)
            node.bound = max(node.bound, node.dual.bound)

    def _cut(self, node: _Node, deadline: Deadline, upper: int | None) -> None:
        """Add crossing cuts to a node's dual."""
        assert self._paths is not None
        nets, dual = self.nets, node.dual
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
