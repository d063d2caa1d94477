"""The record of a run, and the medians of several."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, isinf
from pathlib import Path

from arguments import checked, readable, require_writable

from nlrouter.result import Status

MOMENTS = (5, 20, 60)
"""Seconds after which the cost so far is told."""

FAILED = "failed"
"""Status of a run without figures."""

RANKS = {"optimal": 0, "infeasible": 0, "feasible": 1, "unknown": 2, "wrong": 3, FAILED: 4}
"""How bad each status is: those of nlroute, a wrong answer or bound, and a run without figures."""


@dataclass(frozen=True)
class Figures:
    """What a run gave, or the medians of several; None for what is not known.

    Seconds are those of the clock, of a run by counted work the counted ones.

    Parameters
    ----------
    first
        Seconds to the first answer; by the clock, from the start of the process.
    cost_at
        The cost at each of the `MOMENTS` within the time limit, by seconds.
    cost, bound, gap
        Those at the end; a wrong answer has no cost.
    status
        One of `RANKS`; the worst one of several runs.
    seconds
        Time of the search; by the clock, of the whole process.
    memory
        The most megabytes that the processes of the run were seen to hold at once, where what
        they share counts for each of them; at least what the largest has ever held. 0 where
        nobody looked.
    error
        What must not be, or empty.
    cpu
        Seconds of processor time of all processes; tells more than ``seconds`` where other work
        goes on beside.
    spread
        By how much the costs of several runs differ; 0 for one.
    verified, check_seconds
        What a certificate shows of the bound, and how long its check takes.
    """

    first: float | None
    cost_at: dict[str, float | None]
    cost: float | None
    bound: float | None
    gap: float | None
    status: str
    seconds: float
    memory: float
    error: str
    cpu: float | None = None
    spread: float | None = None
    verified: float | None = None
    check_seconds: float | None = None

    @property
    def proven(self) -> bool:
        """Whether nothing is left to be known."""
        return self.status in (Status.OPTIMAL, Status.INFEASIBLE)


@dataclass(frozen=True)
class RunKey:
    """A run that is to be done, or was.

    Parameters
    ----------
    board
        The board's name.
    seed
        The seed.
    version
        What was run; empty for nlroute as it is here.
    settings
        Time limit and processes, in words.
    """

    board: str
    seed: int
    version: str
    settings: str


@dataclass(frozen=True)
class Run(Figures):
    """What a key gave: a line in a file of runs.

    Parameters
    ----------
    key
        Which it was.
    calls
        How often each method was at work, where that is told.
    """

    key: RunKey = field(kw_only=True)
    calls: dict[str, int] = field(kw_only=True, default_factory=dict)


def read_runs(path: Path) -> list[Run]:
    """Return the runs of a file; none of a file that is not there."""
    if not path.exists():
        return []
    lines = map(json.loads, path.read_text().splitlines())
    return [Run(**line | {"key": RunKey(**line["key"])}) for line in lines]


def runs_file() -> Callable[[str], Path]:
    """Return a type of argument: a file of runs, which is gone on with."""
    return checked(require_writable, readable(read_runs, "runs that this program wrote"))


def medians(runs: Sequence[Figures]) -> Figures:
    """Return the medians of runs, where what is missing counts as worse than any number.

    Of the states, and of what is verified, it is the worst.
    """
    known = [run.cost for run in runs if run.cost is not None]
    verified = [run.verified for run in runs if run.verified is not None]
    return Figures(
        first=_median((run.first for run in runs), inf),
        cost_at={
            moment: _median((run.cost_at[moment] for run in runs), inf)
            for moment in runs[0].cost_at
        },
        cost=_median((run.cost for run in runs), inf),
        bound=_median((run.bound for run in runs), -inf),
        gap=_median((run.gap for run in runs), inf),
        status=max((run.status for run in runs), key=RANKS.__getitem__),
        seconds=statistics.median(run.seconds for run in runs),
        memory=statistics.median(run.memory for run in runs),
        error=next((run.error for run in runs if run.error), ""),
        cpu=_median((run.cpu for run in runs), inf),
        spread=None if len(known) < len(runs) else max(known) - min(known),
        verified=None if len(verified) < len(runs) else min(verified),
        check_seconds=_median((run.check_seconds for run in runs), inf),
    )


def _median(values: Iterable[float | None], missing: float) -> float | None:
    median = statistics.median(missing if value is None else value for value in values)
    return None if isinf(median) else median
