"""Measure how time and memory of nlroute grow with the board, and draw it.

Makes a random board of each size (half full, a line to about 30 cells), runs nlroute on it as its
users do, and prints what it took and plots it over cells times lines.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from arguments import checked, require_writable
from interrupt import interruptible
from measure.boards import Board, made
from measure.command import Nlroute
from measure.loop import measure
from measure.options import add_runs, add_workers, make_parser
from measure.records import Figures, RunKey
from measure.tables import print_table, show

from nlrouter.files.errors import FileError
from nlrouter.files.text import parse_size
from nlrouter.generators import NoBoard
from nlrouter.runs.router_run import NLROUTE

SIZES = ("12x12x2", "24x24x3", "36x36x8", "72x72x4", "120x120x4", "200x200x2")
CELLS_PER_LINE = 30
"""As on 120x120x4 with 1,920 lines, which leaves half of the cells empty."""
CROSSING = 0.25
FILL = 0.5

Point = tuple[str, int, int, Figures]
"""A size, such as ``12x12x2``, how many cells and lines it has, and what it took."""


def main(arguments: Sequence[str] | None = None, command: Sequence[str] = NLROUTE) -> int:
    """Measure and draw; return the exit code."""
    options = _parse(arguments)
    work = Nlroute(options.time_limit, options.workers, command)
    todo = [(work, board, RunKey(board.name, 0, "", work.settings)) for board in options.boards]
    points: list[Point] = []
    boards = {board.name: board.make() for board in options.boards}
    for run in sorted(measure(todo, options.json), key=lambda run: [*boards].index(run.key.board)):
        problem = boards[run.key.board]
        cells = problem.width * problem.height * problem.layers
        points.append((run.key.board, cells, len(problem.lines), run))
    print_table(
        ["size", "cells", "lines", "first s", "gap", "MB"],
        (
            [size, str(cells), str(lines), show(figures.first, ".1f"), show(figures.gap, ".4f"),
             f"{figures.memory:.0f}"]
            for size, cells, lines, figures in points
        ),
    )  # fmt: skip
    if options.svg is not None:
        draw(points, options.svg)
    return int(any(figures.first is None or figures.error for *_, figures in points))


def board_of(text: str) -> Board:
    """Parse a size; return a random board of it."""
    size = None
    with suppress(FileError):
        size = parse_size(f"SIZE {text}", "", 1)
    if size is None or size.dimensions != 3:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as {SIZES[0]}")
    lines = max(1, size.width * size.height * size.layers // CELLS_PER_LINE)
    vias = round(CROSSING * lines) if size.layers > 1 else 0
    board = made(text, "random", text, {}, lines=lines, vias=vias, fill=FILL, seed=1)
    try:
        board.make()
    except NoBoard as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from error
    return board


def draw(points: Sequence[Point], file: Path) -> None:
    """Draw time and memory over cells times lines, both axes logarithmic, as SVG."""
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.4), layout="constrained")
    panels = [
        (
            "seconds to the first answer",
            [(p, p[3].first) for p in points if p[3].first is not None],
        ),
        ("megabytes, all processes", [(p, p[3].memory) for p in points]),
    ]
    with matplotlib.rc_context({"svg.hashsalt": "nlrouter", "svg.fonttype": "none"}):
        for k, (title, shown) in enumerate(panels):
            axes = figure.add_subplot(1, 2, k + 1)
            places = [cells * lines for (_, cells, lines, _), _ in shown]
            axes.plot(places, [value for _, value in shown], marker="o", color="#1f5fa8")
            for ((size, *_), value), place in zip(shown, places, strict=True):
                axes.annotate(size, (place, value), (-4, 5), textcoords="offset points",
                              fontsize=8, ha="right")  # fmt: skip
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("cells x lines")
            axes.set_title(title, fontsize=10)
            axes.margins(0.25)
            axes.grid(visible=True, color="#dddddd")
        figure.savefig(file, format="svg", metadata={"Date": None})


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, limit=60.0, seeds=None)
    parser.add_argument(
        "boards", nargs="*", type=board_of, metavar="XxYxZ", help=f"default: {' '.join(SIZES)}"
    )
    add_workers(parser)
    add_runs(parser, "--json")
    parser.add_argument(
        "--svg", type=checked(require_writable), metavar="FILE", help="write the plot"
    )
    options = parser.parse_args(arguments)
    options.boards = options.boards or list(map(board_of, SIZES))
    return options


if __name__ == "__main__":
    sys.exit(interruptible(main))
