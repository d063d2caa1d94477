"""A net's cheapest walks that pass others as is settled, at prices that change.

Most parities come out right by themselves. So a search heeds only some; of those that its walk gets
wrong one more is heeded, and it searches again. Now and then it tries to do without one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.sided_guide import GROUP_BITS
from nlrouter.engine.bounds.sided_paths import Found, Sought, edges_back, made_by, search_sides
from nlrouter.engine.bounds.sides import Name, Passage
from nlrouter.engine.paths.cheapest import INFINITE, Ground

MOST_BITS = 34
"""Passages of one net that are settled; with twelve bonds and a cell of 360x360 they fit into 63
bits."""


@dataclass(frozen=True)
class SidedSearchConfig:
    """Settings of a net's searches."""

    drop_every: int = 3
    """Searches after which one tries to do with less; mostly a parity has to be taken back."""
    guided: int = 3
    """Bonds, those of the highest tolls, that the guide of a search knows."""
    radius: float = 4.0
    """How much more than it costs at least a walk is looked for at first."""
    farther: float = 1.4
    """How many times as far it is looked for where that was too little: each step is dear."""
    nearer: float = 0.9
    """How many times as far it is looked for when one tries to do with less."""
    farthest: float = 500.0
    """From here on all walks are looked for."""


class SidedSearch:
    """The searches of one net.

    Parameters
    ----------
    source
        Where its walks begin.
    passed
        What is settled of them.
    heeded
        The names of the passages to heed from the start.
    radius
        How much more than they cost at least walks are looked for from the start.
    bonds
        ``(2, cells)`` bool each, the edges of the curves of nets that it is tied to.
    cells
        Cells of its layer.
    config
        Settings.

    Attributes
    ----------
    passed
        What is settled, those in covers last.
    radius
        How far walks are looked for by now.
    marks, sheet_of
        See `Sought`. A bit for each passage that is in no cover, then for each bond, then for the
        other passages.
    bits
        ``(bonds,)`` those of the bonds.
    plain, settled, want
        The bits of the passages that are in no cover, of all passages, and their wanted parities.
    active
        The bits of the passages that are heeded by now.
    """

    def __init__(
        self,
        source: int,
        passed: tuple[Passage, ...],
        heeded: frozenset[Name],
        radius: float,
        bonds: tuple[NDArray[np.bool_], ...],
        cells: int,
        config: SidedSearchConfig,
    ) -> None:
        self.radius = radius
        self._source = source
        self.passed = sorted(passed, key=lambda passage: passage.turn is not None)
        plain = sum(passage.turn is None for passage in passed)
        self.bits = plain + np.arange(len(bonds))
        places = [k if k < plain else k + len(bonds) for k in range(len(passed))]
        self._passages = dict(zip(places, self.passed, strict=True))
        self._place = {passage.name: bit for bit, passage in self._passages.items()}
        self.plain = (1 << plain) - 1
        self.settled = sum(1 << bit for bit in places)
        self.want = sum(passage.parity << bit for bit, passage in self._passages.items())
        self.active = sum(1 << self._place[name] for name in heeded if name in self._place)
        self.sheet_of = np.zeros(len(passed) + len(bonds), np.int64)
        self._bonds = bonds
        self._cells = cells
        self.config = config
        self._searches = 0
        for bit, passage in self._passages.items():
            if passage.turn is not None:
                self.sheet_of[bit] = self._place[passage.turn]

    @cached_property
    def marks(self) -> NDArray[np.int64]:
        """``(2, 2, cells)``, see `Sought`."""
        marks = np.zeros((2, 2, self._cells), np.int64)
        for bit, passage in self._passages.items():
            marks |= passage.crossed.astype(np.int64) << bit
        for bit, crossed in zip(self.bits.tolist(), self._bonds, strict=True):
            marks |= crossed.astype(np.int64) << bit
        return marks

    @property
    def heeded(self) -> frozenset[Name]:
        """The names of the passages that it has come to heed."""
        return frozenset(
            passage.name for bit, passage in self._passages.items() if self.active >> bit & 1
        )

    def made(self, edges: NDArray[np.int32], stride: int) -> int:
        """Return the parities that a walk makes, of all bits.

        Parameters
        ----------
        edges
            Its edges in order, ``axis * cells + first cell``.
        stride
            Cells per framed row.
        """
        return int(made_by(edges, self._source, self.marks, self.sheet_of, stride))

    def allows(self, made: int) -> bool:
        """Return whether all parities are right; if not, one of them is heeded from now on."""
        wrong = (made ^ self.want) & self.settled
        if wrong:  # Others may come out right with it.
            self._heed((wrong & -wrong).bit_length() - 1)
        return not wrong

    def begin(self) -> None:
        """Search at other prices from now on; now and then, with one passage less, and nearer."""
        config = self.config
        self._searches += 1
        if self._searches % config.drop_every == 0:
            self._drop_one(self._searches // config.drop_every)
            nearer = config.nearer * min(self.radius, config.farthest)
            self.radius = max(nearer, config.radius)

    def search(
        self, target: int, ground: Ground, tolls: NDArray[np.float64], most: float = INFINITE
    ) -> Found:
        """Find the cheapest walk to a target.

        Parameters
        ----------
        target, ground
            Where to, and what cells cost.
        tolls
            ``(bonds,)`` what the walk pays for an odd number of crossings with each curve; less
            than 0 where it is paid.
        most
            How much more than the cheapest of all it costs at the most to be of interest.
        """
        row = np.zeros(len(tolls), np.intp)
        own = toll_bits(tolls, row, self.bits, 1, self.config.guided)
        heeded = self.active | int(own.heeded[0])
        guided = self.active & self.plain | int(own.guided[0])
        limits = np.full(len(self.sheet_of), INFINITE)
        limits[self.bits] = np.abs(tolls)
        sought = Sought(
            self.marks, self.sheet_of, heeded, guided, self.want | int(own.paid[0]), limits, 0
        )
        radius = 0.0 if exact(heeded, guided) else min(self.radius, most)
        found: Found = search_sides(self._source, target, sought, radius, ground)
        return found

    def taken(self, found: Found, stride: int) -> NDArray[np.int32] | None:
        """Return the edges of the walk that was found, none where there is no walk.

        None where it may not be the cheapest that is to be had, see `accepts`.
        """
        end = found.ends[0]
        edges: NDArray[np.int32] = np.empty(0, np.int32)
        made = self.want
        if end >= 0:
            edges = edges_back(end, found, self._cells)
            made = self.made(edges, stride) if found.complete else made
        return edges if self.accepts(float(found.costs[0]), end >= 0, made) else None

    def accepts(self, cost: float, ended: bool, made: int) -> bool:
        """Return whether what was found is the cheapest that is to be had.

        If not, the search has to look farther, or to heed one more passage, from now on.

        Parameters
        ----------
        cost, ended
            Of the cheapest walk at least, and whether there is one.
        made
            The parities that it makes.
        """
        if ended:
            return self.allows(made)
        if cost >= INFINITE or self.radius >= INFINITE:
            return True
        self.radius *= self.config.farther
        if self.radius > self.config.farthest:
            self.radius = INFINITE
        return False

    def walk(
        self, target: int, ground: Ground, tolls: NDArray[np.float64] | None = None
    ) -> tuple[float, NDArray[np.int32], int]:
        """Find the cheapest walk to a target; return its cost, edges, and the states looked at.

        The cost is `INFINITE` where there is none. A search that comes to `MOST_STATES` returns
        what every walk costs at least, and the start of one.
        """
        self.begin()
        return self.go_on(target, ground, np.zeros(len(self.bits)) if tolls is None else tolls)

    def go_on(
        self, target: int, ground: Ground, tolls: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.int32], int]:
        """Find the cheapest walk at the prices that it has begun at; see `walk`."""
        looked = 0
        while True:
            found = self.search(target, ground, tolls)
            looked += found.looked
            edges = self.taken(found, ground.stride)
            if edges is not None:
                return float(found.costs[0]), edges, looked

    def _heed(self, bit: int) -> None:
        """Heed a passage from now on, and the turn that it supposes."""
        self.active |= 1 << bit
        if (turn := self._passages[bit].turn) is not None:
            self.active |= 1 << self._place[turn]

    def _drop_one(self, count: int) -> None:
        """Do without one passage, another for each ``count``, if no other supposes it."""
        active = [bit for bit in self._passages if self.active >> bit & 1]
        turns = {self._passages[bit].turn for bit in active}
        if active and self._passages[bit := active[count % len(active)]].name not in turns:
            self.active &= ~(1 << bit)


