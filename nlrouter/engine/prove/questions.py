"""Questions about how the nets of one layer pass each other, which a tree branches on.

A *question* names two nets, or one and an end, or two and an end:

- nets i, j: on which *side* of each other do they pass (see ``sides``)?
- net i, end p: does its path cross the ray of p an odd number of times, its *turn*?
- nets i, j, end p: on which side do they pass in the double cover branched at p (see ``covers``)?

Each has two answers, and for every routing one of them is true. A question in a cover supposes the
turns of its nets; where these are not settled, the cases in which they are others come besides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.averages import cells_of
from nlrouter.engine.bounds.covers import crossings, lift, parity_of_curves, walk_in_cover
from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.sided_search import MOST_BITS
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.nets.nets import OPEN, Nets

TOLL_STAKE = 0.5
"""How much more it matters on which side two nets pass for each unit of their toll: where sides
agree on average, cases gain next to nothing at once. Two of seven layers of 26 to 32 lines close in
7 to 11 s that are open after 12 without; twice or half as much is as good."""

Question = tuple[int, int, int]
"""A net, another net or -1, an end or -1: a source, or the number of nets plus a target."""

Case = list[tuple[int, Passage]]
"""What it settles: nets, and what is settled of their paths."""

_Lift = tuple[NDArray[np.bool_], NDArray[np.int64]]


class Questions:
    """The questions of one layer.

    Parameters
    ----------
    nets
        The layer's nets, all settled; or nets of several layers, of which some are to be tied.
    curves
        Their curves and rays.
    """

    def __init__(self, nets: Nets, curves: Curves) -> None:
        self.nets = nets
        self.curves = curves
        self._ends = np.concatenate([nets.source, nets.target])
        self._lifts: dict[tuple[int, int, int], _Lift | None] = {}

    def doubtful(self, dual: Dual, least: float) -> list[tuple[float, Question]]:
        """Return the sides about which the average flow is of two minds, and how much that matters.

        ``least`` is the least doubt to return.
        """
        stakes = self._stakes(dual)
        return [
            (doubt * stakes.get((i, j), 1.0), (i, j, -1))
            for doubt, (i, j) in self._doubtful(dual, least)
            if self._room(dual, i) or self._room(dual, j)
        ]

    def pairs(self, dual: Dual, least: float) -> list[tuple[float, tuple[int, int]]]:
        """Return the same of nets to be tied, and how much; those that are paired are not."""
        found = self._doubtful(dual, least)
        return [(doubt, pair) for doubt, pair in found if pair not in dual.via_pairs]

    def _doubtful(self, dual: Dual, least: float) -> list[tuple[float, tuple[int, int]]]:
        """Return pairs of nets that lead somewhere whose sides are in doubt, and how much."""
        count, nets = self.nets.count, dual.leads != OPEN
        doubt = np.zeros((count, count))
        sides, parity = dual.averages.sides, self.curves.parity
        for case in (0, 1):
            other = (parity - case) % 2
            away = np.abs(sides - case) + np.abs(sides.T - other)
            doubt = away if case == 0 else np.minimum(doubt, away)
        doubt[~(self.curves.compared & nets & nets[:, None])] = 0.0
        return [
            (float(doubt[i, j]), (int(i), int(j)))
            for i, j in np.argwhere(np.triu(doubt, 1) > least)
            if not self.settled(dual, i, j)
        ]

    def settled(self, dual: Dual, i: int, j: int) -> bool:
        """Return whether the side is settled on which two nets pass each other."""
        return dual.passed(i, (j, -1)) is not None or dual.passed(j, (i, -1)) is not None

    def _stakes(self, dual: Dual) -> dict[tuple[int, int], float]:
        """Return how much it matters on which side nets pass, 1 for others: what agreeing costs."""
        return {bond: 1.0 + TOLL_STAKE * abs(toll) for bond, toll in dual.tolls}

    def _room(self, dual: Dual, net: int, more: int = 1) -> bool:
        """Return whether more passages of a net can be settled."""
        return len(dual.passages[net]) + more <= MOST_BITS

    def crossing(self, dual: Dual) -> list[tuple[float, Question]]:
        """Return questions in covers whose answer the latest walks contradict.

        With each comes how many cells the two walks share.
        """
        if not dual.averages.walks:
            return []
        nets, walks = self.nets, dual.averages.walks[-1]
        held = np.zeros((nets.count, nets.cells))
        for net, walk in enumerate(walks):
            held[net, cells_of(walk, nets.cells, nets.stride)] = 1
        shared = np.triu(held @ held.T, 1)
        room = [self._room(dual, net, 2) for net in range(nets.count)]
        pairs = np.argwhere(shared * np.outer(room, room)).tolist()
        return [
            (float(shared[i, j]), (i, j, p))
            for p in range(2 * nets.count)
            for i, j in pairs
            if p % nets.count not in (i, j)
            and dual.passed(i, (j, p)) is None
            and self._contradicted(dual, i, j, p)
        ]

    def _contradicted(self, dual: Dual, i: int, j: int, end: int) -> bool:
        """Return whether the latest walks of two nets cross where walks that do not meet cannot."""
        one, other = (self._lift(net, end, self._turn(dual, net, end)) for net in (i, j))
        if one is None or other is None:
            return False
        nets, walks, ray = self.nets, dual.averages.walks[-1], self.curves.rays[end]
        mine, theirs = (
            walk_in_cover(walks[net], nets.source[net], ray, nets.stride) for net in (i, j)
        )
        odd = crossings(mine, other[0]) ^ crossings(theirs, one[0])
        return bool(odd ^ parity_of_curves(one[1], one[0], other[1], other[0]))

    def _turn(self, dual: Dual, net: int, end: int) -> int:
        """Return a net's turn about an end: the settled one, else that of its latest walk."""
        settled = dual.passed(net, (-1, end))
        if settled is not None:
            return settled
        ray, walks = self.curves.rays[end].ravel(), dual.averages.walks
        return int(ray[walks[-1][net]].sum()) & 1 if walks else 0

    def _lift(self, net: int, end: int, turn: int) -> _Lift | None:
        """Return a net's curve in the cover of an end and a path with the same ends, if any."""
        key = net, end, turn
        if key not in self._lifts:
            nets = self.nets
            curve = np.zeros((2, 2, nets.cells), np.bool_)
            path = lift(
                nets.source[net], nets.target[net], turn, self._ends[end], self.curves.rays[end],
                nets.free[0], nets.stride, curve,
            )  # fmt: skip
            self._lifts[key] = (curve, path) if len(path) else None
        return self._lifts[key]

    def cases(self, dual: Dual, question: Question) -> list[Case]:
        """Return the cases of a question, of which one holds for every routing; last, its own."""
        i, j, p = question
        if p < 0:
            parity = int(self.curves.parity[i, j])
            both = [[self._side(i, j, side), self._side(j, i, side ^ parity)] for side in (0, 1)]
            return [[entry for entry in case if self._room(dual, entry[0])] for case in both]
        before: Case = []
        cases: list[Case] = []
        lifts = []
        for net in (i, j):
            turn = self._turn(dual, net, p)
            if dual.passed(net, (-1, p)) is None:
                cases.append([*before, self._turned(net, p, 1 - turn)])
                before = [*before, self._turned(net, p, turn)]
            lifted = self._lift(net, p, turn)
            assert lifted is not None
            lifts.append(lifted)
        one, other = lifts
        parity = int(parity_of_curves(one[1], one[0], other[1], other[0]))
        for side in (0, 1):
            over = Passage((j, p), other[0], side, (-1, p))
            back = Passage((i, p), one[0], side ^ parity, (-1, p))
            cases.append([*before, (i, over), (j, back)])
        return cases

    def away(self, dual: Dual, question: Question, case: Case) -> float:
        """Return how far the average flow is from a case, and matters; 0 for one in a cover."""
        if question[2] >= 0:
            return 0.0
        away = sum(
            abs(float(dual.averages.sides[net, passage.name[0]]) - passage.parity)
            for net, passage in case
        )
        return away * self._stakes(dual).get(question[:2], 1.0)

    def _side(self, net: int, other: int, parity: int) -> tuple[int, Passage]:
        """Return that a net passes another on a side."""
        crossed = np.broadcast_to(self.curves.crossed[other], (2, *self.curves.crossed.shape[1:]))
        return net, Passage((other, -1), crossed, parity)

    def _turned(self, net: int, end: int, parity: int) -> tuple[int, Passage]:
        """Return that a net turns about an end."""
        ray = np.broadcast_to(self.curves.rays[end], (2, *self.curves.rays.shape[1:]))
        return net, Passage((-1, end), ray, parity)
