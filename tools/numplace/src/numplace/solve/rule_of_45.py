"""Sums that follow from cages and houses: what a region's cages leave over, inside or outside.

A house of n cells sums to n (n + 1) / 2, 45 in the usual grid. The cages inside some houses leave
cells whose sum is known, the *innies*; so do the cells that cages around them have outside, the
*outies*. A search that knows each cage alone would have to find that out by trial.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, groupby
from operator import attrgetter

from numplace.cell import Cell, in_reading_order
from numplace.constraints import Arithmetic, Cage
from numplace.puzzle import Puzzle


@dataclass(frozen=True)
class TotalsConfig:
    """Which sums are worth their clauses."""

    most_houses: int = 4
    """Houses of a region: half of the usual grid, whose other half says the same."""
    most_cells: int = 6
    """Cells of a sum: more have too many ways to tell anything."""


def with_totals(puzzle: Puzzle, config: TotalsConfig | None = None) -> Puzzle:
    """Return a puzzle with the sums added that follow from its cages and houses."""
    config = config or TotalsConfig()
    sums = {
        frozenset(each.cells): each.sum if isinstance(each, Cage) else each.target
        for each in puzzle.constraints
        if isinstance(each, Cage) or (isinstance(each, Arithmetic) and each.op == "+")
    }
    found: dict[frozenset[Cell], int] = {}
    together = {frozenset(pair) for house in puzzle.houses for pair in combinations(house.cells, 2)}
    for region, total in _regions(puzzle, config.most_houses) if sums else ():
        for cells, left in _left_over(region, total, sums):
            if 0 < len(cells) <= config.most_cells and cells not in sums:
                found.setdefault(cells, left)
    return puzzle.with_constraints(
        Cage(
            in_reading_order(cells),
            total,
            distinct=all(frozenset(pair) in together for pair in combinations(cells, 2)),
        )
        for cells, total in found.items()
    )


def _regions(puzzle: Puzzle, most: int) -> Iterator[tuple[frozenset[Cell], int]]:
    """Yield one house, and some of a kind that follow one another and share no cell, with sums."""
    kind = attrgetter("kind", "part")
    for _, group in groupby(sorted(puzzle.houses, key=kind), kind):
        houses = [(frozenset(house.cells), house.size * (house.size + 1) // 2) for house in group]
        for first in range(len(houses)):
            region, total = houses[first]
            yield region, total
            for cells, more in houses[first + 1 : first + most]:
                if region & cells:
                    break
                region, total = region | cells, total + more
                yield region, total


def _left_over(
    region: frozenset[Cell], total: int, sums: dict[frozenset[Cell], int]
) -> Iterator[tuple[frozenset[Cell], int]]:
    """Yield the cells that cages leave over inside of a region, and outside, with their sums."""
    inside, left = region, total
    around, whole = frozenset[Cell](), 0
    for cells, amount in sums.items():
        if cells <= inside:
            inside, left = inside - cells, left - amount
        if cells & region and not cells & around:
            around, whole = around | cells, whole + amount
    yield inside, left
    if region <= around:
        yield around - region, whole - total
