"""The options of ``nlroute`` for many boards. Light to import: ``--help`` waits for no engine."""

from __future__ import annotations

import argparse
import os
from math import inf

from nlrouter.commands.option_types import seconds, whole_number

SINGLE_ONLY = ("start", "fix", "history", "explain", "certificate", "progress")
"""Options that are about one board."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser."""
    group = parser.add_argument_group(
        "many boards", "several PROBLEM, or -o DIR/: an answer each and a table in DIR"
    )
    group.add_argument(
        "--total-time-limit",
        type=seconds,
        metavar="S",
        help="seconds for all boards; hard ones get what easy ones leave (then --time-limit, per "
        "board, has no default)",
    )
    group.add_argument(
        "--jobs", type=whole_number(1), metavar="N", help="boards at the same time (default: 1)"
    )
    group.add_argument(
        "--scheduler",
        metavar="URL",
        help="run on the Dask cluster of this scheduler, such as tcp://host:8786; --workers are "
        "then per thread of the cluster (default: 1)",
    )


def settle(parser: argparse.ArgumentParser, args: argparse.Namespace, standard: str) -> None:
    """Complain about options that do not go together, and fill in what depends on others.

    Sets ``args.many``, whether there are many boards, and ``args.problem``, the first of them.
    """
    output = args.output
    folder = output is not None and (output.endswith(os.sep) or os.path.isdir(output))
    args.problem = args.problems[0]
    args.many = len(args.problems) > 1 or (folder and args.problem != standard)
    if args.many:
        if output is None or (os.path.exists(output) and not folder):
            parser.error("several problems need -o DIR, a folder for their answers")
        if standard in args.problems:
            parser.error("standard input cannot be one of several problems")
        for name in SINGLE_ONLY:
            if getattr(args, name):
                parser.error(f"--{name} is for one problem")
        if args.scheduler and args.jobs:
            parser.error("--jobs is for this machine, not for --scheduler")
    else:
        for name in ("total_time_limit", "jobs", "scheduler"):
            if getattr(args, name) is not None:
                option = name.replace("_", "-")
                parser.error(f"--{option} is for many problems: give several, or -o DIR/")
    if args.time_limit is None:
        args.time_limit = 60.0 if args.total_time_limit is None else inf
    args.total_time_limit = args.total_time_limit or inf
    args.jobs = args.jobs or 1
