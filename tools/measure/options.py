"""Options that the measuring tools have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from arguments import positive

from measure.records import runs_file
from nlrouter.commands.option_types import whole_number
from nlrouter.cores import cores


def make_parser(
    description: str | None, *, limit: float, seeds: Sequence[int] | None = (0,)
) -> argparse.ArgumentParser:
    """Return a parser with a time limit, and seeds unless there are to be none."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--time-limit", type=positive, default=limit, metavar="S",
        help=f"seconds of a run (default: {limit:g})",
    )  # fmt: skip
    if seeds is not None:
        parser.add_argument(
            "--seeds", type=whole_number(0), nargs="+", default=list(seeds), metavar="N",
            help=f"a run of each board for each (default: {' '.join(map(str, seeds))})",
        )  # fmt: skip
    return parser


def add_runs(parser: argparse.ArgumentParser, name: str = "--runs", **more: Any) -> None:
    """Add the file of the runs."""
    parser.add_argument(
        name, type=runs_file(), metavar="RUNS",
        help="file of the runs, which is gone on with: what it has is not done again", **more,
    )  # fmt: skip


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add how many runs go on side by side, each in one process."""
    parser.add_argument(
        "--jobs", type=whole_number(1), default=2, metavar="N",
        help="runs side by side (default: 2)",
    )  # fmt: skip


def add_workers(parser: argparse.ArgumentParser, default: int | None = cores()) -> None:
    """Add the processes of a run; None by default for one by counted work."""
    usual = "one, by counted work" if default is None else "one per core"
    parser.add_argument(
        "--workers", type=whole_number(1), default=default, metavar="N",
        help=f"processes that search, by the clock (default: {usual})",
    )  # fmt: skip


def add_against(parser: argparse.ArgumentParser) -> None:
    """Add another version."""
    parser.add_argument(
        "--against", metavar="COMMAND",
        help="another version's nlroute, such as ../old/.venv/bin/nlroute, which is run on each "
        "board and seed as well",
    )  # fmt: skip
