"""Measure how far seeds differ on boards with many vias of one or two spans.

Which line takes which via decides most of what such boards cost, and seeds differ in it. Prints a
row per board: the best, median and worst cost of all seeds, the best bound, the spread (worst less
best) and the share of seeds that reach the best cost; then the mean, over boards, of how far the
median and the worst cost are above the best known one, in percent.

By default the whole program runs by counted work (``--deterministic``), so that the load of the
machine does not matter. With ``--finder`` only the search for answers runs, without bounds, for
seconds of processor time, so that changes of its moves are charged for what they take.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arguments import checked, positive, readable, require_writable
from interrupt import interruptible

from nlrouter.deadline import Deadline
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.files.atomic import write_atomically
from nlrouter.files.problem_file import read_problem
from nlrouter.generators import NoBoard, Request, make
from nlrouter.problem import Problem
from nlrouter.routing.search import route

ONE = ((0, 1),)
THREE = ((0, 2),)
TWO = ((0, 1), (1, 2))

BOARDS = {
    "21x28x2 18 vias": Request(21, 28, 2, 18, 18, ONE, 0.85, seed=7),
    "28x28x2 24 vias": Request(28, 28, 2, 28, 24, ONE, 0.6, seed=1),
    "36x36x2 28 vias": Request(36, 36, 2, 28, 28, ONE, 0.5, seed=1),
    "36x36x3 40 vias": Request(36, 36, 3, 48, 40, TWO, 0.4, seed=5),
    "21x28x2 12 vias": Request(21, 28, 2, 16, 12, ONE, 0.75, seed=2),
    "28x28x3 20 vias": Request(28, 28, 3, 30, 20, THREE, 0.5, seed=3),
    "30x30x2 30 vias": Request(30, 30, 2, 30, 30, ONE, 0.75, seed=8),
    "30x30x3 24 vias": Request(30, 30, 3, 36, 24, TWO, 0.5, seed=1),
}
"""Boards by name; the first four are the small set."""

SMALL = 4
"""Boards of the small set."""


@dataclass(frozen=True)
class Spread:
    """What all seeds gave on a board: their costs, unanswered ones left out, and best bound."""

    costs: list[int]
    missing: int
    bound: int

    @property
    def row(self) -> str:
        """The figures as cells of a table."""
        if not self.costs:
            return f"- | - | - | {self.bound} | - | 0"
        least, most = min(self.costs), max(self.costs)
        share = self.costs.count(least) / (len(self.costs) + self.missing)
        lost = f" ({self.missing} without)" if self.missing else ""
        return (
            f"{least} | {statistics.median(self.costs):g} | {most}{lost} | {self.bound} |"
            f" {most - least} | {share:.0%}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table and return the exit code."""
    options = _parse(arguments)
    chosen = list(BOARDS.items())[: None if options.all else SMALL]
    boards = {path.stem: read_problem(path) for path in options.boards}
    for name, request in [] if boards else chosen:
        try:
            boards[name] = make("random", request)[0]
        except NoBoard as none:
            print(f"{name}: {none}", file=sys.stderr)
    known: dict[str, int] = {}
    if options.known is not None and options.known.exists():
        known = read_known(options.known)
    print("| board | best | median | worst | bound | spread | at best |\n|---|" + "---:|" * 6)
    medians, worsts = [], []
    for name, problem in boards.items():
        spread = measure(problem, options.seeds, options.time_limit, options.finder)
        print(f"| {name} | {spread.row} |", flush=True)
        if spread.costs:
            known[name] = min([known.get(name, min(spread.costs)), *spread.costs])
            medians.append(100 * (statistics.median(spread.costs) / known[name] - 1))
            worsts.append(100 * (max(spread.costs) / known[name] - 1))
    if medians:
        print(
            f"above the best known: median {statistics.mean(medians):.2f} %,"
            f" worst {statistics.mean(worsts):.2f} %"
        )
    if options.known is not None:
        write_atomically(str(options.known), json.dumps(known, indent=1) + "\n")
    return 0


def read_known(file: Path) -> dict[str, int]:
    """Read the best costs known, by the boards' names."""
    return {name: int(cost) for name, cost in json.loads(file.read_text()).items()}


def measure(problem: Problem, seeds: Sequence[int], seconds: float, finder: bool) -> Spread:
    """Run a board with all seeds."""
    costs, missing, bound = [], 0, 0
    for seed in seeds:
        if finder:
            cost = find(problem, seed, seconds)
        else:
            # With a stop event, Ctrl-C ends it all and not this run alone.
            stop = threading.Event()
            result = route(problem, time_limit=seconds, seed=seed, deterministic=True, stop=stop)
            cost = None if result.cost is None else result.cost.total
            bound = max(bound, result.lower_bound or 0)
        if cost is None:
            missing += 1
        else:
            costs.append(cost)
    return Spread(costs, missing, bound)


def find(problem: Problem, seed: int, seconds: float) -> int | None:
    """Search for answers alone, for some seconds of processor time; return the cost."""
    nets = nets_of(problem)
    parts = split(nets)
    finders = [Finder(part.nets, seed + i) for i, part in enumerate(parts)]
    deadline = Deadline(seconds, time.process_time)
    while not deadline.passed():
        for finder in finders:
            finder.step(deadline)
    if any(finder.best is None for finder in finders):
        return None
    return nets.constant + sum(
        finder.best.cost * part.copies
        for finder, part in zip(finders, parts, strict=True)
        if finder.best is not None
    )


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "boards", nargs="*", type=checked(read_problem), help="files, instead of the set made here"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(4)))
    parser.add_argument("--time-limit", type=positive, default=15.0, metavar="S")
    parser.add_argument("--all", action="store_true", help="all boards, not the first four")
    parser.add_argument("--finder", action="store_true", help="only the search for answers")
    parser.add_argument(
        "--known", metavar="JSON",
        type=checked(require_writable, readable(read_known, "costs that this program wrote")),
        help="keep the best costs known in a file from run to run (default: this run's count)",
    )  # fmt: skip
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(interruptible(main))
