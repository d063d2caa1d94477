"""What text grids and one-line grids cannot express."""

from __future__ import annotations

from numplace.files.cannot_say import CannotSay
from numplace.puzzle import Puzzle
from numplace.shapes import frame

SIDES = {"text": (3,), "lines": (2, 3, 4, 5)}
"""The sides of the blocks of the grids that the formats can hold."""


def refuse_others(puzzle: Puzzle, format: str) -> None:
    """Raise `CannotSay` unless a puzzle is a plain grid of a size that a format has."""
    sides = {side**2: side for side in SIDES[format]}
    side = sides.get(puzzle.width)
    if side is None or len(puzzle.cells) != puzzle.width * puzzle.width:
        raise CannotSay(f"{format} has grids of {', '.join(map(str, sides))} rows only")
    wanted = {frozenset(house.cells) for house in frame(side, side)}
    for constraint in puzzle.constraints:
        if constraint not in puzzle.houses or frozenset(constraint.cells) not in wanted:
            raise CannotSay(f"{format} has no way to say: {constraint}", constraint)
    if {frozenset(house.cells) for house in puzzle.houses} != wanted:
        raise CannotSay(f"{format} has grids with all rows, columns and blocks only")
