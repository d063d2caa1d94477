"""What follows for the candidates of cells without assuming anything.

Works by singles, hidden singles and the consistency of relations between two cells; it is not
meant to be told to people (see `numplace.logic` for that), only to decide quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from numplace.cell import Cell
from numplace.constraints import (
    Different,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Thermometer,
)
from numplace.puzzle import Puzzle

Candidates = dict[Cell, int]
"""Of each cell a mask; bit v is set if the cell may hold v."""

RELATIONS: dict[type, Callable[[int, int], bool]] = {
    Less: lambda a, b: a < b,
    LessEqual: lambda a, b: a <= b,
    Joint: lambda a, b: abs(a - b) == 1,
    NotJoint: lambda a, b: abs(a - b) >= 2,
    Different: lambda a, b: a != b,
}
"""What the constraints on two cells demand of their numbers."""


@dataclass(frozen=True)
class Contradiction:
    """Why there is no answer: a cell without candidates, or a house without a place."""

    cells: tuple[Cell, ...]


def narrowed(puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with the domains that deduction leaves; None if it finds no answer."""
    deduction = Deduction(puzzle)
    candidates = deduction.start()
    if deduction.settle(candidates, puzzle.cells) is not None:
        return None
    return left_of(puzzle, candidates)


def left_of(puzzle: Puzzle, candidates: Candidates) -> Puzzle:
    """Return a puzzle whose domains are these candidates."""
    domains = {cell: tuple(numbers_of(mask)) for cell, mask in candidates.items()}
    return replace(puzzle, domains=domains)


class Deduction:
    """The rules of one puzzle, made ready for repeated use."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        size = puzzle.largest
        self._houses = [(house.cells, house.size) for house in puzzle.houses]
        self.peers: dict[Cell, set[Cell]] = {cell: set() for cell in puzzle.cells}
        self.arcs: dict[Cell, list[tuple[Cell, list[int]]]] = {c: [] for c in puzzle.cells}
        self._houses_of: dict[Cell, list[int]] = {cell: [] for cell in puzzle.cells}
        for index, (cells, _) in enumerate(self._houses):
            for cell in cells:
                self.peers[cell].update(other for other in cells if other != cell)
                self._houses_of[cell].append(index)
        for constraint in puzzle.constraints:
            links = constraint.links if isinstance(constraint, Thermometer) else (constraint,)
            for link in links:
                self._add_link(link, size)
        self.complete = all(
            isinstance(each, Parity | Thermometer) or type(each) in RELATIONS
            for each in set(puzzle.constraints) - set(puzzle.houses)
        )
        """Whether it looks at all constraints, so that single candidates make an answer."""

    def start(self) -> Candidates:
        """Return the candidates that domains, givens and parity leave."""
        candidates = {
            cell: sum(1 << v for v in domain if v >= 0)
            for cell, domain in self.puzzle.domains.items()
        }
        for cell, number in self.puzzle.givens.items():
            candidates[cell] &= 1 << number
        for cells, size in self._houses:
            for cell in cells:
                candidates[cell] &= (2 << size) - 2
        for constraint in self.puzzle.constraints:
            if isinstance(constraint, Parity):
                kind = sum(1 << v for v in range(constraint.odd, self.puzzle.largest + 1, 2))
                candidates[constraint.cell] &= kind
        return candidates

    def marks(self) -> dict[Cell, tuple[int, ...]]:
        """Return the candidates of the empty cells that the givens around them leave."""
        candidates = self.start()
        for cell, number in self.puzzle.givens.items():
            for peer in self.peers[cell]:
                candidates[peer] &= ~(1 << number)
        return {
            cell: tuple(numbers_of(mask))
            for cell, mask in candidates.items()
            if cell not in self.puzzle.givens
        }

    def settle(self, candidates: Candidates, changed: Iterable[Cell]) -> Contradiction | None:
        """Strike candidates in place until nothing more follows.

        Parameters
        ----------
        changed
            The cells that lost candidates since it was settled last; all at first.
        """
        todo = set(changed)
        while todo:
            touched = set()
            while todo:
                cell = todo.pop()
                touched.add(cell)
                mask = candidates[cell]
                if not mask:
                    return Contradiction((cell,))
                if mask & (mask - 1) == 0:
                    for peer in self.peers[cell]:
                        if candidates[peer] & mask:
                            candidates[peer] &= ~mask
                            todo.add(peer)
                for other, supports in self.arcs[cell]:
                    allowed = 0
                    for value, support in enumerate(supports):
                        if mask >> value & 1:
                            allowed |= support
                    if candidates[other] & ~allowed:
                        candidates[other] &= allowed
                        todo.add(other)
            for index in {house for cell in touched for house in self._houses_of[cell]}:
                cells, size = self._houses[index]
                once, twice = 0, 0
                for cell in cells:
                    twice |= once & candidates[cell]
                    once |= candidates[cell]
                if once != (2 << size) - 2:
                    return Contradiction(cells)
                single = once & ~twice
                for cell in cells:
                    mask = candidates[cell] & single
                    if mask and mask != candidates[cell]:
                        if mask & (mask - 1):
                            return Contradiction((cell,))
                        candidates[cell] = mask
                        todo.add(cell)
        return None

    def _add_link(self, link: object, size: int) -> None:
        relation = RELATIONS.get(type(link))
        if relation is None:
            return
        a, b = link.a, link.b  # type: ignore[attr-defined]
        if isinstance(link, Different) and a != b:
            self.peers[a].add(b)
            self.peers[b].add(a)
            return
        values = range(size + 1)
        self.arcs[a].append((b, [sum(1 << w for w in values if relation(v, w)) for v in values]))
        self.arcs[b].append((a, [sum(1 << w for w in values if relation(w, v)) for v in values]))


def numbers_of(mask: int) -> Iterator[int]:
    """Yield the numbers of a mask, ascending."""
    return (number for number in range(mask.bit_length()) if mask >> number & 1)


def is_single(mask: int) -> bool:
    """Return whether a cell has exactly one candidate."""
    return mask != 0 and mask & (mask - 1) == 0
