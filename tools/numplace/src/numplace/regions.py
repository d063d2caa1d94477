"""Sets of cells that hang together from edge to edge."""

from __future__ import annotations

from collections.abc import Iterable

from numplace.cell import Cell, in_reading_order


def near(cell: Cell) -> list[Cell]:
    """Return the four neighbours of a cell, in the grid or outside."""
    return [cell.moved(1, 0), cell.moved(-1, 0), cell.moved(0, 1), cell.moved(0, -1)]


def pieces(cells: Iterable[Cell]) -> list[tuple[Cell, ...]]:
    """Return the pieces that cells fall into, each in reading order."""
    found = []
    left = sorted(cells)
    while left:
        piece = [left.pop(0)]
        for cell in piece:
            joined = [each for each in left if each in near(cell)]
            piece += joined
            left = [each for each in left if each not in joined]
        found.append(in_reading_order(piece))
    return found


def connected(cells: Iterable[Cell]) -> bool:
    """Tell whether cells are one piece."""
    return len(pieces(cells)) == 1
