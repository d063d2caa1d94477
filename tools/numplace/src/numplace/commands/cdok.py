"""``numplace cdok``: examine, print, solve and make calcudoku."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING

from nlrouter.commands.option_types import seconds, whole_number
from nlrouter.tell.stream import emit
from numplace import __version__
from numplace.commands.options import say
from numplace.exit_codes import NO_SOLUTION, NOT_DONE, SUCCESS

if TYPE_CHECKING:
    from nlrouter.deadline import Deadline
    from numplace.answer import Answer
    from numplace.generate.calcudoku import Maker
    from numplace.puzzle import Puzzle
    from numplace.result import Result

COMMANDS = {
    "examine": "tell whether a puzzle has one solution, and how difficult it is",
    "print": "write a puzzle and its picture",
    "solve": "draw the solved puzzle, and tell the same as examine",
    "generate": "make a puzzle",
    "gen-grid": "make a solution grid",
    "harden": "read a solution or a puzzle, make a harder puzzle with that solution",
}

EPILOG = """\
A puzzle is a line per row, with cells separated by blanks: a number, or the letter of the
cell's group. The clue stands behind one of the letters, operation first: J+12. A blank line
ends the puzzle; what follows is ignored. The sizes are 2 to 16, in Nylimb mode 2 to 9.

-  one of the numbers minus all the others is the target
/  one of the numbers divided by all the others is the target

In Nylimb mode every row and column of n cells holds each digit from 0 to n exactly once: one
of its cells has a number of two digits, which does not begin with 0.

Difficulty: B * M + E; E is the number of empty cells, M the power of ten above the number of
cells, B the sum of (choices - 1)^2 where something had to be tried. Below M nothing had.

exit codes:
  0  done; examine and solve: there is a solution
  1  not done: not decided in time, or not written
  2  bad input or usage
  3  proven: there is no solution
"""

LARGEST_SIZE = 16
LARGEST_NYLIMB = 9


def main(argv: list[str]) -> int:
    """Run the command; return its exit code. Bad input raises `FileError`."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.nylimb and args.size > LARGEST_NYLIMB:
        parser.error(f"argument -s/--size: at most {LARGEST_NYLIMB} in Nylimb mode")
    if args.size > LARGEST_SIZE or args.size < 2:
        parser.error(f"argument -s/--size: {args.size} is not from 2 to {LARGEST_SIZE}")
    if not args.ascii and sys.stdout is not None and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    # Not at the top: --help should not wait for it.
    from nlrouter.deadline import Deadline
    from numplace.files.write import require_places

    deadline = Deadline(args.time_limit)
    require_places([args.output], [args.input])
    if args.command in ("generate", "gen-grid"):
        return _generate(args, deadline)
    puzzle = _read(args)
    if args.command == "print":
        return _write(args, _spec_and_picture(args, puzzle), {"spec": _spec(puzzle)})
    from numplace.solve.count import count_answers

    result = count_answers(puzzle, 2, deadline=deadline)
    if not result.answers and result.exhausted:
        return _not_solvable(args, puzzle, result)
    if not result.answers:
        return _complain("not decided in time", NOT_DONE)
    if args.command == "harden":
        return _harden(args, puzzle, result, deadline)
    return _tell(args, puzzle, result)


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name.ljust(width)}  {what}" for name, what in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="numplace cdok",
        description=f"Examine, print, solve and make calcudoku.\n\ncommands:\n{commands}",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    number = whole_number(0)
    add = parser.add_argument
    add("command", choices=COMMANDS, metavar="COMMAND", help="one of the above")
    add("-i", "--input", default="-", metavar="FILE", help="read this file (default: stdin)")
    add("-o", "--output", metavar="FILE", help="write this file (default: stdout)")
    add("-u", "--utf8", dest="ascii", action="store_false", help="draw walls in UTF-8, not ASCII")
    add("-N", "--nylimb", action="store_true", help="Nylimb mode: numbers of one or two digits")
    add(
        "-T",
        "--two-cell",
        action="store_true",
        help="generate, harden: - and / only for groups of two cells",
    )
    add("-s", "--size", type=number, default=6, metavar="SIZE", help="cells of a line (default: 6)")
    add(
        "-w",
        "--tries",
        type=number,
        default=20,
        metavar="N",
        help="generate, harden: most changes tried to make it harder (default: 20)",
    )
    add(
        "-m",
        "--most",
        type=number,
        default=0,
        metavar="D",
        help="generate, harden: largest difficulty; 0 for any (default: 0)",
    )
    add(
        "-t",
        "--target",
        type=number,
        default=0,
        metavar="D",
        help="generate, harden: stop at this difficulty; 0 for never (default: 0)",
    )
    add("--seed", type=number, metavar="N", help="same seed, same puzzle (default: a new one)")
    add(
        "--time-limit",
        type=seconds,
        default=math.inf,
        metavar="S",
        help="seconds after which to make do with what there is (default: none)",
    )
    add("--json", action="store_true", help="print a JSON record, text only to the file of -o")
    add("--quiet", action="store_true", help="no notes on standard error, only errors")
    add("--version", action="version", version=f"numplace {__version__}")
    return parser


