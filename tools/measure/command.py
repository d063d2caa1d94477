"""Runs of nlroute as its users do them, measured, and judged by the checker.

Knows nothing of the inside of nlroute, so that it may be one of any version.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure.boards import Board, Known
from measure.records import FAILED, MOMENTS, Run, RunKey
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import read_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import read_problem
from nlrouter.record import Moment, RunRecord, parse_record
from nlrouter.runs.memory import MemoryWatch
from nlrouter.runs.router_run import NLROUTE, most_held

NLCHECK = (sys.executable, "-m", "nlrouter.commands.nlcheck")
VERDICT = re.compile(r"^bound (?P<claimed>\d+): (?:(?P<part>\d+) verified,|verified$)", re.M)
"""What nlcheck says of a certificate."""

SAMPLING = 0.2
"""Seconds between two looks at the memory."""

LEEWAY = 120
"""Seconds after the time limit at which a run that has not ended is killed."""

UNHURRIED = 30
"""Seconds of the clock that a counted one may take: on a loaded machine, with code to compile."""


@dataclass(frozen=True)
class Nlroute:
    """A version of nlroute, and how it is to be run.

    Parameters
    ----------
    limit
        The time limit, in seconds.
    workers
        Processes that search; None for one by counted work, which tells the same on any machine.
    command
        The version: this one by default.
    fresh
        Whether each run is to be the first of an installation, which has nothing compiled yet.
    certify
        Whether it writes a certificate, and nlcheck verifies it.
    """

    limit: float
    workers: int | None = None
    command: Sequence[str] = NLROUTE
    fresh: bool = False
    certify: bool = False

    @property
    def settings(self) -> str:
        """Time limit and processes, in words."""
        if self.workers is None:
            return f"{self.limit:g} counted s"
        return f"{self.limit:g} s, {self.workers} workers"

    def __call__(self, board: Board, key: RunKey) -> Run:
        """Route a board, and judge the answer."""
        with tempfile.TemporaryDirectory() as folder, board.file() as path:
            answer, certificate = Path(folder, "answer.txt"), Path(folder, "certificate.json")
            command = [*self.command, "--time-limit", f"{self.limit:g}", "--seed", str(key.seed)]
            command += (
                ["--deterministic"] if self.workers is None else ["--workers", str(self.workers)]
            )
            command += [str(path), "-o", str(answer), "--progress", "json"]
            command += ["--certificate", str(certificate)] if self.certify else []
            cache = {"NUMBA_CACHE_DIR": folder} if self.fresh else {}
            patience = self.limit * (UNHURRIED if self.workers is None else 1) + LEEWAY
            trace = trace_run(command, patience, cache)
            record, costs, talk = self._told(trace)
            errors = [_mistake(record, path, answer, board.known)]
            if record.status == FAILED:
                errors = [f"FAILED with exit code {trace.code}"]
            wrong = bool(errors[0])
            errors += [f"STANDARD ERROR: {talk[-1]}"] if talk else []
            verified, seconds = None, None
            if certificate.exists() and answer.exists():
                verified, seconds, refused = check(path, answer, certificate)
                errors.append(_refutation(verified, refused, record.cost))
        return Run(
            first=costs[0][0] if costs else None,
            cost_at=_costs_at(costs, self.limit),
            cost=None if wrong else record.cost,
            bound=None if wrong else record.lower_bound,
            gap=None if wrong else record.gap,
            status="wrong" if wrong and record.status != FAILED else record.status,
            seconds=record.seconds if self.workers is None else trace.seconds,
            memory=trace.memory,
            error="; ".join(filter(None, errors)),
            cpu=trace.cpu,
            spread=0 if record.cost is not None and not wrong else None,
            key=key,
            calls={
                name: int(tally["calls"])
                for name, tally in (record.methods or {}).items()  # None by those that tell none.
            },
            verified=verified,
            check_seconds=seconds,
        )

    def _told(self, trace: Trace) -> tuple[RunRecord, list[tuple[float, int]], list[str]]:
        """Return the record at the end, costs with their seconds, and what was no record."""
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
                costs.append((told.seconds if self.workers is None else seconds, told.cost))
        return record, costs, talk


def check(path: Path, answer: Path, certificate: Path) -> tuple[int | None, float, str]:
    """Return what nlcheck verifies of a certificate, its seconds, and what it said if it refuses.

    It runs in a process of its own, which knows nothing of the search.
    """
    command = [*NLCHECK, "--input", str(path), "--target", str(answer)]
    start = time.monotonic()
    done = subprocess.run(
        [*command, "--certificate", str(certificate)], capture_output=True, text=True, check=False
    )
    seconds = round(time.monotonic() - start, 3)
    said = VERDICT.search(done.stdout)
    if done.returncode or said is None:
        return None, seconds, (done.stdout + done.stderr).strip()
    return int(said["part"] or said["claimed"]), seconds, ""


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


def _refutation(verified: float | None, refused: str, cost: int | None) -> str:
    """Return what is wrong with a certificate; empty where nothing is."""
    if refused:
        return f"REFUSED: {refused}"
    wrong = cost is not None and (verified or 0) > cost
    return f"VERIFIED {verified}, the answer costs {cost}" if wrong else ""


def _costs_at(costs: list[tuple[float, int]], limit: float) -> dict[str, float | None]:
    """Return the cost at each of the moments up to the limit."""
    return {
        str(moment): next((cost for at, cost in reversed(costs) if at <= moment), None)
        for moment in MOMENTS
        if moment <= limit
    }
