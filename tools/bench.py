"""Measure nlroute on boards, and compare with an earlier measurement or with another version.

Prints a row per board, the medians over the seeds, as soon as the board is done. Answers are
judged by the checker; what must not be is told in ** at the end of the row. The exit code is 1
if there is any of that, or if a figure is worse than in the recorded table.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from math import inf
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from arguments import checked, readable, require_writable
from interrupt import interruptible
from measure.boards import Board, boards_of
from measure.command import Nlroute
from measure.loop import measure
from measure.options import add_against, add_workers, make_parser
from measure.records import MOMENTS, RANKS, Figures, Run, RunKey, medians
from measure.tables import show

from nlrouter.checker.score import share
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.runs.router_run import NLROUTE

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
BOARDS = [ROOT / "problems", CORPUS / "adc2016", CORPUS / "adc2015"]
RECORDED = ROOT / "tools" / "bench_recorded.json"
LEAST_MEMORY = 30.0
"""Megabytes that any run takes: earlier versions recorded less, of runs that no look has seen."""


def main(arguments: Sequence[str] | None = None, command: Sequence[str] = NLROUTE) -> int:
    """Measure, compare and record; return the exit code."""
    options = _parse(arguments)
    settings = {key: getattr(options, key) for key in ("time_limit", "seeds", "workers")}
    boards = {board.name: board for board in options.boards}
    works = {
        "": Nlroute(options.time_limit, options.workers, command, options.first_run, options.verify)
    }
    if options.against:
        works["  against"] = replace(works[""], command=shlex.split(options.against))
    todo = [
        (work, board, RunKey(board.name, seed, version, work.settings))
        for board in options.boards
        for seed in options.seeds
        # Whoever comes second finds the board's file in memory, and a warmer processor.
        for version, work in [*works.items()][:: 1 if seed % 2 == 0 else -1]
    ]
    table = _Table(options.boards, options.time_limit, verified=options.verify)
    runs: list[Run] = []
    measured: dict[str, Figures] = {}
    others: dict[str, Figures] = {}

    def hear(run: Run) -> None:
        runs.append(run)
        if len(runs) < len(options.seeds) * len(works):
            return
        name = run.key.board
        for version, figures in zip(works, (measured, others), strict=False):
            figures[name] = medians([each for each in runs if each.key.version == version])
            table.show(version or name, boards[name], figures[name])
        runs.clear()
        if options.json is not None:
            _write(options.json, settings, measured)

    measure(todo, hear=hear)
    _show_points(boards.values(), measured)
    wrong = any(figures.error for figures in measured.values())
    if options.record:
        _write(options.recorded, settings, {**_kept(options.recorded, settings), **measured})
        return int(wrong)
    if others:
        _show_ratios(measured, others)
        return int(_tell_worse(others, measured, "in the other version") or wrong)
    return int(_compare(options.recorded, settings, measured) or wrong)


def worsened(old: Figures, new: Figures) -> list[str]:
    """Return what is worse in the new figures, each in a few words."""
    worse = []
    if _or_inf(new.cost) > _or_inf(old.cost):
        worse.append(f"cost {show(old.cost)} -> {show(new.cost)}")
    if _proven(new) < _proven(old):
        worse.append(f"bound {show(old.bound)} -> {show(new.bound)}")
    if RANKS[new.status] > RANKS[old.status]:
        worse.append(f"status {old.status} -> {new.status}")
    first = _or_inf(old.first)
    if _or_inf(new.first) > max(2 * first, first + 1):
        worse.append(f"first answer {show(old.first, '.1f')} -> {show(new.first, '.1f')} s")
    if old.memory >= LEAST_MEMORY and new.memory > max(1.3 * old.memory, old.memory + 20):
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


class _Table:
    """The table as it is printed, in columns that a terminal shows one below the other.

    Parameters
    ----------
    boards
        The boards.
    limit
        The time limit, in seconds.
    verified
        Whether it has what is verified of the bounds.
    """

    def __init__(self, boards: Sequence[Board], limit: float, *, verified: bool) -> None:
        self._verified = verified
        self._width = max(len(board.name) for board in boards)
        titles = ["first s", *(f"at {moment} s" for moment in MOMENTS if moment <= limit)]
        titles += ["cost", "spread", "bound", "gap %", "status", "seconds", "CPU s", "MB"]
        titles += ["verified", "check s"] if verified else []
        if any(board.known for board in boards):
            titles += ["best", "winner", "known bd", "points"]
        self._print("board", titles)

    def show(self, title: str, board: Board, figures: Figures) -> None:
        """Print a board's row."""
        cells = [show(figures.first, ".1f"), *map(show, figures.cost_at.values())]
        cells += [show(figures.cost), show(figures.spread), show(figures.bound)]
        cells += [show(None if figures.gap is None else 100 * figures.gap, ".2f"), figures.status]
        cells += [f"{figures.seconds:.1f}", show(figures.cpu, ".1f"), f"{figures.memory:.0f}"]
        if self._verified:
            cells += [show(figures.verified), show(figures.check_seconds, ".1f")]
        if known := board.known:
            cells += [show(known.best_cost), show(known.winner_cost), show(known.bound)]
            cells += [f"{points(figures.cost, known.winner_cost)[0]:.2f}"]
        self._print(title, cells, f"  **{figures.error}**" if figures.error else "")

    def _print(self, title: str, cells: Iterable[str], end: str = "") -> None:
        row = " ".join([title.ljust(self._width), *(f"{cell:>10}" for cell in cells)])
        print(row + end, flush=True)


