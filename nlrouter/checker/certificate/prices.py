"""What nets and lines pay at some prices, for the check of a certificate.

Costs are in halves of the certificate's unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from nlrouter.certificate import PartProof, Prices
from nlrouter.checker.certificate.board import (
    Case,
    Layers,
    SpanClass,
    ends_of,
    targets_of,
)
from nlrouter.checker.certificate.curves import (
    Ends,
    curves_cross,
    edge_numbers,
    edges_crossed,
    shift,
)
from nlrouter.checker.certificate.limits import Kept, Refused, Work
from nlrouter.checker.certificate.paths import (
    UNREACHED,
    Guide,
    Neighbours,
    cheapest,
    distances,
    guide_by_distances,
    guide_by_position,
)

MOST_SIDES = 16
"""Sides of one net that are heeded, the first ones; more only make the bound better."""

EXACT = 2**53
"""Whole numbers below it are exact in SciPy's floating-point matching."""

Edges = dict[int, int]
"""What edges pay, or their bits, by the number of `certificate_paths`."""

Sides = tuple[tuple[Ends, int], ...]
"""The ends of other nets and the sides to pass them on."""


@dataclass(frozen=True)
class Paid:
    """What settled nets and the classes' lines with their vias cost at some prices.

    ``matrices`` has, per class, what each line pays for each via; nothing if none of its nets
    is on the case's layers.
    """

    settled: int
    matrices: list[list[list[int]]]
    work: Work

    def least(self) -> int:
        """Return the least of all together."""
        return self.settled + sum(matching(matrix, self.work) for matrix in self.matrices)

    def with_via(self, k: int, row: int, via: int) -> int:
        """Return the least if a line (of class ``k``) takes a via."""
        if not self.matrices[k]:
            return self.least()
        others = (matrix for i, matrix in enumerate(self.matrices) if i != k)
        rest = sum(matching(matrix, self.work) for matrix in others)
        return self.settled + rest + forced(self.matrices[k], row, via, self.work)


