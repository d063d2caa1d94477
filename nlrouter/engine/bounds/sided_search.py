"""What a net's searches for walks that pass others as is settled have come to look for.

Most parities come out right by themselves. So a search heeds only some; of those that its walk gets
wrong one more is heeded, and it searches again. Now and then it tries to do without one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.sides import Name, Passage
from nlrouter.engine.paths.cheapest import INFINITE

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
    passed
        What is settled of them.
    heeded
        The names of the passages to heed from the start.
    radius
        How much more than they cost at least walks are looked for from the start.
    bonds
        ``(2, cells)`` bool each, the edges of the curves of nets that it is tied to.
    config
        Settings.

    Attributes
    ----------
    passed
        What is settled, those in covers last.
    radius
        How far walks are looked for by now.
    sheet_of
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
        passed: tuple[Passage, ...],
        heeded: frozenset[Name],
        radius: float,
        bonds: tuple[NDArray[np.bool_], ...],
        config: SidedSearchConfig,
    ) -> None:
        self.radius = radius
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
        self._config = config
        self._searches = 0
        for bit, passage in self._passages.items():
            if passage.turn is not None:
                self.sheet_of[bit] = self._place[passage.turn]

    def mark(self, marks: NDArray[np.int64]) -> None:
        """Fill ``(2, 2, cells)`` marks, see `Sought`."""
        marks[:] = 0
        for bit, passage in self._passages.items():
            marks |= passage.crossed.astype(np.int64) << bit
        for bit, crossed in zip(self.bits.tolist(), self._bonds, strict=True):
            marks |= crossed.astype(np.int64) << bit

    @property
    def heeded(self) -> frozenset[Name]:
        """The names of the passages that it has come to heed."""
        return frozenset(
            passage.name for bit, passage in self._passages.items() if self.active >> bit & 1
        )

    def allows(self, made: int) -> bool:
        """Return whether all parities are right; if not, one of them is heeded from now on."""
        wrong = (made ^ self.want) & self.settled
        if wrong:  # Others may come out right with it.
            self._heed((wrong & -wrong).bit_length() - 1)
        return not wrong

    def begin(self) -> None:
        """Search at other prices from now on; now and then, with one passage less, and nearer."""
        config = self._config
        self._searches += 1
        if self._searches % config.drop_every == 0:
            self._drop_one(self._searches // config.drop_every)
            nearer = config.nearer * min(self.radius, config.farthest)
            self.radius = max(nearer, config.radius)

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
        self.radius *= self._config.farther
        if self.radius > self._config.farthest:
            self.radius = INFINITE
        return False

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
