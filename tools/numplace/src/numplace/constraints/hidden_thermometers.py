"""Thermometers whose shapes are known, but not where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation


@dataclass(frozen=True)
class HiddenThermometers:
    """Each shape lies somewhere, neither turned nor mirrored, and no two share a cell.

    Numbers grow strictly from the bulb on.

    Parameters
    ----------
    cells
        All cells among which the shapes lie.
    shapes
        Of each the offsets ``(right, down)`` from its bulb, the bulb's (0, 0) first.
    """

    cells: tuple[Cell, ...]
    shapes: tuple[tuple[tuple[int, int], ...], ...]

    def placements(self, shape: tuple[tuple[int, int], ...]) -> list[tuple[Cell, ...]]:
        """Return all ways to lay a shape, each as its cells from the bulb on."""
        inside = set(self.cells)
        ways = [tuple(bulb.moved(*offset) for offset in shape) for bulb in self.cells]
        return [way for way in ways if inside.issuperset(way)]

    def broken(self, answer: Answer) -> list[Violation]:
        """Return whether the shapes have no place together."""
        ways = []
        for number, shape in enumerate(self.shapes, start=1):
            rising = [
                frozenset(way)
                for way in self.placements(shape)
                if all(answer[a] < answer[b] for a, b in pairwise(way))
            ]
            if not rising:
                return [Violation(f"hidden thermometer {number} lies nowhere", ())]
            ways.append(rising)
        # The shape with the fewest places first: failures show early.
        if _fits(sorted(ways, key=len), frozenset()):
            return []
        return [Violation(f"{self} cannot lie apart", ())]

    def __str__(self) -> str:
        return f"the {len(self.shapes)} hidden thermometers"


def _fits(ways: list[list[frozenset[Cell]]], taken: frozenset[Cell]) -> bool:
    """Return whether one way of each can be chosen such that no two share a cell."""
    if not ways:
        return True
    return any(_fits(ways[1:], taken | way) for way in ways[0] if not taken & way)
