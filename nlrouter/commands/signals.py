"""What Ctrl-C and SIGTERM do to a search: the first one stops it, a later one leaves at once."""

from __future__ import annotations

import time
from collections.abc import Callable

SECOND_SIGNAL_AFTER = 1.0
"""Seconds after which one more signal leaves at once. ``timeout`` sends its own twice."""


class StopThenLeave:
    """To be called at every signal.

    Parameters
    ----------
    stop
        Called at the first signal.
    leave
        Called at every one that comes at least `SECOND_SIGNAL_AFTER` seconds later.
    """

    def __init__(self, stop: Callable[[], None], leave: Callable[[], None]) -> None:
        self._stop = stop
        self._leave = leave
        self._first: float | None = None

    def __call__(self) -> None:
        """React to a signal."""
        if self._first is None:
            self._first = time.monotonic()
            self._stop()
        elif time.monotonic() - self._first >= SECOND_SIGNAL_AFTER:
            self._leave()
