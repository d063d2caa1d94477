"""``LoadedData.csv``: what was read, cell by cell, for inspection."""

from __future__ import annotations

from numplace.cell import Cell
from numplace.constraints import Joint, Less, NotJoint, Parity
from numplace.puzzle import Puzzle


def format_loaded(puzzle: Puzzle) -> str:
    """Return one quoted field per cell, blank outside.

    A field has the lines ``number: N``, ``group: K`` (houses from 1, in the order read),
    ``odd``, ``even``, ``less than (X,Y)``, ``greater than (X,Y)``, ``joint (X,Y)`` and
    ``no joint (X,Y)``; a relation stands at both its cells.
    """
    lines: dict[Cell, list[str]] = {cell: [] for cell in puzzle.cells}

    def add(cell: Cell, text: str) -> None:
        lines.setdefault(cell, []).append(text)

    for cell, number in puzzle.givens.items():
        add(cell, f"number: {number}")
    for number, house in enumerate(puzzle.houses, start=1):
        for cell in house.cells:
            add(cell, f"group: {number}")
    for constraint in puzzle.constraints:
        match constraint:
            case Parity(cell, odd):
                add(cell, "odd" if odd else "even")
            case Less(a, b):
                add(a, f"less than ({b.x},{b.y})")
                add(b, f"greater than ({a.x},{a.y})")
            case Joint(a, b) | NotJoint(a, b):
                word = "joint" if isinstance(constraint, Joint) else "no joint"
                add(a, f"{word} ({b.x},{b.y})")
                add(b, f"{word} ({a.x},{a.y})")
    inside = set(puzzle.cells)
    rows = []
    for y in range(puzzle.height):
        cells = (Cell(x, y) for x in range(puzzle.width))
        rows.append(",".join('"' + "\n".join(lines[c]) + '"' if c in inside else "" for c in cells))
    return "".join(row + "\n" for row in rows)
