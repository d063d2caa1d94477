"""What a search reports on its way and returns at its end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from nlrouter.answer import Answer, Cost
from nlrouter.certificate import PartProof
from nlrouter.problem import Problem
from nlrouter.tally import Tally


class Status(StrEnum):
    """What is known about a board when the search ends."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Standing:
    """What is known of a board: the one place that makes a status and a gap of it.

    Parameters
    ----------
    cost
        Cost of the best answer known, or None.
    bound
        The best proven lower bound on the cost of every answer, or None.
    infeasible
        Whether it is proven that there is no answer.

    Examples
    --------
    >>> Standing(Cost(110, 23), 133).status
    <Status.OPTIMAL: 'optimal'>
    >>> Standing(Cost(110, 23), 120).gap
    0.09774436090225563
    """

    cost: Cost | None = None
    bound: int | None = None
    infeasible: bool = False

    @property
    def status(self) -> Status:
        """`Status.OPTIMAL` only where cost and bound are equal; an answer refutes infeasible."""
        if self.cost is not None:
            return Status.OPTIMAL if self.cost.total == self.bound else Status.FEASIBLE
        return Status.INFEASIBLE if self.infeasible else Status.UNKNOWN

    @property
    def gap(self) -> float | None:
        """``(cost - bound) / cost``; None where either is unknown."""
        if self.cost is None or self.bound is None:
            return None
        return (self.cost.total - self.bound) / self.cost.total

    @property
    def is_contradictory(self) -> bool:
        """Whether the answer costs less than the bound, or exists though there is none."""
        if self.cost is None:
            return False
        return self.infeasible or (self.bound is not None and self.bound > self.cost.total)


COMPILING = "compile"
"""The phase of the moment in which a search begins that has much to compile first."""


def no_lines() -> None:
    """Have no lines to show."""


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
        What found the news, for ``--verbose``: ``find``, ``prove`` (branch and bound), ``only
        answer``, ``maxsat`` (core-guided MaxSAT) and others; several are joined by ``+``.
        `COMPILING` is no news, but why the next one is late.
    partial
        Called while there is no answer, it returns as many lines as go together by then, the
        others missing, like `Outcome.partial`; or None. Whoever calls it keeps the search waiting,
        on the largest boards for some tenths of a second, and changes nothing about it.
    improved
        The seconds at which the best answer so far came, or None.
    missing
        Called while there is no answer, it returns the numbers of the lines that are in each
        other's way, or without a path, in what comes closest to one; empty before there is any such
        thing.
    """

    seconds: float
    answer: Answer | None
    cost: Cost | None
    lower_bound: int | None
    phase: str
    partial: Callable[[], Answer | None] = field(default=no_lines, repr=False, compare=False)
    improved: float | None = None
    missing: Callable[[], tuple[int, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def standing(self) -> Standing:
        """Cost and bound of the moment."""
        return Standing(self.cost, self.lower_bound)


Observer = Callable[[Progress], None]
"""Called in the main process on every better answer or bound and now and then in between."""


def unobserved(progress: Progress) -> None:
    """Show nothing."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a search ended, by its own word.

    Two are equal that say the same of the same board, however long it took.

    Parameters
    ----------
    problem
        The board.
    answer
        The best answer, ``(layers, height, width)`` line numbers, 0 where empty; or None.
    standing
        What is known: cost, bound, and whether there is no answer.
    seconds
        Time taken.
    reason
        Why there is no answer, for an infeasible board; else empty.
    partial
        Where there is no answer, as many lines as the search could route together, the others
        missing; None where it did not come to that.
    methods
        What each method of the search has cost and gained, by its name.
    proofs
        What proves the bounds of the parts, for a certificate; empty if that was not wanted.
    """

    problem: Problem
    answer: Answer | None
    standing: Standing
    seconds: float
    reason: str = ""
    partial: Answer | None = None
    methods: Mapping[str, Tally] = field(default_factory=dict)
    proofs: tuple[PartProof, ...] = field(default=(), repr=False)

    def _said(self) -> tuple[object, ...]:
        """Return what two results are compared by."""
        drawn = [None if lines is None else lines.tolist() for lines in (self.answer, self.partial)]
        return self.problem, self.standing, self.reason, drawn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self._said() == other._said()

    __hash__ = None  # type: ignore[assignment]  # Arrays have none.

    @property
    def status(self) -> Status:
        """What is known, in a word."""
        return self.standing.status

    @property
    def cost(self) -> Cost | None:
        """Cost of the answer, or None."""
        return self.standing.cost

    @property
    def lower_bound(self) -> int | None:
        """The best proven lower bound, also known without an answer; None if there is none."""
        return self.standing.bound

    @property
    def gap(self) -> float | None:
        """``(cost - bound) / cost``; None where either is unknown."""
        return self.standing.gap

    def __str__(self) -> str:
        """Return status, cost, bound and time in a line."""
        parts = [str(self.status)]
        if self.cost is not None:
            parts.append(str(self.cost))
        if self.reason:
            parts.append(self.reason)
        if self.lower_bound is not None:
            parts.append(f"bound {self.lower_bound}")
        if self.gap:
            parts.append(f"gap {format_gap(self.gap)}")
        parts.append(f"{self.seconds:.1f} s")
        return "  ".join(parts)


def format_gap(gap: float) -> str:
    """Return a gap in percent, with enough digits that an open gap never reads 0."""
    percent = 100 * gap
    return f"{percent:.1f} %" if percent >= 1 or percent == 0 else f"{percent:.2g} %"


def ceil_bound(value: float) -> int:
    """Round a bound computed in floating point up to the next cost, with room for rounding."""
    return math.ceil(value - 1e-6)
