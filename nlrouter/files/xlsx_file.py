"""Boards drawn in a spreadsheet, in the format of the contest's organisers.

One sheet per layer, named ``NAME.z``, or ``NAME`` for a board of one layer:

- A1 rows, A2 columns, C1 ``A`` where the drawing is also an answer, D1 layer, F1 layers (both
  may be left out for one layer). The board starts at B4; row 3 and column A count its cells.
- A cell holds a line's number, or a via's name with the number of the line that takes it
  (``a=1``), or the name alone (``a``) where no line is drawn through it. 0 is an empty cell.

Ends are not marked. They are the cells where a drawn line stops: those that are no via's and
have at most one neighbour of their number. Whatever stands beside the board is a note.
"""

from __future__ import annotations

import io
import os
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from nlrouter.answer import Answer
from nlrouter.extras import require
from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import MAX_BYTES, MAX_CELLS, MAX_LINES, to_int
from nlrouter.files.xlsx_guard import require_harmless
from nlrouter.grid import occupants
from nlrouter.problem import MAX_LAYERS, Cell, Line, Problem, Via

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

FIRST_ROW, FIRST_COLUMN = 4, 2
"""Where the board starts: at B4."""

LONGEST_TITLE = 31
"""Characters that Excel allows in the name of a sheet."""

_LAYERED = re.compile(r"(.+)\.([0-9]+)")
_VIA = re.compile(r"([A-Za-z]{1,2})(?: *= *([0-9]+))?")
# A name becomes that of a file, so it is no path, nothing hidden and no option.
_FILE_NAME = re.compile(r"[^\W_][\w .()+-]*")


@dataclass(frozen=True)
class DrawnBoard:
    """A board of a workbook.

    Parameters
    ----------
    name
        Its name: that of its sheets, without the layer.
    problem
        The board.
    answer
        The drawing, where it is marked as an answer; correct or not.
    """

    name: str
    problem: Problem
    answer: Answer | None = None


def read_workbook(path: str | os.PathLike[str]) -> list[DrawnBoard]:
    """Read all boards of a workbook, in the order of their first sheets.

    Empty sheets are skipped.

    Parameters
    ----------
    path
        The spreadsheet, with a sheet for each layer as the organisers draw boards.

    Raises
    ------
    FileError
        If the file cannot be read, or a sheet is not as the format asks for. It names the
        sheet and the cell.
    MissingExtra
        If openpyxl is not installed.

    Examples
    --------
    >>> boards = read_workbook("boards.xlsx")  # doctest: +SKIP
    >>> [(board.name, board.problem.size) for board in boards]  # doctest: +SKIP
    [('Q1', '10X10X2'), ('Q2', '20X20X4')]
    """
    path = os.fspath(path)
    sheets: dict[str, list[_Sheet]] = defaultdict(list)
    for worksheet in _load(path).worksheets:
        if worksheet.calculate_dimension() != "A1:A1" or worksheet["A1"].value is not None:
            sheet = _Sheet(path, worksheet)
            sheets[sheet.name.casefold()].append(sheet)
    if not sheets:
        raise FileError(path, None, "empty sheets only", "a sheet for each layer of a board")
    return [_Board(layers).read() for layers in sheets.values()]


def format_workbook(boards: list[DrawnBoard]) -> bytes:
    """Draw boards in a workbook and return the content of its file.

    Parameters
    ----------
    boards
        The boards, of different names that can be names of sheets (see `sheet_name`). An
        answer must be correct, as its ends could not be told from a wrong drawing.

    Raises
    ------
    MissingExtra
        If openpyxl is not installed.
    """
    require("xlsx")
    from openpyxl import Workbook

    workbook = Workbook()
    for worksheet in workbook.worksheets:
        workbook.remove(worksheet)
    for board in boards:
        for z in range(board.problem.layers):
            _draw_layer(workbook, board, z)
    buffer = io.BytesIO()
    workbook.save(buffer)
    return buffer.getvalue()


