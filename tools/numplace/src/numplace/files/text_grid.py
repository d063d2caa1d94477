"""Text grids: nine lines of nine characters, digits and spaces."""

from __future__ import annotations

import re

from nlrouter.files.errors import FileError, quote
from numplace.answer import Answer, to_rows
from numplace.cell import Cell
from numplace.check.data import find_faults
from numplace.files.symbols import BLANKS
from numplace.origin import Origin
from numplace.plain import plain_puzzle
from numplace.puzzle import Puzzle

SIZE = 9


def text_lines(text: str) -> list[str]:
    """Return the lines of a text with the blanks at their ends, which count here."""
    lines = re.split(r"\r\n|\r|\n", text)
    return lines[:-1] if not lines[-1] else lines


def is_spaced(lines: list[str]) -> bool:
    """Return whether lines are nine of nine characters each, with blanks between them."""
    rows = [line.split() for line in lines if line.strip()]
    return len(rows) == SIZE and all(
        len(row) == SIZE and all(len(word) == 1 for word in row) for row in rows
    )


def parse_text_grid(text: str, name: str) -> Puzzle:
    """Return the puzzle of a text grid.

    Lines may have lost the spaces at their ends; ``.``, ``0``, ``_`` and ``*`` too are empty
    cells. All nine characters of all lines may have blanks between them.

    Raises
    ------
    FileError
        If it is none, or has a number twice in a row, column or block.
    """
    lines = text_lines(text)
    if is_spaced(lines):
        lines = ["".join(line.split()) for line in lines]
    if not any(line.strip() for line in lines) and len(lines) < SIZE:
        raise FileError(name, None, "nothing", "nine rows of digits and spaces")
    givens: dict[Cell, int] = {}
    for y, line in enumerate(lines):
        for x, character in enumerate(line):
            if character not in " 123456789" + BLANKS:
                found = f"the character {quote(character)} in {quote(line)}"
                raise FileError(name, y + 1, found, "digits 1 to 9 and spaces")
            if character in "123456789":
                givens[Cell(x, y)] = int(character)
        if y >= SIZE and line.strip():
            raise FileError(name, y + 1, quote(line), "the end after nine rows")
        if len(line.rstrip(" ") if len(line) > SIZE else line) > SIZE:
            found = f"{len(line)} characters ({quote(line)})"
            raise FileError(name, y + 1, found, "at most nine")
    if len(lines) < SIZE:
        raise FileError(name, len(lines) + 1, "the end", "nine rows")
    puzzle = plain_puzzle(givens, origin=Origin("text", name))
    refuse_faults(puzzle, name)
    return puzzle


def refuse_faults(puzzle: Puzzle, name: str, line: int | None = None) -> None:
    """Raise a `FileError` about the first thing that is wrong with a puzzle, if there is one.

    Parameters
    ----------
    line
        The line to blame; by default that of the last cell's row.
    """
    faults = find_faults(puzzle)
    if faults:
        last = faults[0].cells[-1].y + 1
        expected = "each number once in a row, column and block"
        raise FileError(name, line or last, faults[0].text, expected)


def format_text_grid(puzzle: Puzzle, numbers: Answer) -> str:
    """Return nine lines of digits, spaces for cells without a number."""
    rows = to_rows(numbers, puzzle.width, puzzle.height)
    return "".join("".join(str(n) if n else " " for n in row) + "\n" for row in rows)
