"""Measure nlroute on boards of many kinds, and print what is proven as a table.

Two hundred boards are always the same: eight sizes from 10x10x2 to 36x36x3, of each ten random ones
with 50 to 85 % of the cells filled, and fifteen of the other kinds of nlgen. With --vias it is
eight with many vias of one or two spans, a row each. With --fresh SEED a hundred are drawn that
nobody has seen: contest-like mixes of sizes up to 36x36x8, fills, few long lines or many short
ones, with no vias, few, all lines through one, or all vias of one span. Neither they nor their runs
are kept, so that nothing can be tuned to them.

Each run is one process by counted work (``--deterministic``), so that the load of the machine does
not matter and several runs can go on side by side, or by the clock with --workers.

Prints a row per group of boards: the boards, those answered and proven in every seed, those that
only some seeds prove, median and longest time to the first answer, the median time of all runs, on
how many boards the seeds differ in cost and by how much at the most, and those that stay open, with
the median and the largest gap between the best bound and the best cost.
"""

from __future__ import annotations

import argparse
import shlex
import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from interrupt import interruptible
from measure.boards import SURVEY, WITH_VIAS, Board, fresh
from measure.command import Nlroute
from measure.loop import measure
from measure.options import add_against, add_jobs, add_runs, add_workers, make_parser
from measure.records import Run, RunKey
from measure.tables import print_table, show

TITLES = (
    "boards", "answered", "proven", "in some seeds", "first s", "longest", "median s", "spread",
    "open (gap)",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None, boards: Sequence[Board] = SURVEY) -> int:
    """Do the runs that are missing, print the tables and return the exit code."""
    options = _parse(arguments)
    if options.fresh is not None:
        boards = fresh(options.fresh)
    elif options.vias:
        boards = WITH_VIAS
    works = {"": Nlroute(options.time_limit, options.workers)}
    if options.against:
        works[options.against] = replace(works[""], command=shlex.split(options.against))
    todo = [
        (work, board, RunKey(board.name, seed, version, work.settings))
        for seed in options.seeds
        for board in boards
        for version, work in works.items()
    ]
    runs = measure(todo, options.runs, options.jobs)
    for title in [*boards[0].groups, ""]:
        groups: dict[tuple[str, str], dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
        group = {board.name: board.groups.get(title, "all") for board in boards}
        for run in runs:
            groups[group[run.key.board], run.key.version][run.key.board].append(run)
        print_table(
            [title, *TITLES],
            (
                [f"{name}: {version}" if version else name, *row([*of_board.values()])]
                for (name, version), of_board in sorted(groups.items())
            ),
        )
        print()
    return int(not all(run.proven or run.cost for run in runs) or any(run.error for run in runs))


def row(boards: Sequence[Sequence[Run]]) -> list[str]:
    """Return the figures of some boards, each with its runs, as cells of a table."""
    answered = sum(all(run.cost for run in runs) for runs in boards)
    proven = [[run.proven for run in runs] for runs in boards]
    every = sum(map(all, proven))
    some = sum(map(any, proven)) - every
    every_run = [run for runs in boards for run in runs]
    firsts = [run.first for run in every_run if run.first is not None]
    spreads = [max(found) - min(found) for runs in boards if (found := _costs(runs))]
    gaps = [gap for runs in boards if (gap := _gap(runs)) > 0]
    differ = sum(spread > 0 for spread in spreads)
    return [
        *map(str, (len(boards), answered, every, some)),
        show(statistics.median(firsts) if firsts else None, ".1f"),
        show(max(firsts, default=None), ".1f"),
        f"{statistics.median(run.seconds for run in every_run):.1f}",
        f"{differ}, up to {max(spreads):g}" if differ else "0",
        f"{len(gaps)} ({statistics.median(gaps):.1f}, {max(gaps):.1f} %)" if gaps else "0",
    ]


def _costs(runs: Sequence[Run]) -> list[float]:
    """Return the costs of the answers of some runs."""
    return [run.cost for run in runs if run.cost]


def _gap(runs: Sequence[Run]) -> float:
    """Return how far the best bound of some runs is below their best cost, in per cent of it."""
    cost = min(_costs(runs), default=0)
    return 100 * (1 - max(run.bound or 0 for run in runs) / cost) if cost else 0.0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, limit=60.0, seeds=(0, 1, 2))
    add_runs(parser, "runs", nargs="?")
    boards = parser.add_mutually_exclusive_group()
    boards.add_argument("--fresh", type=int, metavar="SEED", help="draw boards, and keep nothing")
    boards.add_argument("--vias", action="store_true", help="boards with many vias of one span")
    add_workers(parser, None)
    add_against(parser)
    add_jobs(parser)
    options = parser.parse_args(arguments)
    if (options.runs is None) == (options.fresh is None):
        parser.error("expected either a file of runs or --fresh SEED")
    return options


if __name__ == "__main__":
    sys.exit(interruptible(main))
