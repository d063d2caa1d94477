"""The forms of puzz.link and pzprv3: addresses that hold a board, and text files with its lines.

An address is ``https://puzz.link/p?numlin/COLS/ROWS/CELLS``; other sites of the same program have
other beginnings. Its cells are coded as that program does it: a number as one hexadecimal digit,
``-`` and two or ``+`` and three of them, and ``g`` to ``z`` for 1 to 20 empty cells. A file starts
with ``pzprv3`` and ``numlin``, then rows, columns, the numbers of the cells, and a mark for each
side between two cells: 1 where a line crosses it, -1 where none may.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.files.errors import FileError, quote
from nlrouter.files.labels import (
    Labels,
    numbers_of,
    problem_of,
    require_cells,
    require_one_layer,
)
from nlrouter.files.text import split_lines, to_int
from nlrouter.problem import Problem
from nlrouter.strokes import Strokes

SITE = "https://puzz.link/p?"
"""The site of the addresses that are written."""

LARGEST_NUMBER = 999
"""The largest number in a cell that the site takes."""

_ADDRESS = re.compile(r"(?:https?://|(?:numlin|numberlink)/)", re.IGNORECASE)
_BOARD = re.compile(
    r"(?:numlin|numberlink)(?:_edit|_play)?/(?:v:/)?([0-9]+)/([0-9]+)/([^/?&#\s]*)/?", re.IGNORECASE
)
_DIGITS = {"-": 2, "+": 3}
_HEXADECIMAL = re.compile(r"[0-9a-f]+")


def is_address(text: str) -> bool:
    """Whether a text is an address, or the part of one that tells a board."""
    return _ADDRESS.match(text.strip()) is not None


def is_pzprv3(text: str) -> bool:
    """Whether a text is a file of pzprv3."""
    return text.lstrip().lower().startswith("pzprv3")


def parse_address(text: str, name: str) -> Problem:
    """Read an address.

    Raises
    ------
    FileError
        If it holds no NumberLink board, or not just the cells of its size.
    """
    address = text.strip()
    match = _BOARD.search(address)
    if match is None:
        expected = "an address with '?numlin/COLS/ROWS/CELLS'"
        raise FileError(name, None, quote(address), expected)
    width, height = to_int(match[1]), to_int(match[2])
    require_cells(width, height, name, None)
    cells = _decode(match[3].lower(), width, width * height, name)
    rows = [cells[start : start + width] for start in range(0, width * height, width)]
    return problem_of(rows, name, [None] * height)


def _decode(code: str, width: int, count: int, name: str) -> list[str]:
    """Return the labels of so many cells."""
    cells: list[str] = []
    at = 0
    while at < len(code):
        sign = code[at]
        place = f"({len(cells) % width},{len(cells) // width})"
        if sign == ".":
            found = f"a cell with an unknown number ('.') at {place}"
            raise FileError(name, None, found, "two cells of each number")
        if "g" <= sign <= "z":
            cells += [""] * (ord(sign) - ord("g") + 1)
            at += 1
        else:
            start = at + (sign in _DIGITS)
            digits = code[start : start + _DIGITS.get(sign, 1)]
            if _HEXADECIMAL.fullmatch(digits) is None or len(digits) < _DIGITS.get(sign, 1):
                found = f"{quote(code[at : at + 4])} for the cell at {place}"
                raise FileError(name, None, found, "0-9, a-f, '-' or '+' with digits, or g-z")
            cells.append(str(int(digits, 16)))
            at = start + len(digits)
        if len(cells) > count:
            raise FileError(name, None, f"more than {count} cells", "those of its size")
    # The site leaves out no empty cells at the end, but reads addresses that do.
    return cells + [""] * (count - len(cells))


def format_address(problem: Problem) -> str:
    """Write a board of one layer as an address of puzz.link.

    Raises
    ------
    FileError
        If the board has several layers, or more lines than the site has numbers.
    """
    require_one_layer(problem, "an address")
    _require_numbers(problem, "an address")
    code = []
    for number, cells in groupby(_ends(problem).ravel().tolist()):
        count = len(list(cells))
        if number:
            code += [_coded(number)] * count
        else:
            full, rest = divmod(count, 20)
            code += ["z"] * full + [chr(ord("g") + rest - 1)] * (rest > 0)
    return f"{SITE}numlin/{problem.width}/{problem.height}/{''.join(code)}"


def _coded(number: int) -> str:
    """Code the number of a cell."""
    if number < 16:
        return f"{number:x}"
    return f"-{number:02x}" if number < 256 else f"+{number:03x}"


def parse_pzprv3_problem(text: str, name: str) -> Problem:
    """Read the board of a pzprv3 file.

    Raises
    ------
    FileError
        If it holds no NumberLink board, or anything in it is not as pzprv3 has it.
    """
    reader = _Reader(text, name)
    return problem_of(reader.labels, name, reader.lines)


def parse_pzprv3_answer(text: str, name: str) -> tuple[Answer, Strokes]:
    """Read the lines of a pzprv3 file.

    Returns
    -------
    tuple
        The numbers of the lines' cells, and where the lines run.

    Raises
    ------
    FileError
        If a line that is drawn leads to no number or to two different ones, so that its cells
        have no number.
    """
    reader = _Reader(text, name)
    strokes = reader.read_strokes()
    numbers = numbers_of({label for row in reader.labels for label in row if label})
    answer: Answer = np.zeros((1, len(reader.labels), len(reader.labels[0])), np.int32)
    for piece in strokes.pieces():
        labels = {reader.labels[y][x] for y, x in piece} - {""}
        y, x = piece[0]
        if len(labels) != 1:
            found = "no number" if not labels else " and ".join(sorted(labels)[:3])
            raise FileError(
                name, None, f"a line at ({x},{y}) that leads to {found}", "lines from end to end"
            )
        for y, x in piece:
            answer[0, y, x] = numbers[next(iter(labels))]
    for y, row in enumerate(reader.labels):
        for x, label in enumerate(row):
            if label:
                answer[0, y, x] = numbers[label]
    return answer, strokes


def format_pzprv3(problem: Problem, strokes: Strokes | None = None) -> str:
    """Write a board of one layer as a pzprv3 file, with the lines of an answer if there are any.

    Raises
    ------
    FileError
        If the board has several layers, or more lines than the site has numbers.
    """
    require_one_layer(problem, "a pzprv3 file")
    _require_numbers(problem, "a pzprv3 file")
    rows = ["pzprv3", "numlin", str(problem.height), str(problem.width)]
    rows += (" ".join(str(n) if n else "." for n in row) for row in _ends(problem).tolist())
    if strokes is None:
        strokes = Strokes.none(problem.height, problem.width)
    for marks in strokes.right, strokes.down:
        rows += (" ".join(str(mark) for mark in row) for row in marks.astype(int).tolist())
    return "\n".join(rows) + "\n"


def _ends(problem: Problem) -> NDArray[np.int32]:
    """Return the numbers of the ends, 0 elsewhere."""
    ends = np.zeros((problem.height, problem.width), np.int32)
    for line in problem.lines:
        for end in line.ends:
            ends[end.y, end.x] = line.number
    return ends


def _require_numbers(problem: Problem, form: str) -> None:
    """Refuse more lines than the site has numbers."""
    if len(problem.lines) > LARGEST_NUMBER:
        found = f"a board of {len(problem.lines)} lines"
        raise FileError(form, None, found, f"at most {LARGEST_NUMBER}")


class _Reader:
    """The rows of a pzprv3 file, read one by one."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        rows = split_lines(text.strip())
        self.in_one_line = len(rows) == 1
        self.texts = rows[0].split("/") if self.in_one_line else rows
        self.at = 0
        self._next("'pzprv3'")
        kind = self._next("'numlin'")
        if kind.lower() not in ("numlin", "numberlink"):
            raise self._error(quote(kind), "'numlin', the puzzle's name")
        height, width = self._number("rows"), self._number("columns")
        require_cells(width, height, name, self._line())
        self.labels: Labels = []
        self.lines: list[int | None] = []  # The line of each row of the board.
        for y in range(height):
            self.labels.append([self._label(c) for c in self._row(width, f"row {y + 1}")])
            self.lines.append(self._line())

    def read_strokes(self) -> Strokes:
        """Read the marks between cells; none of them need be there."""
        strokes = Strokes.none(len(self.labels), len(self.labels[0]))
        if all(not text.strip() for text in self.texts[self.at :]):
            return strokes
        for marks, side in (strokes.right, "beside"), (strokes.down, "below"):
            height, width = marks.shape
            for y in range(height):
                row = f"the marks {side} the cells of row {y + 1}"
                for x, mark in enumerate(self._row(width, row)):
                    if mark not in ("0", "1", "-1"):
                        raise self._error(quote(mark), "a mark 0, 1 or -1")
                    marks[y, x] = mark == "1"
        return strokes

    def _label(self, cell: str) -> str:
        if cell == ".":
            return ""
        if cell == "-":
            raise self._error("a cell with an unknown number ('-')", "two cells of each number")
        if not (cell.isascii() and cell.isdigit()):
            raise self._error(quote(cell), "a number, or '.' for an empty cell")
        return str(to_int(cell))

    def _row(self, width: int, row: str) -> Sequence[str]:
        text = self._next(row)
        cells = text.split()
        if len(cells) != width:
            raise self._error(f"{quote(text)} of length {len(cells)}", f"{row} of length {width}")
        return cells

    def _number(self, what: str) -> int:
        text = self._next(f"the number of {what}").strip()
        if not (text.isascii() and text.isdigit()):
            raise self._error(quote(text), f"the number of {what}")
        return to_int(text)

    def _next(self, expected: str) -> str:
        if self.at == len(self.texts):
            raise FileError(self.name, None, "the end of the file", expected)
        self.at += 1
        return self.texts[self.at - 1].strip()

    def _line(self) -> int | None:
        return None if self.in_one_line else self.at

    def _error(self, found: str, expected: str) -> FileError:
        return FileError(self.name, self._line(), found, expected)
