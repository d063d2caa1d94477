"""Measure nlroute on boards, and compare with an earlier measurement.

Prints a row per board, the medians over the seeds, as soon as the board is done. Answers are
judged by the checker; what must not be is told in ** at the end of the row. The exit code is 1
if there is any of that, or if a figure is worse than in the recorded table.

Runs nlroute as its users do and knows nothing of its inside.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import inf, isinf
from pathlib import Path
from typing import Any

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.checker.score import share
from nlrouter.files.answer_file import read_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import read_problem
from nlrouter.record import Moment, RunRecord, parse_record
from nlrouter.runs.memory import MemoryWatch

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
BOARDS = [ROOT / "problems", CORPUS / "adc2016", CORPUS / "adc2015"]
RECORDED = ROOT / "tools" / "bench_recorded.json"
COMMAND = (sys.executable, "-m", "nlrouter.commands.nlroute")

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
        The most megabytes that the processes of the run held at once. What they share counts
        for each of them.
    error
        What must not be, or empty.
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
    seconds, memory
        As in `Figures`.
    """

    lines: list[tuple[float, str]]
    code: int
    seconds: float
    memory: float


def main(arguments: Sequence[str] | None = None, command: Sequence[str] = COMMAND) -> int:
    """Measure, compare and record; return the exit code."""
    options = _parse(arguments)
    settings = {key: getattr(options, key) for key in ("time_limit", "seeds", "workers")}
    boards = {f"{path.resolve().parent.name}/{path.stem}": path for path in options.boards}
    known = {name: known_of(path) for name, path in boards.items()}
    table = _Table(boards, known, options.time_limit)
    measured: dict[str, Figures] = {}
    for name, path in boards.items():
        runs = []
        for seed in options.seeds:
            flags = ["--time-limit", f"{options.time_limit:g}", "--workers", f"{options.workers}"]
            flags += ["--seed", str(seed)]
            runs.append(measure_run([*command, *flags], path, options.time_limit, known[name]))
        measured[name] = medians(runs)
        table.show(name, measured[name])
        if options.json is not None:
            _write(options.json, settings, measured)
    table.show_points(measured)
    wrong = any(figures.error for figures in measured.values())
    if options.record:
        _write(options.recorded, settings, measured)
        return int(wrong)
    return int(_compare(options.recorded, settings, measured) or wrong)