def sheet_name(name: str) -> str:
    """Return a name made fit for a board: its characters, and its length with the layer."""
    fit = re.sub(r"[^\w .()+-]", "_", name).lstrip("_ .()+-").rstrip(" .")
    return fit[: LONGEST_TITLE - 2].rstrip(" .") or "board"


def _load(path: str) -> Workbook:
    """Open a workbook, unless it is none or would fill the memory."""
    require("xlsx")
    from openpyxl import load_workbook

    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        found = f"no readable file ({error.strerror or error})"
        raise FileError(path, None, found, "a spreadsheet (.xlsx)") from error
    if len(data) > MAX_BYTES:
        raise FileError(path, None, "a larger file", f"at most {MAX_BYTES} bytes")
    try:
        require_harmless(path, data)
        return load_workbook(io.BytesIO(data))
    except FileError:
        raise
    except Exception as error:  # Bad zips and bad XML fail in many ways, not all documented.
        found = f"no spreadsheet ({type(error).__name__}: {quote(str(error))})"
        raise FileError(path, None, found, "a spreadsheet (.xlsx)") from error


class _Sheet:
    """A sheet, with what its head says of the layer."""

    def __init__(self, path: str, worksheet: Worksheet) -> None:
        self._path = path
        self._worksheet = worksheet
        title = worksheet.title
        self.height = self._head("A1", "the number of rows", MAX_CELLS)
        self.width = self._head("A2", "the number of columns", MAX_CELLS)
        match = _LAYERED.fullmatch(title)
        single = worksheet["D1"].value is None and worksheet["F1"].value is None
        if single and match is None:
            self.name, self.z, self.layers = title, 0, 1
        else:
            self.layers = self._head("F1", "the number of layers", MAX_LAYERS)
            layer = self._head("D1", f"the layer, from 1 to {self.layers}", self.layers)
            if match is None or to_int(match[2]) != layer:
                found = f"layer {layer} on a sheet of this name"
                raise self.error("D1", found, f"a name of the form NAME.{layer}")
            self.name, self.z = match[1], layer - 1
        if _FILE_NAME.fullmatch(self.name) is None or self.name[-1] in " .":
            raise self.error("A1", "a sheet of this name", "one that can be the name of a file")
        mark = _text(worksheet["C1"].value)
        if mark not in ("", "A", "a"):
            raise self.error("C1", quote(mark), "A for a drawing with answer, or nothing")
        self.has_answer = mark != ""
        if self.height * self.width * self.layers > MAX_CELLS:
            found = f"{self.height} rows of {self.width} cells on {self.layers} layers"
            raise self.error("A1", found, f"a board of at most {MAX_CELLS} cells")

    def _head(self, cell: str, what: str, most: int) -> int:
        """Read a number of the head."""
        value = self._worksheet[cell].value
        text = _text(value)
        if text.isdecimal() and 1 <= to_int(text) <= most:
            return to_int(text)
        raise self.error(cell, _found(value), f"{what}, a number from 1 to {most}")

    def cells(self) -> list[tuple[Cell, str]]:
        """Return the text of the board's cells that hold something."""
        for merged in self._worksheet.merged_cells.ranges:
            y, x = merged.max_row - FIRST_ROW, merged.max_col - FIRST_COLUMN
            low_y, low_x = merged.min_row - FIRST_ROW, merged.min_col - FIRST_COLUMN
            if y >= 0 and x >= 0 and low_y < self.height and low_x < self.width:
                found = f"merged cells {merged.coord}"
                raise self.error(merged.coord.split(":")[0], found, "cells of the board apart")
        rows = self._worksheet.iter_rows(
            min_row=FIRST_ROW,
            max_row=min(FIRST_ROW + self.height - 1, self._worksheet.max_row),
            min_col=FIRST_COLUMN,
            max_col=min(FIRST_COLUMN + self.width - 1, self._worksheet.max_column),
            values_only=True,
        )
        cells = []
        for y, row in enumerate(rows):
            for x, value in enumerate(row):
                if value is not None and (text := _text(value)) != "":
                    cells.append((Cell(self.z, y, x), text))
        return cells

    def error(self, cell: str | Cell, found: str, expected: str) -> FileError:
        """Return the error of one of the sheet's cells."""
        if isinstance(cell, Cell):
            cell = _coordinate(cell)
        place = f"{self._path}: sheet {self._worksheet.title!r}, cell {cell}"
        return FileError(place, None, found, expected)