def _read(args: argparse.Namespace) -> Puzzle:
    """Return the puzzle of the input file."""
    from nlrouter.files.text import read_text
    from numplace.files.calcudoku_foreign import read_any

    name, text = read_text(args.input)
    return read_any(text, name, nylimb=args.nylimb)


def _tell(args: argparse.Namespace, puzzle: Puzzle, result: Result) -> int:
    """Write what ``examine`` and ``solve`` are asked for."""
    from numplace.draw.calcudoku import draw_calcudoku
    from numplace.files.json_record import result_record
    from numplace.result import Status
    from numplace.solve.calcudoku import difficulty

    answer = result.answers[0]
    record = result_record(result)
    if result.status is Status.UNIQUE:
        record["difficulty"] = difficulty(puzzle, answer)
        verdict = f"Solution is unique. Difficulty: {record['difficulty']}\n"
    elif result.status is Status.SEVERAL:
        verdict = "Solution is not unique.\n"
    else:
        verdict = "Solution found; not decided in time whether it is unique.\n"
    picture = ""
    if args.command == "solve":
        picture = draw_calcudoku(puzzle, answer, ascii_only=args.ascii)
    code = _write(args, picture + verdict, record)
    return NOT_DONE if result.status is Status.UNKNOWN else code


def _not_solvable(args: argparse.Namespace, puzzle: Puzzle, result: Result) -> int:
    """Say that there is no solution, and why if that is plain to see."""
    from numplace.cell import name_cells
    from numplace.check.data import FaultKind, find_faults
    from numplace.files.json_record import result_record

    if args.json:
        say(json.dumps(_record(args, result_record(result))) + "\n")
    reason = ""
    for fault in find_faults(puzzle)[:1]:
        reason = f": {fault.text}"
        if fault.kind is FaultKind.GIVEN_TWICE:
            what, places = fault.text.split(" in ")[0], name_cells(fault.cells)
            reason = f": {fault.constraint} has {what} ({places})"
    return _complain(f"Puzzle is not solvable{reason}", NO_SOLUTION)


def _generate(args: argparse.Namespace, deadline: Deadline) -> int:
    """Make a grid or a puzzle."""
    from numplace.files.calcudoku_spec import calcudoku

    maker, seed = _maker(args, args.size)
    answer = maker.grid()
    if args.command == "gen-grid":
        grid = _spec(calcudoku(args.size, [], answer, nylimb=args.nylimb))
        _say_seed(args, seed)
        return _write(args, grid, {"spec": grid, "seed": seed})
    return _made(args, maker.make(answer, deadline), answer, seed)


