"""``numplace solve``: puzzles of any format to answers, and whether they are the only ones."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from nlrouter.deadline import Deadline
    from numplace.puzzle import Puzzle
    from numplace.runs import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_file(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the answer goes (default: standard output)"
    )
    parser.add_argument(
        "--count",
        type=whole_number(1),
        default=2,
        metavar="N",
        help="most answers to look for (default: 2, which tells whether there is another)",
    )
    parser.add_argument(
        "--unique", action="store_true", help="exit with code 4 if there is another solution"
    )
    parser.add_argument(
        "--proof", metavar="FILE", help="also write a proof that there is no (other) solution"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace files that are no earlier answer, or no earlier proof",
    )
    parser.add_argument(
        "--lines", action="store_true", help="one grid a line in, one answer a line out"
    )
    add_search(parser)
    add_output(parser)
    parser.add_argument("--verbose", action="store_true", help="tell what the puzzle is made of")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    if args.lines:
        from numplace.commands.solve_lines import solve_lines

        return solve_lines(args)
    # Not at the top: --help should not wait for them.
    from nlrouter.deadline import Deadline
    from nlrouter.files.errors import FileError
    from numplace.files.detect import puzzle_files
    from numplace.files.write import require_places

    deadline = Deadline(args.time_limit)
    puzzles = load(args)
    require_places((args.output, args.proof), puzzle_files(args.file, args.format))
    _require_replaceable(args, puzzles[0])
    if args.proof is not None and len(puzzles) > 1:
        raise FileError(args.file, None, f"{len(puzzles)} puzzles", "one, for a proof")
    return solve_all(args, puzzles, deadline)


def solve_all(args: argparse.Namespace, puzzles: list[Puzzle], deadline: Deadline) -> int:
    """Solve puzzles, tell and write what is found; return the exit code."""
    from numplace.exit_codes import worst
    from numplace.files.answers import format_answer
    from numplace.files.write import write

    codes, texts = [], []
    try:
        for number, puzzle in enumerate(puzzles, start=1):
            label = args.file if len(puzzles) == 1 else f"{args.file}, puzzle {number}"
            _tell_about(args, puzzle, label)
            for each in _solve(args, puzzle, deadline):
                codes.append(_report(args, puzzle, label, each))
                if each.result.answers and args.output is not None:
                    texts.append(format_answer(puzzle, each.result.answers[0]))
    finally:  # Ctrl-C loses no answer.
        if args.output is not None and texts:
            # Grids of nine rows stand apart.
            write(args.output, ("\n" if len(puzzles) == 1 else "").join(texts))
    return _of_runs(codes) if len(puzzles) == 1 else worst(codes)


def _require_replaceable(args: argparse.Namespace, puzzle: Puzzle) -> None:
    """Refuse to replace what is no earlier answer, or no earlier proof, unless by force."""
    from numplace.check.proof import is_proof
    from numplace.files.answers import are_answers
    from numplace.files.write import require_replaceable

    if args.output is not None and not args.force:
        require_replaceable(args.output, partial(are_answers, puzzle))
    if args.proof is not None and not args.force:
        require_replaceable(args.proof, is_proof)


def _of_runs(codes: list[int]) -> int:
    """Return the code of all runs of a puzzle: runs without a solution beside others are fine."""
    from numplace.exit_codes import NO_SOLUTION, worst

    return worst([code for code in codes if code != NO_SOLUTION] or codes)


def _solve(args: argparse.Namespace, puzzle: Puzzle, deadline: Deadline) -> Iterable[Run]:
    """Solve all runs of a puzzle; where a proof is asked for, write it before one is told."""
    from numplace.runs import solve_runs

    runs: Iterable[Run] = solve_runs(
        puzzle,
        args.count,
        deadline=deadline,
        **search_wishes(args),
    )
    if args.proof is not None:
        runs = list(runs)
        _write_proof(args.proof, puzzle, runs, deadline, quiet=args.quiet)
    return runs


def _write_proof(
    path: str, puzzle: Puzzle, runs: list[Run], deadline: Deadline, *, quiet: bool
) -> None:
    """Write a proof, verified, that the answer found is the only one, or that there is none.

    Raises
    ------
    FileError
        If there is nothing to prove: several answers or runs.
    NotDone
        If it cannot be written, or the time was up.
    """
    from nlrouter.files.errors import FileError
    from numplace.check.proof import check_proof
    from numplace.files.write import NotDone, write
    from numplace.result import Status
    from numplace.sat.proof import make_proof

    expected = "a puzzle with one solution or none to prove"
    if len(runs) > 1:
        raise FileError(puzzle.origin.name, None, f"{len(runs)} runs", expected)
    result = runs[0].result
    if result.status not in (Status.UNIQUE, Status.NONE):
        raise FileError(puzzle.origin.name, None, f"status {result.status}", expected)
    proven = puzzle.with_givens({**puzzle.givens, **runs[0].values})
    text = make_proof(proven, result.answers[0] if result.answers else None, deadline)
    if text is None:
        raise NotDone(path, None, "no proof in time", "a longer time limit")
    verdict = check_proof(proven, text, path)
    if not verdict.holds:
        raise AssertionError(f"a proof that the checker refuses: {verdict.text}")
    write(path, text)
    if not quiet:
        note(f"{path}: {verdict.text}")


def _tell_about(args: argparse.Namespace, puzzle: Puzzle, label: str) -> None:
    """Refuse a puzzle without cells; tell details."""
    from nlrouter.files.errors import FileError

    if not puzzle.cells:
        raise FileError(label, None, "a puzzle without cells", "cells to fill")
    if args.verbose and not args.quiet:
        note(
            f"{label}: {puzzle.origin.format}, {puzzle.width}x{puzzle.height},"
            f" {len(puzzle.cells)} cells, {len(puzzle.givens)} givens,"
            f" {len(puzzle.houses)} houses,"
            f" {len(puzzle.constraints) - len(puzzle.houses)} other constraints"
        )


def _report(args: argparse.Namespace, puzzle: Puzzle, label: str, each: Run) -> int:
    """Tell about one run; return its exit code."""
    from numplace.exit_codes import NOT_DONE, SUCCESS, code_of
    from numplace.files.answers import format_answer
    from numplace.files.json_record import result_record
    from numplace.files.sdq_reader import SdqOrigin
    from numplace.runs import compare_with_reference

    label = f"{label}, {each.label}" if each.label else label
    if puzzle.origin.left_out:
        label += ", without what was left out"
    code = code_of(each.result, unique=args.unique)
    if each.fault:
        note(f"{label}: no solution: {each.fault}")
    elif not args.quiet:
        note(f"{label}: {describe(each.result, args.count)}")
    same = None
    if isinstance(puzzle.origin, SdqOrigin) and (reference := puzzle.origin.reference) is not None:
        same, told = compare_with_reference(puzzle, reference, each.result)
        for line in told if not args.quiet or not same else ():
            note(line)
        if same is False and code == SUCCESS:
            code = NOT_DONE
    if args.json:
        record: dict[str, object] = {"file": args.file, "format": puzzle.origin.format}
        if each.values:
            record["run"] = {str(cell): value for cell, value in each.values.items()}
        if puzzle.origin.left_out:
            record["left_out"] = puzzle.origin.left_out
        record |= result_record(each.result)
        if each.fault:
            record["fault"] = each.fault
        if same is not None:
            record["reference"] = "same" if same else "differs"
        say(json.dumps(record) + "\n")
    elif each.result.answers and args.output is None:
        say(format_answer(puzzle, each.result.answers[0]))
    return code
