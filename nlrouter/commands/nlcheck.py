"""The command ``nlcheck``: judge a problem file, or the answers to it.

Two voices speak: the contest's checker on standard output, in the original's own format, and
the rules on standard error, where an answer breaks them or the two voices differ.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from nlrouter import __version__
from nlrouter.checker import CONTEST_RULES
from nlrouter.commands.certificates import check_certificate, compare
from nlrouter.commands.nlcheck_files import add_options, write_files

if TYPE_CHECKING:
    from nlrouter.answer import Answer
    from nlrouter.checker.rules import Violation
    from nlrouter.commands.certificates import CheckedBound
    from nlrouter.problem import Problem

CORRECT, WRONG, BAD_INPUT = range(3)
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""

EPILOG = """\
exit codes:
  0  the problem is well-formed; every answer is correct, by the contest and by the rules
  1  an answer is wrong, by the contest or by the rules, or a certificate does not hold
  2  bad usage, or a file that is not well-formed: for an answer file too, whatever the contest's
     checker, which reads some of them, says of it
"""


def main(argv: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv
        The arguments, without the program's name; those of the process by default.

    Returns
    -------
    int
        The exit code. Bad usage raises `SystemExit` with code 2, as argparse does.
    """
    args = _parse(argv)
    # Not at the top: neither --help nor a mistyped option should wait for numpy.
    from nlrouter.checker.contest import RuleMismatch
    from nlrouter.extras import MissingExtra
    from nlrouter.files.errors import FileError
    from nlrouter.files.problem_file import read_problem

    try:
        problem = read_problem(args.input)
        if args.target is None or args.verbose or args.debug:
            _describe_problem(problem, debug=args.debug)
        if args.target is None:
            write_files(args, problem, [], args.input)
        bound = None
        if args.certificate is not None:
            bound = check_certificate(args.certificate, problem)
        code = CORRECT if args.target is None else _check_answers(args, problem, bound)
        return max(code, WRONG) if args.certificate is not None and bound is None else code
    except (FileError, MissingExtra, RuleMismatch) as error:
        _complain(f"nlcheck: {error}")
        return BAD_INPUT


def _check_answers(args: argparse.Namespace, problem: Problem, bound: CheckedBound | None) -> int:
    """Judge the answers in the target file by both voices; return the exit code.

    ``bound`` is what a certificate shows of the cost, if one was given.
    """
    from nlrouter.checker.cost import measure
    from nlrouter.checker.rules import violations
    from nlrouter.files.errors import FileError
    from nlrouter.files.text import read_text

    name, text = read_text(args.target)
    verdicts, silence = _ask_contest(problem, text, args.rule)
    try:
        answers = _parse_answers(text, name)
    except FileError as error:
        if verdicts is not None:
            _say_verdicts(verdicts)
        passed = verdicts and all(correct for correct, _ in verdicts)
        _complain(f"nlcheck: {error}; {silence or f'it {PASSES[bool(passed)]}'}")
        return BAD_INPUT
    if silence:
        _complain(f"{name}: {silence}")
    if args.verbose or args.debug:
        for index, answer in enumerate(answers, start=1):
            _describe_answer(problem, answer, index, debug=args.debug)
    if verdicts is not None:
        _say_verdicts(verdicts)

    wrong = any(not correct for correct, _ in verdicts or [])
    pairs = iter(verdicts or [])
    for index, answer in enumerate(answers, start=1):
        found = violations(problem, answer)
        wrong |= bool(found)
        # The contest's checker skips answers of zeros alone.
        passes, _ = next(pairs, (None, 0.0)) if answer.any() else (None, 0.0)
        label = name if len(answers) == 1 else f"{name}: answer {index}"
        _compare(label, passes, found)
        if bound is not None and not found:
            cost = measure(answer).total
            wrong |= cost < bound.claimed
            _say(f"{label} {compare(cost, bound)}")
    write_files(args, problem, answers, name)
    return WRONG if wrong else CORRECT


PASSES = {
    True: "passes the contest's checker all the same",
    False: "fails the contest's checker too",
}
"""What is said of a file that is not well-formed."""


def _say_verdicts(verdicts: list[tuple[bool, float]]) -> None:
    """Print the result line of the contest's checker."""
    _say(f"judges =  {[[correct, quality] for correct, quality in verdicts]}")


def _ask_contest(
    problem: Problem, text: str, rule: str
) -> tuple[list[tuple[bool, float]] | None, str]:
    """Return the verdicts of the contest's checker, or why there are none."""
    from nlrouter.checker.contest import ContestCheckerCrash, judge

    try:
        return judge(problem, text, rule), ""
    except ContestCheckerCrash as crash:
        return None, f"the contest's checker stops without a verdict: {crash}"


