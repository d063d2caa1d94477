"""``numplace count``: how many answers a puzzle has."""

from __future__ import annotations

import argparse
import json

from nlrouter.commands.option_types import whole_number
from numplace.commands.options import (
    add_file,
    add_output,
    add_search,
    describe,
    load,
    note,
    say,
    search_wishes,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_file(parser)
    parser.add_argument(
        "--limit",
        type=whole_number(1),
        default=10_000,
        metavar="N",
        help="most answers to look for (default: 10000)",
    )
    parser.add_argument("--all", action="store_true", help="list the answers, in no special order")
    add_search(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from nlrouter.deadline import Deadline
    from numplace.exit_codes import NO_SOLUTION, NOT_DONE, SUCCESS, worst
    from numplace.files.answers import format_answer
    from numplace.files.json_record import result_record
    from numplace.runs import solve_runs

    deadline = Deadline(args.time_limit)
    codes = []
    for puzzle in load(args):
        runs = solve_runs(
            puzzle,
            args.limit,
            deadline=deadline,
            **search_wishes(args),
        )
        for each in runs:
            result = each.result
            found = len(result.answers)
            decided = result.exhausted or found >= args.limit
            codes.append(NO_SOLUTION if decided and not found else SUCCESS if decided else NOT_DONE)
            if args.json:
                record = {"file": args.file, "format": puzzle.origin.format}
                record |= result_record(result)
                if not args.all:
                    del record["answers"]
                say(json.dumps(record) + "\n")
                continue
            label = f"{each.label}: " if each.label else ""
            sure = "exhausted" if result.exhausted else "at least"
            say(f"{label}{found} solution{'s' * (found != 1)} ({sure})\n")
            if args.all:
                say("".join("\n" + format_answer(puzzle, answer) for answer in result.answers))
            if not args.quiet:
                note(f"{args.file}: {describe(result, args.limit)}")
    return worst(codes)
