"""Shows the progress of a search on a terminal or in a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from nlrouter.answer import Cost
from nlrouter.record import Moment, format_record
from nlrouter.result import COMPILING, Progress
from nlrouter.tell.stream import emit
from nlrouter.tell.words import format_progress

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
        from nlrouter.tell.redrawn import Redrawn

        self._redrawn = Redrawn(stream)

    def show(self, progress: Progress) -> None:
        """Redraw the line."""
        line = format_progress(progress)
        if progress.phase == COMPILING:
            line += "  compiling, on the first run alone"
        self._redrawn.show(line)

    def clear(self) -> None:
        """Wipe the line."""
        self._redrawn.clear()


class Log(Silence):
    """A line for each better answer or bound, and one every `LOG_PERIOD` in between.

    Parameters
    ----------
    stream
        Where the lines go.
    line
        What makes a line of a moment: `in_words` or `as_json`.
    """

    def __init__(self, stream: TextIO, line: Callable[[Progress], str]) -> None:
        self._stream = stream
        self._line = line
        self._news: tuple[Cost | None, int | None] | None = None
        self._seconds = 0.0

    def show(self, progress: Progress) -> None:
        """Add a line if there is news or the last line is old."""
        news = progress.cost, progress.lower_bound
        if news == self._news and progress.seconds - self._seconds < LOG_PERIOD:
            return
        self._news, self._seconds = news, progress.seconds
        emit(self._stream, f"{self._line(progress)}\n")


def in_words(progress: Progress) -> str:
    """Return a moment as a line for people, with what found the news."""
    return f"{format_progress(progress)}  {progress.phase}"


def as_json(progress: Progress) -> str:
    """Return a moment as a line for programs."""
    return format_record(Moment.of(progress))
