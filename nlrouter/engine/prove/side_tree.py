"""Branch and bound on the sides that the nets of one layer pass each other.

A pair of nets is chosen whose two cases both promise to raise the bound, and the node is replaced
by one for each. What a case costs at least is known from one search per net. Crossing cuts come
in only where no pair is left to branch on: a settled side does more than cuts, at less expense.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.cuts import SeparationConfig, separate
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.sides import draw_curves
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.questions import Case, Question, Questions


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
    pairs_only: bool = False
    """Whether to ask for the sides of pairs only, which certificates can tell."""
    doubt: float = 0.02
    """Least doubt of a question that is asked; below it the average flow is noise."""
    tries: int = 24
    """Questions whose cases are priced to find the best one."""
    patience: int = 8
    """Questions in a row that are no better than the best one, after which it is asked."""
    uncertainty: float = 1.0
    """What a pair that is of two minds by a whole side counts, in units of cost."""


@dataclass
class _Node:
    """A set of settled sides and its dual.

    ``decisions`` are net, other net and side, in order. ``stuck`` is one with nothing left to
    branch on, to cut off or to price better.
    """

    dual: Dual
    bound: float
    fresh: bool = True
    stuck: bool = False
    decisions: tuple[tuple[Question, Case], ...] = ()


@dataclass
class _Priced:
    """A case of a question: its dual, what each net pays more, and the bound."""

    case: Case
    dual: Dual
    gains: dict[int, float]
    bound: float
    away: float

    @property
    def gain(self) -> float:
        """What all nets pay more."""
        return sum(self.gains.values())


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
        self._nodes = [_Node(self.root, -np.inf)]
        self._questions: Questions | None = None
        self._paths: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None

    @property
    def leaves(self) -> list[tuple[tuple[tuple[int, int, int], ...], Dual]]:
        """The open nodes: the decisions (net, other net, side) from the root, and the dual.

        Only of a tree of pairs only.
        """
        return [
            (tuple((i, j, case[0][1].parity) for (i, j, _), case in node.decisions), node.dual)
            for node in self._nodes
        ]

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
                self._questions = Questions(self.nets, curves)
            node.fresh = node.dual is self.root and not node.dual.converged
            node.bound = max(node.bound, node.dual.bound)
            return
        if not self._branch(node, upper):
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
        found = [cut for cut in found if dual.passed(cut.nets[0], (cut.nets[1], -1)) is None]
        if found:
            dual.add_cuts(found)
        elif dual.converged:
            node.stuck = True
            return
        dual.improve(deadline, self.config.rounds, upper)
        dual.drop_slack_cuts()

    def _branch(self, node: _Node, upper: int | None) -> bool:
        """Replace a node by the cases of the most promising question; return whether it could.

        Questions of which one answer costs ``upper`` or more are all settled at once, without a
        choice among them.
        """
        if self.nets.count * self.nets.cells > self.config.most_size:
            return False
        best: tuple[float, list[_Node]] = (-np.inf, [])
        forced: Case = []
        beside: list[_Node] = []
        waited = 0
        for question in self._candidates(node):
            cases = self._priced(node, question)
            dear = [
                upper is not None and case.bound > upper - 1 + 1e-6 for case in cases
            ]
            if len(cases) == 2 and any(dear) and not self.config.pairs_only:
                kept, other = cases if dear[1] else cases[::-1]
                if dear == [True, True]:
                    best, forced = (np.inf, self._nodes_of(node, question, cases)), []
                    break
                forced += [
                    (net, replace(passage, implied=other.gains[net] > upper - 1 - node.dual.value + 1e-6))
                    for net, passage in kept.case
                ]
                beside += self._nodes_of(node, question, [other])
                continue
            score = 1.0
            for case in cases:
                score *= 0.01 + min(case.gain, 50.0) + self.config.uncertainty * case.away
            waited += 1
            if score > best[0]:
                best = (score, self._nodes_of(node, question, cases))
                waited = 0
            elif waited >= self.config.patience:
                break
        if forced:
            child = _Node(node.dual.sided(forced), node.bound, decisions=(*node.decisions, ((-1,-1,-1), forced)))
            best = (np.inf, [child, *beside])
        if not best[1]:
            return False
        node.dual.rest()
        self._nodes = [other for other in self._nodes if other is not node]
        self._nodes += best[1]
        self.visited += len(best[1])
        return True

    def _nodes_of(self, node: _Node, question: Question, cases: list[_Priced]) -> list[_Node]:
        return [
            _Node(case.dual, case.bound, decisions=(*node.decisions, (question, case.case)))
            for case in cases
            if case.bound < INFINITE / 2
        ]

    def _priced(self, node: _Node, question: Question) -> list[_Priced]:
        """Return the cases of a question with their prices."""
        assert self._questions is not None
        dual = node.dual
        found = []
        base = {net: dual.probe([net]) for net in question[:2] if net >= 0}
        for case in self._questions.cases(dual, question):
            child = dual.sided(case)
            gains = {
                net: max(0.0, child.probe([net]) - base[net])
                for net in sorted({net for net, _ in case})
            }
            child.rest()
            bound = max(node.bound, dual.value + sum(gains.values()))
            found.append(_Priced(case, child, gains, bound, self._away(dual, question, case)))
        return found

    def _candidates(self, node: _Node) -> list[Question]:
        """Return the questions that the average flow is of two minds about; the most so first.

        Where there are none, those that it answers in a way that lines which cross would.
        """
        assert self._questions is not None
        turns = not self.config.pairs_only
        found = self._questions.doubtful(node.dual, turns=turns)
        found = [entry for entry in found if entry[0] > self.config.doubt]
        if not found and turns:
            found = self._questions.crossing(node.dual)
        found.sort(key=lambda entry: -entry[0])
        return [question for _, question in found[: self.config.tries]]

    def _away(self, dual: Dual, question: Question, case: Case) -> float:
        """Return how far the average flow is from a case."""
        i, j, p = question
        if p < 0:
            parities = {net: passage.parity for net, passage in case}
            return abs(dual.sides[i, j] - parities[i]) + abs(dual.sides[j, i] - parities[j])
        return 0.0 if j >= 0 else abs(float(dual.turns[i, p]) - case[0][1].parity)
