"""The table of many boards, as text and live on a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from typing import TextIO

from nlrouter.record import BoardRow
from nlrouter.result import format_gap
from nlrouter.tell.stream import emit

UP = "\x1b[{}A"
ERASE = "\x1b[J"
"""Move the cursor up some lines; erase from there to the end of the screen (ECMA-48)."""


def format_table(rows: Sequence[BoardRow], running: Iterable[str] = ()) -> list[str]:
    """Return the lines of the table: a head, and a line per board.

    Parameters
    ----------
    rows
        The rows.
    running
        Names of the boards that are being searched, which an asterisk marks.
    """
    busy = set(running)
    width = max([len("board"), *(len(row.board) for row in rows)])
    head = (
        f"{'board':<{width}}    {'cost':>7} {'bound':>7} {'gap':>8}  {'status':<10} {'seconds':>8}"
    )
    lines = [head]
    for row in rows:
        mark = "*" if row.board in busy else " "
        cost, bound = ("-" if n is None else str(n) for n in (row.cost, row.lower_bound))
        gap = "-" if row.gap is None else format_gap(row.gap)
        line = f"{row.board:<{width}} {mark}  {cost:>7} {bound:>7} {gap:>8}"
        line += f"  {row.status:<10} {row.seconds:8.1f}"
        lines.append(f"{line}  {row.note}".rstrip())
    return lines


def format_count(rows: Sequence[BoardRow]) -> str:
    """Return how many boards are answered, and how many of these are optimal."""
    answered = sum(row.answer is not None for row in rows)
    optimal = sum(row.status == "optimal" for row in rows)
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

    def show(self, rows: Sequence[BoardRow], running: Iterable[str], remaining: float) -> None:
        """Redraw it if anything has changed: as many rows as fit, those being searched first."""
        busy = set(running)
        columns, screen = shutil.get_terminal_size()
        fitting = max(1, screen - 4)
        if len(rows) > fitting:
            done = ("optimal", "infeasible", "bad input")
            rank = {row.board: (row.board not in busy, row.status in done) for row in rows}
            shown = sorted(rows, key=lambda row: rank[row.board])[:fitting]
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
