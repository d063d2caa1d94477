"""A sandwich sum: what stands between the smallest and the largest number of a line."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation


@dataclass(frozen=True)
class Sandwich:
    """A line holds one ``low`` and one ``high``, and what is strictly between sums to ``sum``.

    Parameters
    ----------
    cells
        The cells of the line, in order.
    kind
        ``row`` or ``column``.
    number
        Which of its kind, from 1.
    """

    cells: tuple[Cell, ...]
    sum: int
    kind: str
    number: int
    low: int = 1
    high: int = 9

    def broken(self, answer: Answer) -> list[Violation]:
        """Return a wrong sum, or ends that are missing or there twice."""
        numbers = [answer[cell] for cell in self.cells]
        for end in (self.low, self.high):
            if numbers.count(end) != 1:
                text = f"{self} has {numbers.count(end)} cells with {end}"
                return [Violation(text, self.cells)]
        first, last = sorted((numbers.index(self.low), numbers.index(self.high)))
        inside = sum(numbers[first + 1 : last])
        if inside == self.sum:
            return []
        return [Violation(f"{self} has {inside} in between", self.cells[first : last + 1])]

    def __str__(self) -> str:
        return f"sandwich of {self.kind} {self.number} with sum {self.sum}"
