"""The houses of the usual shapes: squares without blocks, and frames with them."""

from __future__ import annotations

from collections.abc import Iterable

from numplace.cell import Cell
from numplace.constraints.house import House

ORIGIN = Cell(0, 0)
"""The top left cell."""


def square(
    size: int, corner: Cell = ORIGIN, *, diagonals: bool = False, part: str = ""
) -> list[House]:
    """Return rows and columns of a Latin square, and both diagonals if asked for.

    Parameters
    ----------
    size
        Cells of a side.
    corner
        The top left cell.
    part
        What it is called in a puzzle of several parts, such as ``frame 2``.
    """
    line = range(size)
    houses = [
        House(tuple(corner.moved(x, y) for x in line), "row", corner.y + y + 1, part) for y in line
    ]
    houses += [
        House(tuple(corner.moved(x, y) for y in line), "column", corner.x + x + 1, part)
        for x in line
    ]
    if diagonals:
        houses += diagonals_of(size, corner, part)
    return houses


def frame(
    block_width: int,
    block_height: int,
    corner: Cell = ORIGIN,
    *,
    diagonals: bool = False,
    part: str = "",
) -> list[House]:
    """Return rows, columns and blocks of a grid, and both diagonals if asked for.

    The side is ``block_width * block_height``; ``block_height`` blocks lie side by side and
    ``block_width`` on top of each other.
    """
    size = block_width * block_height
    houses = square(size, corner, part=part)
    for number in range(size):
        left, top = number % block_height * block_width, number // block_height * block_height
        cells = tuple(
            corner.moved(left + x, top + y) for y in range(block_height) for x in range(block_width)
        )
        houses.append(House(cells, "block", number + 1, part))
    if diagonals:
        houses += diagonals_of(size, corner, part)
    return houses


def diagonals_of(size: int, corner: Cell, part: str = "") -> list[House]:
    """Return the two diagonals, the one from the top left first."""
    return [
        House(tuple(corner.moved(i, i) for i in range(size)), "diagonal", 1, part),
        House(tuple(corner.moved(size - 1 - i, i) for i in range(size)), "diagonal", 2, part),
    ]


def without_repeats(houses: Iterable[House]) -> list[House]:
    """Return the houses without those whose cells are all those of an earlier one."""
    first: dict[tuple[Cell, ...], House] = {}
    for house in houses:
        first.setdefault(tuple(sorted(house.cells)), house)
    return list(first.values())
