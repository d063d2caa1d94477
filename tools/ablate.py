"""Switch each method of the engine off, alone, and print what the boards are like without it.

The boards are those of the survey and those named, routed by counted work in one process each. A
board on which a method was never at work is the same without it and is not run again. Runs are
kept, a line of JSON each, as soon as they are done; a run that is kept is not done again.

Prints a row per method: on how many boards it was at work, and there, with and without it, how many
are proven and answered, how much more the answers cost and how much longer counted and processor
time are without it (geometric means); last, lines of code that only it needs, and of tests.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

from interrupt import interruptible
from measure.boards import SURVEY, Board, boards_of
from measure.loop import measure
from measure.options import add_jobs, add_runs, make_parser
from measure.records import Run, RunKey
from measure.tables import print_table

from nlrouter import route
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.search import METHOD_NAMES

ROOT = Path(__file__).resolve().parent.parent

SOURCES: Mapping[str, tuple[str, ...]] = {
    "bidding": ("engine/find/bidding", "engine/find/bidding_kernel"),
    "bonds": ("engine/bounds/bonds", "checker/certificate/bonds"),
    "cells": ("engine/prove/cell_steps",),
    "conflicts": ("engine/bounds/conflicts", "certifier/via_reasons"),
    "covers": ("engine/bounds/covers", "checker/certificate/covers", "certifier/cover_side"),
    "displacement": ("engine/find/displace", "engine/find/displace_kernel", "engine/find/lines"),
    "full answers": ("engine/exact/full_answer",),
    "groups": ("engine/find/groups", "engine/find/group_kernels"),
    "layers": ("engine/prove/layer_steps",),
    "maxsat": (
        "engine/exact/maxsat", "certifier/cores", "checker/certificate/cores",
        "checker/certificate/clauses", "checker/certificate/propagate",
    ),
    "only answer": ("engine/exact/only_answer",),
    "reduced costs": ("engine/bounds/fixing",),
    "rounding": ("engine/bounds/rounding",),
    "small boards": ("engine/small",),
    "sides": (
        "engine/prove/asking", "engine/prove/questions", "engine/bounds/sided_guide",
        "engine/bounds/sided_paths", "engine/bounds/sided_searches", "engine/bounds/sided_walks",
    ),
    "via pairs": (
        "engine/bounds/via_pairs", "engine/bounds/via_pair_kernel", "engine/prove/pair_steps",
    ),
    "via chains": ("engine/find/via_chains",),
    "via swaps": ("engine/find/via_swaps",),
}  # fmt: skip
"""Modules that only a method needs, and maybe others that build on it."""


@dataclass(frozen=True)
class Without:
    """Routes a board by counted work in this process, without a method."""

    method: str
    seconds: float

    def __call__(self, board: Board, key: RunKey) -> Run:
        """Route a board."""
        config = RouterConfig(without=frozenset({self.method} - {""}))
        start = time.process_time()
        result = route(
            board.make(), time_limit=self.seconds, seed=key.seed, deterministic=True, config=config
        )
        return Run(
            None,
            {},
            None if result.cost is None else result.cost.total,
            result.lower_bound,
            result.gap,
            result.status.value,
            round(result.seconds, 3),
            0,
            "",
            round(time.process_time() - start, 3),
            key=key,
            calls={method: tally.calls for method, tally in result.methods.items()},
        )


def main(arguments: Sequence[str] | None = None, others: Sequence[Board] = SURVEY) -> int:
    """Do the runs that are missing, print the table and return the exit code."""
    options = _parse(arguments)
    boards = [*options.boards, *others]
    runs: dict[tuple[str, int, str], Run] = {}
    for methods in ([""], options.methods):
        todo = [
            (
                Without(method, options.time_limit),
                board,
                RunKey(board.name, seed, version, settings),
            )
            for method in methods
            for seed in options.seeds
            for board in boards
            if not method or runs[board.name, seed, ""].calls.get(method)
            for version in [f"without {method}" if method else ""]
            for settings in [f"{options.time_limit:g} counted s"]
        ]
        for run in measure(todo, options.runs, options.jobs):
            method = run.key.version.removeprefix("without ")
            runs[run.key.board, run.key.seed, method] = run
    titles = ("boards", "proven", "answered", "cost", "counted s", "processor s", "lines", "tests")
    print_table(["without", *titles], (row(method, runs) for method in options.methods))
    return 0


def row(method: str, runs: Mapping[tuple[str, int, str], Run]) -> list[str]:
    """Return what the boards are like with a method and without it, as cells of a table."""
    pairs = [
        (runs[board, seed, ""], run)
        for (board, seed, without), run in runs.items()
        if without == method
    ]
    lines = list(map(str, lines_of(method)))
    if not pairs:
        return [method, "0", *[""] * 5, *lines]
    proven, answered = (
        " → ".join(str(sum(map(count, side))) for side in zip(*pairs, strict=True))
        for count in (lambda run: run.proven, lambda run: run.cost is not None)
    )
    costs = [b.cost / a.cost for a, b in pairs if a.cost and b.cost]
    counted = geometric_mean([(b.seconds + 0.1) / (a.seconds + 0.1) for a, b in pairs])
    processor = geometric_mean([((b.cpu or 0) + 0.1) / ((a.cpu or 0) + 0.1) for a, b in pairs])
    dearer = f"{100 * geometric_mean(costs) - 100:+.2f} %" if costs else ""
    changes = [f"{100 * share - 100:+.0f} %" for share in (counted, processor)]
    return [method, str(len(pairs)), proven, answered, dearer, *changes, *lines]


def lines_of(method: str) -> tuple[int, int]:
    """Return the lines of the modules that only a method needs, and of their tests."""
    names = SOURCES.get(method, ())
    code = [ROOT / "nlrouter" / f"{name}.py" for name in names]
    tests = [
        path
        for stem in {Path(name).stem for name in names}
        for path in (ROOT / "tests").glob(f"*/test_*{stem}.py")
    ]
    return _count(code), _count(tests)


def _count(paths: Iterable[Path]) -> int:
    """Return how many lines some files have."""
    return sum(len(path.read_text().splitlines()) for path in paths)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, limit=20.0)
    add_runs(parser, "runs")
    parser.add_argument("--boards", type=Path, nargs="+", default=[], help="boards besides")
    parser.add_argument(
        "--methods",
        nargs="+",
        choices=sorted(METHOD_NAMES),
        default=sorted(METHOD_NAMES),
        metavar="METHOD",
        help="methods to switch off, all of them by default: " + ", ".join(sorted(METHOD_NAMES)),
    )
    add_jobs(parser)
    options = parser.parse_args(arguments)
    options.boards = boards_of(parser, options.boards) if options.boards else []
    return options


if __name__ == "__main__":
    sys.exit(interruptible(main))
