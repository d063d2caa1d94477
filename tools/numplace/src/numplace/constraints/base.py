"""What all constraints have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from numplace.answer import Answer
from numplace.cell import Cell


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong with an answer.

    Parameters
    ----------
    text
        What, in words that name the cells.
    cells
        The cells it is about, in reading order.
    """

    text: str
    cells: tuple[Cell, ...]


class Constraint(Protocol):
    """Something that must hold among the numbers of some cells."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells whose numbers it reads."""

    def broken(self, answer: Answer) -> list[Violation]:
        """Return what is wrong with an answer that has a number for each of its cells."""

    def __str__(self) -> str:
        """Name it as a person would: ``row 3``, ``r1c1 < r1c2``."""


def show(cells: Iterable[Cell], answer: Answer) -> str:
    """Return cells with their numbers for a message: ``r1c1=3, r1c2=5``."""
    return ", ".join(f"{cell}={answer[cell]}" for cell in cells)
