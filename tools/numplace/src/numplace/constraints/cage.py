"""A cage of killer sudoku: cells with a sum."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell, in_reading_order
from numplace.constraints.base import Violation, show


@dataclass(frozen=True)
class Cage:
    """The numbers of ``cells`` sum to ``sum``, and all differ if ``distinct``.

    Parameters
    ----------
    number
        Which cage, from 1; 0 if cages have no numbers.
    """

    cells: tuple[Cell, ...]
    sum: int
    distinct: bool = True
    number: int = 0

    def broken(self, answer: Answer) -> list[Violation]:
        """Return a wrong sum, and numbers that stand there twice."""
        cells = in_reading_order(self.cells)
        numbers = [answer[cell] for cell in cells]
        wrong = []
        if sum(numbers) != self.sum:
            text = f"{self} sums to {sum(numbers)}: {show(cells, answer)}"
            wrong.append(Violation(text, cells))
        if self.distinct and len(set(numbers)) < len(numbers):
            twice = tuple(cell for cell in cells if numbers.count(answer[cell]) > 1)
            text = f"{self} has a number twice: {show(twice, answer)}"
            wrong.append(Violation(text, twice))
        return wrong

    def __str__(self) -> str:
        name = f"cage {self.number}" if self.number else f"cage at {self.cells[0]}"
        return f"{name} with sum {self.sum}"
