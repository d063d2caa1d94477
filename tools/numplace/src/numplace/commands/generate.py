"""``numplace generate``: make puzzles with exactly one answer."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from nlrouter.commands.option_types import seconds, whole_number
from numplace.commands.options import FORMATS, note, say

if TYPE_CHECKING:
    from nlrouter.deadline import Deadline
    from numplace.generate.make import Made, Request

KINDS = {
    "plain": "rows, columns and blocks",
    "jigsaw": "rows, columns and regions of any shape",
    "inequality": "a square with signs between neighbours",
    "joint": "a square; neighbours are consecutive, or marked as not",
    "parity": "rows, columns and blocks; cells marked as odd or even",
    "killer": "cages with sums",
    "sandwich": "sums between the 1 and the largest number of each line",
    "thermometer": "numbers that grow along thermometers",
    "arrow": "rows, columns and blocks, with signs between neighbours",
    "calcudoku": "groups that calculate",
    "nylimb": "calcudoku whose lines hold each digit once",
    "input": "new givens, Input.csv, for the other CSV files of a folder",
}

LEVELS = ("easy", "medium", "hard", "very hard", "extreme")
SYMMETRIES = (
    "none",
    "half-turn",
    "quarter-turn",
    "left-right",
    "top-bottom",
    "diagonal",
    "mirrors",
    "full",
)

LARGEST_SIDE = 25

SUFFIXES = {"csv": "", "text": ".txt", "lines": ".sdm", "sdq": ".sdq", "calcudoku": ".txt"}
"""The ends of the names of files in a folder; CSV files are folders themselves."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    width = max(map(len, KINDS))
    parser.description = "Make puzzles with exactly one answer, which is proven.\n\nkinds:\n"
    parser.description += "\n".join(
        f"  {kind.ljust(width)}  {what}" for kind, what in KINDS.items()
    )
    add = parser.add_argument
    add("kind", choices=KINDS, metavar="KIND", help="one of the above")
    add("folder", nargs="?", metavar="DIR", help="input: the folder of CSV files")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="file, or folder of CSV files (default: standard output); with --count a folder",
    )
    add(
        "--to",
        choices=FORMATS,
        help="format (default: by the name, else what is usual for the kind)",
    )
    add("--size", type=_side, metavar="N", help="cells of a line (default: 9; calcudoku 6)")
    add("--blocks", type=_blocks, metavar="WxH", help="width and height of a block in cells")
    add("--level", choices=LEVELS, help="how hard it is for a person")
    add(
        "--clues",
        type=whole_number(0),
        metavar="N",
        help="givens: plain at most, other kinds at least so many",
    )
    add("--minimal", action="store_true", help="nothing may be superfluous")
    add("--symmetry", choices=SYMMETRIES, default="none", help="of the places of givens")
    add("--two-cell", action="store_true", help="calcudoku: - and / for pairs of cells only")
    add("--hard", action="store_true", help="input: no given more than needed, as --minimal")
    add(
        "--seed",
        type=whole_number(0),
        default=0,
        metavar="N",
        help="same seed, same puzzle (default: 0)",
    )
    add(
        "--count",
        type=whole_number(1),
        metavar="N",
        help="make so many, with the seeds from --seed on; on standard output one a line",
    )
    add(
        "--time-limit",
        type=seconds,
        default=math.inf,
        metavar="S",
        help="seconds for each, after which to make do or to give up (default: none)",
    )
    add("--force", action="store_true", help="replace files that are there")
    add("--json", action="store_true", help="a JSON record of each puzzle, with its answer")
    add("--quiet", action="store_true", help="nothing on standard error but errors")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from numplace.exit_codes import BAD_INPUT
    from numplace.files.cannot_say import CannotSay

    try:
        return _generate(args)
    except (CannotSay, ValueError) as error:
        note(f"numplace generate: {error}")
        return BAD_INPUT


