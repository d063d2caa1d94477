"""Inequality signs between two cells."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation, show


@dataclass(frozen=True)
class Less:
    """The number of ``a`` is smaller than that of ``b``."""

    a: Cell
    b: Cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Both cells."""
        return self.a, self.b

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether the numbers stand the wrong way round."""
        if answer[self.a] < answer[self.b]:
            return []
        return [Violation(f"{self} does not hold: {show(self.cells, answer)}", self.cells)]

    def __str__(self) -> str:
        return f"{self.a} < {self.b}"


@dataclass(frozen=True)
class LessEqual:
    """The number of ``a`` is at most that of ``b``."""

    a: Cell
    b: Cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Both cells."""
        return self.a, self.b

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether the numbers stand the wrong way round."""
        if answer[self.a] <= answer[self.b]:
            return []
        return [Violation(f"{self} does not hold: {show(self.cells, answer)}", self.cells)]

    def __str__(self) -> str:
        return f"{self.a} <= {self.b}"
