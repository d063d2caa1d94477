"""``numplace csv``: the CSV system's command line, ``/D DIR`` and so on."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from nlrouter.tell.stream import emit
from numplace.commands.options import say

if TYPE_CHECKING:
    from numplace.csv_system import Outcome

BAD_INPUT = 2

HELP = """\
usage: numplace csv [/D DIR] [/O FILE] [/E FILE] [/L FILE] [/OL] [--time-limit S] [--seed N]
                    [--json] [--quiet]

Solve the number place puzzle of the CSV files in a folder.

  /D DIR, --folder DIR    folder of the input files (default: the current one): Frame.csv,
                          Square.csv, Group.csv, XInequal.csv, YInequal.csv, XJoint.csv,
                          YJoint.csv, Condition.csv, Input.csv, Relation.csv
  /O FILE, --output FILE  where the answer goes (default: Output.csv in the folder)
  /E FILE, --error FILE   where an error goes (default: Error.csv in the folder)
  /L FILE, --loaded FILE  where the data as read go (default: LoadedData.csv in the folder)
  /OL, --write-loaded     write the data as read even without an error
  --time-limit S          seconds after which to give up (default: none)
  --seed N                seed of the search (default: 0)
  --json                  also print the result as JSON
  --quiet                 no notes on standard error, only errors
  -h, --help              this text

Output.csv is written if there is an answer, else Error.csv (Shift_JIS); those of earlier runs
are removed. Output files given are relative to the current folder.

exit codes:
  0  Output.csv is written
  1  not decided in time, interrupted, or not written
  2  bad input or usage
  3  proven: there is no solution
"""

WITH_VALUE = {
    "/D": "folder",
    "--folder": "folder",
    "/O": "output",
    "--output": "output",
    "/E": "error",
    "--error": "error",
    "/L": "loaded",
    "--loaded": "loaded",
    "--time-limit": "time_limit",
    "--seed": "seed",
}
WITHOUT_VALUE = {
    "/OL": "write_loaded",
    "--write-loaded": "write_loaded",
    "--json": "json",
    "--quiet": "quiet",
}


def main(argv: list[str]) -> int:
    """Run the command; return its exit code."""
    if "-h" in argv or "--help" in argv:
        say(HELP)
        return 0
    values, flags, unknown = _parse(argv)
    # Not at the top: --help should not wait for all that.
    import math

    from nlrouter.commands.option_types import seconds, whole_number
    from nlrouter.deadline import Deadline
    from numplace.csv_system import Files, report_bad_argument, solve_folder
    from numplace.result import Status

    files = Files(
        values.get("folder", "."), values.get("output"), values.get("error"), values.get("loaded")
    )
    limit, seed = math.inf, 0
    try:
        limit = seconds(values["time_limit"]) if "time_limit" in values else math.inf
        seed = whole_number(0)(values["seed"]) if "seed" in values else 0
    except argparse.ArgumentTypeError as error:
        unknown = unknown or str(error)
    if unknown is not None:
        outcome = report_bad_argument(files, unknown)
    else:
        outcome = solve_folder(
            files, deadline=Deadline(limit), write_loaded="write_loaded" in flags, seed=seed
        )
    for remark in () if "quiet" in flags else outcome.notes:
        emit(sys.stderr, f"numplace csv: {remark}\n")
    if outcome.error is not None:
        emit(sys.stderr, f"numplace csv: {outcome.error.phase}: {_sentence(outcome)}\n")
    result = outcome.result
    if result is not None and outcome.error is None and "quiet" not in flags:
        if result.status is Status.SEVERAL:
            emit(sys.stderr, "numplace csv: more than one solution; one of them is written\n")
        elif result.status is Status.UNKNOWN:
            emit(sys.stderr, "numplace csv: whether there are more solutions is not known\n")
    if "json" in flags:
        say(json.dumps(_record(files.folder, outcome), ensure_ascii=False) + "\n")
    return _exit_code(outcome)


def _parse(argv: list[str]) -> tuple[dict[str, str], set[str], str | None]:
    """Return options with values, those without, and the first unknown argument.

    Upper and lower case of the options with a slash do not matter.
    """
    values: dict[str, str] = {}
    flags: set[str] = set()
    unknown = None
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        name = name.upper() if name.startswith("/") else name
        if name in WITHOUT_VALUE and not equals:
            flags.add(WITHOUT_VALUE[name])
        elif name in WITH_VALUE and (given := value if equals else next(words, "")):
            values[WITH_VALUE[name]] = given
        else:
            unknown = unknown or word
    return values, flags, unknown


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
