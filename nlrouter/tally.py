"""What each method of the engine has cost and gained, and which of them are switched off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import thread_time


@dataclass
class Tally:
    """What a method has cost and gained.

    Parameters
    ----------
    calls
        How often it was at work.
    seconds
        Processor time of that, in seconds.
    better
        Better routings that it has found.
    raised
        Cost by which it has raised bounds, summed over all trees, each of which begins at 0.
    """

    calls: int = 0
    seconds: float = 0.0
    better: int = 0
    raised: float = 0.0

    def add(self, other: Tally) -> None:
        """Add what the same method has cost and gained elsewhere."""
        self.calls += other.calls
        self.seconds += other.seconds
        self.better += other.better
        self.raised += other.raised


class Tallies(dict[str, Tally]):
    """The tallies of all methods that were at work, by name.

    Parameters
    ----------
    without
        Names of the methods that are switched off.
    """

    def __init__(self, without: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.without = without
        self._within = [0.0]

    def __missing__(self, name: str) -> Tally:
        """Begin the tally of a method."""
        return self.setdefault(name, Tally())

    @contextmanager
    def at_work(self, name: str) -> Iterator[Tally]:
        """Count a call of a method and the time that it takes, without that of methods in it."""
        start, tally = thread_time(), self[name]
        tally.calls += 1
        self._within.append(0.0)
        try:
            yield tally
        finally:
            seconds = thread_time() - start
            tally.seconds += seconds - self._within.pop()
            self._within[-1] += seconds

    def merge(self, others: dict[str, Tally]) -> None:
        """Add the tallies of another search."""
        for name, tally in others.items():
            self[name].add(tally)
