"""What stays the same while a puzzle is solved: its cells, houses, clues, and who sees whom.

Cells are numbered in reading order from 0 here; sets of cells are bit sets (`bitset`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from numplace.cell import Cell
from numplace.constraints import Cage, Constraint, Different, House, Less, LessEqual, Thermometer
from numplace.logic.bitset import bitset, members
from numplace.naming import constraint_names
from numplace.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Line:
    """Cells no two of which hold the same number.

    Parameters
    ----------
    name, kind
        As of the constraint; the kind of a cage is ``cage``.
    cells, bits
        Its cells, in the constraint's order, and as a set.
    digits
        The set of numbers that it holds, each once, if it is a house; 0 if it is not.
    """

    name: str
    kind: str
    cells: tuple[int, ...]
    bits: int
    digits: int


@dataclass(frozen=True, slots=True)
class Clue:
    """A constraint that is no house, with its name and its cells."""

    name: str
    constraint: Constraint
    cells: tuple[int, ...]
    bits: int


@dataclass(frozen=True, slots=True)
class Gap:
    """What inequalities and thermometers say of two cells: one is so much larger at least.

    Parameters
    ----------
    least
        The difference, 0 if they may be equal.
    names
        The clues that say so, from the smaller cell to the larger.
    """

    least: int
    names: tuple[str, ...]


class Topology:
    """The unchanging side of a puzzle.

    Attributes
    ----------
    houses
        The houses, in the order of the file.
    lines
        The houses, and the cages whose numbers differ.
    clues
        All that is neither a house nor two cells that differ.
    peers
        For each cell the set of those that cannot hold the same number.
    clued
        The cells that something else than houses reads.
    memory
        What a technique has worked out for some cells and their candidates.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.cells: tuple[Cell, ...] = puzzle.cells
        self.index = {cell: number for number, cell in enumerate(self.cells)}
        self.domains = tuple(bitset(puzzle.domains[cell]) for cell in self.cells)
        self.lines: list[Line] = []
        self.clues: list[Clue] = []
        self.peers = [0] * len(self.cells)
        self._different: dict[tuple[int, int], str] = {}
        for name, constraint in zip(constraint_names(puzzle), puzzle.constraints, strict=True):
            self._add(name, constraint)
        self.houses = [line for line in self.lines if line.digits]
        self.houses_of: list[list[Line]] = [[] for _ in self.cells]
        for house in self.houses:
            for cell in house.cells:
                self.houses_of[cell].append(house)
        self.clued = bitset(
            [*(cell for clue in self.clues for cell in clue.cells), *chain(*self._different)]
        )
        self.memory: dict[Hashable, dict[int, int]] = {}
        self.joining = lru_cache(maxsize=1 << 16)(self._joining)

    def _add(self, name: str, constraint: Constraint) -> None:
        cells = tuple(self.index[cell] for cell in constraint.cells)
        bits = bitset(cells)
        if isinstance(constraint, House):
            digits = bitset(range(1, len(cells) + 1))
            self._add_line(Line(name, constraint.kind, cells, bits, digits))
            return
        if isinstance(constraint, Different):
            a, b = cells
            self.peers[a] |= 1 << b
            self.peers[b] |= 1 << a
            self._different[min(a, b), max(a, b)] = name
            return
        if isinstance(constraint, Cage) and constraint.distinct and len(cells) > 1:
            self._add_line(Line(name, "cage", cells, bits, 0))
        self.clues.append(Clue(name, constraint, cells, bits))

    def _add_line(self, line: Line) -> None:
        self.lines.append(line)
        for cell in line.cells:
            self.peers[cell] |= line.bits & ~(1 << cell)

    @cached_property
    def gaps(self) -> dict[tuple[int, int], Gap]:
        """The gap of each two cells, smaller one first, that signs join, directly or not."""
        gaps: dict[tuple[int, int], Gap] = {}
        for clue in self.clues:
            constraint = clue.constraint
            if not isinstance(constraint, (Less, LessEqual, Thermometer)):
                continue
            frozen = isinstance(constraint, LessEqual)
            if isinstance(constraint, Thermometer):
                frozen = constraint.frozen
            for a, b in pairwise(clue.cells):
                _widen(gaps, a, b, Gap(0 if frozen else 1, (clue.name,)))
        for middle in range(len(self.cells)):
            before = [(a, gap) for (a, b), gap in gaps.items() if b == middle]
            after = [(b, gap) for (a, b), gap in gaps.items() if a == middle]
            for a, first in before:
                for b, second in after:
                    if a != b:
                        names = tuple(dict.fromkeys(first.names + second.names))
                        _widen(gaps, a, b, Gap(first.least + second.least, names))
        return gaps

    def _joining(self, a: int, b: int) -> tuple[str, bool]:
        """Return what makes two cells differ, and whether that is a house."""
        both = 1 << a | 1 << b
        for line in self.lines:
            if line.bits & both == both:
                return line.name, bool(line.digits)
        return self._different[min(a, b), max(a, b)], False

    def seen_by_all(self, cells: int) -> int:
        """Return the cells that differ from each of a set that is not empty."""
        seen = -1
        for cell in members(cells):
            seen &= self.peers[cell]
        return seen

    def links(self, pairs: Iterable[tuple[int, int]]) -> tuple[list[str], list[str]]:
        """Return houses, and clues, that make the cells of each pair differ; each once."""
        houses: dict[str, None] = {}
        clues: dict[str, None] = {}
        for a, b in pairs:
            name, is_house = self.joining(a, b)
            (houses if is_house else clues)[name] = None
        return list(houses), list(clues)

    def houses_with(self, cells: int) -> list[Line]:
        """Return the houses that hold all cells of a set."""
        return [house for house in self.houses if house.bits & cells == cells]

    def lines_with(self, cells: int) -> list[Line]:
        """Return the houses and cages that hold all cells of a set."""
        return [line for line in self.lines if line.bits & cells == cells]

    @property
    def all_names(self) -> tuple[list[str], list[str]]:
        """The names of all houses, and of all other constraints."""
        houses = [house.name for house in self.houses]
        clues = [clue.name for clue in self.clues]
        return houses, [*clues, *self._different.values()]

    def named(self, cells: Iterable[int]) -> tuple[Cell, ...]:
        """Return the cells of numbers, in reading order."""
        return tuple(self.cells[cell] for cell in sorted(cells))


def _widen(gaps: dict[tuple[int, int], Gap], a: int, b: int, gap: Gap) -> None:
    """Note a gap unless a larger one, or as large a one by fewer clues, is known."""
    known = gaps.get((a, b))
    if known is None or (gap.least, -len(gap.names)) > (known.least, -len(known.names)):
        gaps[a, b] = gap
