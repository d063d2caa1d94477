"""When a search is to end before its time is up: criteria, to be joined by ``|`` and ``&``.

A criterion is asked at each moment of a search, and ends the search by saying yes; on the largest
boards these may be seconds apart. A function of one's own will do as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nlrouter.result import Progress

Ends = Callable[[Progress], bool]
"""Whether a search is to end, by what is known at a moment of it."""


class Criterion:
    """What criteria have in common: of ``a | b`` one is to hold, of ``a & b`` both."""

    def __call__(self, progress: Progress) -> bool:
        """Return whether the search is to end."""
        raise NotImplementedError

    def __or__(self, other: Ends) -> Criterion:
        return _Joined(any, (self, other))

    def __and__(self, other: Ends) -> Criterion:
        return _Joined(all, (self, other))


@dataclass(frozen=True)
class _Joined(Criterion):
    """Some criteria of which any is to hold, or all."""

    join: Callable[..., bool]
    criteria: tuple[Ends, ...]

    def __call__(self, progress: Progress) -> bool:
        """Return whether the search is to end."""
        return self.join(criterion(progress) for criterion in self.criteria)


@dataclass(frozen=True)
class Elapsed(Criterion):
    """Ends after some seconds, in a criterion that has more to say than ``time_limit``.

    Parameters
    ----------
    seconds
        The seconds, counted ones where the search counts work.
    """

    seconds: float

    def __call__(self, progress: Progress) -> bool:
        """Return whether the search is to end."""
        return progress.seconds >= self.seconds


@dataclass(frozen=True)
class NoImprovement(Criterion):
    """Ends once there has been an answer for so long, and no better one.

    Parameters
    ----------
    seconds
        The seconds, counted ones where the search counts work.
    """

    seconds: float

    def __call__(self, progress: Progress) -> bool:
        """Return whether the search is to end."""
        return (
            progress.improved is not None and progress.seconds - progress.improved >= self.seconds
        )


@dataclass(frozen=True)
class CostReached(Criterion):
    """Ends with an answer that costs so much, or less.

    Parameters
    ----------
    cost
        The cost; ``inf`` for the first answer.
    """

    cost: float

    def __call__(self, progress: Progress) -> bool:
        """Return whether the search is to end."""
        return progress.cost is not None and progress.cost.total <= self.cost


@dataclass(frozen=True)
class GapReached(Criterion):
    """Ends with an answer that is proven to be so near to the best one.

    Parameters
    ----------
    gap
        ``(cost - bound) / cost``, such as 0.01 for one percent.
    """

    gap: float

    def __call__(self, progress: Progress) -> bool:
        """Return whether the search is to end."""
        gap = progress.standing.gap
        return gap is not None and gap <= self.gap
