"""A house: cells that hold each number from 1 to their count exactly once."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell, in_reading_order, name_cells
from numplace.constraints.base import Violation


@dataclass(frozen=True)
class House:
    """A row, column, block, diagonal or any group of cells.

    Parameters
    ----------
    cells
        n different cells, which hold 1 to n.
    kind
        ``row``, ``column``, ``block``, ``diagonal`` or ``group``.
    number
        Which of its kind, from 1; of rows and columns that of the whole grid.
    part
        The part of the puzzle it belongs to, such as ``frame 2``; empty if there is only one.
    """

    cells: tuple[Cell, ...]
    kind: str
    number: int
    part: str = ""

    @property
    def size(self) -> int:
        """How many cells it has, which is the largest number it holds."""
        return len(self.cells)

    def broken(self, answer: Answer) -> list[Violation]:
        """Return the numbers that stand there twice, and those that are out of range."""
        places: dict[int, list[Cell]] = {}
        for cell in in_reading_order(self.cells):
            places.setdefault(answer[cell], []).append(cell)
        wrong = []
        for number, cells in places.items():
            if not 1 <= number <= self.size:
                text = f"{self} has {number} at {name_cells(cells)}, more than 1 to {self.size}"
                wrong.append(Violation(text, tuple(cells)))
            elif len(cells) > 1:
                text = f"{self} has {number} at {name_cells(cells)}"
                wrong.append(Violation(text, tuple(cells)))
        return wrong

    def __str__(self) -> str:
        return f"{self.kind} {self.number}" + (f" of {self.part}" if self.part else "")
