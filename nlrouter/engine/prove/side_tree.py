"""Branch and bound on how the nets of one layer pass each other.

A question (see ``questions``) is chosen whose cases both promise to raise the bound, and the node
is replaced by one for each. What a case costs at least is known from one search per net; where
one of two costs too much, the other is settled at once. Crossing cuts come in only where no
question is left: what is settled does more than cuts, at less expense.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.cuts import SeparationConfig, separate
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.relaxed import Relaxed
from nlrouter.engine.bounds.sided_paths import MOST_BITS
from nlrouter.engine.bounds.sides import draw_curves
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.asking import AskConfig, PricedCase, ask
from nlrouter.engine.prove.questions import Case, Question, Questions
from nlrouter.engine.prove.rounding import RoundingConfig, cheapest_routing
from nlrouter.engine.prove.side_share import SideNode, SideShare, pack, unpack


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
    near_rounds: int = 20
    """These rounds where the bound is near the limit. On four boards 40 take 1.1 to 1.4 times as
    long; 13 do better on one and worse on two. Far from the limit 20 do worse than 40."""
    near: float = 0.12
    """Share of the limit that the bound is below it at the most to be near."""
    most_size: int = 3_000_000
    """Nets times cells of a layer up to which it is branched on: a node takes 12 bytes of each."""
    most_cover_size: int = 40_000_000
    """Nets squared times cells of a layer up to which questions in covers are asked: nets are
    lifted about all ends, which takes 0.7 s and 56 MB on adc2016 Q18 (8.5 million), and 13 s and
    3 GB on 100x100 with 200 nets."""
    checkable: bool = False
    """Whether a certificate is to be written of it: every case is kept, with what was decided."""
    most_passages: int = MOST_BITS
    """Sides and turns of a net that are settled at the most."""
    ask: AskConfig = field(default_factory=AskConfig)
    rounding: RoundingConfig = field(default_factory=RoundingConfig)
    least_gain: float = 1.0
    """Least gain of each case of a question in a cover that is asked while there may be better
    prices. With the volume algorithm alone adc2015 Q10 took 22 s of processor time, without these
    25; Q17 took 86, with any 117."""


Decisions = tuple[tuple[Question, int], ...]
"""Questions of two cases, and the answers."""

Leaf = tuple[Decisions, Dual]
"""What was decided, and the dual."""


@dataclass
class _Node:
    """A dual with what is settled of its nets' paths.

    ``decisions`` is what was decided on the way to it.
    ``stuck`` is one with nothing left to branch on, to cut off or to price better.
    """

    dual: Dual
    bound: float
    fresh: bool = True
    stuck: bool = False
    decisions: Decisions = ()


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
    routing
        The cheapest routing that a node's paths were, or None.
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
        self.bound = 0.0
        self.visited = 1
        self.routing: Routing | None = None
        self._nodes = [_Node(self.root, -np.inf)]
        self._lent: dict[int, _Node] = {}
        self._questions: Questions | None = None
        self._paths: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None

    @property
    def leaves(self) -> list[Leaf]:
        """The open nodes: the decisions from the root, and the dual.

        Only of a tree that is checkable, of which nothing was lent.
        """
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
        self._raise()

    def explore(self, share: SideShare, deadline: Deadline) -> list[SideNode]:
        """Work on a node of another process's tree of the same layer; return what is left of it."""
        if self._paths is None:  # Whatever the paths are, the curves are the same.
            relaxed = self.root.route(self.root.prices, self.root.cuts)
            self._draw(relaxed.paths, relaxed.lengths)
        self._nodes = []
        self._hold(share.node, share.node.bound)
        while self._nodes:
            node = self._least
            if node.stuck or not _within(node.bound, share.limit):
                break
            self._work(node, deadline, None if share.limit is None else share.limit + 1)
            node.dual.rest()
            if deadline.passed():
                break
        return [self._packed(node) for node in self._nodes if node.bound < INFINITE / 2]

    def _packed(self, node: _Node) -> SideNode:
        """Return what another process needs of a node."""
        return pack(node.dual, node.bound, fresh=node.fresh, stuck=node.stuck)

    def _hold(self, packed: SideNode, least: float) -> None:
        """Take up a node of another process, whose bound is ``least`` if not more."""
        dual, bound = unpack(self.root, packed), max(packed.bound, least)
        self._nodes.append(_Node(dual, bound, packed.fresh, packed.stuck))

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
            node = self._least
            self._work(node, deadline, None if limit is None else limit + 1)
            node.dual.rest()
        self._raise()

    def _raise(self) -> None:
        """Raise the bound to the least one of all open nodes, held and lent."""
        held = min((node.bound for node in self._nodes), default=INFINITE)
        self.bound = max(self.bound, min(held, self._lent_bound))

    def _work(self, node: _Node, deadline: Deadline, upper: int | None) -> None:
        """Improve the bound of a node, or branch on it."""
        if node.fresh:
            rounds = node.dual.rounds_within(self.config.dual_seconds, self._rounds(node, upper))
            relaxed = node.dual.improve(deadline, rounds, upper)
            self._find(node.dual, relaxed, deadline, upper)
            if self._paths is None:
                self._draw(relaxed.paths, relaxed.lengths)
            node.fresh = node.dual is self.root and not node.dual.converged
            node.bound = max(node.bound, node.dual.bound)
            return
        if self._questions is not None and (self._tie(node) or self._branch(node, upper)):
            return
        self._cut(node, deadline, upper)
        node.bound = max(node.bound, node.dual.bound)

    def _tie(self, node: _Node) -> bool:
        """Tie nets that do not agree on which side they pass; return whether there were any."""
        assert self._questions is not None
        found = self._questions.pairs(node.dual, self.root.config.bonds.later_doubt)
        # The root stays as it is: others use its prices.
        dual = node.dual.sided([]) if node.dual is self.root else node.dual
        if not dual.tie(found):
            return False
        node.dual = dual
        node.fresh = True
        return True

    def _rounds(self, node: _Node, upper: int | None) -> int:
        """Return the rounds of the dual for a node's next step."""
        if node.dual is self.root:
            return self.config.rounds
        near = upper is not None and node.bound >= upper * (1 - self.config.near)
        return self.config.near_rounds if near else self.config.child_rounds

    def _find(self, dual: Dual, relaxed: Relaxed, deadline: Deadline, upper: int | None) -> None:
        """Keep the cheapest routing that walks of a node make up, if it is the best so far."""
        walks = [walk for own in (relaxed.walks, *dual.averages.walks) for walk in enumerate(own)]
        if dual.columns is not None:
            walks += [(walk.net, walk.edges) for own in dual.columns.columns for walk in own]
        below = min(
            NO_ANSWER if upper is None else upper,
            NO_ANSWER if self.routing is None else self.routing.cost,
        )
        deadline.work(self.config.rounding.walk_seconds * len(walks))
        routing = cheapest_routing(self.nets, walks, below, self.config.rounding)
        if routing is not None:
            self.routing = routing

    def _draw(self, paths: NDArray[np.int32], lengths: NDArray[np.int32]) -> None:
        """Draw the curves that sides refer to, along some paths, unless the layer is too large."""
        nets = self.nets
        self._paths = paths, lengths
        if nets.count * nets.cells > self.config.most_size:
            return
        curves = draw_curves(nets.source, self.root.target, paths, lengths, nets.cells, nets.stride)
        self.root.watch(curves)
        self._questions = Questions(nets, curves, self.config.most_passages)

    def _cut(self, node: _Node, deadline: Deadline, upper: int | None) -> None:
        """Add crossing cuts to a node's dual."""
        assert self._paths is not None
        nets, dual = self.nets, node.dual
        if self._questions is not None and not dual.averages.walks:
            node.fresh = True  # It comes from another process, without its flow and walks.
            return
        found = []
        if len(dual.averages.flow):
            found = separate(
                nets.layer, nets.source, dual.target, nets.free, dual.averages.flow, *self._paths,
                nets.stride, self.config.separation,
            )  # fmt: skip
        if self._questions is not None:
            found = [cut for cut in found if not self._questions.settled(dual, *cut.nets)]
        if found:
            dual.add_cuts(found)
        elif dual.converged and not dual.refine():
            node.stuck = True
            return
        relaxed = dual.improve(deadline, self.config.rounds, upper)
        self._find(dual, relaxed, deadline, upper)
        dual.drop_slack_cuts()

    def _branch(self, node: _Node, upper: int | None) -> bool:
        """Replace a node by the cases of the most promising question; return whether it could.

        Where one of two answers costs ``upper`` or more, the other is settled without a choice, for
        all such questions at once.
        """
        limit = INFINITE if upper is None or self.config.checkable else upper - 1 + TOLERANCE
        assert self._questions is not None
        for found, least in self._candidates(node):
            asked = ask(node.dual, node.bound, self._questions, found, limit, self.config.ask)
            if asked.forced or (asked.cases and min(case.gain for case in asked.cases) >= least):
                break
        else:
            return False
        below = self._below(node, asked.cases, asked.forced) + self._below(node, asked.beside, [])
        if not asked.cases:
            dual = node.dual.sided(asked.forced)
            below.append(_Node(dual, node.bound, decisions=node.decisions))
        self._nodes = [other for other in self._nodes if other is not node]
        self._nodes += below
        self.visited += len(below)
        return True

    def _below(self, node: _Node, cases: list[PricedCase], forced: Case) -> list[_Node]:
        """Return the nodes of the cases that have paths at all, with what is forced besides."""
        return [
            _Node(
                case.dual.sided(forced) if forced else case.dual,
                case.bound,
                decisions=(*node.decisions, *decided(case)),
            )
            for case in cases
            if case.bound < INFINITE / 2 or self.config.checkable
        ]

    def _candidates(self, node: _Node) -> Iterator[tuple[list[tuple[float, Question]], float]]:
        """Yield questions in the order of asking, and what each case of one has to gain at least.

        Sides come first, then questions in covers that promise much. Turns, which gain little,
        and other covers come where the best prices leave none of those.
        """
        assert self._questions is not None
        dual, config = node.dual, self.config
        doubtful = partial(self._questions.doubtful, dual, config.ask.doubt)
        sides = doubtful(turns=False)
        yield sides, 0.0
        if sides or not dual.converged:
            return
        if self.nets.count**2 * self.nets.cells <= config.most_cover_size:
            crossing = self._questions.crossing(dual)
            yield crossing, 0.0 if dual.exhausted else config.least_gain
        if dual.exhausted:
            yield doubtful(turns=True), 0.0


def decided(case: PricedCase) -> Decisions:
    """Return what a case decides; one in a cover may settle turns first."""
    _, j, end = case.question
    if j < 0 or end < 0:
        return ((case.question, case.answer),)
    turns = [((net, -1, end), each.parity) for net, each in case.case if each.name[0] < 0]
    sides = [(case.question, each.parity) for net, each in case.case if each.name == (j, end)]
    return (*turns, *sides)


def _within(bound: float, limit: int | None) -> bool:
    """Return whether a bound leaves something of interest."""
    return bound <= (NO_ANSWER if limit is None else limit) + TOLERANCE