def _parse_answers(text: str, name: str) -> list[Answer]:
    """Parse the answers of a file, each from a SIZE line that is first or after a blank line."""
    from nlrouter.files.answer_file import parse_answer
    from nlrouter.files.text import split_lines

    lines = split_lines(text)
    starts = [
        index
        for index, line in enumerate(lines)
        if index > 0 and not lines[index - 1] and line.upper().startswith("SIZE")
    ]
    answers = []
    for start, stop in zip([0, *starts], [*starts, len(lines)], strict=True):
        if start == 0 and starts and not any(lines[:stop]):
            continue  # Blank lines before the first answer.
        # Blank lines in place of the answers before it keep the line numbers of messages.
        answers.append(parse_answer("\n" * start + "\n".join(lines[start:stop]), name))
    return answers


def _compare(name: str, passes: bool | None, found: list[Violation]) -> None:
    """Say what breaks the rules, and whether the contest's checker sees it otherwise.

    ``passes`` is its verdict, None if it gave none.
    """
    if found:
        but = "the contest's checker passes it, but it is " if passes else ""
        _complain(f"{name}: {but}wrong by the rules:")
        for violation in found:
            _complain(f"  {violation.text}")
    elif not passes:
        _complain(f"{name}: the contest's checker does not pass it, but it is correct by the rules")


def _describe_problem(problem: Problem, *, debug: bool) -> None:
    """Tell that a problem is well-formed, its size, and its board if asked to."""
    crossing = sum(line.crosses_layers for line in problem.lines)
    _say(
        f"problem OK: SIZE {problem.width}X{problem.height}X{problem.layers},"
        f" {len(problem.lines)} lines ({crossing} across layers), {len(problem.vias)} vias"
    )
    if debug:
        layers, height, width = problem.shape
        board = [[["."] * width for _ in range(height)] for _ in range(layers)]
        for line in problem.lines:
            for z, y, x in line.ends:
                board[z][y][x] = str(line.number)
        for via in problem.vias:
            for z, y, x in via.cells:
                board[z][y][x] = via.name
        _say_board(board)


def _describe_answer(problem: Problem, answer: Answer, index: int, *, debug: bool) -> None:
    """Tell an answer's size and cost, those of each line, and its board if asked to."""
    import numpy as np

    from nlrouter.checker.cost import bends, measure

    layers, height, width = answer.shape
    cost = measure(answer)
    _say(
        f"answer {index}: SIZE {width}X{height}X{layers},"
        f" length {cost.length}, bends {cost.bends}, cost {cost.total}"
    )
    count = len(problem.lines) + 1
    length_of = np.bincount(answer.ravel(), minlength=count)
    bends_of = np.bincount(answer[bends(answer)], minlength=count)
    for number in range(1, count):
        _say(f"  LINE#{number}: length {length_of[number]}, bends {bends_of[number]}")
    if debug:
        _say_board([[[str(n) if n else "." for n in row] for row in layer] for layer in answer])


def _say_board(board: list[list[list[str]]]) -> None:
    """Print the cells of each layer, aligned."""
    width = max(len(cell) for layer in board for row in layer for cell in row)
    for z, layer in enumerate(board, start=1):
        _say(f"  LAYER {z}")
        for row in layer:
            _say("  " + " ".join(cell.rjust(width) for cell in row))


def _say(text: str) -> None:
    from nlrouter.tell.stream import emit

    emit(sys.stdout, f"{text}\n")


def _complain(text: str) -> None:
    from nlrouter.tell.stream import emit

    emit(sys.stderr, f"{text}\n")


def _parse(argv: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="nlcheck",
        description="Judge a NumberLink problem (ADC2016), or answers to it, as the contest's "
        "checker does and by the rules.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--input", required=True, metavar="FILE", help="problem file; - is standard input"
    )
    parser.add_argument("--target", metavar="FILE", help="answer file; - is standard input")
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="certificate of a lower bound, as nlroute writes it: tell what it proves, and what "
        "that means for the answers",
    )
    parser.add_argument(
        "--rule",
        choices=CONTEST_RULES,
        default="ADC2016",
        help="rules of the contest's checker; those before 2016 are for one layer, where they "
        "mean the same checks (default: ADC2016)",
    )
    add_options(parser)
    parser.add_argument(
        "--verbose", action="store_true", help="tell sizes, and length and bends of each line"
    )
    parser.add_argument("--debug", action="store_true", help="also print the boards as read")
    parser.add_argument("--version", action="version", version=f"nlcheck {__version__}")
    args = parser.parse_args(argv)
    if [args.input, args.target, args.certificate].count("-") > 1:
        parser.error("only one of --input, --target and --certificate can be standard input")
    if args.clean is not None and args.target is None:
        parser.error("--clean needs --target, the answer to clean")
    return args


if __name__ == "__main__":
    sys.exit(main())
