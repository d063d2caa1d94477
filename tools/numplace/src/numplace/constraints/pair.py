"""Relations between the numbers of two cells: signs, joints, or just that they differ."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation, show


@dataclass(frozen=True)
class Pair:
    """What all of them have in common; each says when it holds, and its name."""

    a: Cell
    b: Cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Both cells."""
        return self.a, self.b

    def _holds(self, a: int, b: int) -> bool:
        """Return whether the numbers are as they must be."""
        raise NotImplementedError

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether it does not hold."""
        if self._holds(answer[self.a], answer[self.b]):
            return []
        return [Violation(f"{self} does not hold: {show(self.cells, answer)}", self.cells)]


class Less(Pair):
    """The number of ``a`` is smaller than that of ``b``."""

    def _holds(self, a: int, b: int) -> bool:
        return a < b

    def __str__(self) -> str:
        return f"{self.a} < {self.b}"


class LessEqual(Pair):
    """The number of ``a`` is at most that of ``b``."""

    def _holds(self, a: int, b: int) -> bool:
        return a <= b

    def __str__(self) -> str:
        return f"{self.a} <= {self.b}"


class Joint(Pair):
    """The numbers of ``a`` and ``b`` differ by exactly 1."""

    def _holds(self, a: int, b: int) -> bool:
        return abs(a - b) == 1

    def __str__(self) -> str:
        return f"joint {self.a} {self.b}"


class NotJoint(Pair):
    """The numbers of ``a`` and ``b`` differ by 2 or more; equal ones do not."""

    def _holds(self, a: int, b: int) -> bool:
        return abs(a - b) >= 2

    def __str__(self) -> str:
        return f"no joint {self.a} {self.b}"


@dataclass(frozen=True)
class Different(Pair):
    """The numbers of ``a`` and ``b`` differ, for a reason in words such as ``knight's move``."""

    reason: str = "different"

    def _holds(self, a: int, b: int) -> bool:
        return a != b

    def __str__(self) -> str:
        return f"{self.reason} {self.a} {self.b}"
