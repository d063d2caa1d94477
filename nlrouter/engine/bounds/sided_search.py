"""A net's cheapest walks that pass others as is settled, at prices that change.

Most parities come out right by themselves. So a search heeds only some; of those that its walk gets
wrong one more is heeded, and it searches again. Now and then it tries to do without one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.sided_paths import Sought, left_of_walk, search_sides
from nlrouter.engine.bounds.sides import Name, Passage
from nlrouter.engine.paths.cheapest import INFINITE, Ground

MOST_BITS = 44
"""Passages that one net's search tells apart; with the place they fit into 62 bits."""

DROP_EVERY = 3
"""Searches after which one tries to do without a parity; it mostly has to take it back."""


class SidedSearch:
    """The searches of one net.

    Parameters
    ----------
    source
        Where its walks begin.
    passed
        What is settled of them: one passage at least.
    heeded
        The names of the passages to heed from the start.
    """

    def __init__(self, source: int, passed: tuple[Passage, ...], heeded: frozenset[Name]) -> None:
        self._source = source
        # Bit by bit, those in covers last.
        self._passed = sorted(passed, key=lambda passage: passage.turn is not None)
        self._place = {passage.name: bit for bit, passage in enumerate(self._passed)}
        self._active = sum(1 << bit for name, bit in self._place.items() if name in heeded)
        self._searches = 0
        self._known: dict[int, Sought] = {}

    @property
    def heeded(self) -> frozenset[Name]:
        """The names of the passages that it has come to heed."""
        return frozenset(passage.name for passage in self.heeding)

    @property
    def heeding(self) -> tuple[Passage, ...]:
        """The passages that it heeds, those in covers last."""
        return tuple(each for bit, each in enumerate(self._passed) if self._active >> bit & 1)

    def allows(self, edges: NDArray[np.int32], stride: int) -> bool:
        """Return whether a walk has all parities right; if not, one of them is heeded from now on.

        Parameters
        ----------
        edges
            Its edges in order, ``axis * cells + first cell``.
        stride
            Cells per framed row.
        """
        wanted = self._sought((1 << len(self._passed)) - 1)
        left = left_of_walk(
            edges, len(edges), self._source, wanted.marks, wanted.sheet_of, wanted.want, stride
        )
        if left:  # Others may come out right with it.
            self._heed((left & -left).bit_length() - 1)
        return not left

    def begin(self) -> None:
        """Search at other prices from now on; now and then, without one of the passages heeded."""
        self._searches += 1
        if self._searches % DROP_EVERY == 0:
            self._drop_one(self._searches // DROP_EVERY)

    def walk(self, target: int, ground: Ground) -> tuple[float, NDArray[np.int32]]:
        """Find the cheapest walk to a target; return its cost and edges.

        The cost is `INFINITE` where there is none. A search that comes to `MOST_STATES` returns
        what every walk costs at least, and the start of one.
        """
        self.begin()
        edges = np.empty(len(ground.free), np.int32)
        while True:
            sought = self._sought(self._active)
            cost, count, complete = search_sides(self._source, target, sought, ground, edges)
            if cost >= INFINITE:
                return INFINITE, edges[:0]
            if not complete or self.allows(edges[:count], ground.stride):
                return cost, edges[:count].copy()

    def _heed(self, bit: int) -> None:
        """Heed a passage from now on, and the turn that it supposes."""
        self._active |= 1 << bit
        if (turn := self._passed[bit].turn) is not None:
            self._active |= 1 << self._place[turn]

    def _drop_one(self, count: int) -> None:
        """Do without one passage, another for each ``count``, if no other supposes it."""
        active = [bit for bit in range(len(self._passed)) if self._active >> bit & 1]
        turns = {self._passed[bit].turn for bit in active}
        if active and self._passed[bit := active[count % len(active)]].name not in turns:
            self._active &= ~(1 << bit)

    def _sought(self, active: int) -> Sought:
        """Return what a search takes that heeds some passages alone: a bit set."""
        if active not in self._known:
            heeded = [each for bit, each in enumerate(self._passed) if active >> bit & 1]
            place = {passage.name: bit for bit, passage in enumerate(heeded)}
            marks = np.zeros((2, 2, self._passed[0].crossed.shape[-1]), np.int64)
            sheet_of = np.zeros(max(len(heeded), 1), np.int64)
            for bit, passage in enumerate(heeded):
                marks |= passage.crossed.astype(np.int64) << bit
                if passage.turn is not None:
                    sheet_of[bit] = place[passage.turn]
            plain = sum(passage.turn is None for passage in heeded)
            want = sum(passage.parity << bit for bit, passage in enumerate(heeded))
            self._known[active] = Sought(marks, sheet_of, len(heeded), plain, want)
        return self._known[active]
