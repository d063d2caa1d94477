"""``numplace sdq``: the sdq system's command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from numplace.commands.options import add_output, add_sdq, add_search, load_one, note
from numplace.commands.solve import solve_all

if TYPE_CHECKING:
    from numplace.puzzle import Puzzle

ENGINES = {"sat": "sat", "sat4j": "sat", "minisat": "sat", "cpsat": "cpsat", "auto": "auto"}
"""The engines by the words for them; the names of SAT solvers all mean ours."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", metavar="FILE.sdq", help="the puzzle; - is standard input")
    parser.add_argument(
        "words",
        nargs="*",
        metavar="sat|cpsat|true",
        help="the engine (Sat4j and MiniSat mean sat; default: sat where the file says how to "
        "encode sums, or --stats or --dimacs is given); true asks that the solution be unique",
    )
    parser.add_argument(
        "--stats", action="store_true", help="tell variables and clauses of each clause and in all"
    )
    parser.add_argument("--dimacs", metavar="FILE", help="write the encoding as DIMACS CNF")
    add_sdq(parser)
    parser.add_argument(
        "--unique", action="store_true", help="exit with code 4 if there is another solution"
    )
    add_search(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the solution goes (default: standard output)"
    )
    add_output(parser)
    # What `numplace solve` has options for; without an engine the file's wishes are heeded.
    parser.set_defaults(format="sdq", count=2, proof=None, verbose=False, engine=None)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from nlrouter.deadline import Deadline
    from numplace.exit_codes import BAD_INPUT
    from numplace.files.detect import puzzle_files
    from numplace.files.write import require_places

    for word in args.words:
        if word.lower() in ("true", "false"):
            args.unique = args.unique or word.lower() == "true"
        elif word.lower() in ENGINES:
            args.engine = ENGINES[word.lower()]
        else:
            note(f"numplace sdq: found {word!r}, expected sat, cpsat or true")
            return BAD_INPUT
    deadline = Deadline(args.time_limit)
    puzzle = load_one(args)
    require_places((args.output, args.dimacs), puzzle_files(args.file, "sdq"))
    if args.stats or args.dimacs is not None:
        _show_encoding(args, puzzle)
    args.engine = args.engine or _engine_for(args, puzzle)
    return solve_all(args, [puzzle], deadline)


def _engine_for(args: argparse.Namespace, puzzle: Puzzle) -> str:
    """Return the engine where none is named: what the file says about encoding is heeded."""
    from numplace.files.sdq_reader import SdqOrigin

    assert isinstance(puzzle.origin, SdqOrigin)
    chosen = puzzle.origin.levels or puzzle.origin.translation
    return "sat" if chosen or args.stats or args.dimacs is not None else "auto"


def _show_encoding(args: argparse.Namespace, puzzle: Puzzle) -> None:
    """Tell and write the encoding, as asked for."""
    from numplace.files.write import write
    from numplace.sat.dimacs import describe_shares, format_dimacs
    from numplace.sat.encode import encode

    cnf = encode(puzzle)
    if args.stats:
        for line in describe_shares(cnf):
            note(line)
    if args.dimacs is not None:
        write(args.dimacs, format_dimacs(cnf))
