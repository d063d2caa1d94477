"""Questions about how the nets of one layer pass each other, which a tree branches on.

A *question* names a net, another net or none, and an end or none:

- net i, net j: on which *side* of each other do they pass (see ``sides``)?
- net i, end p: does its path cross the ray of p an odd number of times, its *turn*?
- nets i, j, end p: on which side do they pass in the double cover branched at p (see ``covers``)?

Each has two answers, and for every routing one of them is true. A question in a cover supposes the
turns of its nets; where these are not settled, the cases in which they are others come besides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.covers import crossings, lift, parity_of_curves, walk_in_cover
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.sided_paths import MOST_BITS
from nlrouter.engine.bounds.sides import Curves, Passage
from nlrouter.engine.nets.nets import Nets

Question = tuple[int, int, int]
"""A net, another net or -1, an end or -1: a source, or the number of nets plus a target."""

Case = list[tuple[int, Passage]]
"""What it settles: nets, and what is settled of their paths."""

_Lift = tuple[NDArray[np.bool_], NDArray[np.int64], int]


class Questions:
    """The questions of one layer.

    Parameters
    ----------
    nets
        The layer's nets, all settled.
    curves
        Their curves and rays.
    """

    def __init__(self, nets: Nets, curves: Curves) -> None:
        self.nets = nets
        self.curves = curves
        self._ends = np.concatenate([nets.source, nets.target])
        self._lifts: dict[tuple[int, int, int], _Lift | None] = {}

    def doubtful(self, dual: Dual, *, turns: bool) -> list[tuple[float, Question]]:
        """Return the sides, and turns, about which the average flow is of two minds, and how much.

        Sides that crossing cuts keep from it count as well.
        """
        count = self.nets.count
        doubt = np.zeros((count, count))
        sides, parity = dual.sides, self.curves.parity
        for case in (0, 1):
            other = (parity - case) % 2
            away = np.abs(sides - case) + np.abs(sides.T - other)
            doubt = away if case == 0 else np.minimum(doubt, away)
        for cut, multiplier in zip(dual.cuts.cuts, dual.cuts.multipliers, strict=True):
            i, j = min(cut.nets), max(cut.nets)
            doubt[i, j] += 0.2 * multiplier
        found = [
            (float(doubt[i, j]), (i, j, -1))
            for i in range(count)
            for j in range(i + 1, count)
            if dual.passed(i, (j, -1)) is None and self._room(dual, i, j)
        ]
        if turns:
            doubt = np.minimum(dual.turns, 1 - dual.turns)
            found += [
                (float(doubt[i, p]), (i, -1, p))
                for i, p in zip(*np.nonzero(doubt > 0.0), strict=True)
                if p % count != i and dual.passed(i, (-1, p)) is None and self._room(dual, i)
            ]
        return found

    def _room(self, dual: Dual, *members: int, more: int = 1) -> bool:
        """Return whether searches can tell more passages of some nets apart."""
        return all(dual.asked(net) + more <= MOST_BITS for net in members)

    def crossing(self, dual: Dual) -> list[tuple[float, Question]]:
        """Return questions in covers whose answer the latest walks contradict, and how often."""
        nets = self.nets
        walks = [
            [walks[k] for walks in dual.walks if len(walks[k])] for k in range(nets.count)
        ]
        taken = np.zeros((nets.count, nets.cells))
        for k, found in enumerate(walks):
            for walk in found:
                cells = walk % nets.cells
                taken[k, np.unique(cells)] += 1.0 / len(found)
                other = cells + np.where(walk < nets.cells, 1, nets.stride)
                taken[k, np.unique(other)] += 1.0 / len(found)
        contact = np.minimum(taken, 1.0) @ np.minimum(taken, 1.0).T
        result: list[tuple[float, Question]] = []
        path = np.empty(2 * nets.cells, np.int64)
        for p in range(2 * nets.count):
            known: dict[int, tuple[int, list[tuple[NDArray[np.int64], int]]]] = {}
            for i, j in zip(*np.nonzero(np.triu(contact, 1) > 0.1), strict=True):
                if p % nets.count in (i, j) or dual.passed(int(i), (int(j), p)) is not None:
                    continue
                if not self._room(dual, int(i), int(j), more=2):
                    continue
                lifted = []
                for k in (int(i), int(j)):
                    if k not in known:
                        sheet = self._turn(dual, k, p)
                        states = []
                        for walk in walks[k]:
                            length = walk_in_cover(
                                walk, len(walk), nets.source[k], self.curves.rays[p], nets.stride,
                                path,
                            )  # fmt: skip
                            if path[length - 1] & 1 == sheet:
                                states.append((path[:length].copy(), length))
                        known[k] = sheet, states
                    lifted.append((self._lift(k, p, known[k][0]), known[k][1]))
                (one, walks_i), (other, walks_j) = lifted
                if one is None or other is None or not walks_i or not walks_j:
                    continue
                ray = self.curves.rays[p]
                parity = parity_of_curves(
                    one[1], one[2], one[0], other[1], other[2], other[0], ray
                )
                over_i = np.mean([crossings(*walk, ray, other[0]) for walk in walks_i])
                over_j = np.mean([crossings(*walk, ray, one[0]) for walk in walks_j])
                odd = over_i * (1 - over_j) + over_j * (1 - over_i)
                wrong = 1 - odd if parity else odd
                if wrong > 0.05:
                    share = len(walks_i) * len(walks_j) / len(walks[i]) / len(walks[j])
                    result.append((float(wrong * share), (int(i), int(j), p)))
        return result

    def _turn(self, dual: Dual, net: int, end: int) -> int:
        """Return a net's turn about an end: the settled one, else that of most of its flow."""
        settled = dual.passed(net, (-1, end))
        return round(float(dual.turns[net, end])) if settled is None else settled

    def _lift(self, net: int, end: int, sheet: int) -> _Lift | None:
        """Return a net's curve in the cover of an end, a path and its length, if there is one."""
        key = net, end, sheet
        if key not in self._lifts:
            nets = self.nets
            curve = np.zeros((2, 2, nets.cells), np.bool_)
            path = np.empty(2 * nets.cells, np.int64)
            length = lift(
                nets.source[net], nets.target[net], sheet, self._ends[end], self.curves.rays[end],
                nets.free[0], nets.stride, curve, path,
            )  # fmt: skip
            self._lifts[key] = (curve, path[:length].copy(), length) if length else None
        return self._lifts[key]

    def cases(self, dual: Dual, question: Question) -> list[Case]:
        """Return the cases of a question, of which one holds for every routing; last, its own."""
        i, j, p = question
        if p < 0:
            parity = int(self.curves.parity[i, j])
            return [
                [self._side(i, j, side), self._side(j, i, side ^ parity)] for side in (0, 1)
            ]
        if j < 0:
            return [[self._turned(i, p, turn)] for turn in (0, 1)]
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
        ray = self.curves.rays[p]
        parity = int(
            parity_of_curves(one[1], one[2], one[0], other[1], other[2], other[0], ray)
        )
        for side in (0, 1):
            over = Passage((j, p), other[0], side, (-1, p))
            back = Passage((i, p), one[0], side ^ parity, (-1, p))
            cases.append([*before, (i, over), (j, back)])
        return cases

    def _side(self, net: int, other: int, parity: int) -> tuple[int, Passage]:
        """Return that a net passes another on a side."""
        crossed = np.broadcast_to(self.curves.crossed[other], (2, *self.curves.crossed.shape[1:]))
        return net, Passage((other, -1), crossed, parity)

    def _turned(self, net: int, end: int, parity: int) -> tuple[int, Passage]:
        """Return that a net turns about an end."""
        ray = np.broadcast_to(self.curves.rays[end], (2, *self.curves.rays.shape[1:]))
        return net, Passage((-1, end), ray, parity)
