"""A group of calcudoku: cells that give a target by an operation."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from numplace.answer import Answer
from numplace.cell import Cell, in_reading_order
from numplace.constraints.base import Violation, show

OPERATIONS = "+-*/"
"""The operations, as the files write them."""


@dataclass(frozen=True)
class Arithmetic:
    """The numbers of ``cells``, in some order, give ``target`` by ``op``.

    ``+`` and ``*`` take all of them; with ``-`` one of them minus all the others is the
    target, with ``/`` one of them divided by the product of the others, exactly. Numbers may
    repeat.

    Parameters
    ----------
    label
        What the group is called in its file, such as ``A``; empty if nothing.
    """

    cells: tuple[Cell, ...]
    op: str
    target: int
    label: str = ""

    def holds(self, numbers: list[int]) -> bool:
        """Return whether these numbers, one of each cell, give the target."""
        if self.op == "+":
            return sum(numbers) == self.target
        if self.op == "*":
            return prod(numbers) == self.target
        if self.op == "-":  # One minus the others: twice the one is the sum and the target.
            return any(2 * one == sum(numbers) + self.target for one in numbers)
        return any(
            one == self.target * prod(numbers[:at] + numbers[at + 1 :]) and one != 0
            for at, one in enumerate(numbers)
        )

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether the target is missed."""
        cells = in_reading_order(self.cells)
        if self.holds([answer[cell] for cell in cells]):
            return []
        return [Violation(f"{self} does not hold: {show(cells, answer)}", cells)]

    def __str__(self) -> str:
        name = f"group {self.label}" if self.label else f"group at {self.cells[0]}"
        return f"{name} {self.target}{self.op}"
