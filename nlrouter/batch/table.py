"""The table of a batch: as text, live on a terminal, as CSV, and as JSON, which is resumed from."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import msgspec

from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import read_text
from nlrouter.keep.place import require_replaceable
from nlrouter.record import BoardRow, format_record

COLUMNS = (
    "board", "cost", "length", "bends", "lower_bound", "gap", "status", "seconds", "note",
)  # fmt: skip
"""Columns of the CSV."""


class _Table(msgspec.Struct):
    boards: list[BoardRow]


def read_rows(folder: Path) -> list[BoardRow]:
    """Read the rows that earlier batches left in a folder; none if there are none.

    Raises
    ------
    FileError
        If the folder's ``table.json`` is no such table.
    """
    path = folder / "table.json"
    if not path.exists():
        return []
    name, text = read_text(str(path))
    try:
        return msgspec.json.decode(text, type=_Table).boards
    except (ValueError, RecursionError) as error:
        found = f"no table of a batch ({type(error).__name__}: {quote(str(error))})"
        raise FileError(name, None, found, "what nlroute left there, or no such file") from error


def require_writable(folder: Path, *, force: bool) -> None:
    """Raise `FileError` where the tables could not be written, or another CSV would be replaced.

    Parameters
    ----------
    folder
        The folder of a batch.
    force
        Whether any file may be replaced.
    """
    require_replaceable(str(folder / "table.json"), "table", read_text, force=force)
    require_replaceable(str(folder / "table.csv"), "table", _require_csv, force=force)


def _require_csv(path: str) -> None:
    """Raise `FileError` unless a file is a table of boards; columns may be those of a version."""
    name, text = read_text(path)
    if not text.startswith(f"{COLUMNS[0]},"):
        raise FileError(name, 1, quote(text.partition("\n")[0]), "the titles of columns")


def write_rows(folder: Path, rows: Sequence[BoardRow]) -> None:
    """Write ``table.json`` and ``table.csv``.

    Raises
    ------
    FileError
        If one cannot be written.
    """
    text = "".join(f"  {format_record(row)},\n" for row in rows).removesuffix(",\n")
    write_atomically(str(folder / "table.json"), f'{{"boards": [\n{text}\n]}}\n')
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(msgspec.to_builtins, rows))
    write_atomically(str(folder / "table.csv"), buffer.getvalue())