class TollBits(NamedTuple):
    """What the tolls of some nets ask of their searches: a set of bits for each net."""

    heeded: NDArray[np.int64]
    """The curves with a toll."""
    guided: NDArray[np.int64]
    """Those of the highest tolls, which the guide knows."""
    paid: NDArray[np.int64]
    """Those for whose crossing a net is paid."""


def toll_bits(
    tolls: NDArray[np.float64],
    rows: NDArray[np.intp],
    bits: NDArray[np.int64],
    nets: int,
    most: int,
) -> TollBits:
    """Return what tolls ask for.

    Parameters
    ----------
    tolls, rows, bits
        ``(ties,)`` what is paid for an odd number of crossings with a curve, by which net, one net
        after the other, and the curve's bit.
    nets, most
        How many nets there are, and how many curves each one's guide knows of these.
    """
    found = TollBits(*(np.zeros(nets, np.int64) for _ in range(3)))
    if not len(tolls):
        return found
    sets = np.where(tolls != 0.0, np.int64(1) << bits, 0)
    order = np.lexsort((-np.abs(tolls), rows))
    starts = np.searchsorted(rows, rows)
    highest = order[np.arange(len(order)) - starts < most]
    np.add.at(found.heeded, rows, sets)
    np.add.at(found.guided, rows[highest], sets[highest])
    np.add.at(found.paid, rows, np.where(tolls < 0.0, sets, 0))
    return found


def exact(heeded: int, guided: int) -> bool:
    """Return whether a guide is exact: for what a single group of parities is wanted of."""
    return heeded == guided and guided.bit_count() <= GROUP_BITS
