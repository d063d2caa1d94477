"""Odd or even."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation, show


@dataclass(frozen=True)
class Parity:
    """The number of ``cell`` is odd, or else even."""

    cell: Cell
    odd: bool

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The one cell."""
        return (self.cell,)

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether the number is of the other kind."""
        if answer[self.cell] % 2 == self.odd:
            return []
        return [Violation(f"{self} does not hold: {show(self.cells, answer)}", self.cells)]

    def __str__(self) -> str:
        return f"{self.cell} {'odd' if self.odd else 'even'}"
