"""Measure nlroute on 200 boards of all kinds of nlgen, and print what is proven as a table.

The boards have eight sizes from 10x10x2 to 36x36x3: of each size ten random ones with 50 to 85 %
of the cells filled, and fifteen of the other kinds. Each run is one process by counted work
(``--deterministic``), so that the load of the machine does not matter and several runs can go on
side by side. Runs are kept, a line of JSON each, as soon as they are done; a run that is kept is
not done again.

Prints a row per kind, and for random boards per fill, then one per size: the boards, those answered
and proven in every seed, those that only some seeds prove, on how many the seeds differ in cost and
by how much at the most, and those that stay open, with the median and the largest gap between the
best bound and the best cost.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass

from arguments import kept, positive, read_kept
from interrupt import interruptible, processes

from nlrouter import Problem, generate, route
from nlrouter.commands.option_types import whole_number

SIZES = (
    "10x10x2", "12x12x3", "16x16x2", "20x20x2", "21x28x2", "24x24x3", "30x30x2", "36x36x3",
)  # fmt: skip
FILLS = (50, 60, 70, 80, 85)
KINDS = {"full": 2, "bus": 3, "detours": 2, "channel": 2, "switchbox": 3, "escape": 3}
"""The other kinds, and how many boards of each."""


@dataclass(frozen=True)
class Board:
    """What a board is made from."""

    kind: str
    size: str
    fill: int | None
    seed: int

    @property
    def name(self) -> str:
        """The board's name."""
        return "_".join(str(part) for part in (self.kind, self.size, self.fill, self.seed) if part)

    @property
    def group(self) -> str:
        """The row of the table that it belongs to."""
        return self.kind if self.fill is None else f"{self.kind}, {self.fill} % filled"

    def make(self) -> Problem:
        """Make it."""
        width, height, layers = map(int, self.size.split("x"))
        fill = None if self.fill is None else self.fill / 100
        return generate(self.kind, (width, height, layers), fill=fill, seed=self.seed)[0]


BOARDS = tuple(
    Board("random", size, fill, seed) for size in SIZES for fill in FILLS for seed in (1, 2)
) + tuple(
    Board(kind, size, None, seed)
    for size in SIZES
    for kind, count in KINDS.items()
    for seed in range(1, count + 1)
)


@dataclass(frozen=True)
class Run:
    """How a run ended; ``seconds`` are counted work, cost and bound None where there is none."""

    board: str
    seed: int
    status: str
    cost: int | None
    lower_bound: int | None
    seconds: float


def main(arguments: Sequence[str] | None = None, boards: Sequence[Board] = BOARDS) -> int:
    """Do the runs that are missing, print the table and return the exit code."""
    options = _parse(arguments)
    ended = read_kept(options.runs, Run)
    done = {(run.board, run.seed) for run in ended}
    todo = [
        (board, seed)
        for seed in options.seeds
        for board in boards
        if (board.name, seed) not in done
    ]
    with processes(options.jobs) as pool, options.runs.open("a") as file:
        for future in as_completed(
            [pool.submit(measure, board, seed, options.time_limit) for board, seed in todo]
        ):
            run = future.result()
            file.write(json.dumps(asdict(run)) + "\n")
            file.flush()
            ended.append(run)
            print(f"{run.board} seed {run.seed}: {run.status} {run.cost}", file=sys.stderr)
    runs = {board: [run for run in ended if run.board == board.name] for board in boards}
    for title, group in GROUPS.items():
        print("\n".join([*table(title, group, runs), ""]))
    return int(not all(run.cost for found in runs.values() for run in found))


def measure(board: Board, seed: int, seconds: float) -> Run:
    """Route a board by counted work."""
    result = route(board.make(), time_limit=seconds, seed=seed, deterministic=True)
    cost = None if result.cost is None else result.cost.total
    return Run(board.name, seed, result.status.value, cost, result.lower_bound, result.seconds)


GROUPS: dict[str, Callable[[Board], str]] = {
    "kind": lambda board: board.group,
    "size": lambda board: board.size,
    "": lambda _: "all",
}
"""Titles of the tables' first columns, and what boards are put together by."""


def table(title: str, group: Callable[[Board], str], runs: dict[Board, list[Run]]) -> Iterable[str]:
    """Return the lines of a table in Markdown, a row for each group of boards."""
    titles = ("boards", "answered", "proven", "in some seeds", "median s", "spread", "open (gap)")
    yield f"| {title} | {' | '.join(titles)} |"
    yield "|---|" + "---:|" * len(titles)
    groups: dict[str, list[list[Run]]] = defaultdict(list)
    for board, found in runs.items():
        groups[group(board)].append(found)
    for name, members in groups.items():
        yield f"| {name} | {row(members)} |"


def row(boards: Sequence[Sequence[Run]]) -> str:
    """Return the figures of some boards, each with its runs, as cells of a table."""
    answered = sum(all(run.cost for run in runs) for runs in boards)
    proven = [[run.status == "optimal" for run in runs] for runs in boards]
    every = sum(map(all, proven))
    some = sum(map(any, proven)) - every
    seconds = statistics.median(run.seconds for runs in boards for run in runs)
    spreads = []
    gaps = []
    for runs in boards:
        costs = [run.cost for run in runs if run.cost]
        if not costs:
            continue
        spreads.append(max(costs) - min(costs))
        bound = max(run.lower_bound or 0 for run in runs)
        if bound < min(costs):
            gaps.append(100 * (1 - bound / min(costs)))
    differ = sum(spread > 0 for spread in spreads)
    spread = f"{differ}, up to {max(spreads)}" if differ else "0"
    open_ = f"{len(gaps)} ({statistics.median(gaps):.1f}, {max(gaps):.1f} %)" if gaps else "0"
    return f"{len(boards)} | {answered} | {every} | {some} | {seconds:.1f} | {spread} | {open_}"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=kept(Run), help="file of the runs, which is gone on with")
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2], help="seeds to run")
    parser.add_argument(
        "--time-limit", type=positive, default=60.0, help="counted seconds of a run"
    )
    parser.add_argument("--jobs", type=whole_number(1), default=2, help="runs side by side")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(interruptible(main))
