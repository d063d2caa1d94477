"""The table of a batch: as text, live on a terminal, as CSV, and as JSON, which is resumed from."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import read_text

Row = dict[str, Any]
"""A board's row, as `Board.row` gives it."""

COLUMNS = (
    "board", "cost", "length", "bends", "lower_bound", "gap", "status", "seconds", "note",
)  # fmt: skip
"""Columns of the CSV."""

_KINDS = {
    "board": str, "key": str, "status": str, "lower_bound": int | None, "seeds": list,
    "seconds": int | float,
}  # fmt: skip
"""What the next batch takes up of a row."""


def read_rows(folder: Path) -> list[Row]:
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
        rows: list[Row] = json.loads(text)["boards"]
        for row in rows:
            for column, kind in _KINDS.items():
                if not isinstance(row[column], kind):
                    raise TypeError(column)
            if not all(isinstance(seed, int) for seed in row["seeds"]):
                raise TypeError("seeds")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        found = f"no table of a batch ({type(error).__name__}: {quote(str(error))})"
        raise FileError(name, None, found, "what nlroute left there, or no such file") from error
    return rows


def write_rows(folder: Path, rows: Sequence[Row]) -> None:
    """Write ``table.json`` and ``table.csv``.

    Raises
    ------
    FileError
        If one cannot be written.
    """
    text = "".join(f"  {json.dumps(row)},\n" for row in rows).removesuffix(",\n")
    write_atomically(str(folder / "table.json"), f'{{"boards": [\n{text}\n]}}\n')
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(str(folder / "table.csv"), buffer.getvalue())
