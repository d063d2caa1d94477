"""Options and words that several commands have. Light to import."""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING, Any

from nlrouter.commands.option_types import seconds, whole_number
from nlrouter.tell.stream import emit

if TYPE_CHECKING:
    from numplace.puzzle import Puzzle
    from numplace.result import Result

_lost = False
"""Whether standard output has refused something; the program has only one, as the process."""

FORMATS = ("csv", "text", "lines", "sdq", "calcudoku", "json")


def add_file(parser: argparse.ArgumentParser) -> None:
    """Add the puzzle's file and format."""
    parser.add_argument(
        "file", metavar="FILE", help="file or folder with the puzzle; - is standard input"
    )
    parser.add_argument(
        "--format", choices=FORMATS, help="the file's format (default: told by its content)"
    )
    add_sdq(parser)


def add_sdq(parser: argparse.ArgumentParser) -> None:
    """Add how .sdq files are read."""
    parser.add_argument(
        "--cages-repeat", action="store_true", help="numbers may repeat in cages of .sdq files"
    )
    parser.add_argument(
        "--ignore-unknown", action="store_true", help="leave out unknown clauses of .sdq files"
    )


def load(args: argparse.Namespace, file: str | None = None) -> list[Puzzle]:
    """Return the puzzles of a file, by default ``args.file``; tell what it says in vain.

    Raises
    ------
    FileError
        If it cannot be read, or its data contradict each other in a CSV folder.
    """
    from numplace.csv_system import refuse_faults
    from numplace.files.detect import read_puzzles

    puzzles = read_puzzles(
        args.file if file is None else file,
        args.format,
        cages_repeat=args.cages_repeat,
        ignore_unknown=args.ignore_unknown,
    )
    for puzzle in puzzles:
        refuse_faults(puzzle)
        for what in puzzle.origin.left_out:
            note(f"{what} is NOT KNOWN AND LEFT OUT: all answers are those of the rest")
        for remark in () if getattr(args, "quiet", False) else puzzle.origin.notes:
            note(remark)
    return puzzles


def load_one(args: argparse.Namespace) -> Puzzle:
    """Return the puzzle of a file that holds one, as `load` does."""
    from nlrouter.files.errors import FileError

    puzzles = load(args)
    if len(puzzles) > 1:
        raise FileError(args.file, None, f"{len(puzzles)} puzzles", "one")
    return puzzles[0]


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add what steers a search."""
    parser.add_argument(
        "--time-limit",
        type=seconds,
        default=math.inf,
        metavar="S",
        help="seconds after which to give up (default: none)",
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="N", help="seed of the search"
    )
    parser.add_argument(
        "--workers", type=whole_number(1), default=1, metavar="N", help="threads (default: 1)"
    )
    parser.add_argument(
        "--deterministic",
        action="store_true",
        help="same seed, same answers: one thread whatever --workers says",
    )
    parser.add_argument(
        "--engine",
        choices=("auto", "logic", "bits", "cpsat", "sat"),
        default="auto",
        help="what searches (default: bits, sat or cpsat, by the constraints)",
    )


def search_wishes(args: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_search` read as the keywords of a search."""
    workers = 1 if args.deterministic else args.workers
    return {"seed": args.seed, "workers": workers, "engine": args.engine}


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add how results are told."""
    parser.add_argument("--json", action="store_true", help="results as JSON, one object a line")
    parser.add_argument("--quiet", action="store_true", help="nothing on standard error but errors")


def say(text: str) -> None:
    """Print to standard output; `all_said` tells in the end whether it took that."""
    global _lost
    _lost |= not emit(sys.stdout, text)


def all_said() -> bool:
    """Return whether standard output took all that was said since the last call.

    What is lost there does not stop a command, as it may have files to write.
    """
    global _lost
    lost, _lost = _lost, False
    return not lost


def note(text: str) -> None:
    """Print a line to standard error."""
    emit(sys.stderr, f"{text}\n")


def describe(result: Result, limit: int | None = 2) -> str:
    """Return in words the result of looking for at most so many answers."""
    from numplace.result import Status

    time = f"  {result.phase}, {result.seconds:.3f} s"
    match result.status:
        case Status.UNIQUE:
            return f"unique: there is no other solution{time}"
        case Status.SEVERAL:
            number = len(result.answers)
            count = f"exactly {number}" if result.exhausted else f"at least {number}"
            return f"several: {count} solutions{time}"
        case Status.NONE:
            return f"none: there is no solution{time}"
    if len(result.answers) == limit:
        return f"unknown: a solution; whether it is the only one was not asked{time}"
    found = "a solution, but whether it is the only one" if result.answers else "whether there is"
    return f"unknown: {found}{' one' * (not result.answers)} was not decided in time{time}"
