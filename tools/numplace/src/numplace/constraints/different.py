"""Two cells that must not hold the same number, such as those a knight's move apart."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation, show


@dataclass(frozen=True)
class Different:
    """The numbers of ``a`` and ``b`` differ.

    Parameters
    ----------
    reason
        Why, in words, such as ``knight's move``.
    """

    a: Cell
    b: Cell
    reason: str = "different"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Both cells."""
        return self.a, self.b

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether they are equal."""
        if answer[self.a] != answer[self.b]:
            return []
        return [Violation(f"{self} does not hold: {show(self.cells, answer)}", self.cells)]

    def __str__(self) -> str:
        return f"{self.reason} {self.a} {self.b}"
