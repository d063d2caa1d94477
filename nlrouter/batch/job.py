"""One run of nlroute on one board, the same on this machine and on a worker of a cluster."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path

from nlrouter.record import Moment
from nlrouter.runs.router_run import NLROUTE, RoutingConfig, run_router

BOUND_PERIOD = 1.0
"""Seconds between two bounds that are told: on a cluster each takes a place in a log of 1,000."""


@dataclass(frozen=True)
class Job:
    """What is to be run.

    Parameters
    ----------
    board
        Key of the board.
    problem
        Text of the problem file.
    start
        Text of an answer to start from, or None.
    seconds
        Time limit.
    workers
        Processes that search.
    seed
        Seed of all random choices.
    options
        More options for nlroute.
    command
        Stands in for nlroute; None is that of the machine that runs the job.
    """

    board: str
    problem: str
    start: str | None
    seconds: float
    workers: int
    seed: int
    options: tuple[str, ...] = ()
    command: tuple[str, ...] | None = None


@dataclass(frozen=True)
class News:
    """What a run has found. Text and numbers only, so that it can go over any wire.

    Parameters
    ----------
    seed
        Seed of the run.
    ended
        Whether this is the end of the run; status, seconds and error are known only then.
    answer
        Text of a better answer, or None.
    status, lower_bound
        The verdict of nlroute, empty if there is none, and its bound.
    seconds
        Wall-clock time of the run.
    error
        Why there is no verdict.
    """

    seed: int
    ended: bool = False
    answer: str | None = None
    status: str = ""
    lower_bound: int | None = None
    seconds: float = 0.0
    error: str = ""


def run_job(
    job: Job,
    tell: Callable[[News], None],
    stopped: Callable[[], bool],
    scratch: str | None = None,
) -> News:
    """Run nlroute, in a folder of its own.

    Parameters
    ----------
    job
        What to run.
    tell
        Told of better answers and bounds while the run goes on.
    stopped
        Asked many times a second whether the run is to end early.
    scratch
        Where that folder is made; None is the system's place for temporary files.

    Returns
    -------
    News
        The end of the run, with its best answer.
    """
    with tempfile.TemporaryDirectory(prefix="nlroute-", dir=scratch) as folder:
        problem, start, answer = (Path(folder, f"{name}.txt") for name in ("Q", "start", "A"))
        problem.write_text(job.problem, encoding="utf-8")
        command = [*(job.command or NLROUTE), str(problem), "-o", str(answer)]
        command += ["--json", "--progress", "json", "--time-limit", f"{job.seconds:.3f}"]
        command += ["--workers", str(job.workers), "--seed", str(job.seed), *job.options]
        if job.start is not None:
            start.write_text(job.start, encoding="utf-8")
            command += ["--start", str(start)]
        told = job.start
        bound: int | None = None
        heard = -inf

        def look() -> bool:
            nonlocal told
            # nlroute replaces the file as a whole, so that this is never half an answer.
            if answer.exists() and (text := answer.read_text(encoding="utf-8")) != told:
                told = text
                tell(News(job.seed, answer=text))
            return stopped()

        def hear(moment: Moment) -> None:
            nonlocal bound, heard
            better = moment.lower_bound not in (None, bound)
            if better and moment.seconds >= heard + BOUND_PERIOD:
                bound, heard = moment.lower_bound, moment.seconds
                tell(News(job.seed, lower_bound=bound))

        # With this option the limit counts work, which may take any time.
        patience = inf if "--deterministic" in job.options else job.seconds
        run = run_router(command, patience, look, RoutingConfig(memory_look=None), hear)
        return News(
            job.seed,
            ended=True,
            answer=answer.read_text(encoding="utf-8") if answer.exists() else None,
            status=run.status,
            lower_bound=run.lower_bound,
            seconds=round(run.seconds, 3),
            error=run.error,
        )
