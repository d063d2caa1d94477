"""What Ctrl-C and SIGTERM do to a search: the first one stops it, a later one leaves at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

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


@contextmanager
def stop_on_signals(
    leave: Callable[[], None],
    signals: Sequence[signal.Signals] = (signal.SIGINT, signal.SIGTERM),
    *,
    last: bool = False,
) -> Iterator[threading.Event]:
    """Let a first signal set the event that is given, and a later one `leave`.

    Only the main thread can do that; elsewhere signals stay what they are. Afterwards they do as
    before; with ``last``, where the process has but to end, nothing: its exit code is to be the one
    that agrees with what was said.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    react = StopThenLeave(stop.set, leave)

    previous = {number: signal.signal(number, lambda *_: react()) for number in signals}
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, signal.SIG_IGN if last else handler)
