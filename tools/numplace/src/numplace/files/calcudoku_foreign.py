"""Calcudoku as other programs and sites write them: JSON with cages, letters with a list of clues.

There is no standard: names, orders and counting differ. What can be read in one way only is read;
of the rest a sentence says what is missing.
"""

from __future__ import annotations

import json
import re
from typing import Any

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import split_lines
from numplace.cell import Cell
from numplace.files.calcudoku_spec import MOST_SIDE, Group, of_groups, read_calcudoku
from numplace.puzzle import Puzzle

CAGES = ("cages", "groups", "blocks", "regions", "areas")
CELLS = ("cells", "squares", "positions", "coordinates", "coords", "members")
OPERATIONS = ("op", "operation", "operator", "symbol")
TARGETS = ("target", "value", "result", "total", "goal", "sum", "clue", "label")
SIZES = ("size", "n", "side", "dimension", "order", "width", "gridSize", "grid_size")
WRAPPERS = ("puzzle", "kenken", "calcudoku", "board", "data")
ROWS, COLUMNS = ("row", "r", "y"), ("column", "col", "c", "x")
"""What things are called in JSON, in any case."""

WORDS = {
    "+": "+ add addition plus sum",
    "-": "- − – sub subtract subtraction minus difference",
    "*": "* x × · ⋅ ∗ mul mult multiply multiplication times product",
    "/": "/ ÷ ∕ : div divide division quotient",
    "=": "= none given single const constant no-op noop",
}
_SIGNS = {word: op for op, words in WORDS.items() for word in words.split()}
_CLUE = re.compile(r"([^\d\s]*)\s*(\d+)\s*([^\d\s]*)", re.ASCII)
_LEGEND = re.compile(
    r"\s*([A-Za-z])\s*[:=]?\s*([^\d\sA-Za-z]?\s*\d+\s*[^\dA-Za-z\s,;]?|\d+x|x\d+)\s*"
)


def read_any(text: str, name: str, *, nylimb: bool | None = None) -> Puzzle:
    """Return the calcudoku of a spec, or of rows of letters with a list of clues.

    Parameters and errors are those of `read_calcudoku`.
    """
    return read_legend(text, name) or read_calcudoku(text, name, nylimb=nylimb)


def read_legend(text: str, name: str) -> Puzzle | None:
    """Return the puzzle of rows of letters with a line for each clue, ``a+12`` or ``a: 12+``.

    None if the text is no such thing.
    """
    clues: dict[str, str] = {}
    rows: list[list[str]] = []
    for line in split_lines(text):
        match = _LEGEND.fullmatch(line)
        if match and match[1] not in clues:
            clues[match[1]] = match[2]
        elif line.strip():
            rows.append(line.split() if " " in line.strip() else list(line.strip()))
    letters = {letter for row in rows for letter in row if letter not in "._"}
    if not rows or letters != clues.keys() or any(len(row) != len(rows) for row in rows):
        return None
    members: dict[str, list[Cell]] = {}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            members.setdefault(letter, []).append(Cell(x, y))
    cages = [
        Group(cells, *_clue(clues[k], name, single=len(cells) == 1), k)
        for k, cells in members.items()
        if k in clues
    ]
    return of_groups(len(rows), cages, name)


