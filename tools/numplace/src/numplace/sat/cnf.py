"""Clauses in the making, with the share of each part of a puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations

from numplace.cell import Cell

MOST_PAIRED = 9
"""Literals of which each two are forbidden, as many as a line of the usual grid has cells."""


class Cnf:
    """A growing formula.

    Attributes
    ----------
    clauses
        Lists of literals: variables from 1, negative where negated.
    holds
        The variable of each cell and value of its domain.
    clauses_of, variables_of
        How many came from each part.
    """

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []
        self.variables = 0
        self.holds: dict[tuple[Cell, int], int] = {}
        self.domains: dict[Cell, tuple[int, ...]] = {}
        self.clauses_of: Counter[str] = Counter()
        self.variables_of: Counter[str] = Counter()
        self._part = ""

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what is added meanwhile as that part's."""
        before, self._part = self._part, name
        self.clauses_of.setdefault(name, 0)
        self.variables_of.setdefault(name, 0)
        yield
        self._part = before

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        self.variables_of[self._part] += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(list(literals))
        self.clauses_of[self._part] += 1

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Forbid each two of some literals; of many, in parts that share a variable."""
        while len(literals) > MOST_PAIRED:
            # If it is true, then none of the first, else none of the others.
            none = self.new()
            self.at_most_one([*literals[: MOST_PAIRED // 2], none])
            literals = [-none, *literals[MOST_PAIRED // 2 :]]
        for a, b in combinations(literals, 2):
            self.add(-a, -b)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """Demand one of some literals and forbid two."""
        self.add(*literals)
        self.at_most_one(literals)
