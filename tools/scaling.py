"""Measure how time and memory of nlroute grow with the board, and draw it.

Makes a random board of each size (half full, a line to about 30 cells), runs nlroute on it as its
users do, and writes what it took as JSON and as a plot over cells times lines.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from arguments import checked, require_writable
from bench import COMMAND
from bench_runs import measure_run
from interrupt import interruptible

from nlrouter.cores import cores
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import write_problem
from nlrouter.files.text import parse_size
from nlrouter.generators import NoBoard, generate
from nlrouter.problem import Problem

SIZES = ("12x12x2", "24x24x3", "36x36x8", "72x72x4", "120x120x4", "200x200x2")
CELLS_PER_LINE = 30
"""As on 120x120x4 with 1,920 lines, which leaves half of the cells empty."""
CROSSING = 0.25
FILL = 0.5


@dataclass(frozen=True)
class Point:
    """What a board took.

    Parameters
    ----------
    size
        Columns, rows and layers, such as ``12x12x2``.
    cells, lines
        How many it has.
    first
        Seconds from the start of the process to its first answer; None without one.
    gap
        Distance of the bound from the cost at the end, in shares of the cost.
    memory
        The most megabytes of all processes; what they share counts for each of them.
    cpu
        Seconds of processor time of all processes.
    """

    size: str
    cells: int
    lines: int
    first: float | None
    gap: float | None
    memory: float
    cpu: float | None


def main(arguments: Sequence[str] | None = None, command: Sequence[str] = COMMAND) -> int:
    """Measure and draw; return the exit code."""
    options = _parse(arguments)
    points: list[Point] = []
    settings = {"time_limit": options.time_limit, "workers": options.workers}
    for size, problem in options.boards:
        point = measure_size(size, problem, options.time_limit, options.workers, command)
        points.append(point)
        print(f"{size:>12}: {point.cells:>6} cells, {point.lines:>4} lines, first answer after "
              f"{point.first} s, gap {point.gap}, {point.memory:.0f} MB", flush=True)  # fmt: skip
        if options.json is not None:
            record = {"settings": settings, "points": [asdict(point) for point in points]}
            write_atomically(str(options.json), json.dumps(record, indent=1) + "\n")
    if options.svg is not None:
        draw(points, options.svg)
    return int(any(point.first is None for point in points))


def board(text: str) -> tuple[str, Problem]:
    """Parse a size, and make a random board of it."""
    size = None
    with suppress(FileError):
        size = parse_size(f"SIZE {text}", "", 1)
    if size is None or size.dimensions != 3:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as {SIZES[0]}")
    lines = max(1, size.width * size.height * size.layers // CELLS_PER_LINE)
    vias = round(CROSSING * lines) if size.layers > 1 else 0
    try:
        return text, generate(*size[:3], lines, vias, FILL, seed=1)[0]
    except NoBoard as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from error


def measure_size(
    size: str, problem: Problem, limit: float, workers: int, command: Sequence[str]
) -> Point:
    """Run nlroute on a board of a size."""
    flags = ["--time-limit", f"{limit:g}", "--workers", str(workers), "--seed", "0"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{size}.txt"
        write_problem(path, problem)
        figures = measure_run([*command, *flags], path, limit)
    if figures.error:
        raise SystemExit(f"{size}: {figures.error}")
    cells = problem.width * problem.height * problem.layers
    return Point(
        size, cells, len(problem.lines), figures.first, figures.gap, figures.memory, figures.cpu
    )


def draw(points: Sequence[Point], file: Path) -> None:
    """Draw time and memory over cells times lines, both axes logarithmic, as SVG."""
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.4), layout="constrained")
    panels = [
        ("seconds to the first answer", [(p, p.first) for p in points if p.first is not None]),
        ("megabytes, all processes", [(p, p.memory) for p in points]),
    ]
    with matplotlib.rc_context({"svg.hashsalt": "nlrouter", "svg.fonttype": "none"}):
        for k, (title, shown) in enumerate(panels):
            axes = figure.add_subplot(1, 2, k + 1)
            places = [point.cells * point.lines for point, _ in shown]
            axes.plot(places, [value for _, value in shown], marker="o", color="#1f5fa8")
            for (point, value), place in zip(shown, places, strict=True):
                axes.annotate(point.size, (place, value), (-4, 5), textcoords="offset points",
                              fontsize=8, ha="right")  # fmt: skip
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("cells x lines")
            axes.set_title(title, fontsize=10)
            axes.margins(0.25)
            axes.grid(visible=True, color="#dddddd")
        figure.savefig(file, format="svg", metadata={"Date": None})


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "boards", nargs="*", type=board, metavar="XxYxZ", help=f"default: {' '.join(SIZES)}"
    )
    parser.add_argument(
        "--time-limit", type=float, default=60.0, metavar="S", help="seconds per run (default: 60)"
    )
    parser.add_argument(
        "--workers", type=int, default=cores(), metavar="N", help="default: one per core"
    )
    output = checked(require_writable)
    parser.add_argument("--json", type=output, metavar="FILE", help="write what was measured")
    parser.add_argument("--svg", type=output, metavar="FILE", help="write the plot")
    options = parser.parse_args(arguments)
    options.boards = options.boards or list(map(board, SIZES))
    return options


if __name__ == "__main__":
    sys.exit(interruptible(main))