def _show_points(boards: Iterable[Board], measured: dict[str, Figures]) -> None:
    """Print the sum of the points, if the winner's costs are known."""
    shares = [
        points(measured[board.name].cost, known.winner_cost)
        for board in boards
        if (known := board.known)
    ]
    if shares:
        ours, winners = (sum(share) for share in zip(*shares, strict=True))
        print(f"points on {len(shares)} boards: {ours:.2f}, the winner {winners:.2f}")


def _write(file: Path, settings: dict[str, Any], measured: dict[str, Figures]) -> None:
    """Write the settings and the figures of all boards as JSON."""
    boards = {name: asdict(figures) for name, figures in measured.items()}
    text = json.dumps({"settings": settings, "boards": boards}, indent=1)
    write_atomically(str(file), f"{text}\n")


def read_table(file: Path) -> tuple[dict[str, Any], dict[str, Figures]]:
    """Read the settings and the figures of all boards that bench.py has written as JSON."""
    table = json.loads(file.read_text())
    return table["settings"], {name: Figures(**row) for name, row in table["boards"].items()}


def _kept(file: Path, settings: dict[str, Any]) -> dict[str, Figures]:
    """Return the rows of a recorded table to which others can be added: of the same settings."""
    if not file.exists():
        return {}
    recorded, boards = read_table(file)
    return boards if recorded == settings else {}


def _compare(file: Path, settings: dict[str, Any], measured: dict[str, Figures]) -> bool:
    """Say what is worse than in a recorded table; return whether anything is."""
    if not file.exists():
        print(f"nothing to compare with: no {file}")
        return False
    recorded, old = read_table(file)
    if recorded != settings:
        print(f"recorded with other settings: {recorded}, now {settings}")
    return _tell_worse(old, measured, "recorded")


def _tell_worse(old: dict[str, Figures], new: dict[str, Figures], where: str) -> bool:
    """Say what is worse than in an old measurement; return whether anything is."""
    common = [name for name in new if name in old]
    worse = {name: words for name in common if (words := worsened(old[name], new[name]))}
    for name, words in worse.items():
        print(f"worse: {name}: {', '.join(words)}")
    if not worse:
        print(f"nothing worse than {where} on {len(common)} of {len(new)} boards")
    return bool(worse)


def _show_ratios(measured: dict[str, Figures], others: dict[str, Figures]) -> None:
    """Print how times and memory compare with the other version's, over all boards."""
    ratios = {
        title: [
            getattr(figures, title) / getattr(others[name], title)
            for name, figures in measured.items()
            if getattr(figures, title) and getattr(others[name], title)
        ]
        for title in ("first", "seconds", "cpu", "memory")
    }
    means = [f"{title} {geometric_mean(found):.2f}" for title, found in ratios.items() if found]
    print(f"of the other version's (geometric means): {', '.join(means)}")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; ``boards`` becomes the list of boards."""
    parser = make_parser(__doc__, limit=60.0)
    parser.add_argument(
        "boards", nargs="*", type=Path, metavar="BOARD",
        help="problem files, or folders of them (default: problems/, and the corpus's adc2016 "
        "and adc2015 where they are)",
    )  # fmt: skip
    add_workers(parser)
    add_against(parser)
    parser.add_argument(
        "--verify", action="store_true",
        help="let each run write a certificate, and nlcheck say how much of the bound it shows",
    )  # fmt: skip
    parser.add_argument(
        "--first-run", action="store_true",
        help="let each run be the first of its installation, with nothing compiled",
    )  # fmt: skip
    parser.add_argument(
        "--json", type=checked(require_writable), metavar="FILE", help="write the table as JSON"
    )
    parser.add_argument(
        "--recorded", type=checked(readable(read_table, "a table that this program wrote")),
        default=RECORDED, metavar="FILE",
        help="the table to compare with (default: tools/bench_recorded.json)",
    )  # fmt: skip
    parser.add_argument(
        "--record", action="store_true",
        help="write these rows into the recorded table, do not compare with it; rows of other "
        "boards stay if they are of the same settings",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    if options.record:
        try:
            require_writable(options.recorded)
        except FileError as error:
            parser.error(str(error))
    options.boards = boards_of(parser, options.boards or _there(BOARDS))
    return options


def _there(folders: Iterable[Path]) -> list[Path]:
    """Return the folders that are there, and say which are not."""
    there = []
    for folder in folders:
        if folder.is_dir():
            there.append(folder)
        else:
            print(f"not measured, as it is not there: {folder}", file=sys.stderr)
    return there


if __name__ == "__main__":
    sys.exit(interruptible(main))
