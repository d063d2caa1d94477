"""``numplace convert``: a puzzle in another format."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from functools import partial
from operator import eq
from typing import TYPE_CHECKING

from numplace.commands.options import FORMATS, add_file, load, note, say

if TYPE_CHECKING:
    from numplace.files.cannot_say import CannotSay
    from numplace.puzzle import Puzzle

SUFFIXES = {".sdq": "sdq", ".json": "json", ".sdm": "lines", ".csv": "csv"}
"""The formats that a name shows; other names get text or calcudoku, as the puzzle is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_file(parser)
    parser.add_argument(
        "output", metavar="OUT", help="file, or folder of CSV files; - is standard output"
    )
    parser.add_argument(
        "--to",
        choices=FORMATS,
        help="the new format (default: by the name: .sdq, .json, .sdm one-line grids, a folder "
        "CSV files; else text or calcudoku)",
    )
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    parser.add_argument("--json", action="store_true", help="tell as JSON what was written")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    code = _convert(args)
    if args.json and code == 0:
        record = json.dumps({"file": args.file, "output": args.output, "format": args.to})
        if args.output == "-":
            note(record)
        else:
            say(record + "\n")
    return code


def _convert(args: argparse.Namespace) -> int:
    """Read the one and write the other; return the exit code."""
    from nlrouter.files.errors import FileError
    from numplace.exit_codes import NOT_DONE, SUCCESS
    from numplace.files.cannot_say import CannotSay
    from numplace.files.write import require_writable, write
    from numplace.files.write_folder import folder_files, write_files

    puzzles = load(args)
    to = args.to = args.to or _format_of(args.output, puzzles[0])
    _tell_what_is_lost(puzzles[0], args.file, to)
    if to != "lines" and len(puzzles) > 1:
        raise FileError(args.file, None, f"{len(puzzles)} puzzles", f"one, for the format {to}")
    try:
        if to == "csv":
            files = folder_files(args.output, puzzles[0])
            if not args.force:
                _require_new(files)
            write_files(files)
            return SUCCESS
        text = "".join(format_puzzle(puzzle, to) for puzzle in puzzles)
    except CannotSay as error:
        note(f"numplace convert: {args.file}: {_with_clause(error, puzzles[0])}")
        return NOT_DONE
    if args.output == "-":
        say(text)
        return SUCCESS
    require_writable(args.output)
    if not args.force:
        _require_new({args.output: text})
    write(args.output, text)
    return SUCCESS


def _require_new(files: Mapping[str, str | None]) -> None:
    """Refuse to replace a file by another content, or by none."""
    from numplace.files.write import require_replaceable

    for path, text in files.items():
        require_replaceable(path, partial(eq, text))


def _tell_what_is_lost(puzzle: Puzzle, name: str, to: str) -> None:
    """Tell of clauses that are no part of the puzzle, which other formats do not have."""
    from numplace.files.sdq_reader import SdqOrigin

    if to == "sdq" or not isinstance(puzzle.origin, SdqOrigin):
        return
    for clause in ("Difficulty", "Solution"):
        if clause in puzzle.origin.names:
            note(f"numplace convert: {name}: the clause {clause} is left out")


def format_puzzle(puzzle: Puzzle, to: str) -> str:
    """Return a puzzle in a format of one file.

    Raises
    ------
    CannotSay
        If the format cannot express it.
    """
    if to == "sdq":
        from numplace.files.sdq_writer import format_sdq

        return format_sdq(puzzle)
    if to == "json":
        from numplace.files.json_puzzle import format_json

        return format_json(puzzle)
    if to == "calcudoku":
        from numplace.files.calcudoku_spec import write_calcudoku

        return write_calcudoku(puzzle)
    from numplace.files.lines81 import format_line
    from numplace.files.plain_only import refuse_others
    from numplace.files.text_grid import format_text_grid

    refuse_others(puzzle, to)
    return (
        format_line(puzzle, puzzle.givens)
        if to == "lines"
        else format_text_grid(puzzle, puzzle.givens)
    )


def _format_of(path: str, puzzle: Puzzle) -> str:
    """Return the format that a name, or else the puzzle, shows."""
    from numplace.constraints import Arithmetic, DigitLine

    suffix = os.path.splitext(path)[1].lower()
    if path.endswith(os.sep) or os.path.isdir(path):
        return "csv"
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if any(isinstance(each, Arithmetic | DigitLine) for each in puzzle.constraints):
        return "calcudoku"
    if path != "-" and not suffix:
        return "csv"
    return "text"


def _with_clause(error: CannotSay, puzzle: Puzzle) -> str:
    """Return what cannot be said, with the clause of an .sdq file that says it."""
    from numplace.files.sdq_reader import SdqOrigin
    from numplace.sat.encode import PARTS

    if error.constraint is None or not isinstance(puzzle.origin, SdqOrigin):
        return str(error)
    return f"{error} (the clause {PARTS[type(error.constraint)]})"
