"""What a net of a part pays at some prices, for the check of a certificate.

Costs are in halves of the certificate's unit. What was found once is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.checker.certificate.board import Layers, SpanClass
from nlrouter.checker.certificate.curves import CoverCurve, Ends, Sides, edges_crossed
from nlrouter.checker.certificate.limits import Kept, Refused, Work
from nlrouter.checker.certificate.paths import (
    NO_MARKS,
    UNREACHED,
    Guide,
    Marks,
    Neighbours,
    Trip,
    cheapest,
    distances,
    guide_by_distances,
    guide_by_position,
)


@dataclass(frozen=True)
class PricedNet:
    """A net with settled ends, and what its paths pay.

    Parameters
    ----------
    net
        Its number.
    prices
        An index of the proof's prices.
    target
        The cell to come to.
    left
        Cells that it does without.
    """

    net: int
    prices: int
    target: int
    left: frozenset[int] = frozenset()


Toll = tuple[Ends, int, int]
"""The ends of another net, the side against it that costs nothing, and what the other one does."""


class Walks:
    """What the nets of a part pay.

    Parameters
    ----------
    board
        The part.
    prices
        The proof's.
    unit
        The certificate's.
    near
        The neighbours of each cell of a layer.
    work
        Counts the work.
    """

    def __init__(
        self,
        board: Layers,
        prices: tuple[tuple[int, ...], ...],
        unit: int,
        near: Neighbours,
        work: Work,
    ) -> None:
        self._board = board
        self._prices = prices
        self.bend = 2 * unit
        self._near = near
        self.work = work
        most = work.limits.kept
        self._halves: Kept[tuple[int, int], list[int]] = Kept(most)
        self._reached: Kept[tuple[int, int], list[int]] = Kept(most)
        self._rests: Kept[int, Guide] = Kept(most)
        self._guides: Kept[PricedNet, Guide] = Kept(most)
        self._paths: Kept[tuple[PricedNet, Sides, tuple[Toll, ...]], tuple[int, int]] = Kept(most)

    def reach(self, net: int, k: int, span: SpanClass) -> list[int]:
        """Return what a net pays, by prices ``k``, to come to each via of its class."""
        known = self._reached.get((net, k))
        if known is not None:
            return known
        half = self._half(k, self._board.layer[net])
        goals = frozenset(span.vias)
        source = self._board.source[net]
        cost = distances(self._near, half, self.bend, source, goals, work=self.work)
        reached = [min(cost[0][2 * via : 2 * via + 2]) for via in span.vias]
        return self._reached.put((net, k), reached, len(reached))

    def path(
        self,
        priced: PricedNet,
        sides: Sides = (),
        tolls: tuple[Toll, ...] = (),
        enough: int = UNREACHED,
    ) -> int:
        """Return the least that a net pays for some sides, or anything from ``enough`` up to it.

        Parameters
        ----------
        priced
            The net.
        sides
            The sides that are settled.
        tolls
            What it pays for others.
        enough
            From here on it does not matter.
        """
        key = priced, sides, tolls
        known = self._paths.get(key)
        # A search that has stopped early knows less than one that may go on.
        if known is None or known[1] <= known[0] < enough:
            found = self._cheapest(*key, enough), enough
            size = 8 + 3 * len(sides) + 4 * len(tolls) + len(priced.left)
            known = self._paths.put(key, found, size)
        return known[0]

    def _cheapest(
        self, priced: PricedNet, sides: Sides, tolls: tuple[Toll, ...], enough: int
    ) -> int:
        half = self._half_for(priced)
        if not sides and not tolls:
            return cheapest(self._trip(priced, half), self._rest(priced.target))
        guide = self._guided(priced, half)
        source = self._board.source[priced.net]
        value = min(guide[0][2 * source : 2 * source + 2])
        if value < UNREACHED:
            marks, want = self._marks((*sides, *((ends, side) for ends, side, _ in tolls)))
            paid = [*(UNREACHED for _ in sides), *(toll for _, _, toll in tolls)]
            value = cheapest(self._trip(priced, half, marks), guide, want, paid, enough)
        return min(value, UNREACHED)

    def _trip(self, priced: PricedNet, half: list[int], marks: Marks = NO_MARKS) -> Trip:
        """Return a net's way, with what it is charged."""
        source = self._board.source[priced.net]
        return Trip(self._near, half, self.bend, source, priced.target, marks, self.work)

    def _half_for(self, priced: PricedNet) -> list[int]:
        """Return half of what each cell costs a net, -1 where it cannot be."""
        half = self._half(priced.prices, self._board.layer[priced.net])
        if not priced.left:
            return half
        self.work.add(len(half))
        return [-1 if cell in priced.left else cost for cell, cost in enumerate(half)]

    def _half(self, k: int, z: int) -> list[int]:
        """Return half of what each cell costs by prices ``k``, -1 if it is not free."""
        known = self._halves.get((k, z))
        if known is not None:
            return known
        free, prices = self._board.free[z], self._prices[k]
        if len(prices) != len(free):
            raise Refused(f"prices {k} are not one for each cell")
        unit = self.bend // 2
        half = [
            unit + price if is_free else -1 for price, is_free in zip(prices, free, strict=True)
        ]
        self.work.add(len(half))
        return self._halves.put((k, z), half, len(half))

    def _guided(self, priced: PricedNet, half: list[int]) -> Guide:
        """Return what searches for a net with sides are guided by."""
        known = self._guides.get(priced)
        if known is not None:
            return known
        source, target = self._board.source[priced.net], priced.target
        back = distances(self._near, half, self.bend, target, {source}, work=self.work)
        return self._guides.put(priced, guide_by_distances(back, self.bend), 2 * len(half))

    def _marks(self, sides: Sides) -> tuple[Marks, int]:
        """Return what edges change, and the parities wanted of it."""
        edges: dict[int, int] = {}
        sheeted: dict[int, list[tuple[int, int, int]]] = {}
        rays: dict[int, int] = {}
        place = {curve: bit for bit, (curve, _) in enumerate(sides)}
        want = 0
        for bit, (curve, side) in enumerate(sides):
            want |= side << bit
            if isinstance(curve, CoverCurve):
                rays[bit] = place[curve.ray]
                for sheet, crossed in enumerate(curve.crossed):
                    self.work.add(len(crossed))
                    for edge in crossed:
                        sheeted.setdefault(edge, []).append((rays[bit], sheet, 1 << bit))
                continue
            crossed = edges_crossed(curve, self._board.width)
            self.work.add(len(crossed))
            for edge in crossed:
                edges[edge] = edges.get(edge, 0) | 1 << bit
        return Marks(edges, sheeted, rays), want

    def _rest(self, target: int) -> Guide:
        """Return the guide of paths to a target that have no sides."""
        known = self._rests.get(target)
        if known is not None:
            return known
        size = self._board.height, self._board.width
        self.work.add(len(self._near))
        guide = guide_by_position(*size, target, self.bend, self.bend)
        return self._rests.put(target, guide, 2 * len(self._near))
