"""The table of a batch: as text, live on a terminal, as CSV, and as JSON, which is resumed from."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from nlrouter.commands.progress import emit, format_gap
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

UP = "\x1b[{}A"
ERASE = "\x1b[J"
"""Move the cursor up some lines; erase from there to the end of the screen (ECMA-48)."""


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


def format_table(rows: Sequence[Row], running: Iterable[str] = ()) -> list[str]:
    """Return the lines of the table: a head, and a line per board.

    Parameters
    ----------
    rows
        The rows.
    running
        Names of the boards that are being searched, which an asterisk marks.
    """
    busy = set(running)
    width = max([len("board"), *(len(row["board"]) for row in rows)])
    head = (
        f"{'board':<{width}}    {'cost':>7} {'bound':>7} {'gap':>8}  {'status':<10} {'seconds':>8}"
    )
    lines = [head]
    for row in rows:
        mark = "*" if row["board"] in busy else " "
        cost, bound = ("-" if n is None else str(n) for n in (row["cost"], row["lower_bound"]))
        gap = "-" if row["gap"] is None else format_gap(row["gap"])
        line = f"{row['board']:<{width}} {mark}  {cost:>7} {bound:>7} {gap:>8}"
        line += f"  {row['status']:<10} {row['seconds']:8.1f}"
        lines.append(f"{line}  {row['note']}".rstrip())
    return lines


def format_count(rows: Sequence[Row]) -> str:
    """Return how many boards are answered, and how many of these are optimal."""
    answered = sum(row["answer"] is not None for row in rows)
    optimal = sum(row["status"] == "optimal" for row in rows)
    return f"{answered} of {len(rows)} boards answered, {optimal} optimal"


class LiveTable:
    """The table on a terminal, redrawn in place.

    Parameters
    ----------
    stream
        The terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._height = 0
        self._shown = ""

    def show(self, rows: Sequence[Row], running: Iterable[str], remaining: float) -> None:
        """Redraw it if anything has changed: as many rows as fit, those being searched first."""
        busy = set(running)
        columns, screen = shutil.get_terminal_size()
        fitting = max(1, screen - 4)
        if len(rows) > fitting:
            done = ("optimal", "infeasible", "bad input")
            rank = {row["board"]: (row["board"] not in busy, row["status"] in done) for row in rows}
            shown = sorted(rows, key=lambda row: rank[row["board"]])[:fitting]
        else:
            shown = list(rows)
        left = "" if remaining == float("inf") else f", {remaining:.0f} s left"
        lines = [*format_table(shown, busy), format_count(rows) + left]
        # A line that wraps would put the cursor elsewhere than counted.
        text = "".join(f"{line[: columns - 1]}\n" for line in lines)
        if text != self._shown:
            self.clear()
            emit(self._stream, text)
            self._height, self._shown = len(lines), text

    def clear(self) -> None:
        """Wipe the table."""
        if self._height:
            emit(self._stream, f"\r{UP.format(self._height)}{ERASE}")
            self._height, self._shown = 0, ""


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether a stream is a terminal that can move its cursor."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
