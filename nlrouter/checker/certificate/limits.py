"""What the check of a certificate may cost, whoever wrote it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar


class Refused(Exception):
    """A certificate that proves nothing of the board, with the reason."""


class TooLong(Refused):
    """A certificate whose check would take longer than it may."""


@dataclass(frozen=True)
class CheckLimits:
    """Limits of a check; the certificates of contest boards stay far below."""

    visits: int = 10**5
    """Nodes that a part's tree may have, those in several cases counted for each."""
    depth: int = 200
    """Longest way from the root of a tree to a leaf."""
    steps: int = 2 * 10**8
    """Cells, edges and choices looked at in all: two minutes or so. The dearest certificate seen,
    of 36x36x8 with 400 lines after 60 s, takes more than a third of it."""
    steps_per_cell: int = 20
    """Steps more for each net and each cell of its layer: on a board beyond the contest's, prices
    alone take half of that."""
    checks: int = 10**5
    """Lemmas and cores of a part, those in several cases counted for each; one takes some tenths
    of a millisecond on the largest boards."""
    clauses: int = 5 * 10**6
    """Clauses of all cases, counts and lemmas of a part's cores, and literals of the latter."""
    kept: int = 2 * 10**6
    """Numbers kept of each kind that may be asked for again, some 80 MB; then the keeping begins
    anew."""


class Work:
    """Counts the work of a check.

    Parameters
    ----------
    limits
        Its limits.
    size
        Nets times cells of a layer.
    """

    def __init__(self, limits: CheckLimits, size: int = 0) -> None:
        self.limits = limits
        self.done = 0
        self._most = limits.steps + limits.steps_per_cell * size

    def add(self, steps: int) -> None:
        """Count some steps.

        Raises
        ------
        Refused
            If they are too many by now.
        """
        self.done += steps
        if self.done > self._most:
            raise TooLong(f"its check takes more than {self._most} steps")


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """What was found once, kept within a limit: all is forgotten where it would get too much.

    Parameters
    ----------
    limit
        Numbers that may be kept.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._numbers = 0
        self._values: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Return what is kept, if anything is."""
        return self._values.get(key)

    def put(self, key: K, value: V, numbers: int) -> V:
        """Keep a value that, with its key, holds so many numbers; return it."""
        if self._numbers + numbers > self._limit:
            self._values.clear()
            self._numbers = 0
        self._values[key] = value
        self._numbers += numbers
        return value
