"""The notes of a state, as rows."""

from __future__ import annotations

from numplace.cell import Cell
from numplace.logic.bitset import members
from numplace.logic.state import State

Marks = list[list[tuple[int, ...] | None]]
"""The candidates of each place by rows; None where it is filled or outside."""


def marks_of(state: State) -> Marks:
    """Return the candidates of the open cells by rows."""
    topology = state.topology
    puzzle = topology.puzzle
    rows: Marks = [[None] * puzzle.width for _ in range(puzzle.height)]
    for number in members(state.open):
        cell: Cell = topology.cells[number]
        rows[cell.y][cell.x] = members(state.masks[number])
    return rows


def format_marks(marks: Marks) -> str:
    """Return notes as text: ``149 . . 12349``, a dot where a cell is filled or outside.

    Numbers of two digits are separated by commas; a cell that can hold nothing is ``!``.
    """
    wide = any(number > 9 for row in marks for cell in row for number in cell or ())
    lines = []
    for row in marks:
        cells = ["." if cell is None else ("," * wide).join(map(str, cell)) or "!" for cell in row]
        lines.append(" ".join(cells) + "\n")
    return "".join(lines)
