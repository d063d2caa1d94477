"""Plain grids: boards and answers as rows of characters, or of numbers with blanks or commas.

The form of many solvers and collections (Janko's tables, Flow Free's levels). A first row ``W H``
may tell columns and rows. Where any row has a blank or a comma, these part its cells; else each
character is a cell. ``.`` and ``-`` are empty cells, and so is ``0`` among cells that are parted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from numpy.typing import ArrayLike

from nlrouter.answer import Answer, as_answer
from nlrouter.files.errors import FileError, quote
from nlrouter.files.labels import Labels, answer_of, problem_of, require_cells, require_one_layer
from nlrouter.files.text import split_lines, to_int
from nlrouter.problem import Problem

EMPTY = (".", "-")
"""What stands for an empty cell."""

SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The labels of lines where one character is a cell."""

_HEADER = re.compile(r"([0-9]+)[ \t]+([0-9]+)")
_PARTING = re.compile(r"[ \t]*,[ \t]*|[ \t]+")


class _Grid(NamedTuple):
    """The cells of a file, and the line that each row stands in."""

    rows: Labels
    lines: list[int]
    parted: bool


def parse_grid_problem(text: str, name: str) -> Problem:
    """Read a plain grid with two cells of each label.

    Raises
    ------
    FileError
        If the rows differ in length, or a label is not in exactly two cells.
    """
    rows, lines, parted = _read(text, name)
    cells = [cell for row in rows for cell in row]
    zeros_are_empty = parted or ("" not in cells and cells.count("0") != 2)
    return problem_of(_without_zeros(rows) if zeros_are_empty else rows, name, list(lines))


def parse_grid_answer(text: str, name: str) -> Answer:
    """Read a plain grid of labels as an answer.

    Raises
    ------
    FileError
        If the rows differ in length.
    """
    rows, _, parted = _read(text, name)
    return answer_of(_without_zeros(rows) if parted else rows)


def format_grid_problem(problem: Problem) -> str:
    """Write a board of one layer as a plain grid, with its size in the first row.

    Raises
    ------
    FileError
        If the board has several layers.
    """
    require_one_layer(problem, "a plain grid")
    cells = [[0] * problem.width for _ in range(problem.height)]
    for line in problem.lines:
        for end in line.ends:
            cells[end.y][end.x] = line.number
    header = f"{problem.width} {problem.height}\n"
    return header + _format(cells, len(problem.lines))


def format_grid_answer(answer: ArrayLike, line_count: int) -> str:
    """Write an answer of one layer as a plain grid.

    Parameters
    ----------
    answer
        ``(1, height, width)`` line numbers, 0 where empty.
    line_count
        Number of the problem's lines: one character is a cell where there are signs for all.
    """
    return _format(as_answer(answer)[0].tolist(), line_count)


def _format(cells: list[list[int]], line_count: int) -> str:
    """Write the rows of a grid."""
    if line_count <= len(SIGNS):
        return "".join("".join(f".{SIGNS}"[n] for n in row) + "\n" for row in cells)
    digits = len(str(line_count))
    return "".join(" ".join(f"{n or '.':>{digits}}" for n in row) + "\n" for row in cells)


def _without_zeros(rows: Labels) -> Labels:
    return [["" if cell.strip("0") == "" else cell for cell in row] for row in rows]


def _read(text: str, name: str) -> _Grid:
    """Read the cells of a text, empty ones as empty texts."""
    numbered = [(i, row.strip(" \t")) for i, row in enumerate(split_lines(text), start=1)]
    numbered = [(i, row) for i, row in numbered if row]
    if not numbered:
        raise FileError(name, None, "no text", "a board or an answer")
    header = _HEADER.fullmatch(numbered[0][1])
    if header and len(numbered) > 1:
        # Two numbers may be the first row of a board with two columns as well.
        grid = _cells(numbered[1:], name)
        width, height = to_int(header[1]), to_int(header[2])
        if numbered[-1][1] == "0 0" and len(grid.rows) == height + 1:  # It ends some collections.
            grid = _cells(numbered[1:-1], name)
        if (len(grid.rows[0]), len(grid.rows)) == (width, height):
            return _square(grid, name)
        if not grid.parted or len(grid.rows[0]) != 2:
            found = f"{len(grid.rows)} rows of {len(grid.rows[0])} cells"
            raise FileError(name, numbered[0][0], found, f"{height} rows of {width}, as told here")
    return _square(_cells(numbered, name), name)


def _cells(numbered: list[tuple[int, str]], name: str) -> _Grid:
    """Part rows into cells."""
    parted = any(_PARTING.search(row) for _, row in numbered)
    rows = []
    for number, row in numbered:
        cells = _PARTING.split(row) if parted else list(row)
        for cell in cells:
            if not cell.isprintable():
                raise FileError(name, number, quote(cell), "a label, or '.' for an empty cell")
        rows.append(["" if cell in EMPTY else cell for cell in cells])
    return _Grid(rows, [number for number, _ in numbered], parted)


def _square(grid: _Grid, name: str) -> _Grid:
    """Refuse rows of different lengths, and boards of any other size than they may have."""
    width = len(grid.rows[0])
    for number, row in zip(grid.lines, grid.rows, strict=True):
        if len(row) != width:
            found = f"a row of {len(row)} cell{'s' * (len(row) > 1)}"
            expected = f"{width} as in line {grid.lines[0]} (or a problem that starts with SIZE)"
            raise FileError(name, number, found, expected)
    require_cells(width, len(grid.rows), name, grid.lines[0])
    return grid