def measure_run(
    command: Sequence[str], path: Path, limit: float, known: Known | None = None
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

    Returns
    -------
    Figures
        What the run gave.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.txt"
        whole = [*command, str(path), "-o", str(answer), "--progress", "json"]
        trace = trace_run(whole, limit + LEEWAY)
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


def trace_run(command: Sequence[str], patience: float) -> Trace:
    """Run a command in a session of its own, and kill it after ``patience`` seconds."""
    start = time.monotonic()
    with (
        subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process,
        MemoryWatch(process.pid, SAMPLING) as watch,
    ):
        assert process.stderr is not None
        watchdog = threading.Timer(patience, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        try:
            lines = [(round(time.monotonic() - start, 3), line) for line in process.stderr]
            code = process.wait()
            seconds = time.monotonic() - start
        finally:
            watchdog.cancel()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return Trace(lines, code, round(seconds, 3), round(watch.peak / 2**20, 1))


def medians(runs: Sequence[Figures]) -> Figures:
    """Return the medians of runs, where what is missing counts as worse than any number."""
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
    )


def _median(values: Iterable[float | None], missing: float) -> float | None:
    median = statistics.median(missing if value is None else value for value in values)
    return None if isinf(median) else median


def worsened(old: Figures, new: Figures) -> list[str]:
    """Return what is worse in the new figures, each in a few words."""
    worse = []
    if _or_inf(new.cost) > _or_inf(old.cost):
        worse.append(f"cost {_show(old.cost)} -> {_show(new.cost)}")
    if _proven(new) < _proven(old):
        worse.append(f"bound {_show(old.bound)} -> {_show(new.bound)}")
    if RANKS[new.status] > RANKS[old.status]:
        worse.append(f"status {old.status} -> {new.status}")
    first = _or_inf(old.first)
    if _or_inf(new.first) > max(2 * first, first + 1):
        worse.append(f"first answer {_show(old.first, '.1f')} -> {_show(new.first, '.1f')} s")
    if new.memory > 1.3 * old.memory:
        worse.append(f"memory {old.memory:.0f} -> {new.memory:.0f} MB")
    return worse


def _or_inf(value: float | None) -> float:
    return inf if value is None else value


def _proven(figures: Figures) -> float:
    """Return the bound; infinity for a board that is proven to have no answer."""
    if figures.status == "infeasible":
        return inf
    return -inf if figures.bound is None else figures.bound


def points(cost: float | None, winner_cost: float | None) -> tuple[float, float]:
    """Share out a board's points between us and the winner, in proportion to quality."""
    ours, winners = share([0.0 if value is None else 1 / value for value in (cost, winner_cost)])
    return ours, winners


def known_of(path: Path) -> Known | None:
    """Return what a ``best_known.csv`` beside a board's folder says of it, if there is one."""
    folder = path.resolve().parent
    file = folder.parent / "best_known.csv"
    if not file.exists():
        return None
    with file.open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row.pop("board") == f"{folder.name}/{path.stem}":
                return Known(**{key: int(value) if value else None for key, value in row.items()})
    return None


class _Table:
    """The table as it is printed.

    Parameters
    ----------
    names
        The boards.
    known
        What is known of each.
    limit
        The time limit, in seconds.
    """

    def __init__(self, names: Iterable[str], known: dict[str, Known | None], limit: float) -> None:
        self._known = known
        self._width = max(map(len, names))
        titles = ["first s", *(f"at {moment} s" for moment in MOMENTS if moment <= limit)]
        titles += ["cost", "bound", "gap %", "status", "seconds", "MB"]
        if any(known.values()):
            titles += ["best", "winner", "known bd", "points"]
        self._print("board", titles)

    def show(self, name: str, figures: Figures) -> None:
        """Print a board's row."""
        cells = [_show(figures.first, ".1f"), *map(_show, figures.cost_at.values())]
        cells += [_show(figures.cost), _show(figures.bound)]
        cells += [_show(None if figures.gap is None else 100 * figures.gap, ".2f"), figures.status]
        cells += [f"{figures.seconds:.1f}", f"{figures.memory:.0f}"]
        if known := self._known[name]:
            cells += [_show(known.best_cost), _show(known.winner_cost), _show(known.bound)]
            cells += [f"{points(figures.cost, known.winner_cost)[0]:.2f}"]
        self._print(name, cells, f"  **{figures.error}**" if figures.error else "")

    def show_points(self, measured: dict[str, Figures]) -> None:
        """Print the sum of the points, if the winner's costs are known."""
        shares = [
            points(figures.cost, known.winner_cost)
            for name, figures in measured.items()
            if (known := self._known[name])
        ]
        if shares:
            ours, winners = (sum(share) for share in zip(*shares, strict=True))
            print(f"points on {len(shares)} boards: {ours:.2f}, the winner {winners:.2f}")

    def _print(self, name: str, cells: Iterable[str], end: str = "") -> None:
        row = " ".join([name.ljust(self._width), *(f"{cell:>10}" for cell in cells)])
        print(row + end, flush=True)


def _show(value: float | None, form: str = "g") -> str:
    return "-" if value is None else format(value, form)


def _write(file: Path, settings: dict[str, Any], measured: dict[str, Figures]) -> None:
    """Write the settings and the figures of all boards as JSON."""
    boards = {name: asdict(figures) for name, figures in measured.items()}
    file.write_text(json.dumps({"settings": settings, "boards": boards}, indent=1) + "\n")


def _compare(file: Path, settings: dict[str, Any], measured: dict[str, Figures]) -> bool:
    """Say what is worse than in a recorded table; return whether anything is."""
    if not file.exists():
        print(f"nothing to compare with: no {file}")
        return False
    recorded = json.loads(file.read_text())
    if recorded["settings"] != settings:
        print(f"recorded with other settings: {recorded['settings']}, now {settings}")
    common = [name for name in measured if name in recorded["boards"]]
    any_worse = False
    for name in common:
        worse = worsened(Figures(**recorded["boards"][name]), measured[name])
        if worse:
            any_worse = True
            print(f"worse: {name}: {', '.join(worse)}")
    if not any_worse:
        print(f"nothing worse than recorded on {len(common)} of {len(measured)} boards")
    return any_worse


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; ``boards`` becomes the list of files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "boards",
        nargs="*",
        type=Path,
        metavar="BOARD",
        help="problem files, or folders of them (default: problems/, and the corpus's adc2016 "
        "and adc2015 where they are)",
    )
    parser.add_argument(
        "--time-limit", type=float, default=60.0, metavar="S", help="seconds per run (default: 60)"
    )
    parser.add_argument(
        "--seeds", type=int, nargs="+", default=[0], metavar="N", help="a run each (default: 0)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=len(os.sched_getaffinity(0)),
        metavar="N",
        help="processes that search (default: one per core)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON")
    parser.add_argument(
        "--recorded",
        type=Path,
        default=RECORDED,
        metavar="FILE",
        help="the table to compare with (default: tools/bench_recorded.json)",
    )
    parser.add_argument(
        "--record", action="store_true", help="write the recorded table, do not compare with it"
    )
    options = parser.parse_args(arguments)
    files: list[Path] = []
    for path in options.boards or filter(Path.is_dir, BOARDS):
        if not path.exists():
            parser.error(f"{path} does not exist")
        files += sorted(path.glob("*.txt")) if path.is_dir() else [path]
    if not files:
        parser.error("no boards")
    options.boards = files
    return options


if __name__ == "__main__":
    sys.exit(main())
