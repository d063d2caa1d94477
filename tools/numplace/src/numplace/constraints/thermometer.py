"""A thermometer: numbers that grow from its bulb."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation, show
from numplace.constraints.pair import Less, LessEqual


@dataclass(frozen=True)
class Thermometer:
    """Numbers grow from the bulb on; if ``frozen``, they only do not shrink.

    Parameters
    ----------
    cells
        From the bulb on; they need not touch.
    """

    cells: tuple[Cell, ...]
    frozen: bool = False

    @property
    def links(self) -> tuple[Less | LessEqual, ...]:
        """The same as a chain of inequalities."""
        link = LessEqual if self.frozen else Less
        return tuple(link(a, b) for a, b in pairwise(self.cells))

    def broken(self, answer: Answer) -> list[Violation]:
        """Return each two neighbours that stand the wrong way round."""
        return [
            Violation(f"{self} does not hold: {show(link.cells, answer)}", link.cells)
            for link in self.links
            if link.broken(answer)
        ]

    def __str__(self) -> str:
        return f"{'frozen ' * self.frozen}thermometer from {self.cells[0]}"
