"""Problem files, as the rules of the contest define them.

Here and in ``answer_file`` alone layers count from 1. The reader refuses whatever the rules
do not allow; whether a well-formed board can be solved is not its business.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError, quote
from nlrouter.files.grid_file import format_grid_problem, parse_grid_problem
from nlrouter.files.pzpr_file import (
    format_address,
    format_pzprv3,
    is_address,
    is_pzprv3,
    parse_address,
    parse_pzprv3_problem,
)
from nlrouter.files.text import (
    MAX_LINES,
    Size,
    is_contest_text,
    parse_size,
    read_text,
    split_lines,
    to_int,
)
from nlrouter.problem import Cell, Line, Problem, Via

# Only ASCII letters and digits count: without the flag, 'ſize' would match SIZE.
_FLAGS = re.ASCII | re.IGNORECASE
# Possessive repeats (++, *+), as a megabyte of points would cost gigabytes of backtracking.
_POINT = re.compile(r"\([0-9]++(?:,[0-9]++)*+\)", _FLAGS)
_POINTS = rf"({_POINT.pattern}(?:[- \t]++{_POINT.pattern})*+)"

_KEYWORD = re.compile(r"SIZE|LINE_NUM|LINE#|VIA#", _FLAGS)
_LINE_NUM = re.compile(r"LINE_NUM[ \t]+([0-9]+)", _FLAGS)
_LINE = re.compile(rf"LINE#([0-9]+)[ \t]+{_POINTS}", _FLAGS)
_VIA = re.compile(rf"VIA#([^ \t(]*)[ \t]+{_POINTS}", _FLAGS)
_VIA_NAME = re.compile(r"[a-z]{1,2}", _FLAGS)


def read_problem(path: str | os.PathLike[str]) -> Problem:
    """Read a problem file; ``-`` is standard input, and an address is read itself.

    Raises
    ------
    FileError
        If the file cannot be read, or anything in it is not as the rules say.

    Examples
    --------
    >>> read_problem("problems/smallest_2x2x2.txt").size
    '2X2X2'
    """
    name = os.fspath(path)
    if is_address(name) and not os.path.exists(name):
        return parse_address(name, "<address>")
    name, text = read_text(name)
    return parse_problem(text, name)


def parse_problem(text: str, name: str = "<text>") -> Problem:
    r"""Read the text of a problem file.

    Its form is told by its content: the contest's in 3-D or the older 2-D, a puzz.link address, a
    pzprv3 file, or a plain grid with a label in two cells for each line.

    Parameters
    ----------
    text
        The file's text.
    name
        The file's name, for messages.

    Raises
    ------
    FileError
        If anything in the text is not as the rules say.

    Examples
    --------
    >>> parse_problem("SIZE 3X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,1,1)\n").shape
    (1, 2, 3)
    >>> parse_problem("A.B\nA.B\n") == parse_problem("https://puzz.link/p?numlin/3/2/1g21g2")
    True
    """
    if is_address(text):
        return parse_address(text, name)
    if is_pzprv3(text):
        return parse_pzprv3_problem(text, name)
    if not is_contest_text(text):
        return parse_grid_problem(text, name)
    reader = _Reader(name)
    for number, line in enumerate(split_lines(text), start=1):
        if line:
            reader.read(number, line)
    return reader.finish()


def write_problem(path: str | os.PathLike[str], problem: Problem) -> None:
    """Write a problem file in the 3-D form, as a whole or not at all.

    Raises
    ------
    FileError
        If it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_problem(f"{folder}/board.txt", board)
    ...     read_problem(f"{folder}/board.txt") == board
    True
    """
    write_atomically(os.fspath(path), format_problem(problem))


def format_problem(problem: Problem, form: str = "contest") -> str:
    r"""Write a problem as the text of a file.

    Parameters
    ----------
    problem
        The board.
    form
        ``contest``, the contest's 3-D form; ``address``, a puzz.link address; ``pzprv3``; or
        ``grid``, rows of characters or numbers.

    Raises
    ------
    ValueError
        If there is no such form.
    FileError
        If the form cannot hold the board: all but the contest's are for one layer.

    Examples
    --------
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])
    >>> print(format_problem(board), end="")
    SIZE 3X2X1
    LINE_NUM 1
    <BLANKLINE>
    LINE#1 (0,0,1) (2,1,1)
    >>> format_problem(board, "address")
    'https://puzz.link/p?numlin/3/2/1j1\n'
    """
    if form not in FORMS:
        raise ValueError(f"{form=}: expected one of {', '.join(FORMS)}")
    return FORMS[form](problem)


def _format_contest(problem: Problem) -> str:
    """Write a problem in the contest's 3-D form."""
    statements = [
        f"SIZE {problem.size}",
        f"LINE_NUM {len(problem.lines)}",
        "",
        *(f"LINE#{line.number} {_format_cells(line.ends)}" for line in problem.lines),
    ]
    if problem.vias:
        statements.append("")
        statements += (f"VIA#{via.name} {_format_cells(via.cells)}" for via in problem.vias)
    return "\n".join(statements) + "\n"


