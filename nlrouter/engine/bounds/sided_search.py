"""A net's cheapest walks that pass others as is settled, at prices that change.

Most parities come out right by themselves. So a search heeds only some; of those that its walk gets
wrong one more is heeded, and it searches again. Now and then it tries to do without one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.sided_guide import GROUP_BITS
from nlrouter.engine.bounds.sided_paths import (
    Found,
    Sought,
    edges_back,
    left_of_walk,
    search_sides,
)
from nlrouter.engine.bounds.sides import Name, Passage
from nlrouter.engine.paths.cheapest import INFINITE, Ground

MOST_BITS = 40
"""Passages of one net that are settled; with six bonds and a cell of 360x360 they fit into 63
bits."""


@dataclass(frozen=True)
class SidedSearchConfig:
    """Settings of a net's searches."""

    drop_every: int = 3
    """Searches after which one tries to do with less; mostly a parity has to be taken back."""
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
    free
        ``(2, cells)`` bool each, the edges of curves that are told apart, the last one's bit the
        lowest of a combination.
    cells
        Cells of its layer.
    config
        Settings.

    Attributes
    ----------
    passed
        What is settled, bit by bit, those in covers last.
    radius
        How far walks are looked for by now.
    """

    def __init__(
        self,
        source: int,
        passed: tuple[Passage, ...],
        heeded: frozenset[Name],
        radius: float,
        free: tuple[NDArray[np.bool_], ...],
        cells: int,
        config: SidedSearchConfig,
    ) -> None:
        self.radius = radius
        self._source = source
        self.passed = sorted(passed, key=lambda passage: passage.turn is not None)
        self._place = {passage.name: bit for bit, passage in enumerate(self.passed)}
        self._active = sum(1 << bit for name, bit in self._place.items() if name in heeded)
        self._free = free
        self._cells = cells
        self._config = config
        self._searches = 0
        self._known: dict[int, Sought] = {}

    @property
    def heeded(self) -> frozenset[Name]:
        """The names of the passages that it has come to heed."""
        return frozenset(
            passage.name for bit, passage in enumerate(self.passed) if self._active >> bit & 1
        )

    def allows(self, edges: NDArray[np.int32], stride: int) -> bool:
        """Return whether a walk has all parities right; if not, one of them is heeded from now on.

        Parameters
        ----------
        edges
            Its edges in order, ``axis * cells + first cell``.
        stride
            Cells per framed row.
        """
        if not self.passed:
            return True
        settled = (1 << len(self.passed)) - 1
        wanted = self._sought(settled)
        left = settled & left_of_walk(
            edges, self._source, wanted.marks, wanted.sheet_of, wanted.want, stride
        )
        if left:  # Others may come out right with it.
            self._heed((left & -left).bit_length() - 1)
        return not left

    def begin(self) -> None:
        """Search at other prices from now on; now and then, with one passage less, and nearer."""
        config = self._config
        self._searches += 1
        if self._searches % config.drop_every == 0:
            self._drop_one(self._searches // config.drop_every)
            nearer = config.nearer * min(self.radius, config.farthest)
            self.radius = max(nearer, config.radius)

    def search(self, target: int, ground: Ground, most: float = INFINITE) -> Found:
        """Find the cheapest walks to a target for each combination of the free parities.

        ``most`` is how much more than the cheapest of all they cost at the most to be of interest.
        """
        sought = self._sought(self._active)
        # The guide is exact for what a single group of parities is wanted of.
        exact = sought.plain == sought.settled <= GROUP_BITS and not self._free
        radius = 0.0 if exact else min(self.radius, most)
        found: Found = search_sides(self._source, target, sought, radius, ground)
        return found

    def taken(self, found: Found, combination: int, stride: int) -> NDArray[np.int32] | None:
        """Return the edges of the walk of a combination, none where there is no walk.

        None where it may not be the cheapest that is to be had: the search has to look farther, or
        to heed one more passage, from now on.
        """
        end = found.ends[combination]
        if end < 0:
            if found.costs[combination] < INFINITE and self.radius < INFINITE:
                self.radius *= self._config.farther
                if self.radius > self._config.farthest:
                    self.radius = INFINITE
                return None
            return np.empty(0, np.int32)
        edges: NDArray[np.int32] = edges_back(end, found, self._cells)
        return edges if not found.complete or self.allows(edges, stride) else None

    def walk(self, target: int, ground: Ground) -> tuple[float, NDArray[np.int32]]:
        """Find the cheapest walk to a target; return its cost and edges.

        The cost is `INFINITE` where there is none. A search that comes to `MOST_STATES` returns
        what every walk costs at least, and the start of one.
        """
        self.begin()
        while True:
            found = self.search(target, ground)
            edges = self.taken(found, 0, ground.stride)
            if edges is not None:
                return float(found.costs[0]), edges

    def _heed(self, bit: int) -> None:
        """Heed a passage from now on, and the turn that it supposes."""
        self._active |= 1 << bit
        if (turn := self.passed[bit].turn) is not None:
            self._active |= 1 << self._place[turn]

    def _drop_one(self, count: int) -> None:
        """Do without one passage, another for each ``count``, if no other supposes it."""
        active = [bit for bit in range(len(self.passed)) if self._active >> bit & 1]
        turns = {self.passed[bit].turn for bit in active}
        if active and self.passed[bit := active[count % len(active)]].name not in turns:
            self._active &= ~(1 << bit)

    def _sought(self, active: int) -> Sought:
        """Return what a search takes that heeds some passages alone: a bit set."""
        if active not in self._known:
            heeded = [each for bit, each in enumerate(self.passed) if active >> bit & 1]
            place = {passage.name: bit for bit, passage in enumerate(heeded)}
            marks = np.zeros((2, 2, self._cells), np.int64)
            sheet_of = np.zeros(max(len(heeded), 1), np.int64)
            for bit, passage in enumerate(heeded):
                marks |= passage.crossed.astype(np.int64) << bit
                if passage.turn is not None:
                    sheet_of[bit] = place[passage.turn]
            for bit, crossed in enumerate(reversed(self._free), len(heeded)):
                marks |= crossed.astype(np.int64) << bit
            plain = sum(passage.turn is None for passage in heeded)
            want = sum(passage.parity << bit for bit, passage in enumerate(heeded))
            self._known[active] = Sought(marks, sheet_of, len(heeded), plain, want, len(self._free))
        return self._known[active]