class _Board:
    """The sheets of a board, read one by one."""

    def __init__(self, sheets: list[_Sheet]) -> None:
        self.first = first = sheets[0]
        self.sheet_of: dict[int, _Sheet] = {}
        for sheet in sheets:
            if sheet.z in self.sheet_of:
                found = f"layer {sheet.z + 1} of {sheet.name!r} once more"
                raise sheet.error("D1", found, "one sheet for each layer")
            self.sheet_of[sheet.z] = sheet
            for cell, what, value, expected in (
                ("F1", "layers", sheet.layers, first.layers),
                ("A1", "rows", sheet.height, first.height),
                ("A2", "columns", sheet.width, first.width),
            ):
                if value != expected:
                    raise sheet.error(cell, f"{value} {what}", f"{expected}, as on layer 1's sheet")
            if sheet.has_answer != first.has_answer:
                found = "a mark" if sheet.has_answer else "no mark"
                raise sheet.error("C1", found, "A on all sheets of the board or on none")
        missing = [z + 1 for z in range(first.layers) if z not in self.sheet_of]
        if missing:
            found = f"{first.layers} layers, but no sheet '{first.name}.{missing[0]}'"
            raise first.error("F1", found, "a sheet for each layer")
        self.numbers: Answer = np.zeros((first.layers, first.height, first.width), np.int32)
        self.via_cells: dict[str, list[Cell]] = defaultdict(list)

    def read(self) -> DrawnBoard:
        """Read the drawing on all layers."""
        for z in sorted(self.sheet_of):
            for cell, text in self.sheet_of[z].cells():
                self._read_cell(cell, text)
        names = sorted(self.via_cells, key=lambda name: (len(name), name))
        vias = tuple(self._via(name, self.via_cells[name]) for name in names)
        lines = self._lines()
        crossing = sum(line.crosses_layers for line in lines)
        if len(vias) != crossing:
            found = f"{len(vias)} vias for {crossing} lines with ends on different layers"
            raise self.first.error("B4", found, "one via for each such line")
        problem = Problem(self.first.width, self.first.height, self.first.layers, lines, vias)
        answer = self.numbers if self.first.has_answer else None
        return DrawnBoard(self.first.name, problem, answer)

    def _read_cell(self, cell: Cell, text: str) -> None:
        """Note what a cell of the board holds."""
        match = _VIA.fullmatch(text)
        digits = match[2] if match else text
        if digits is not None and not (digits.isdecimal() and to_int(digits) <= MAX_LINES):
            expected = "a line's number, a via such as 'a=1' or 'a', or an empty cell"
            raise self._error(cell, quote(text), expected)
        if match:
            if digits is None and self.first.has_answer:
                raise self._error(cell, quote(text), "the line that takes the via, such as 'a=1'")
            self.via_cells[match[1].lower()].append(cell)
        self.numbers[cell] = to_int(digits or "0")

    def _via(self, name: str, cells: list[Cell]) -> Via:
        """Return the via of some cells, lowest layer first."""
        bottom = cells[0]
        for below, cell in pairwise(cells):
            if (cell.y, cell.x) != (bottom.y, bottom.x) or cell.z != below.z + 1:
                found = f"via {name!r}, also at {_coordinate(below)} of layer {below.z + 1}"
                raise self._error(cell, found, "the same cell on consecutive layers")
        if len(cells) == 1:
            found = f"via {name!r} on this layer alone"
            raise self._error(bottom, found, "a via on two layers or more")
        return Via(name, bottom.y, bottom.x, bottom.z, cells[-1].z)

    def _lines(self) -> tuple[Line, ...]:
        """Return the lines between the ends of the drawing."""
        vias = {cell for cells in self.via_cells.values() for cell in cells}
        ends: dict[int, list[Cell]] = defaultdict(list)
        some_cell: dict[int, Cell] = {}
        degree = _neighbours(self.numbers)
        for z, y, x in np.argwhere(self.numbers).tolist():
            cell = Cell(z, y, x)
            number = int(self.numbers[cell])
            some_cell.setdefault(number, cell)
            if degree[cell] < 2 and cell not in vias:
                ends[number].append(cell)
        for number, cell in some_cell.items():
            mine = ends[number]
            if len(mine) != 2:
                places = ", ".join(f"{_coordinate(c)} of layer {c.z + 1}" for c in mine[:4])
                found = f"line {number} with {len(mine)} ends" + (f" ({places})" if mine else "")
                raise self._error(mine[-1] if mine else cell, found, "two ends of each line")
        count = max(some_cell, default=0)
        if len(some_cell) < max(count, 1):
            missing = next(n for n in range(1, count + 2) if n not in some_cell)
            where = some_cell.get(count, Cell(self.first.z, 0, 0))
            found = f"line {count} but no line {missing}" if count else "no line"
            raise self._error(where, found, "lines 1, 2, 3 and so on without gaps")
        return tuple(Line(n, (ends[n][0], ends[n][1])) for n in range(1, count + 1))

    def _error(self, cell: Cell, found: str, expected: str) -> FileError:
        return self.sheet_of[cell.z].error(cell, found, expected)


