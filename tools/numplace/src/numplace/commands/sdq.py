"""``numplace sdq``: the sdq system's command line."""

from __future__ import annotations

import argparse
import json
import math
from typing import TYPE_CHECKING

from nlrouter.commands.option_types import seconds, whole_number
from numplace.commands.options import add_output, describe, note, say

if TYPE_CHECKING:
    from numplace.puzzle import Puzzle
    from numplace.runs import Run

ENGINES = {"sat": "sat", "sat4j": "sat", "minisat": "sat", "cpsat": "cpsat", "auto": "auto"}
"""The engines by the words for them; the names of SAT solvers all mean ours."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", metavar="FILE.sdq", help="the puzzle; - is standard input")
    parser.add_argument(
        "words",
        nargs="*",
        metavar="sat|cpsat|true",
        help="the engine (Sat4j and MiniSat mean sat); true asks that the solution be unique",
    )
    parser.add_argument(
        "--engine",
        choices=("auto", "sat", "cpsat"),
        help="the engine (default: sat where the file says how to encode sums, by a level or "
        "PBC, or --stats or --dimacs is given; else the fastest)",
    )
    parser.add_argument(
        "--stats", action="store_true", help="tell variables and clauses of each clause and in all"
    )
    parser.add_argument("--dimacs", metavar="FILE", help="write the encoding as DIMACS CNF")
    parser.add_argument(
        "--cages-repeat", action="store_true", help="numbers may repeat within a cage"
    )
    parser.add_argument(
        "--unique", action="store_true", help="exit with code 4 if there is another solution"
    )
    parser.add_argument(
        "--time-limit", type=seconds, default=math.inf, metavar="S", help="seconds (default: none)"
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="N", help="seed of CP-SAT"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the solution goes (default: standard output)"
    )
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from nlrouter.deadline import Deadline
    from numplace.exit_codes import BAD_INPUT, NO_SOLUTION, worst
    from numplace.files.answers import format_answer
    from numplace.files.detect import puzzle_files, read_puzzle
    from numplace.files.write import require_places, write
    from numplace.runs import solve_runs

    unique = args.unique
    engine = args.engine
    for word in args.words:
        if word.lower() in ("true", "false"):
            unique = unique or word.lower() == "true"
        elif word.lower() in ENGINES:
            engine = ENGINES[word.lower()]
        else:
            note(f"numplace sdq: found {word!r}, expected sat, cpsat or true")
            return BAD_INPUT
    deadline = Deadline(args.time_limit)
    puzzle = read_puzzle(args.file, "sdq", cages_repeat=args.cages_repeat)
    require_places((args.output, args.dimacs), puzzle_files(args.file, "sdq"))
    _show_encoding(args, puzzle)
    engine = engine or _engine_for(args, puzzle)
    codes, texts = [], []
    try:
        for each in solve_runs(puzzle, deadline=deadline, seed=args.seed, engine=engine):
            codes.append(_report(args, puzzle, each, unique=unique))
            if each.result.answers:
                texts.append(format_answer(puzzle, each.result.answers[0]))
                if args.output is None and not args.json:
                    say(texts[-1])
    finally:  # Ctrl-C loses no answer.
        if args.output is not None and texts:
            write(args.output, "\n".join(texts))
    # Runs without a solution beside others are what the clause Difficulty asks for.
    return worst([code for code in codes if code != NO_SOLUTION] or codes)


def _engine_for(args: argparse.Namespace, puzzle: Puzzle) -> str:
    """Return the engine where none is named: what the file says about encoding is heeded."""
    from numplace.files.sdq_reader import LEVELS, SdqOrigin

    assert isinstance(puzzle.origin, SdqOrigin)
    chosen = any(
        clause.name == "PBC" or (clause.name in LEVELS and clause.level is not None)
        for clause in puzzle.origin.clauses
    )
    return "sat" if chosen or args.stats or args.dimacs is not None else "auto"


def _show_encoding(args: argparse.Namespace, puzzle: Puzzle) -> None:
    """Tell notes, and the encoding if asked to."""
    from numplace.files.sdq_reader import SdqOrigin

    assert isinstance(puzzle.origin, SdqOrigin)
    if not args.quiet:
        for remark in puzzle.origin.notes:
            note(remark)
    if not args.stats and args.dimacs is None:
        return
    from numplace.files.write import write
    from numplace.sat.dimacs import describe_shares, format_dimacs
    from numplace.sat.encode import encode

    cnf = encode(puzzle)
    if args.stats:
        for line in describe_shares(cnf):
            note(line)
    if args.dimacs is not None:
        write(args.dimacs, format_dimacs(cnf))


def _report(args: argparse.Namespace, puzzle: Puzzle, each: Run, *, unique: bool) -> int:
    """Tell about one run; return its exit code."""
    from numplace.exit_codes import NOT_DONE, SUCCESS, code_of
    from numplace.files.json_record import result_record
    from numplace.runs import compare_with_reference, reference_of

    code = code_of(each.result, unique=unique)
    label = each.label or args.file
    if each.fault:
        note(f"{label}: no solution: {each.fault}")
    elif not args.quiet:
        note(f"{label}: {describe(each.result)}")
    reference = reference_of(puzzle)
    same = None
    if reference is not None and each.result.answers:
        same, text = compare_with_reference(reference, each.result)
        if not same or not args.quiet:
            note(text)
        if not same and code == SUCCESS:
            code = NOT_DONE
    if args.json:
        record: dict[str, object] = {"file": args.file, "format": "sdq"}
        if each.values:
            record["run"] = {str(cell): value for cell, value in each.values.items()}
        record |= result_record(each.result)
        if each.fault:
            record["fault"] = each.fault
        if same is not None:
            record["reference"] = "same" if same else "differs"
        say(json.dumps(record) + "\n")
    return code
