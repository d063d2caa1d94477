"""What ``nlroute`` tells a person: progress while it searches, a summary at the end."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TextIO

from nlrouter.answer import Cost
from nlrouter.result import Progress, Result

LOG_PERIOD = 5.0
"""Seconds after which the log repeats itself where nothing has improved."""


class Silence:
    """Shows no progress; the other displays fill it in."""

    def show(self, progress: Progress) -> None:
        """Show one moment of the search."""

    def clear(self) -> None:
        """Leave the cursor at the start of an empty line, ready for other text."""


class LiveLine(Silence):
    """One line on a terminal, redrawn in place."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._width = 0

    def show(self, progress: Progress) -> None:
        """Redraw the line."""
        text = format_progress(progress)
        # Any terminal knows how to print blanks over a longer text; not all know escapes.
        emit(self._stream, "\r" + text.ljust(self._width))
        self._width = len(text)

    def clear(self) -> None:
        """Wipe the line."""
        if self._width:
            emit(self._stream, "\r" + " " * self._width + "\r")
            self._width = 0


class Log(Silence):
    """A line for each better answer or bound, and one every `LOG_PERIOD` in between."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._news: tuple[Cost | None, int | None] | None = None
        self._seconds = 0.0

    def show(self, progress: Progress) -> None:
        """Add a line if there is news or the last line is old."""
        news = progress.cost, progress.lower_bound
        if news == self._news and progress.seconds - self._seconds < LOG_PERIOD:
            return
        self._news, self._seconds = news, progress.seconds
        emit(self._stream, f"{format_progress(progress)}  {progress.phase}\n")


def format_progress(progress: Progress) -> str:
    """Return time, cost, bound and gap of one moment; a hyphen for what is not known yet."""
    cost, bound = progress.cost, progress.lower_bound
    gap = None if cost is None or bound is None else (cost.total - bound) / cost.total
    return "  ".join(
        [
            f"{progress.seconds:6.1f} s",
            f"cost {'-' if cost is None else cost.total}",
            f"bound {'-' if bound is None else bound}",
            f"gap {'-' if gap is None else format_gap(gap)}",
        ]
    )


def format_summary(result: Result, fixed: Collection[int] = ()) -> str:
    """Return the line that says how a search ended, with fixed lines, without the unknown."""
    parts = [str(result.status)]
    if fixed:
        parts[0] += f" with line{'s' * (len(fixed) > 1)} {format_numbers(fixed)} fixed"
    if result.cost is not None:
        parts.append(format_cost(result.cost))
        parts.append(f"quality {result.cost.quality:.6f}")
    if result.reason:
        parts.append(result.reason)
    if result.lower_bound is not None:
        parts.append(f"bound {result.lower_bound}")
    if result.gap:
        parts.append(f"gap {format_gap(result.gap)}")
    parts.append(f"{result.seconds:.1f} s")
    return "  ".join(parts)


def format_cost(cost: Cost) -> str:
    """Return a cost with its two parts, ``cost 97 = 84 cells + 13 bends``."""
    return f"cost {cost.total} = {cost.length} cells + {cost.bends} bends"


def format_numbers(numbers: Collection[int]) -> str:
    """Return numbers in order, three and more in a row as a range: ``1, 3-6``."""
    rows: list[list[int]] = []
    for number in sorted(numbers):
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(
        f"{row[0]}-{row[-1]}" if len(row) > 2 else ", ".join(map(str, row)) for row in rows
    )


def format_gap(gap: float) -> str:
    """Return a gap in percent, with enough digits that an open gap never reads 0."""
    percent = 100 * gap
    return f"{percent:.1f} %" if percent >= 1 or percent == 0 else f"{percent:.2g} %"


def emit(stream: TextIO | None, text: str) -> bool:
    """Write ``text`` at once; return whether that worked.

    After an error the stream leads to nowhere, so that neither a reader that has left
    (``nlroute ... | head``) nor a full disk stops a search that goes on for its file.
    """
    if stream is None:  # Python's stand-in for a stream that was closed.
        return False
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        return False
    return True
