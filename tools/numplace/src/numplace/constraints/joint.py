"""Joints between two cells: consecutive numbers, or numbers that must not be."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation, show


@dataclass(frozen=True)
class Joint:
    """The numbers of ``a`` and ``b`` differ by exactly 1."""

    a: Cell
    b: Cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Both cells."""
        return self.a, self.b

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether they are not consecutive."""
        if abs(answer[self.a] - answer[self.b]) == 1:
            return []
        return [Violation(f"{self} does not hold: {show(self.cells, answer)}", self.cells)]

    def __str__(self) -> str:
        return f"joint {self.a} {self.b}"


@dataclass(frozen=True)
class NotJoint:
    """The numbers of ``a`` and ``b`` differ by 2 or more; equal ones do not."""

    a: Cell
    b: Cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Both cells."""
        return self.a, self.b

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether they are consecutive or equal."""
        if abs(answer[self.a] - answer[self.b]) >= 2:
            return []
        return [Violation(f"{self} does not hold: {show(self.cells, answer)}", self.cells)]

    def __str__(self) -> str:
        return f"no joint {self.a} {self.b}"