def _harden(args: argparse.Namespace, puzzle: Puzzle, result: Result, deadline: Deadline) -> int:
    """Make a harder puzzle with the solution of the one read."""
    if len(result.answers) > 1 and not args.quiet:
        emit(sys.stderr, "numplace cdok: Solution is not unique; taking one of them\n")
    maker, seed = _maker(args, puzzle.width)
    answer = result.answers[0]
    if len(puzzle.givens) == len(puzzle.cells):
        return _made(args, maker.make(answer, deadline), answer, seed)
    return _made(args, maker.harden(puzzle, answer, deadline), answer, seed)


def _maker(args: argparse.Namespace, side: int) -> tuple[Maker, int]:
    """Return the maker of puzzles that the options ask for, and its seed."""
    import random

    from numplace.generate.calcudoku import Maker, Recipe

    recipe = Recipe(
        side=side,
        nylimb=args.nylimb,
        two_cell=args.two_cell,
        tries=args.tries,
        most=args.most,
        enough=args.target,
    )
    seed = random.SystemRandom().randrange(2**31) if args.seed is None else args.seed
    live = not args.quiet and sys.stderr is not None and sys.stderr.isatty()

    def show(tries: int, difficulty: int) -> None:
        if live:
            emit(sys.stderr, f"\rtry {tries} of {recipe.tries}, difficulty {difficulty}   ")

    return Maker(recipe, seed, show=show), seed


def _made(args: argparse.Namespace, puzzle: Puzzle, answer: Answer, seed: int) -> int:
    """Check and write a puzzle that was made."""
    from numplace.check.rules import violations
    from numplace.files.calcudoku_spec import read_calcudoku, write_calcudoku
    from numplace.files.json_record import answer_rows
    from numplace.solve.calcudoku import difficulty

    spec = write_calcudoku(puzzle)
    again = read_calcudoku(spec, "<made>", nylimb=args.nylimb)
    if write_calcudoku(again) != spec or violations(again, answer):
        raise AssertionError("the puzzle is not the same when it is read again")
    if not args.quiet and sys.stderr is not None and sys.stderr.isatty():
        emit(sys.stderr, "\r" + " " * 60 + "\r")
    _say_seed(args, seed)
    hard = difficulty(again, answer)
    record = {"spec": spec, "answer": answer_rows(answer), "difficulty": hard, "seed": seed}
    return _write(args, _spec_and_picture(args, again) + f"Difficulty: {hard}\n", record)


def _say_seed(args: argparse.Namespace, seed: int) -> None:
    """Tell a seed that was not asked for, so that the puzzle can be had again."""
    if args.seed is None and not args.quiet:
        emit(sys.stderr, f"numplace cdok: seed {seed}\n")


def _spec(puzzle: Puzzle) -> str:
    """Return a puzzle as its spec."""
    from numplace.files.calcudoku_spec import write_calcudoku

    return write_calcudoku(puzzle)


def _spec_and_picture(args: argparse.Namespace, puzzle: Puzzle) -> str:
    """Return spec, empty line and picture."""
    from numplace.draw.calcudoku import draw_calcudoku

    return f"{_spec(puzzle)}\n{draw_calcudoku(puzzle, ascii_only=args.ascii)}"


def _write(args: argparse.Namespace, text: str, record: dict[str, object]) -> int:
    """Write text to the file or standard output, and the record where JSON is asked for."""
    from numplace.files.write import write

    if args.output is not None:
        write(args.output, text)
    elif not args.json:
        say(text)
    if args.json:
        say(json.dumps(_record(args, record)) + "\n")
    return SUCCESS


def _record(args: argparse.Namespace, record: dict[str, object]) -> dict[str, object]:
    """Return a record with what all have in common."""
    return {"command": args.command, "format": "calcudoku", "nylimb": args.nylimb, **record}


def _complain(message: str, code: int) -> int:
    """Say on standard error what is wrong; return the exit code."""
    emit(sys.stderr, f"numplace cdok: {message}\n")
    return code
