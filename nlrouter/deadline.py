"""A point in time that is handed down to everything that may take long."""

from __future__ import annotations

import time


class Deadline:
    """A time limit that starts when it is made.

    Parameters
    ----------
    seconds
        The limit; ``inf`` for none.
    """

    def __init__(self, seconds: float) -> None:
        self.start = time.monotonic()
        self.end = self.start + seconds

    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self.start

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.end - time.monotonic())

    def passed(self) -> bool:
        """Whether the time is up."""
        return self.remaining() <= 0.0

    def within(self, seconds: float) -> Deadline:
        """Return a deadline ``seconds`` from now, but not after this one."""
        return Deadline(min(seconds, self.remaining()))
