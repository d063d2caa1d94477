"""Turns among works that share the time: next is what is furthest behind its share."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nlrouter.deadline import Deadline

LEAST_TURN = 0.001
"""Seconds that a turn counts at the least: what has nothing to do is not asked for ever."""

Work = Callable[..., None]
"""Something to do for a while, called with a deadline and more."""


class Turns:
    """How much time has gone to each of some works."""

    def __init__(self) -> None:
        self.spent: dict[Work, float] = {}

    @property
    def total(self) -> float:
        """Seconds that all works have had."""
        return sum(self.spent.values())

    def next(self, shares: Mapping[Work, float], due: Mapping[Work, float] | None = None) -> Work:
        """Return the work whose turn it is.

        Parameters
        ----------
        shares
            The share of each work that may have a turn, in any unit.
        due
            Seconds that a turn of a work takes, if that is long: it then waits until they fit
            into its share.
        """
        due = due or {}

        def behind(work: Work) -> float:
            return (self.spent.get(work, 0.0) + due.get(work, 0.0)) / shares[work]

        return min(shares, key=behind)

    def take(self, work: Work, deadline: Deadline, *others: object) -> None:
        """Let a work have a turn: call it with the deadline and more, and note the time."""
        start = deadline.effort()
        work(deadline, *others)
        self.charge(work, max(LEAST_TURN, deadline.effort() - start))

    def charge(self, work: Work, seconds: float) -> None:
        """Note time that a work has had."""
        self.spent[work] = self.spent.get(work, 0.0) + seconds
