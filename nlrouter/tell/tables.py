"""The table of many boards, as text and live on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TextIO

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from nlrouter.record import BoardRow
from nlrouter.result import format_gap
from nlrouter.tell.redrawn import Redrawn

STYLES = {
    "optimal": "green",
    "infeasible": "magenta",
    "feasible": "yellow",
    "unknown": "red",
    "bad input": "red",
}
"""Colours of the statuses on a terminal that has some; the words say the same."""


WIDE = 10_000
"""Columns that no table needs."""


def plain_table() -> Table:
    """Return a table without rules, so far with a column for the names of boards."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("board", no_wrap=True)
    return table


def add_numbers(table: Table, head: str, width: int = 8) -> None:
    """Add a column that is set flush right; its width does not change as numbers come in."""
    table.add_column(Text(head), justify="right", no_wrap=True, min_width=width)


def format_plain(table: Table) -> list[str]:
    """Return the lines of a table, as wide as it needs."""
    text = StringIO()  # As a console of its own writes to standard output, if only nothing.
    Console(file=text, width=WIDE, color_system=None).print(table)
    return [line.rstrip() for line in text.getvalue().splitlines()]


def format_table(rows: Sequence[BoardRow]) -> list[str]:
    """Return the lines of the table: a head, and a line per board."""
    return format_plain(_table(rows, ()))


def format_count(rows: Sequence[BoardRow]) -> str:
    """Return how many boards are answered, and how many of these are optimal."""
    answered = sum(row.answer is not None for row in rows)
    optimal = sum(row.answer is not None and row.status == "optimal" for row in rows)
    return f"{answered} of {len(rows)} boards answered, {optimal} optimal"


class LiveTable:
    """The table on a terminal, redrawn in place.

    Parameters
    ----------
    stream
        The terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._redrawn = Redrawn(stream)

    def show(self, rows: Sequence[BoardRow], running: Iterable[str], remaining: float) -> None:
        """Redraw it: as many rows as fit, those being searched first, with an asterisk."""
        busy = set(running)
        fitting = max(1, self._redrawn.console.height - 4)
        if len(rows) > fitting:
            done = ("optimal", "infeasible", "bad input")
            rank = {row.board: (row.board not in busy, row.status in done) for row in rows}
            shown = sorted(rows, key=lambda row: rank[row.board])[:fitting]
        else:
            shown = list(rows)
        left = "" if remaining == float("inf") else f", {remaining:.0f} s left"
        self._redrawn.show(Group(_Cropped(_table(shown, busy)), format_count(rows) + left))

    def clear(self) -> None:
        """Wipe the table."""
        self._redrawn.clear()


@dataclass(frozen=True)
class _Cropped:
    """A table whose lines end where the terminal does; rich would narrow all its columns."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render each line as long as the terminal is wide, or less."""
        for line in console.render_lines(self.table, options.update(width=WIDE), pad=False):
            yield from Segment.adjust_line_length(line, options.max_width, pad=False)
            yield Segment.line()


def _table(rows: Sequence[BoardRow], busy: Iterable[str]) -> Table:
    """Return the table; an asterisk marks boards that are being searched."""
    table = plain_table()
    table.add_column("", no_wrap=True)
    for head, width in (("cost", 6), ("bound", 6), ("gap", 8)):
        add_numbers(table, head, width)
    table.add_column("status", no_wrap=True, min_width=10)
    add_numbers(table, "seconds", 7)
    table.add_column("", no_wrap=True)
    for row in rows:
        cost, bound = ("-" if n is None else str(n) for n in (row.cost, row.lower_bound))
        gap = "-" if row.gap is None else format_gap(row.gap)
        status = Text(row.status, STYLES.get(row.status, ""))
        mark = "*" if row.board in busy else ""
        # Texts, as brackets in a name are no markup.
        cells = (row.board, mark, cost, bound, gap, status, f"{row.seconds:.1f}", row.note)
        table.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in cells))
    return table