def _generate(args: argparse.Namespace) -> int:
    """Make the puzzles; return the exit code. Raises `ValueError` about what makes no sense."""
    from nlrouter.deadline import Deadline
    from numplace.exit_codes import NO_SOLUTION, NOT_DONE, SUCCESS
    from numplace.generate.make import NoAnswer, NotMade, make

    request = _request(args)
    to = "csv" if request is None else _format(args, request.width)
    paths = _paths(args, to, request)
    _require_places(args, to, list(paths.values()))
    code = SUCCESS
    for seed, path in paths.items():
        deadline = None if math.isinf(args.time_limit) else Deadline(args.time_limit)
        try:
            if request is None:
                made = _make_input(args, seed, deadline)
            else:
                made = make(request, seed, deadline)
        except NotMade as error:
            note(f"numplace generate: seed {seed}: {error}")
            code = NO_SOLUTION if isinstance(error, NoAnswer) else NOT_DONE
        else:
            _write(args, made, seed, path, to)
    return code


def _request(args: argparse.Namespace) -> Request | None:
    """Return what puzzle is wanted; None for givens of a folder."""
    from numplace.generate.make import Request

    if args.kind == "input":
        if args.folder is None:
            raise ValueError("found no folder, expected one after 'input'")
        return None
    if args.folder is not None:
        raise ValueError(f"found {args.folder!r}, expected a folder only after 'input'")
    if args.kind in ("calcudoku", "nylimb"):
        most = 9 if args.kind == "nylimb" else 16
        if args.size is not None and args.size > most:
            raise ValueError(f"found a size of {args.size}, expected at most {most}")
    return Request(
        args.kind,
        args.size,
        args.blocks,
        args.level,
        args.clues,
        args.minimal,
        args.symmetry,
        args.two_cell,
    )


def _paths(args: argparse.Namespace, to: str, request: Request | None) -> dict[int, str]:
    """Name where the puzzle of each seed goes; ``-`` is standard output."""
    seeds = range(args.seed, args.seed + (args.count or 1))
    path = args.output
    if path is None:
        path = "-" if request is not None else os.path.join(args.folder, "Input.csv")
    if request is None or args.count is None or path == "-":
        return dict.fromkeys(seeds, path)
    stem = f"{args.kind}_{request.width}x{request.width}"
    end = SUFFIXES.get(to, ".json")
    return {seed: os.path.join(path, f"{stem}_s{seed}{end}") for seed in seeds}


def _require_places(args: argparse.Namespace, to: str, paths: list[str]) -> None:
    """Make sure, before the work, that it can be written and replaces nothing unasked.

    The givens of a folder are there to be replaced, unless they are to go elsewhere.
    """
    from nlrouter.files.errors import FileError
    from numplace.files.write import require_replaceable, require_writable
    from numplace.files.write_folder import files_there, folder_of

    if paths[0] == "-":
        return
    if len(paths) > len(set(paths)):
        raise FileError(paths[0], None, f"{len(paths)} puzzles for it", "one")
    if args.count is not None:
        _make_folder(os.path.dirname(paths[0]))
    for path in paths:
        if to == "csv" and args.kind != "input":
            there = [*files_there(folder_of(path)).values()]
        else:
            require_writable(path)
            there = [path] if args.output is not None else []
        for other in there if not args.force else ():
            require_replaceable(other)


def _make_input(args: argparse.Namespace, seed: int, deadline: Deadline | None) -> Made:
    """Make givens for the other files of a folder."""
    from nlrouter.files.errors import FileError
    from numplace.check.data import find_faults
    from numplace.files.detect import read_puzzle
    from numplace.generate.make import make_input

    puzzle = read_puzzle(args.folder, "csv").with_givens({})
    for fault in find_faults(puzzle):
        raise FileError(args.folder, None, fault.text, "clues that some answer fits")
    return make_input(puzzle, seed, hard=args.hard or args.minimal, deadline=deadline)


