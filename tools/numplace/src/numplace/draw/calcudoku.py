"""The picture of a calcudoku, line by line as its document draws it."""

from __future__ import annotations

from numplace.answer import Answer
from numplace.cell import Cell, in_reading_order
from numplace.constraints.arithmetic import Arithmetic
from numplace.draw.walls import ASCII, DOUBLE, Border, draw_grid
from numplace.puzzle import Puzzle

LEAST_WIDTH = 5
"""Characters of a cell, which grows with the longest clue."""


def draw_calcudoku(puzzle: Puzzle, answer: Answer | None = None, *, ascii_only: bool) -> str:
    """Return the picture of a calcudoku, ending in a line break.

    Parameters
    ----------
    answer
        Numbers to show beside the givens.
    ascii_only
        Whether to do without the box drawings of Unicode.
    """
    group_of: dict[Cell, Arithmetic] = {}
    clues: dict[Cell, str] = {}
    for group in puzzle.constraints:
        if isinstance(group, Arithmetic):
            group_of |= dict.fromkeys(group.cells, group)
            clues[in_reading_order(group.cells)[0]] = f"{group.target}{group.op}"
    wide = max(LEAST_WIDTH, *map(len, clues.values())) if clues else LEAST_WIDTH
    numbers = {**(answer or {}), **puzzle.givens}

    def cell_lines(cell: Cell) -> list[str]:
        number = str(numbers.get(cell, ""))
        value = " " * ((wide - len(number)) // 2) + number
        return [clues.get(cell, "").ljust(wide), value.ljust(wide), " " * wide]

    def border(a: Cell, b: Cell) -> Border:
        on_grid = (a in puzzle.domains) + (b in puzzle.domains)
        if not on_grid:
            return Border.NOTHING
        together = a in group_of and group_of[a] is group_of.get(b)
        return Border.INSIDE if together else Border.WALL

    style = ASCII if ascii_only else DOUBLE
    lines = draw_grid(puzzle.width, puzzle.height, cell_lines, border, style)
    return "".join(f"{line}\n" for line in lines)
