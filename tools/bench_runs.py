"""Runs of nlroute that are measured, and judged by the checker.

Runs nlroute as its users do and knows nothing of its inside.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isinf
from pathlib import Path

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import read_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import read_problem
from nlrouter.record import Moment, RunRecord, parse_record
from nlrouter.runs.memory import MemoryWatch
from nlrouter.runs.router_run import most_held

MOMENTS = (5, 20, 60)
"""Seconds after which the cost so far is told."""

SAMPLING = 0.2
"""Seconds between two looks at the memory."""

LEEWAY = 120
"""Seconds after the time limit at which a run that has not ended is killed."""

FAILED = "failed"
"""Status of a run without figures."""

RANKS = {"optimal": 0, "infeasible": 0, "feasible": 1, "unknown": 2, "wrong": 3, FAILED: 4}
"""How bad each status is: those of nlroute, a wrong answer or bound, and a run without figures."""


@dataclass(frozen=True)
class Figures:
    """What a run gave, or the medians of several; None for what is not known.

    Parameters
    ----------
    first
        Seconds from the start of the process to its first answer.
    cost_at
        The cost at each of the `MOMENTS` within the time limit, by seconds.
    cost, bound, gap
        Those at the end; a wrong answer has no cost.
    status
        One of `RANKS`; the worst one of several runs.
    seconds
        Time from the start of the process to its end.
    memory
        The most megabytes that the processes of the run were seen to hold at once, where what
        they share counts for each of them; at least what the largest has ever held.
    error
        What must not be, or empty.
    cpu
        Seconds of processor time of all processes; tells more than ``seconds`` where other work
        goes on beside.
    spread
        By how much the costs of several runs differ; 0 for one.
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


@dataclass(frozen=True)
class Known:
    """What is known of a board: the cost of the contest's winner, the best cost, a bound."""

    winner_cost: int | None
    best_cost: int | None
    bound: int | None


@dataclass(frozen=True)
class Trace:
    """What a process left.

    Parameters
    ----------
    lines
        Its lines on standard error, each with the seconds from its start to their arrival.
    code
        Its exit code.
    seconds, memory, cpu
        As in `Figures`.
    """

    lines: list[tuple[float, str]]
    code: int
    seconds: float
    memory: float
    cpu: float


def measure_run(
    command: Sequence[str],
    path: Path,
    limit: float,
    known: Known | None = None,
    *,
    fresh: bool = False,
) -> Figures:
    """Run the command on a board and judge its answer.

    Parameters
    ----------
    command
        The command and the options that are being measured.
    path
        The board's file.
    limit
        The time limit, in seconds.
    known
        What is known of the board.
    fresh
        Whether it is to be the first run of an installation, which has nothing compiled yet.

    Returns
    -------
    Figures
        What the run gave.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.txt"
        whole = [*command, str(path), "-o", str(answer), "--progress", "json"]
        cache = {"NUMBA_CACHE_DIR": folder} if fresh else {}
        trace = trace_run(whole, limit + LEEWAY, cache)
        record = RunRecord(status=FAILED)
        costs: list[tuple[float, int]] = []
        talk: list[str] = []
        for seconds, line in trace.lines:
            moment = parse_record(line, Moment)
            end = None if moment else parse_record(line, RunRecord)
            record = end or record
            if (told := moment or end) is None:
                talk.append(line.strip())
            elif told.cost is not None:
                costs.append((seconds, told.cost))
        mistake = _mistake(record, path, answer, known)
    if record.status == FAILED:
        mistake = f"FAILED with exit code {trace.code}"
    errors = [mistake] if mistake else []
    if talk:
        errors.append(f"STANDARD ERROR: {talk[-1]}")
    return Figures(
        first=costs[0][0] if costs else None,
        cost_at={
            str(moment): next((cost for at, cost in reversed(costs) if at <= moment), None)
            for moment in MOMENTS
            if moment <= limit
        },
        cost=None if mistake else record.cost,
        bound=None if mistake else record.lower_bound,
        gap=None if mistake else record.gap,
        status="wrong" if mistake and record.status != FAILED else record.status,
        seconds=trace.seconds,
        memory=trace.memory,
        error="; ".join(errors),
        cpu=trace.cpu,
        spread=0 if record.cost is not None and not mistake else None,
    )


def _mistake(record: RunRecord, path: Path, answer: Path, known: Known | None) -> str:
    """Return what is wrong with an answer or a bound, or empty."""
    if record.cost is not None:
        try:
            found = read_answer(str(answer))
        except FileError as error:
            return f"WRONG ANSWER: {error}"
        if broken := violations(read_problem(str(path)), found):
            return f"WRONG ANSWER: {broken[0].text}"
        if (cost := measure(found).total) != record.cost:
            return f"WRONG COST: {record.cost}, the answer costs {cost}"
    if known is not None and known.best_cost is not None:
        if record.status == "infeasible":
            return f"WRONG PROOF: infeasible, an answer of cost {known.best_cost} is known"
        if (record.lower_bound or 0) > known.best_cost:
            return f"WRONG BOUND: {record.lower_bound}, a cost of {known.best_cost} is known"
    return ""


def trace_run(
    command: Sequence[str], patience: float, environment: Mapping[str, str] | None = None
) -> Trace:
    """Run a command in a session of its own, and kill it after ``patience`` seconds.

    Variables of ``environment`` are added to those of this process.
    """
    start = time.monotonic()
    with (
        subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        ) as process,
        MemoryWatch(process.pid, SAMPLING) as watch,
    ):
        assert process.stderr is not None
        watchdog = threading.Timer(patience, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        try:
            lines = [(round(time.monotonic() - start, 3), line) for line in process.stderr]
            # Not `Popen.wait`, which drops the usage.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - start
        finally:
            watchdog.cancel()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    # A short run ends between two looks. Its usage counts what this process held when it started
    # it, too, which is hardly more than the least that nlroute takes.
    memory = max(watch.peak, most_held(usage)) / 2**20
    cpu = usage.ru_utime + usage.ru_stime
    return Trace(lines, process.returncode, round(seconds, 3), round(memory, 1), round(cpu, 3))


def medians(runs: Sequence[Figures]) -> Figures:
    """Return the medians of runs, where what is missing counts as worse than any number."""
    known = [run.cost for run in runs if run.cost is not None]
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
    )


def _median(values: Iterable[float | None], missing: float) -> float | None:
    median = statistics.median(missing if value is None else value for value in values)
    return None if isinf(median) else median
