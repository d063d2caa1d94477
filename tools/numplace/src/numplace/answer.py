"""A number for each cell of a puzzle, and its form as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from numplace.cell import Cell

Answer: TypeAlias = Mapping[Cell, int]
"""The number of each cell."""

Rows: TypeAlias = Sequence[Sequence[int | None]]
"""The same by rows and columns from 0; None where there is no number."""


def to_rows(numbers: Answer, width: int, height: int) -> list[list[int | None]]:
    """Return numbers as ``height`` rows of ``width`` each."""
    return [[numbers.get(Cell(x, y)) for x in range(width)] for y in range(height)]


def from_rows(rows: Rows) -> dict[Cell, int]:
    """Return the numbers of rows, without the places that have none."""
    return {
        Cell(x, y): number
        for y, row in enumerate(rows)
        for x, number in enumerate(row)
        if number is not None
    }
