"""What nets and lines pay at some prices, for the check of a certificate.

Costs are in halves of the certificate's unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from minilsap import linear_sum_assignment

from nlrouter.certificate import PartProof, Prices
from nlrouter.checker.certificate.board import Case, Layers, targets_of
from nlrouter.checker.certificate.bonds import tolls_of
from nlrouter.checker.certificate.covers import Covers
from nlrouter.checker.certificate.curves import (
    CoverCurve,
    Ends,
    ray_from,
)
from nlrouter.checker.certificate.limits import Refused, Work
from nlrouter.checker.certificate.paths import UNREACHED, Neighbours
from nlrouter.checker.certificate.walks import PricedNet, Walks

EXACT = 2**53
"""Whole numbers below it are exact in the matching, which is in floating point."""


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
    """What the nets and lines of a part pay.

    Parameters
    ----------
    board
        The part.
    proof
        The proof that names prices.
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
        self._near = near
        self._work = work
        self._sums = [sum(prices) for prices in proof.prices]
        self.covers = Covers(board, near, work)
        self._walks = Walks(board, proof.prices, unit, near, work)

    def paid(self, node: Prices, case: Case, enough: int = UNREACHED) -> Paid:
        """Return what nets and lines pay; the prices are in ``settled``.

        Sides are looked at only until all together is ``enough``.
        """
        board = self._board
        self._work.add(len(board.layer) + case.size)
        target = targets_of(board, case)
        if len(node.layers) != len(case.layers):
            raise Refused("a node has not prices for each layer")
        if any(k >= len(self._proof.prices) for k in node.layers):
            raise Refused("a node names prices that are not there")
        prices = dict(zip(case.layers, node.layers, strict=True))
        settled = -2 * sum(self._sums[k] for k in node.layers)
        sides = self._sides(case, target)
        left: dict[int, frozenset[int]] = {}
        for net, cell in case.left:
            left[net] = left.get(net, frozenset()) | {cell}
        priced = {
            net: PricedNet(net, prices[z], target[net], left.get(net, frozenset()))
            for net, z in enumerate(board.layer)
            if z in prices and target[net] >= 0
        }
        own = {net: self._walks.path(asked) for net, asked in priced.items()}
        tolls, anyhow = tolls_of(board, case, node.bonds, self._work)
        settled += anyhow
        paid = Paid(settled + sum(own.values()), self._matrices(prices, case), self._work)
        due = {net: (tuple(sides.get(net, ())), tolls.get(net, ())) for net in {*sides, *tolls}}
        short = enough - paid.least() if due else 0

        # Searches with few sides are short, and what they show may do.
        for net, asked in sorted(due.items(), key=lambda item: (sum(map(len, item[1])), item[0])):
            if short > 0 and net in own:
                known = own[net]
                own[net] = self._walks.path(priced[net], *asked, known + short)
                short -= own[net] - known
        return replace(paid, settled=settled + sum(own.values()))

    def _sides(
        self, case: Case, target: list[int]
    ) -> dict[int, list[tuple[Ends | CoverCurve, int]]]:
        """Return the curves that nets are to cross, each net's with how often, evenly or oddly."""
        board = self._board
        sides: dict[int, list[tuple[Ends | CoverCurve, int]]] = {}
        for (net, other), side in case.sides.items():
            sides.setdefault(net, []).append(((board.source[other], target[other]), side))
        for (net, cell), turn in case.turns.items():
            sides.setdefault(net, []).append((ray_from(cell, board.width), turn))
        for (net, other, cell), side in case.covers.items():
            drawn = self.covers.draw(case, other, net, cell)
            assert drawn is not None
            sides.setdefault(net, []).append((drawn[0], side))
        return sides

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
                        reached = self._walks.reach(net, prices[board.layer[net]], span)
                        costs = [
                            min(cost + more, UNREACHED)
                            for cost, more in zip(costs, reached, strict=True)
                        ]
                matrix.append(costs)
            matrices.append(matrix)
        return matrices


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
