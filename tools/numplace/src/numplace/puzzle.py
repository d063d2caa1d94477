"""A puzzle: cells, the numbers each may hold, and what must hold among them. Knows no format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from numplace.cell import Cell, in_reading_order
from numplace.constraints.base import Constraint
from numplace.constraints.house import House
from numplace.origin import Origin


@dataclass(frozen=True)
class Puzzle:
    """A puzzle of any kind.

    Parameters
    ----------
    width, height
        Size of the smallest rectangle from (0, 0) that holds all cells, in cells.
    cells
        In reading order. Places of the rectangle that are not among them are *outside*.
    domains
        For each cell the numbers that it may hold by itself, ascending; givens do not
        narrow them.
    constraints
        What an answer must fulfil beside domains and givens. The order is that of the file.
    givens
        Numbers that an answer must repeat.
    """

    width: int
    height: int
    cells: tuple[Cell, ...]
    domains: Mapping[Cell, tuple[int, ...]]
    constraints: tuple[Constraint, ...]
    givens: Mapping[Cell, int] = field(default_factory=dict)
    origin: Origin = field(default=Origin(), compare=False)

    @property
    def houses(self) -> tuple[House, ...]:
        """The constraints that are houses."""
        return tuple(each for each in self.constraints if isinstance(each, House))

    @property
    def largest(self) -> int:
        """The largest number that any cell may hold."""
        return max((numbers[-1] for numbers in self.domains.values() if numbers), default=0)

    def with_givens(self, givens: Mapping[Cell, int]) -> Puzzle:
        """Return the same puzzle with other givens."""
        return replace(self, givens=dict(givens))

    def with_constraints(self, more: Iterable[Constraint]) -> Puzzle:
        """Return the same puzzle with further constraints."""
        return replace(self, constraints=(*self.constraints, *more))


def make_puzzle(
    constraints: Iterable[Constraint],
    givens: Mapping[Cell, int] | None = None,
    *,
    cells: Iterable[Cell] | None = None,
    domains: Mapping[Cell, tuple[int, ...]] | None = None,
    origin: Origin | None = None,
) -> Puzzle:
    """Return a puzzle whose cells and domains follow from its houses.

    Parameters
    ----------
    constraints
        All constraints. The domain of a cell is 1 to the size of its smallest house.
    givens
        Numbers that are there from the start.
    cells
        The cells; by default those of all houses.
    domains
        The domains of all cells, where they do not follow from houses.
    """
    constraints = tuple(constraints)
    smallest: dict[Cell, int] = {}
    for house in constraints:
        if isinstance(house, House):
            for cell in house.cells:
                smallest[cell] = min(len(house.cells), smallest.get(cell, len(house.cells)))
    if domains is None:
        domains = {cell: tuple(range(1, size + 1)) for cell, size in smallest.items()}
    ordered = in_reading_order(set(domains if cells is None else cells))
    return Puzzle(
        width=max((cell.x + 1 for cell in ordered), default=0),
        height=max((cell.y + 1 for cell in ordered), default=0),
        cells=ordered,
        domains={cell: domains[cell] for cell in ordered},
        constraints=constraints,
        givens=dict(givens or {}),
        origin=origin or Origin(),
    )