def _neighbours(numbers: Answer) -> np.ndarray:
    """Count the neighbours of each cell on its layer that hold the same number."""
    count = np.zeros(numbers.shape, np.int8)
    in_y = numbers[:, 1:] == numbers[:, :-1]
    in_x = numbers[:, :, 1:] == numbers[:, :, :-1]
    count[:, 1:] += in_y
    count[:, :-1] += in_y
    count[:, :, 1:] += in_x
    count[:, :, :-1] += in_x
    return count


def _text(value: Any) -> str:
    """Return a cell's value as typed; full-width letters and digits count as plain ones."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return unicodedata.normalize("NFKC", "" if value is None else str(value)).strip()


def _found(value: Any) -> str:
    return "nothing" if value is None else quote(str(value))


def _coordinate(cell: Cell) -> str:
    """Name the spreadsheet's cell of a cell of the board."""
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(FIRST_COLUMN + cell.x)}{FIRST_ROW + cell.y}"


def _draw_layer(workbook: Workbook, board: DrawnBoard, z: int) -> None:
    """Add the sheet of a layer."""
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    problem = board.problem
    # A name that ends like a layer's needs the layer behind it.
    layered = problem.layers > 1 or _LAYERED.fullmatch(board.name) is not None
    sheet = workbook.create_sheet(f"{board.name}.{z + 1}" if layered else board.name)
    sheet["A1"], sheet["B1"] = problem.height, "行"
    sheet["A2"], sheet["B2"] = problem.width, "列"
    if board.answer is not None:
        sheet["C1"] = "A"
    if layered:
        sheet["D1"], sheet["E1"], sheet["F1"], sheet["G1"] = z + 1, "/", problem.layers, "層"
    for x in range(problem.width):
        sheet.cell(FIRST_ROW - 1, FIRST_COLUMN + x, x)
    for column in range(1, FIRST_COLUMN + problem.width):
        sheet.column_dimensions[get_column_letter(column)].width = 5
    standing = occupants(problem)[z]
    drawn = np.where(standing > 0, standing, 0) if board.answer is None else board.answer[z]
    bold, shade = Font(bold=True), PatternFill("solid", fgColor="FFFFF2A8")
    for y in range(problem.height):
        sheet.cell(FIRST_ROW + y, 1, y)
        for x in range(problem.width):
            number, occupant = int(drawn[y, x]), int(standing[y, x])
            value: int | str | None = number or None
            if occupant < 0:
                via = problem.vias[-1 - occupant].name
                value = via if board.answer is None else f"{via}={number}"
            if value is not None:
                cell = sheet.cell(FIRST_ROW + y, FIRST_COLUMN + x, value)
                cell.alignment = Alignment(horizontal="center")
                if occupant:
                    cell.font, cell.fill = bold, shade
