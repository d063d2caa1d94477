"""The commonest puzzles: one grid with blocks, or one Latin square."""

from __future__ import annotations

from collections.abc import Mapping

from numplace.cell import Cell
from numplace.origin import Origin
from numplace.puzzle import Puzzle, make_puzzle
from numplace.shapes import frame, square


def plain_puzzle(
    givens: Mapping[Cell, int] | None = None,
    block_width: int = 3,
    block_height: int = 3,
    origin: Origin | None = None,
) -> Puzzle:
    """Return a grid with rows, columns and blocks; 9x9 by default."""
    return make_puzzle(frame(block_width, block_height), givens, origin=origin)


def latin_square(
    size: int, givens: Mapping[Cell, int] | None = None, origin: Origin | None = None
) -> Puzzle:
    """Return a grid with rows and columns only."""
    return make_puzzle(square(size), givens, origin=origin)