def _write(args: argparse.Namespace, made: Made, seed: int, path: str, to: str) -> None:
    """Write a puzzle and say so. Raises `NotDone` if it cannot be written."""
    from numplace.commands.convert import format_puzzle
    from numplace.files.csv_writer import format_numbers
    from numplace.files.json_record import answer_rows
    from numplace.files.write import write
    from numplace.files.write_folder import folder_files, write_files

    text: str | None
    if args.kind == "input":
        text = format_numbers(made.puzzle, made.puzzle.givens)
    else:
        text = None if to == "csv" else format_puzzle(made.puzzle, to)
        _check(made, text, to)
    if text is None:
        write_files(folder_files(path, made.puzzle))
    elif path != "-":
        write(path, text)
    elif not args.json:
        say(text)
    if args.json:
        record = {
            "file": None if path == "-" else path,
            "kind": args.kind,
            "seed": seed,
            "format": to,
            "status": "unique",
            "givens": len(made.puzzle.givens),
            "clues": len(made.puzzle.constraints) - len(made.puzzle.houses),
            "answer": answer_rows(made.answer),
            "puzzle": text,
        }
        say(json.dumps(record) + "\n")
    if not args.quiet and path != "-":
        givens = f"{len(made.puzzle.givens)} given{'s' * (len(made.puzzle.givens) != 1)}"
        note(f"{path}: {args.kind}, seed {seed}; {givens}; only one answer")


def _format(args: argparse.Namespace, width: int) -> str:
    """Return the format to write: as asked for, as the name says, or as is usual."""
    from numplace.commands.convert import SUFFIXES as BY_SUFFIX

    path = args.output
    if args.to is not None:
        if args.to == "csv" and path in (None, "-"):
            raise ValueError("found standard output, expected -o DIR for CSV files")
        return str(args.to)
    to_folder = path is not None and (args.count is not None or os.path.isdir(path))
    suffix = "" if path is None or to_folder else os.path.splitext(path)[1].lower()
    if suffix in BY_SUFFIX:
        return BY_SUFFIX[suffix]
    if args.kind in ("calcudoku", "nylimb"):
        return "calcudoku"
    nine = width == 9
    if args.kind in ("killer", "sandwich", "thermometer", "arrow") and nine:
        return "sdq"
    one_grid = args.kind == "plain" and (nine or width in (4, 16, 25))
    if one_grid and args.count is not None:
        return "lines"
    if args.kind == "plain" and nine and (path in (None, "-") or suffix):
        return "text"
    no_csv = args.kind in ("killer", "sandwich", "thermometer")
    return "json" if path in (None, "-") or suffix or no_csv else "csv"


def _check(made: Made, text: str | None, to: str) -> None:
    """Make sure that what is written is the puzzle that was made.

    Raises
    ------
    CannotSay
        If the format has no words for it.
    """
    from numplace.check.rules import violations
    from numplace.files.csv_writer import format_folder
    from numplace.files.detect import parse_puzzles

    if text is None:
        format_folder(made.puzzle)
        return
    from numplace.files.calcudoku_spec import is_nylimb, read_calcudoku

    if to == "calcudoku":
        again = read_calcudoku(text, "<made>", nylimb=is_nylimb(made.puzzle))
    else:
        (again,) = parse_puzzles(text, "<made>", to)
    if again.givens != made.puzzle.givens or violations(again, made.answer):
        raise AssertionError("the puzzle is not the same when it is read again")


def _make_folder(path: str) -> None:
    """Make the folder of many puzzles."""
    from numplace.files.write import NotDone

    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        found = f"no way to make the folder ({error.strerror or error})"
        raise NotDone(path, None, found, "a folder for the puzzles") from error


def _side(text: str) -> int:
    """Parse a size."""
    with suppress(ValueError):
        if 2 <= (value := int(text)) <= LARGEST_SIDE:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 2 to {LARGEST_SIDE}")


def _blocks(text: str) -> tuple[int, int]:
    """Parse the size of a block."""
    match = re.fullmatch(r"([0-9]{1,2})[xX]([0-9]{1,2})", text, re.ASCII)
    if match is not None:
        width, height = int(match[1]), int(match[2])
        if width >= 2 and height >= 2 and width * height <= LARGEST_SIDE:
            return width, height
    raise argparse.ArgumentTypeError(f"{text!r} is no size of a block, such as 3x3")
