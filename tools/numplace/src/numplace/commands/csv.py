"""``numplace csv``: the CSV system's command line, ``/D DIR`` and so on."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from nlrouter.tell.stream import emit
from numplace.commands.options import say
from numplace.exit_codes import BAD_INPUT

if TYPE_CHECKING:
    from numplace.csv_system import Outcome

SLASHED = {
    "/D": ("--folder", "DIR", "folder of the input files (default: the current one)"),
    "/O": ("--output", "FILE", "where the answer goes (default: Output.csv in the folder)"),
    "/E": ("--error", "FILE", "where an error goes (default: Error.csv in the folder)"),
    "/L": ("--loaded", "FILE", "where the data as read go (default: LoadedData.csv there)"),
    "/OL": ("--write-loaded", None, "write the data as read even without an error"),
}
"""The system's own options, in any case, with what they are called here too."""

EPILOG = """\
Input files: Frame.csv, Square.csv, Group.csv, XInequal.csv, YInequal.csv, XJoint.csv, YJoint.csv,
Condition.csv, Input.csv, Relation.csv. Output.csv is written if there is an answer, else Error.csv
(Shift_JIS); those of earlier runs are removed. Output files given are relative to the current
folder.

exit codes:
  0  Output.csv is written
  1  not decided in time, interrupted, or not written
  2  bad input or usage
  3  proven: there is no solution
"""


def main(argv: list[str]) -> int:
    """Run the command; return its exit code."""
    if {"-h", "--help"} & {*argv}:
        say(_parser().format_help())
        return 0
    words = [SLASHED[word.upper()][0] if word.upper() in SLASHED else word for word in argv]
    args, unknown = _parser().parse_known_args(words)
    missing = [f"--{name}" for name, value in vars(args).items() if value == ""]
    wrong = next(iter(unknown + missing), None)
    # Not at the top: --help should not wait for all that.
    import math

    from nlrouter.commands.option_types import seconds, whole_number
    from nlrouter.deadline import Deadline
    from numplace.csv_system import Files, report_bad_argument, solve_folder
    from numplace.result import Status

    files = Files(args.folder or ".", args.output or None, args.error or None, args.loaded or None)
    limit, seed = math.inf, 0
    try:
        limit = seconds(args.time_limit) if args.time_limit else math.inf
        seed = whole_number(0)(args.seed) if args.seed else 0
    except argparse.ArgumentTypeError as error:
        wrong = wrong or str(error)
    if wrong is not None:
        outcome = report_bad_argument(files, wrong)
    else:
        outcome = solve_folder(
            files, deadline=Deadline(limit), write_loaded=args.write_loaded, seed=seed
        )
    for remark in () if args.quiet else outcome.notes:
        emit(sys.stderr, f"numplace csv: {remark}\n")
    if outcome.error is not None:
        emit(sys.stderr, f"numplace csv: {outcome.error.phase}: {_sentence(outcome)}\n")
    result = outcome.result
    if result is not None and outcome.error is None and not args.quiet:
        if result.status is Status.SEVERAL:
            emit(sys.stderr, "numplace csv: more than one solution; one of them is written\n")
        elif result.status is Status.UNKNOWN:
            emit(sys.stderr, "numplace csv: whether there are more solutions is not known\n")
    if args.json:
        say(json.dumps(_record(files.folder, outcome), ensure_ascii=False) + "\n")
    return _exit_code(outcome)


def _parser() -> argparse.ArgumentParser:
    """Return the parser; values that are missing or wrong are told as the system does."""
    parser = argparse.ArgumentParser(
        prog="numplace csv",
        description="Solve the number place puzzle of the CSV files in a folder.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    for slash, (name, metavar, text) in SLASHED.items():
        if metavar is None:
            parser.add_argument(name, action="store_true", help=f"{slash}: {text}")
        else:
            parser.add_argument(name, nargs="?", const="", metavar=metavar, help=f"{slash}: {text}")
    for name, metavar, text in (
        ("--time-limit", "S", "seconds after which to give up (default: none)"),
        ("--seed", "N", "seed of the search (default: 0)"),
    ):
        parser.add_argument(name, nargs="?", const="", metavar=metavar, help=text)
    parser.add_argument("--json", action="store_true", help="also print the result as JSON")
    parser.add_argument("--quiet", action="store_true", help="only errors on standard error")
    return parser


def _sentence(outcome: Outcome) -> str:
    """Return the error's message, and in brackets what it is about."""
    from numplace.files.csv_error import Message

    assert outcome.error is not None
    message = outcome.error.message
    if message in set(Message):
        return f"{message} ({outcome.text})"
    return outcome.text


def _exit_code(outcome: Outcome) -> int:
    from numplace.files.csv_error import Message, Phase

    if outcome.error is None:
        return 0
    if outcome.proven_none:
        return 3
    not_done = outcome.error.phase == Phase.OUTPUT or outcome.error.message in (
        Message.TIME_UP,
        Message.INTERRUPTED,
        Message.UNKNOWN,
    )
    return 1 if not_done else BAD_INPUT


def _record(folder: str, outcome: Outcome) -> dict[str, object]:
    """Return the result as a JSON record."""
    from numplace.files.json_record import result_record

    record: dict[str, object] = {"file": folder, "format": "csv"}
    if outcome.result is not None:
        record |= result_record(outcome.result)
    if outcome.error is not None:
        error = outcome.error
        cells = [list(cell) for cell in error.cells]
        record["error"] = {"phase": error.phase, "message": error.message, "cells": cells}
    return record
