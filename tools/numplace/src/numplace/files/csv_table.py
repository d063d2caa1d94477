"""Tables of comma-separated fields, as all files of a CSV folder are."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import MAX_BYTES, to_int
from numplace.cell import Cell

LARGEST = 999
"""Largest number, coordinate or count that is read: far beyond any puzzle, no risk to memory."""


class LoadError(FileError):
    """A CSV file that cannot be read as its format says.

    ``cells`` are those that the offending field stands for.
    """

    def __init__(
        self, name: str, line: int | None, found: str, expected: str, cells: tuple[Cell, ...] = ()
    ) -> None:
        super().__init__(name, line, found, expected)
        self.args = (name, line, found, expected, cells)
        self.cells = cells


@dataclass(frozen=True)
class Row:
    """One record: its first line's number, from 1, its fields without blanks around, its text."""

    line: int
    fields: tuple[str, ...]
    text: str

    @property
    def is_blank(self) -> bool:
        """Whether it has no text."""
        return not any(self.fields)


@dataclass(frozen=True)
class Table:
    """The rows of a file without the blank ones at its end.

    ``unused`` is the first line of a file that only says, behind ``//``, that it is not used.
    """

    name: str
    rows: tuple[Row, ...]
    unused: str = ""

    @property
    def end(self) -> int:
        """The number of the line after the last."""
        return self.rows[-1].line + 1 if self.rows else 1


def read_table(path: str | Path) -> Table:
    """Read a file of comma-separated fields, which may be quoted.

    Raises
    ------
    LoadError
        If it cannot be read, is too large, or has an open quote.
    """
    name = str(path)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        found = f"no readable file ({error.strerror or error})"
        raise LoadError(name, None, found, "a file of comma-separated fields") from error
    if len(data) > MAX_BYTES:
        raise LoadError(name, None, "a larger file", f"at most {MAX_BYTES} bytes")
    # Only ASCII means anything here; other bytes must reach the message about their field.
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("cp932", errors="replace")
    text = re.sub(r"\r\n?", "\n", text)
    lines = text.split("\n")
    if lines[0].lstrip().startswith("//"):
        shown = lines[0].strip(" \t,")
        for number, other in enumerate(lines, start=1):
            if other.strip(" \t,") and not other.lstrip().startswith("//"):
                found = f"{quote(shown)} in line 1 and {quote(other)}"
                raise LoadError(name, number, found, "either data or a file that is not used")
        return Table(name, (), shown)
    text = re.sub(r'"[ \t]+(?=,|\n|\Z)', '"', text)
    rows = []
    reader = csv.reader(io.StringIO(text), strict=True, skipinitialspace=True)
    line = 1
    try:
        for fields in reader:
            whole = "\n".join(lines[line - 1 : reader.line_num]).strip(" \t,")
            rows.append(Row(line, tuple(field.strip(" \t\n") for field in fields), whole))
            line = reader.line_num + 1
    except csv.Error as error:
        raise LoadError(name, line, f"a wrong quote ({error})", "quotes around fields") from error
    while rows and rows[-1].is_blank:
        rows.pop()
    return Table(name, tuple(rows))


def parse_number(text: str, table: Table, line: int, expected: str, *cells: Cell) -> int:
    """Return the number of a field of ASCII digits, 0 to `LARGEST`.

    Raises
    ------
    LoadError
        If it is none; the message ends with ``expected`` and blames ``cells``.
    """
    if not re.fullmatch(r"[0-9]+", text, re.ASCII):
        found = quote(text) if text else "nothing"
        raise LoadError(table.name, line, found, expected, cells)
    number = to_int(text)
    if number > LARGEST:
        raise LoadError(table.name, line, text[:12], f"at most {LARGEST}", cells)
    return number


class Records:
    """Reads the lines of a file that starts with a count of its records."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._rows: Iterator[Row] = iter(table.rows)
        self.line = 0

    def numbers(self, *expected: str) -> tuple[int, ...]:
        """Return the numbers of the next line, one for each phrase of what is expected."""
        row = next(self._rows, None)
        wanted = expected[0] if len(expected) == 1 else " and ".join(expected)
        if row is None:
            raise LoadError(self.table.name, self.table.end, "the end", wanted)
        self.line = row.line
        fields = list(row.fields)
        while len(fields) > len(expected) and not fields[-1]:
            fields.pop()
        if len(fields) != len(expected):
            found = quote(row.text) if any(row.fields) else "a blank line"
            raise LoadError(self.table.name, row.line, found, wanted)
        return tuple(
            parse_number(field, self.table, row.line, phrase)
            for field, phrase in zip(fields, expected, strict=True)
        )

    def cell(self) -> Cell:
        """Return the cell of the next line, ``X,Y``."""
        return Cell(*self.numbers("a column X, 0 or more", "a row Y, 0 or more"))

    def choice(self, numbers: range, expected: str) -> int:
        """Return the one number of the next line, one of those allowed."""
        (number,) = self.numbers(expected)
        if number not in numbers:
            raise LoadError(self.table.name, self.line, str(number), expected)
        return number

    def finish(self, records: str) -> None:
        """Make sure that nothing follows."""
        row = next(self._rows, None)
        if row is not None:
            found = quote(row.text) if any(row.fields) else "a blank line"
            expected = f"the end, as the count at the top says how many {records} there are"
            raise LoadError(self.table.name, row.line, found, expected)
