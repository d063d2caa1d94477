"""A point in time that is handed down to everything that may take long."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable


class WorkClock:
    """A clock that shows the work done, in seconds of a typical machine.

    It goes on only where work is reported to it, so that a search that goes by it takes the
    same course on every machine.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        """Return the seconds of work so far."""
        return self.seconds


def _unheard(seconds: float | None) -> None:
    """Tell nobody."""


class WallClock:
    """The machine's clock, which stands still while code is compiled.

    What is compiled is kept for later runs, so it is not to be paid for with the time of one.

    Attributes
    ----------
    excluded
        Seconds that it has stood still.
    excluded_effort
        Processor time of that, in seconds.
    tell
        Told each time that something is about to be compiled (None), and how long that took.
    """

    def __init__(self) -> None:
        self.excluded = 0.0
        self.excluded_effort = 0.0
        self.tell: Callable[[float | None], None] = _unheard

    def __call__(self) -> float:
        """Return the seconds of the machine's clock, less those it has stood still."""
        return time.monotonic() - self.excluded

    def exclude(self, seconds: float, effort: float) -> None:
        """Let it have stood still for some seconds, of so much processor time."""
        self.excluded += seconds
        self.excluded_effort += effort
        self.tell(seconds)

    def effort(self) -> float:
        """Return the processor time of this thread in seconds, less that of compiling."""
        return time.thread_time() - self.excluded_effort


WALL = WallClock()
"""The clock of all that happens in this process."""


def _never() -> bool:
    """Stop nothing."""
    return False


class Deadline:
    """A time limit that starts when it is made, and a reason to stop before it.

    Parameters
    ----------
    seconds
        The limit; ``inf`` for none.
    clock
        What tells the time: `WALL`, or a `WorkClock`.
    stopped
        Asked whether somebody wants the work to stop; nobody does by default.
    """

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = WALL,
        stopped: Callable[[], bool] = _never,
    ) -> None:
        self.clock = clock
        self.start = clock()
        self.end = self.start + seconds
        self.stopped = stopped

    @property
    def counts_work(self) -> bool:
        """Whether the time is that of a `WorkClock`."""
        return isinstance(self.clock, WorkClock)

    def work(self, seconds: float) -> None:
        """Report work; all `Deadline` of the same `WorkClock` go on by it."""
        if isinstance(self.clock, WorkClock):
            self.clock.seconds += seconds

    def elapsed(self) -> float:
        """Seconds since it was made."""
        return self.clock() - self.start

    def effort(self) -> float:
        """Seconds of work since some moment: processor time, where the clock is the machine's."""
        return float(getattr(self.clock, "effort", self.clock)())

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.end - self.clock())

    def passed(self) -> bool:
        """Whether the time is up, or somebody wants the work to stop."""
        return self.remaining() <= 0.0 or self.stopped()

    def within(self, seconds: float) -> Deadline:
        """Return a deadline ``seconds`` from now, but not after this one."""
        return Deadline(min(seconds, self.remaining()), self.clock, self.stopped)

    def after(self, effort: float) -> Deadline:
        """Return a deadline after so many seconds of work, but not after this one."""
        start = self.effort()
        return self.unless(lambda: self.effort() - start >= effort)

    def unless(self, stopped: Callable[[], bool]) -> Deadline:
        """Return the same deadline with one more reason to stop."""
        before = self.stopped
        deadline = copy.copy(self)
        deadline.stopped = lambda: before() or stopped()
        return deadline
