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
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import geometric_mean

from arguments import kept, positive, read_kept
from interrupt import interruptible, processes
from survey import BOARDS

from nlrouter import Problem, read_problem, route
from nlrouter.commands.option_types import whole_number
from nlrouter.engine.router import RouterConfig
from nlrouter.engine.search import METHOD_NAMES

ROOT = Path(__file__).resolve().parent.parent

SOURCES: Mapping[str, tuple[str, ...]] = {
    "bonds": (
        "engine/bounds/bonds", "engine/bounds/bond_kernel", "engine/bounds/elimination",
        "checker/certificate/bonds",
    ),
    "conflicts": ("engine/bounds/conflicts", "certifier/via_reasons"),
    "covers": ("engine/bounds/covers", "checker/certificate/covers", "certifier/cover_side"),
    "displacement": ("engine/find/displace", "engine/find/displace_kernel", "engine/find/lines"),
    "groups": ("engine/find/groups", "engine/find/group_kernels"),
    "layers": ("engine/prove/layer_steps",),
    "maxsat": (
        "engine/exact/maxsat", "certifier/cores", "checker/certificate/cores",
        "checker/certificate/clauses", "checker/certificate/propagate",
    ),
    "only answer": ("engine/prove/only_answer",),
    "polish": ("engine/prove/polish",),
    "recombination": ("engine/find/recombine",),
    "reduced costs": ("engine/bounds/fixing",),
    "rounding": ("engine/bounds/rounding",),
    "sides": ("engine/prove/asking", "engine/prove/questions", "engine/bounds/sided_paths"),
    "via chains": ("engine/find/via_chains",),
    "via swaps": ("engine/find/via_swaps",),
    "windows": ("engine/find/windows",),
}  # fmt: skip
"""Modules that only a method needs, and maybe others that build on it."""


@dataclass(frozen=True)
class Run:
    """How a run ended.

    Parameters
    ----------
    board, seed
        The board's name, and the seed.
    without
        The method that was switched off; empty where none was.
    status, cost, lower_bound
        What came out; None for what is not known.
    counted, processor
        Seconds of counted work, and of processor time.
    calls
        How often each method was at work.
    """

    board: str
    seed: int
    without: str
    status: str
    cost: int | None
    lower_bound: int | None
    counted: float
    processor: float
    calls: dict[str, int]

    @property
    def proven(self) -> bool:
        """Whether nothing is left to be known."""
        return self.status in ("optimal", "infeasible")


Maker = Callable[[], Problem]


def main(arguments: Sequence[str] | None = None, others: Mapping[str, Maker] | None = None) -> int:
    """Do the runs that are missing, print the table and return the exit code."""
    options = _parse(arguments)
    boards: dict[str, Maker] = {
        f"{path.resolve().parent.name}/{path.stem}": _Reading(path) for path in options.boards
    }
    boards |= {board.name: board.make for board in BOARDS} if others is None else others
    runs = {(run.board, run.seed, run.without): run for run in read_kept(options.runs, Run)}
    with processes(options.jobs) as pool, options.runs.open("a") as file:
        for methods in ([""], options.methods):
            todo = [
                (name, seed, method)
                for method in methods
                for seed in options.seeds
                for name in boards
                if (name, seed, method) not in runs
                and (not method or runs[name, seed, ""].calls.get(method))
            ]
            for future in as_completed(
                [pool.submit(measure, boards[key[0]], *key, options.time_limit) for key in todo]
            ):
                run = future.result()
                file.write(json.dumps(asdict(run)) + "\n")
                file.flush()
                runs[run.board, run.seed, run.without] = run
                print(f"{run.board} seed {run.seed} {run.without}: {run.status}", file=sys.stderr)
    print("\n".join(table(options.methods, runs.values())))
    return 0


def measure(make: Maker, name: str, seed: int, without: str, seconds: float) -> Run:
    """Route a board by counted work, without a method."""
    config = RouterConfig(without=frozenset({without} - {""}))
    start = time.process_time()
    result = route(make(), time_limit=seconds, seed=seed, deterministic=True, config=config)
    return Run(
        name,
        seed,
        without,
        result.status.value,
        None if result.cost is None else result.cost.total,
        result.lower_bound,
        round(result.seconds, 3),
        round(time.process_time() - start, 3),
        {method: tally.calls for method, tally in result.methods.items()},
    )


def table(methods: Sequence[str], runs: Iterable[Run]) -> Iterable[str]:
    """Return the lines of the table in Markdown."""
    known = {(run.board, run.seed, run.without): run for run in runs}
    titles = ("boards", "proven", "answered", "cost", "counted s", "processor s", "lines", "tests")
    yield f"| without | {' | '.join(titles)} |"
    yield "|---|" + "---:|" * len(titles)
    for method in methods:
        pairs = [
            (known[board, seed, ""], run)
            for (board, seed, without), run in known.items()
            if without == method and (board, seed, "") in known
        ]
        code, tests = lines_of(method)
        yield f"| {method} | {row(pairs)} | {code} | {tests} |"


def row(pairs: Sequence[tuple[Run, Run]]) -> str:
    """Return the figures of some boards, with a method and without it, as cells of a table."""
    if not pairs:
        return "0 | | | | |"
    proven, answered = (
        " → ".join(str(sum(map(count, side))) for side in zip(*pairs, strict=True))
        for count in (lambda run: run.proven, lambda run: run.cost is not None)
    )
    costs = [b.cost / a.cost for a, b in pairs if a.cost and b.cost]
    counted = geometric_mean([(b.counted + 0.1) / (a.counted + 0.1) for a, b in pairs])
    processor = geometric_mean([(b.processor + 0.1) / (a.processor + 0.1) for a, b in pairs])
    dearer = f"{100 * geometric_mean(costs) - 100:+.2f} %" if costs else ""
    return (
        f"{len(pairs)} | {proven} | {answered} | {dearer} | {100 * counted - 100:+.0f} % | "
        f"{100 * processor - 100:+.0f} %"
    )


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


@dataclass(frozen=True)
class _Reading:
    """Reads a board, in whatever process."""

    path: Path

    def __call__(self) -> Problem:
        return read_problem(self.path)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=kept(Run), help="file of the runs, which is gone on with")
    parser.add_argument("--boards", type=Path, nargs="*", default=[], help="boards besides")
    parser.add_argument(
        "--methods",
        nargs="*",
        choices=sorted(METHOD_NAMES),
        default=sorted(METHOD_NAMES),
        metavar="METHOD",
        help="methods to switch off, all of them by default: " + ", ".join(sorted(METHOD_NAMES)),
    )
    parser.add_argument("--seeds", type=int, nargs="*", default=[0], help="seeds to run")
    parser.add_argument(
        "--time-limit", type=positive, default=20.0, help="counted seconds of a run"
    )
    parser.add_argument("--jobs", type=whole_number(1), default=2, help="runs side by side")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(interruptible(main))
