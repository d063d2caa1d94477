"""``numplace check``: judge a puzzle, an answer, a log of steps, a proof. Solves nothing itself."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from numplace.commands.options import (
    add_file,
    add_output,
    add_search,
    describe,
    load_one,
    note,
    say,
    search_wishes,
)

if TYPE_CHECKING:
    from numplace.puzzle import Puzzle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_file(parser)
    parser.add_argument("answer", nargs="?", metavar="ANSWER", help="file with an answer to judge")
    parser.add_argument("--steps", metavar="LOG", help="log of numplace explain --json to judge")
    parser.add_argument("--proof", metavar="FILE", help="proof of numplace solve --proof to judge")
    parser.add_argument(
        "--unique", action="store_true", help="also solve it: exit 4 if there is another solution"
    )
    add_search(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from numplace.check.data import find_faults
    from numplace.csv_system import fault_error
    from numplace.exit_codes import NO_SOLUTION, NOT_DONE, SUCCESS, worst

    puzzle = load_one(args)
    faults = find_faults(puzzle)
    if faults and puzzle.origin.format == "csv":
        raise fault_error(faults[0], puzzle.origin.name)
    record: dict[str, object] = {"file": args.file, "format": puzzle.origin.format}
    codes = [SUCCESS]
    if faults:
        note(f"{args.file}: no solution: {faults[0].text}")
        codes.append(NO_SOLUTION)
    elif args.answer is None and not args.quiet and not args.json:
        say(f"{args.file}: puzzle OK: {_describe_puzzle(puzzle)}\n")
    if args.answer is not None:
        codes.append(_check_answer(args, puzzle, record))
    for path, check in ((args.steps, _check_steps), (args.proof, _check_proof)):
        if path is not None:
            codes.append(SUCCESS if check(args, puzzle, record) else NOT_DONE)
    if args.unique:
        codes.append(_check_unique(args, puzzle, record))
    record["correct"] = worst(codes) == SUCCESS
    if args.json:
        say(json.dumps(record) + "\n")
    return worst(codes)


def _describe_puzzle(puzzle: Puzzle) -> str:
    others = len(puzzle.constraints) - len(puzzle.houses)
    return (
        f"{puzzle.width}x{puzzle.height}, {len(puzzle.cells)} cells, {len(puzzle.houses)} houses,"
        f" {others} other constraints, {len(puzzle.givens)} givens"
    )


def _check_answer(args: argparse.Namespace, puzzle: Puzzle, record: dict[str, object]) -> int:
    """Judge an answer by the rules alone."""
    from nlrouter.files.text import read_text
    from numplace.check.rules import violations
    from numplace.exit_codes import NOT_DONE, SUCCESS
    from numplace.files.answers import parse_answer

    name, text = read_text(args.answer)
    wrong = violations(puzzle, parse_answer(puzzle, text, name))
    record["violations"] = [violation.text for violation in wrong]
    if wrong:
        note(f"{name}: wrong:")
        for violation in wrong:
            note(f"  {violation.text}")
        return NOT_DONE
    if not args.quiet and not args.json:
        say(f"{name}: correct\n")
    return SUCCESS


def _check_steps(args: argparse.Namespace, puzzle: Puzzle, record: dict[str, object]) -> bool:
    """Judge a log of steps."""
    from nlrouter.files.text import read_text
    from numplace.check.steps import check_steps

    name, text = read_text(args.steps)
    wrong = check_steps(puzzle, text, name)
    record["wrong_steps"] = wrong
    for sentence in wrong:
        note(f"{name}: {sentence}")
    if not wrong and not args.quiet and not args.json:
        say(f"{name}: all steps are valid\n")
    return not wrong


def _check_proof(args: argparse.Namespace, puzzle: Puzzle, record: dict[str, object]) -> bool:
    """Judge a proof."""
    from nlrouter.files.text import read_text
    from numplace.check.proof import check_proof

    name, text = read_text(args.proof)
    verdict = check_proof(puzzle, text, name)
    record["proof"] = verdict.text
    if not verdict.holds:
        note(f"{name}: {verdict.text}")
    elif not args.quiet and not args.json:
        say(f"{name}: {verdict.text}\n")
    return verdict.holds


def _check_unique(args: argparse.Namespace, puzzle: Puzzle, record: dict[str, object]) -> int:
    """Solve the puzzle to tell whether its answer is the only one."""
    from nlrouter.deadline import Deadline
    from numplace.exit_codes import code_of
    from numplace.solve.count import count_answers

    result = count_answers(
        puzzle,
        deadline=Deadline(args.time_limit),
        **search_wishes(args),
    )
    record["status"] = str(result.status)
    if not args.quiet:
        note(f"{args.file}: {describe(result)}")
    return code_of(result, unique=True)
