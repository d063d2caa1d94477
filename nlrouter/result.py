"""What a search returns and what it reports on its way. Pure data."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from nlrouter.answer import Answer, Cost


class Status(StrEnum):
    """What is known about a board when the search ends."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Progress:
    """One moment of a search.

    Parameters
    ----------
    seconds
        Time since the search began.
    answer, cost
        The best answer so far, or None.
    lower_bound
        The best proven lower bound on the cost so far, or None.
    phase
        What found the news, for ``--verbose``: ``find``, ``prove`` (branch and bound), ``sweep``
        (the frontier search), ``solve`` (CP-SAT), ``maxsat`` (core-guided MaxSAT) and others;
        several are joined by ``+``.
    """

    seconds: float
    answer: Answer | None
    cost: Cost | None
    lower_bound: int | None
    phase: str


Observer = Callable[[Progress], None]
"""Called in the main process on every better answer or bound and now and then in between."""


@dataclass(frozen=True)
class Result:
    """How a search ended.

    Parameters
    ----------
    status
        `Status.OPTIMAL` only where ``cost.total == lower_bound``; `Status.INFEASIBLE` only
        where it is proven.
    answer, cost
        The best answer and its cost, or None.
    lower_bound
        The best proven lower bound, also known without an answer; None if there is none.
    seconds
        Time taken.
    reason
        Why there is no answer, for an infeasible board; else empty.
    partial
        Where there is no answer, as many lines as the search could route together, the others
        missing; None where it did not come to that.
    """

    status: Status
    answer: Answer | None
    cost: Cost | None
    lower_bound: int | None
    seconds: float
    reason: str = ""
    partial: Answer | None = None

    @property
    def gap(self) -> float | None:
        """``(cost - bound) / cost``; None where either is unknown."""
        if self.cost is None or self.lower_bound is None:
            return None
        return (self.cost.total - self.lower_bound) / self.cost.total


def ceil_bound(value: float) -> int:
    """Round a bound computed in floating point up to the next cost, with room for rounding."""
    return math.ceil(value - 1e-6)