def _format_cells(cells: tuple[Cell, ...]) -> str:
    return " ".join(f"({cell.x},{cell.y},{cell.z + 1})" for cell in cells)


FORMS: dict[str, Callable[[Problem], str]] = {
    "contest": _format_contest,
    "address": lambda problem: format_address(problem) + "\n",
    "pzprv3": format_pzprv3,
    "grid": format_grid_problem,
}
"""The forms of a problem, by their names."""


class _Reader:
    """The statements read so far, and the line of the file at hand."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        self.text = ""
        self.size: Size | None = None
        self.line_count: int | None = None
        self.lines: dict[int, Line] = {}
        self.vias: list[Via] = []
        self.line_of: dict[str, int] = {}  # The file's line of each statement, as "LINE#3".
        self.owner_of: dict[Cell, str] = {}  # The statement that names a cell.

    def read(self, number: int, text: str) -> None:
        """Read one line of the file that is not blank."""
        self.number, self.text = number, text
        keyword = _KEYWORD.match(text)
        if keyword is None:
            raise self._error("a line that starts with SIZE, LINE_NUM, LINE# or VIA#")
        match keyword[0].upper():
            case "SIZE":
                self._read_size()
            case "LINE_NUM":
                self._read_line_num()
            case "LINE#":
                self._read_line()
            case _:
                self._read_via()

    def finish(self) -> Problem:
        """Check what only the whole file shows, and return the problem."""
        if self.size is None:
            raise FileError(self.name, None, "no SIZE line", "'SIZE XxYxZ' at the start")
        if self.line_count is None:
            raise FileError(self.name, None, "no LINE_NUM line", "'LINE_NUM n' after SIZE")
        for number in range(1, self.line_count + 1):
            if number not in self.lines:
                found = f"LINE_NUM {self.line_count} but no LINE#{number}"
                expected = f"each of LINE#1 to LINE#{self.line_count}"
                raise FileError(self.name, self.line_of["LINE_NUM"], found, expected)
        crossing = sum(line.crosses_layers for line in self.lines.values())
        if crossing and not self.vias:
            found = (
                "a board of ADC2017 or later, by whose rules lines change layers anywhere"
                f" (no VIA for {crossing} LINE with ends on different layers)"
            )
            raise FileError(self.name, None, found, "one VIA for each such LINE, as in ADC2016")
        if len(self.vias) != crossing:
            found = f"{len(self.vias)} VIA for {crossing} LINE with ends on different layers"
            raise FileError(self.name, None, found, "one VIA for each such LINE")
        return Problem(
            self.size.width,
            self.size.height,
            self.size.layers,
            tuple(self.lines[number] for number in sorted(self.lines)),
            tuple(self.vias),
        )

    def _read_size(self) -> None:
        self._note_statement("SIZE")
        self.size = parse_size(self.text, self.name, self.number)

    def _read_line_num(self) -> None:
        self._note_statement("LINE_NUM")
        match = _LINE_NUM.fullmatch(self.text)
        if match is None:
            raise self._error("'LINE_NUM n'")
        count = to_int(match[1])
        if not 1 <= count <= MAX_LINES:
            raise self._error(f"a LINE_NUM from 1 to {MAX_LINES}")
        self.line_count = count

    def _read_line(self) -> None:
        match = _LINE.fullmatch(self.text)
        if match is None:
            raise self._error("'LINE#n' and two ends, such as 'LINE#1 (0,0,1) (3,3,3)'")
        if self.line_count is None:
            raise self._error("LINE_NUM before the first LINE#")
        number = to_int(match[1])
        if not 1 <= number <= self.line_count:
            raise self._error(f"a line number from 1 to LINE_NUM {self.line_count}")
        statement = f"LINE#{number}"
        self._note_statement(statement)
        points = _POINT.findall(match[2])
        if len(points) != 2:
            raise self._error("exactly two ends of a line")
        first, second = (self._name_cell(point, statement) for point in points)
        self.lines[number] = Line(number, (first, second))

    def _read_via(self) -> None:
        match = _VIA.fullmatch(self.text)
        if match is None:
            raise self._error("'VIA#name' and its cells, such as 'VIA#a (2,2,1) (2,2,2)'")
        if _VIA_NAME.fullmatch(match[1]) is None:
            raise self._error("a via's name of one or two letters a-z")
        if self.size is not None and self.size.dimensions == 2:
            raise self._error("no VIA#, as SIZE has 2 numbers, which means one layer")
        name = match[1].lower()
        statement = f"VIA#{name}"
        self._note_statement(statement)
        points = _POINT.findall(match[2])
        if len(points) < 2:
            raise self._error("at least two cells of a via")
        cells = [self._name_cell(point, statement) for point in points]
        if len({(cell.y, cell.x) for cell in cells}) > 1:
            raise self._error("cells of a via with the same x and y")
        layers = {cell.z for cell in cells}
        bottom, top = min(layers), max(layers)
        for z in range(bottom, top + 1):
            if z not in layers:
                raise self._error(
                    f"a via's cell on each layer from {bottom + 1} to {top + 1}, also on {z + 1}"
                )
        self.vias.append(Via(name, cells[0].y, cells[0].x, bottom, top))

    def _note_statement(self, statement: str) -> None:
        """Note where a statement stands; refuse it if it was given before."""
        if statement in self.line_of:
            raise self._error(f"no second {statement}, as line {self.line_of[statement]} has it")
        self.line_of[statement] = self.number

    def _name_cell(self, point: str, statement: str) -> Cell:
        """Read a point as a cell of the board, and let the statement own it."""
        if self.size is None:
            raise self._error("SIZE before the first LINE# or VIA#")
        width, height, layers, dimensions = self.size
        coordinates = [to_int(digits) for digits in point[1:-1].split(",")]
        if len(coordinates) != dimensions:
            form = "(x,y)" if dimensions == 2 else "(x,y,z)"
            raise self._error(f"a point {form}, as SIZE has {dimensions} numbers", found=point)
        x, y, z = (*coordinates, 1)[:3]
        if not (x < width and y < height and 1 <= z <= layers):
            limits = f"x up to {width - 1}, y up to {height - 1}, layer from 1 to {layers}"
            raise self._error(f"a cell of the board: {limits}", found=point)
        cell = Cell(z - 1, y, x)
        if cell in self.owner_of:
            owner = self.owner_of[cell]
            place = f"{owner} in line {self.line_of[owner]}"
            raise self._error(f"another cell, as {place} names this one", found=point)
        self.owner_of[cell] = statement
        return cell

    def _error(self, expected: str, found: str | None = None) -> FileError:
        """Return the error of the line at hand, or of a part of it."""
        return FileError(self.name, self.number, quote(found or self.text), expected)
