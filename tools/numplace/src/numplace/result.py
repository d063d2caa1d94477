"""What is known about a puzzle after a search: never more than was proven."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from numplace.answer import Answer


class Status(StrEnum):
    """What is known about a puzzle's answers."""

    UNIQUE = "unique"
    """There is exactly one."""
    SEVERAL = "several"
    """There are two or more."""
    NONE = "none"
    """It is proven that there is none."""
    UNKNOWN = "unknown"
    """The search ended before it knew; it may have found one answer, and not whether more."""


@dataclass(frozen=True)
class Result:
    """The outcome of a search for answers.

    Parameters
    ----------
    answers
        Those found, all different, each passed by the checker.
    exhausted
        Whether it is proven that there are no others.
    seconds
        The time it took.
    phase
        What decided: ``logic``, ``assumption``, ``bits``, ``cpsat`` or ``sat``.
    interrupted
        Whether Ctrl-C ended it.
    """

    answers: tuple[Answer, ...]
    exhausted: bool
    seconds: float
    phase: str
    interrupted: bool = False

    @property
    def status(self) -> Status:
        """What this says about the puzzle."""
        if len(self.answers) > 1:
            return Status.SEVERAL
        if not self.exhausted:
            return Status.UNKNOWN
        return Status.UNIQUE if self.answers else Status.NONE

    def unless_interrupted(self) -> Result:
        """Return this; where Ctrl-C ended the search, pass it on as `KeyboardInterrupt`."""
        if self.interrupted:
            raise KeyboardInterrupt
        return self