def read_cages(record: Any, name: str) -> Puzzle:
    """Return the puzzle of JSON with cages.

    Parameters
    ----------
    record
        As `json.loads` gives it: ``{"size": 4, "cages": [{"cells": [[0, 0], [0, 1]], "op": "+",
        "target": 5}, ...]}``, or a list of cages. Cells are row and column, from 0 or from 1;
        numbers in reading order; names such as ``r1c2``; or objects with ``row`` and ``col``.

    Raises
    ------
    FileError
        If it is none, or can be read in more than one way.
    """
    record = inner if isinstance(inner := _get(record, WRAPPERS), dict) else record
    cages = record if isinstance(record, list) else _get(record, CAGES)
    if not isinstance(cages, list) or not cages:
        raise FileError(
            name, None, "JSON without a list of cages", f"a puzzle of ours, or {CAGES[0]!r}"
        )
    size = _get(record, SIZES)
    parts = [_parts(cage, name) for cage in cages]
    places = [_place(cell, name) for cells, _, _ in parts for cell in cells]
    numbered = any(isinstance(place, int) for place in places)
    flat = [n for place in places for n in (place if isinstance(place, tuple) else (place,))]
    low = min(flat, default=0)
    span = max(flat, default=0) - low + 1
    side = size if isinstance(size, int) else round(span**0.5) if numbered else span
    if low not in (0, 1) or not 1 <= side <= MOST_SIDE or span > (side**2 if numbered else side):
        found = f"cells from {low} to {low + span - 1} in a square of side {side}"
        raise FileError(name, None, found, f"rows and columns from 0 or 1, of {MOST_SIDE} at most")
    groups = []
    for cells, op, target in parts:
        members = []
        for cell in cells:
            place = _place(cell, name)
            row, column = place if isinstance(place, tuple) else divmod(place - low, side)
            shift = low if isinstance(place, tuple) else 0
            members.append(Cell(column - shift, row - shift))
        groups.append(Group(members, op, target))
    return of_groups(side, groups, name)


def _parts(cage: Any, name: str) -> tuple[list[Any], str, int]:
    """Return cells, operation and target of a cage."""
    if isinstance(cage, list):  # In any order: what they are shows.
        cells = next((each for each in cage if isinstance(each, list)), None)
        rest = [each for each in cage if not isinstance(each, list)]
        clue = " ".join(map(str, rest))
    else:
        cells = _get(cage, CELLS)
        op, target = _get(cage, OPERATIONS), _get(cage, TARGETS)
        clue = f"{'' if op is None else op} {'' if target is None else target}"
    if not isinstance(cells, list) or not cells:
        found = f"the cage {quote(json.dumps(cage))} without a list of cells"
        raise FileError(name, None, found, f"one called {CELLS[0]!r}")
    return (cells, *_clue(clue, name, single=len(cells) == 1))


def _clue(text: str, name: str, *, single: bool = False) -> tuple[str, int]:
    """Return operation and target of ``+12``, ``12+``, ``add 12`` or, of one cell, ``12``."""
    match = _CLUE.fullmatch(text.strip())
    word = (match[1] or match[3]) if match else ""
    op = _SIGNS.get(word.lower(), "=" if not word else "")
    if match is None or not op or (match[1] and match[3]) or (op == "=" and not single):
        expected = "a target and one of the operations +, -, * and /"
        raise FileError(name, None, f"the clue {quote(text.strip())}", expected)
    return op.strip("="), int(match[2][:400])


def _place(cell: Any, name: str) -> tuple[int, int] | int:
    """Return row and column of a cell as it counts them, or its number in reading order."""
    if isinstance(cell, dict):
        cell = [_get(cell, ROWS), _get(cell, COLUMNS)]
    if isinstance(cell, str):
        match = re.fullmatch(
            r"r(\d+)c(\d+)|\(?(\d+)[,;: ]\s*(\d+)\)?|([A-Pa-p])(\d+)", cell, re.ASCII
        )
        if match is not None and match[5]:  # A1 is the first column's first row.
            cell = [int(match[6]), ord(match[5].upper()) - ord("A") + 1]
        elif match is not None:
            cell = [int(match[1] or match[3]), int(match[2] or match[4])]
    if isinstance(cell, int) and not isinstance(cell, bool) and cell >= 0:
        return cell
    if isinstance(cell, list) and len(cell) == 2 and all(type(n) is int and n >= 0 for n in cell):
        return cell[0], cell[1]
    raise FileError(name, None, f"the cell {quote(json.dumps(cell))}", "row and column")


def _get(record: Any, keys: tuple[str, ...]) -> Any:
    """Return what stands under the first of some keys, in any case; None if none is there."""
    if not isinstance(record, dict):
        return None
    there = {str(key).lower(): value for key, value in record.items()}
    return next((there[key.lower()] for key in keys if key.lower() in there), None)
