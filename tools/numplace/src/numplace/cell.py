"""The place of a number: column and row, both from 0."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_NAME = re.compile(r"r([1-9][0-9]{0,3})c([1-9][0-9]{0,3})", re.ASCII)


class Cell(NamedTuple):
    """A cell; ``x`` counts columns to the right and ``y`` rows downwards, from 0.

    Its text is the name that people use, with rows and columns from 1: ``r3c9``.
    """

    x: int
    y: int

    def __str__(self) -> str:
        return f"r{self.y + 1}c{self.x + 1}"

    def moved(self, right: int, down: int) -> Cell:
        """Return the cell so far to the right and down, which need not be in any puzzle."""
        return Cell(self.x + right, self.y + down)


def parse_cell(name: str) -> Cell:
    """Return the cell of a name such as ``r3c9``.

    Raises
    ------
    ValueError
        If it is no such name.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is not the name of a cell, such as r3c9")
    return Cell(int(match[2]) - 1, int(match[1]) - 1)


def reading_order(cell: Cell) -> tuple[int, int]:
    """Return the key that sorts cells by rows, then columns."""
    return cell.y, cell.x


def in_reading_order(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the cells by rows, then columns."""
    return tuple(sorted(cells, key=reading_order))


def name_cells(cells: Iterable[Cell]) -> str:
    """Return names for a message: ``r1c1, r1c2``."""
    return ", ".join(map(str, cells))
