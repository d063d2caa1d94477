"""Answers as text: written in the manner of the puzzle's format, read in any."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import to_int
from numplace.answer import Answer, to_rows
from numplace.cell import Cell, in_reading_order
from numplace.files.csv_writer import format_numbers
from numplace.files.lines81 import format_line, is_filled
from numplace.files.symbols import number_of
from numplace.files.text_grid import format_text_grid, text_lines
from numplace.puzzle import Puzzle
from numplace.result import Status


def format_answer(puzzle: Puzzle, answer: Answer) -> str:
    """Return an answer in the form that the puzzle's format has for it."""
    writers: dict[str, Callable[[Puzzle, Answer], str]] = {
        "csv": format_numbers,
        "text": format_text_grid,
        "lines": format_line,
    }
    return writers.get(puzzle.origin.format, format_numbers_in_rows)(puzzle, answer)


def format_numbers_in_rows(puzzle: Puzzle, answer: Answer) -> str:
    """Return rows of numbers separated by blanks, ``.`` outside."""
    rows = to_rows(answer, puzzle.width, puzzle.height)
    return "".join(" ".join("." if n is None else str(n) for n in row) + "\n" for row in rows)


def parse_answer(puzzle: Puzzle, text: str, name: str) -> dict[Cell, int]:
    """Return the numbers of an answer to a puzzle.

    Rows are separated by line breaks; numbers by commas or blanks, or not at all if each is
    one character. One line without separators may hold all. Blank fields, ``.`` and ``-``
    are cells without a number. Whether the answer is right is not looked at.

    Raises
    ------
    FileError
        If it has other text, or numbers beyond the puzzle's rows and columns.
    """
    lines = text_lines(text)
    while lines and not lines[-1].strip(" \t,"):
        lines.pop()
    if not lines:
        raise FileError(name, None, "nothing", f"{puzzle.height} rows of numbers")
    filled = [line.strip() for line in lines if line.strip()]
    if len(filled) == 1 and puzzle.height > 1 and len(filled[0]) == len(puzzle.cells):
        return _whole_line(puzzle, filled[0], name, lines.index(next(filter(str.strip, lines))) + 1)
    numbers: dict[Cell, int] = {}
    for y, line in enumerate(lines):
        if "," in line:
            fields = [field.strip().strip('"').strip() for field in line.split(",")]
        elif re.search(r"\S[ \t]+\S", line) and not _is_packed(line, puzzle):
            fields = line.split()
        else:
            fields = [line.strip()] if puzzle.width == 1 else list(line.rstrip())
        for x, field in enumerate(fields):
            number = _parse_field(field, name, y + 1)
            if number is None:
                continue
            if x >= puzzle.width or y >= puzzle.height:
                expected = f"{puzzle.height} rows of {puzzle.width} numbers"
                raise FileError(name, y + 1, f"{field} as number {x + 1}", expected)
            numbers[Cell(x, y)] = number
    return numbers


def are_answers(puzzle: Puzzle, text: str) -> bool:
    """Return whether a text is answers to puzzles of this form, one below the other.

    Each cell has one of the puzzle's numbers; whether it is the right one is not looked at.
    """
    if puzzle.origin.format == "lines":
        return are_answer_lines(text)
    lines = [line for line in text_lines(text) if line.strip()]  # Blank ones stand between grids.
    height = max(puzzle.height, 1)
    blocks = ("\n".join(lines[y : y + height]) for y in range(0, len(lines), height))
    try:
        filled = [_is_filled(puzzle, parse_answer(puzzle, block, "")) for block in blocks]
    except FileError:
        return False
    return bool(filled) and all(filled)


def are_answer_lines(text: str) -> bool:
    """Return whether each line is what ``numplace solve --lines`` writes of a grid."""
    return all(map(_is_answer_line, text_lines(text)))


def _is_filled(puzzle: Puzzle, numbers: Answer) -> bool:
    """Return whether all cells, and no others, have a number of theirs."""
    return numbers.keys() == puzzle.domains.keys() and all(
        number in puzzle.domains[cell] for cell, number in numbers.items()
    )


def _is_answer_line(line: str) -> bool:
    """Return whether a line is a filled grid or a status, or a record of both."""
    if line.startswith("{"):
        with suppress(ValueError):
            return json.loads(line).keys() == {"status", "answer"}
    return line in list(Status) or is_filled(line)


def _is_packed(line: str, puzzle: Puzzle) -> bool:
    """Return whether blanks in a line are cells without a number."""
    return len(line) <= puzzle.width and len(line.split()) < puzzle.width


def _whole_line(puzzle: Puzzle, line: str, name: str, number: int) -> dict[Cell, int]:
    """Return the numbers of an answer in one line."""
    numbers = {}
    for cell, character in zip(in_reading_order(puzzle.cells), line, strict=True):
        value = number_of(character)
        if value is None:
            raise FileError(name, number, f"the character {quote(character)}", "a number")
        if value:
            numbers[cell] = value
    return numbers


def _parse_field(field: str, name: str, line: int) -> int | None:
    """Return the number of a field, None if it is blank."""
    if field in ("", " ", ".", "-", "_", "*"):
        return None
    if re.fullmatch(r"[0-9]+", field, re.ASCII):
        return to_int(field)
    if len(field) == 1 and (number := number_of(field)):
        return number
    raise FileError(name, line, quote(field), "a number")