class Payments:
    """What the nets and lines of a part pay; paths found once are kept.

    Parameters
    ----------
    board
        The part.
    proof
        The proof that names prices and cuts.
    unit
        The certificate's.
    near
        The neighbours of each cell of a layer.
    work
        Counts the work.
    """

    def __init__(
        self, board: Layers, proof: PartProof, unit: int, near: Neighbours, work: Work
    ) -> None:
        self._board = board
        self._proof = proof
        self._unit = unit
        self._near = near
        self._work = work
        self._sums = [sum(prices) for prices in proof.prices]
        most = work.limits.kept
        self._halves: Kept[tuple[int, int], list[int]] = Kept(most)
        self._reached: Kept[tuple[int, int], list[int]] = Kept(most)
        self._rests: Kept[int, Guide] = Kept(most)
        self._guides: Kept[tuple[object, ...], Guide] = Kept(most)
        self._paths: Kept[tuple[object, ...], tuple[int, int]] = Kept(most)

    def paid(self, node: Prices, case: Case, enough: int = UNREACHED) -> Paid:
        """Return what nets and lines pay; the prices and multipliers are in ``settled``.

        Sides are looked at only until all together is ``enough``.
        """
        board = self._board
        self._work.add(len(board.layer) + len(case.sides))
        target = targets_of(board, case)
        if len(node.layers) != len(case.layers):
            raise Refused("a node has not prices for each layer")
        if any(k >= len(self._proof.prices) for k in node.layers):
            raise Refused("a node names prices that are not there")
        prices = dict(zip(case.layers, node.layers, strict=True))
        tolls = self._tolls(node, case)
        settled = -2 * sum(self._sums[k] for k in node.layers)
        settled += 2 * sum(multiplier for _, multiplier in node.cuts)
        sides: dict[int, list[tuple[Ends, int]]] = {}
        for (net, other), side in case.sides.items():
            sides.setdefault(net, []).append(((board.source[other], target[other]), side))
        own = {
            net: self._path(net, prices[z], target[net], (), tolls.get(net, {}))
            for net, z in enumerate(board.layer)
            if z in prices and target[net] >= 0
        }
        paid = Paid(settled + sum(own.values()), self._matrices(prices, case), self._work)
        short = enough - paid.least() if sides else 0
        # Searches with few sides are short, and what they show may do.
        for net, passed in sorted(sides.items(), key=lambda item: len(item[1])):
            if short > 0 and net in own:
                known, k, toll = own[net], prices[board.layer[net]], tolls.get(net, {})
                heeded = tuple(passed[:MOST_SIDES])
                own[net] = self._path(net, k, target[net], heeded, toll, known + short)
                short -= own[net] - known
        return replace(paid, settled=settled + sum(own.values()))

    def _matrices(self, prices: dict[int, int], case: Case) -> list[list[list[int]]]:
        """Return what the lines of each class pay for its vias, by the prices of the layers."""
        board = self._board
        matrices: list[list[list[int]]] = []
        for span, rows in zip(board.classes, case.vias, strict=True):
            matrix: list[list[int]] = []
            nets = span.lower + span.upper
            # What a class on other layers has left to it must not matter to these.
            if not any(net >= 0 and board.layer[net] in prices for net in nets):
                rows = ()
            for row, left in enumerate(rows):
                self._work.add(len(span.vias))
                costs = [0 if via in left else UNREACHED for via in range(len(span.vias))]
                for net in (span.lower[row], span.upper[row]):
                    if len(left) > 1 and net >= 0 and board.layer[net] in prices:
                        reached = self._reach(net, prices[board.layer[net]], span)
                        costs = [
                            min(cost + more, UNREACHED)
                            for cost, more in zip(costs, reached, strict=True)
                        ]
                matrix.append(costs)
            matrices.append(matrix)
        return matrices

    def _tolls(self, node: Prices, case: Case) -> dict[int, Edges]:
        """Return what cuts pay each net per edge, in halves, once each cut is found valid."""
        board = self._board
        tolls: dict[int, Edges] = {}
        for k, multiplier in node.cuts:
            if k >= len(self._proof.cuts):
                raise Refused(f"there is no cut {k}")
            cut = self._proof.cuts[k]
            i, j = cut.nets
            self._work.add(len(board.layer) + 2 * sum(map(len, cut.edges)))
            ends = ends_of(board, case, i, j)
            z = board.layer[i]
            if z not in case.layers:
                raise Refused(f"cut {k} is not on a layer of its case")
            parity = curves_cross(*ends, board.width)
            for side in (0, 1):
                curve = edges_crossed(ends[1 - side], board.width)
                taken = edge_numbers(cut.edges[side])
                self._work.add(len(self._near))
                more = shift(ends[side], taken ^ curve, self._near, board.free[z])
                if more is None:
                    raise Refused(f"the edges of cut {k} are not those that a curve crosses")
                parity ^= more
            if not parity:
                raise Refused(f"the curves of cut {k} cross an even number of times")
            for net, edges in zip(cut.nets, cut.edges, strict=True):
                paid = tolls.setdefault(net, {})
                for edge in edge_numbers(edges):
                    paid[edge] = paid.get(edge, 0) + 2 * multiplier
        return tolls

    def _half(self, k: int, z: int) -> list[int]:
        """Return half of what each cell costs by prices ``k``, -1 if it is not free."""
        known = self._halves.get((k, z))
        if known is not None:
            return known
        free, prices = self._board.free[z], self._proof.prices[k]
        if len(prices) != len(free):
            raise Refused(f"prices {k} are not one for each cell")
        half = [
            self._unit + price if is_free else -1
            for price, is_free in zip(prices, free, strict=True)
        ]
        self._work.add(len(half))
        return self._halves.put((k, z), half, len(half))

    def _reach(self, net: int, k: int, span: SpanClass) -> list[int]:
        """Return what a net pays to come to each via of its class."""
        known = self._reached.get((net, k))
        if known is not None:
            return known
        half = self._half(k, self._board.layer[net])
        goals = frozenset(span.vias)
        source = self._board.source[net]
        cost = distances(self._near, half, 2 * self._unit, source, goals, work=self._work)
        reached = [min(cost[0][2 * via : 2 * via + 2]) for via in span.vias]
        return self._reached.put((net, k), reached, len(reached))

    def _path(
        self,
        net: int,
        k: int,
        target: int,
        sides: Sides,
        tolls: Edges,
        enough: int = UNREACHED,
    ) -> int:
        """Return the least that a settled net pays, or anything from ``enough`` up to it."""
        key = (net, k, target, sides, tuple(sorted(tolls.items())))
        known = self._paths.get(key)
        # A search that has stopped early knows less than one that may go on.
        if known is None or known[1] <= known[0] < enough:
            found = self._cheapest(net, k, target, sides, tolls, enough), enough
            known = self._paths.put(key, found, 8 + 3 * len(sides) + 2 * len(tolls))
        return known[0]

    def _cheapest(
        self,
        net: int,
        k: int,
        target: int,
        sides: Sides,
        tolls: Edges,
        enough: int,
    ) -> int:
        board, unit = self._board, self._unit
        half = self._half(k, board.layer[net])
        source = board.source[net]
        if not sides and not tolls:
            guide = self._rest(target)
            return cheapest(self._near, half, 2 * unit, source, target, guide, work=self._work)
        # Charged at the ends and taken off again, it keeps edges there above nothing.
        end_half = max(tolls.values(), default=0)
        # The search has an edge that pays more than it costs for nothing; a path takes it once.
        overpaid = 0
        self._work.add(len(tolls))
        for edge, toll in tolls.items():
            first, axis = divmod(edge, 2)
            pair = (first, first + (board.width if axis else 1))
            if pair[1] < len(half) and all(half[c] >= 0 or c in (source, target) for c in pair):
                overpaid += max(0, toll - sum(half[c] if half[c] >= 0 else end_half for c in pair))
        extra = 2 * end_half + overpaid
        key = (net, k, target, tuple(sorted(tolls.items())))
        guide = self._guides.get(key) or self._guides.put(
            key,
            guide_by_distances(
                distances(
                    self._near, half, 2 * unit, target, {source}, end_half, tolls, work=self._work
                ),
                2 * unit,
                target,
            ),
            2 * len(half) + 2 * len(tolls),
        )
        value = min(guide[0][2 * source : 2 * source + 2])
        if sides and value < UNREACHED:
            marks: Edges = {}
            want = 0
            for bit, (other, side) in enumerate(sides):
                want |= side << bit
                crossed = edges_crossed(other, board.width)
                self._work.add(len(crossed))
                for edge in crossed:
                    marks[edge] = marks.get(edge, 0) | 1 << bit
            value = cheapest(
                self._near, half, 2 * unit, source, target, guide, end_half, tolls, marks, want,
                min(enough + extra, UNREACHED), self._work,
            )  # fmt: skip
        return UNREACHED if value >= UNREACHED else value - extra

    def _rest(self, target: int) -> Guide:
        """Return the guide of paths to a target that have no sides and no tolls."""
        known = self._rests.get(target)
        if known is not None:
            return known
        size = self._board.height, self._board.width
        self._work.add(len(self._near))
        guide = guide_by_position(*size, target, 2 * self._unit, 2 * self._unit)
        return self._rests.put(target, guide, 2 * len(self._near))


def matching(matrix: list[list[int]], work: Work) -> int:
    """Return the least sum of one entry per row, each of another column."""
    if not matrix:
        return 0
    work.add(len(matrix) ** 2)
    finite = [cost for row in matrix for cost in row if cost < UNREACHED]
    forbidden = len(matrix) * max(finite, default=0) + 1
    if forbidden * (len(matrix) + 1) >= EXACT:
        raise Refused("prices are too large for an exact matching")
    costs = np.array([[min(cost, forbidden) for cost in row] for row in matrix], dtype=np.int64)
    rows, columns = linear_sum_assignment(costs.astype(np.float64))
    value = int(costs[rows, columns].sum())
    return UNREACHED if value >= forbidden else value


def forced(matrix: list[list[int]], row: int, column: int, work: Work) -> int:
    """Return the least such sum that has a given entry."""
    others = [
        [cost for j, cost in enumerate(line) if j != column]
        for i, line in enumerate(matrix)
        if i != row
    ]
    return min(UNREACHED, matrix[row][column] + matching(others, work))
