"""The records of runs in JSON: what programs are told of a search, where `tell` tells people.

``nlroute`` writes them and a batch keeps them in its table; whoever starts ``nlroute`` reads them
back, strictly: what is no such record is taken for talk.
"""

from __future__ import annotations

import json
from typing import Any, Self, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from nlrouter.result import Progress, Standing


class Moment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One moment of a search, a line of ``nlroute --progress json``.

    Parameters
    ----------
    seconds
        Time since the search began.
    cost, lower_bound, gap
        What is known by then, or None.
    phase
        What found the news.
    missing
        While there is no answer, the lines that do not go together with the others; left out where
        there are none.
    """

    seconds: float
    cost: int | None
    lower_bound: int | None
    gap: float | None
    phase: str
    missing: tuple[int, ...] = ()

    @classmethod
    def of(cls, progress: Progress) -> Self:
        """Return the record of a moment.

        Examples
        --------
        >>> from nlrouter.answer import Cost
        >>> print(format_record(Moment.of(Progress(1.5, None, Cost(110, 23), 133, "find"))))
        {"seconds": 1.5, "cost": 133, "lower_bound": 133, "gap": 0.0, "phase": "find"}
        """
        return cls(
            seconds=round(progress.seconds, 3),
            cost=None if progress.cost is None else progress.cost.total,
            lower_bound=progress.lower_bound,
            gap=progress.standing.gap,
            phase=progress.phase,
            missing=progress.missing(),
        )


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """How a search ended, as ``nlroute --json`` tells it.

    Parameters
    ----------
    problem, answer
        The files; no answer file, or none that holds the answer, is None.
    status
        A `Status`.
    cost, length, bends, quality, lower_bound, gap
        What is known, or None.
    seconds
        Time taken.
    fixed
        Numbers of the lines that had to stay, if there were any.
    explanation
        What ``--explain`` tells, if it was asked for.
    methods
        Of each method that was at work its calls, processor seconds, better answers, and the cost
        by which it raised bounds.
    """

    problem: str | None = None
    answer: str | None = None
    status: str
    cost: int | None = None
    length: int | None = None
    bends: int | None = None
    quality: float | None = None
    lower_bound: int | None = None
    gap: float | None = None
    seconds: float = 0.0
    fixed: list[int] | UnsetType = UNSET
    explanation: dict[str, Any] | UnsetType = UNSET
    methods: dict[str, dict[str, float]] | UnsetType = UNSET

    @classmethod
    def of(cls, standing: Standing, seconds: float, **more: Any) -> Self:
        """Return the record of what is known after some seconds; ``more`` are other fields."""
        cost = standing.cost
        known: dict[str, Any] = {
            "status": str(standing.status),
            "cost": None if cost is None else cost.total,
            "length": None if cost is None else cost.length,
            "bends": None if cost is None else cost.bends,
            "quality": None if cost is None else cost.quality,
            "lower_bound": standing.bound,
            "gap": standing.gap,
            "seconds": round(seconds, 3),
        }
        return cls(**known | more)


class BoardRow(RunRecord, frozen=True, kw_only=True):
    """A board's row in the ``table.json`` of a batch, from which the next batch goes on.

    Its ``status`` may also be that of a board that could not be read.

    Parameters
    ----------
    board
        Its name.
    seeds
        Seeds of the runs that have ended.
    note
        What went wrong last, in a sentence.
    key
        Names the board and its content, the same for every batch.
    """

    board: str
    seeds: list[int]
    note: str = ""
    key: str


Record = TypeVar("Record", bound=Moment | RunRecord)


def format_record(record: Moment | RunRecord) -> str:
    """Return a record as a line of JSON."""
    return json.dumps(msgspec.to_builtins(record))


def parse_record(line: str | bytes, kind: type[Record]) -> Record | None:
    """Return the record that a line of JSON is, None if it is none of this kind."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (ValueError, RecursionError):  # msgspec's own errors and those of UTF-8 are the former.
        return None
