"""What ``nlcheck`` does: judge a problem file, or the answers to it.

Two voices speak: the contest's checker on standard output, in the original's own format, and
the rules on standard error, where an answer breaks them or the two voices differ.
"""

from __future__ import annotations

import argparse
import re

from nlrouter.answer import Answer
from nlrouter.checker import CONTEST_RULES
from nlrouter.checker.contest import ContestCheckerCrash, RuleMismatch, judge
from nlrouter.checker.cost import bends, measure
from nlrouter.checker.drawn import CannotTell, violations_by
from nlrouter.checker.rules import Violation, violations
from nlrouter.commands.certificates import CheckedBound, check_certificate, compare
from nlrouter.commands.frame import Exit, complain, say, tell
from nlrouter.commands.nlcheck_files import require_places, write_files
from nlrouter.files.answer_file import format_answer, parse_answer, parse_drawing
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import read_problem
from nlrouter.files.pzpr_file import is_pzprv3
from nlrouter.files.text import is_contest_text, read_text, split_lines
from nlrouter.problem import Problem, size_text
from nlrouter.rule_sets import Rules

Verdicts = list[tuple[bool, float]]
"""What the contest's checker says of each answer: whether it passes, and its quality."""


def run(args: argparse.Namespace) -> Exit:
    """Judge what the command line names; return the exit code."""
    require_places(args)
    try:
        problem = read_problem(args.input)
        if args.target is None or args.verbose or args.debug:
            _describe_problem(problem, debug=args.debug)
        if args.target is None:
            write_files(args, problem, [], args.input)
        shown: CheckedBound | bool = True
        if args.certificate is not None:
            shown = check_certificate(args.certificate, problem)
        bound = None if isinstance(shown, bool) else shown
        code = Exit.DONE if args.target is None else _check_answers(args, problem, bound)
        return code if shown else max(code, Exit.NOT_DONE)
    except RuleMismatch as error:
        complain("nlcheck", str(error))
        return Exit.BAD_INPUT


def _check_answers(args: argparse.Namespace, problem: Problem, bound: CheckedBound | None) -> Exit:
    """Judge the answers in the target file by both voices; return the exit code.

    ``bound`` is what a certificate shows of the cost, if one was given.
    """
    name, text = read_text(args.target)
    if args.rule not in CONTEST_RULES:
        return _check_puzzle(problem, text, name, Rules(args.rule))
    if not is_contest_text(text):
        # For the contest's checker, what another form says.
        answer = parse_answer(text, name)
        text = format_answer(answer, len(problem.lines))
    verdicts, silence = _ask_contest(problem, text, args.rule)
    try:
        answers = _parse_answers(text, name)
    except FileError as error:
        if verdicts is not None:
            _say_verdicts(verdicts)
        passed = verdicts and all(correct for correct, _ in verdicts)
        complain("nlcheck", f"{error}; {silence or f'it {PASSES[bool(passed)]}'}")
        return Exit.BAD_INPUT
    if silence:
        tell(f"{name}: {silence}")
    if args.verbose or args.debug:
        for index, answer in enumerate(answers, start=1):
            _describe_answer(problem, answer, index, debug=args.debug)
    if verdicts is not None:
        _say_verdicts(verdicts)
    wrong = _judge_by_rules(problem, name, answers, verdicts, bound)
    write_files(args, problem, answers, name)
    return Exit.NOT_DONE if wrong else Exit.DONE


def _judge_by_rules(
    problem: Problem,
    name: str,
    answers: list[Answer],
    verdicts: Verdicts | None,
    bound: CheckedBound | None,
) -> bool:
    """Say what answers break, where the two voices differ, and what a bound says of the cost.

    Return whether anything is wrong.
    """
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
            say(f"{label} {compare(cost, bound)}")
    return wrong


def _check_puzzle(problem: Problem, text: str, name: str, rules: Rules) -> Exit:
    """Judge the answer in a text by the rules of puzzles; return the exit code."""
    texts = PZPRV3.split(text)[1:] if is_pzprv3(text) else [text]
    code = Exit.DONE
    for index, one in enumerate(texts, start=1):
        label = name if len(texts) == 1 else f"{name}: answer {index}"
        answer, strokes = parse_drawing(one, name)
        try:
            found = violations_by(problem, answer, rules, strokes)
        except (ValueError, CannotTell) as error:
            complain("nlcheck", f"{label}: {error}")
            return Exit.BAD_INPUT
        if not found:
            say(f"{label}: correct by the rules {rules}")
            continue
        code = Exit.NOT_DONE
        tell(f"{label}: wrong by the rules {rules}:")
        for violation in found:
            tell(f"  {violation.text}")
    return code


PZPRV3 = re.compile(r"^(?=pzprv3)", re.IGNORECASE | re.MULTILINE)
"""Where an answer in pzprv3's form begins."""

PASSES = {
    True: "passes the contest's checker all the same",
    False: "fails the contest's checker too",
}
"""What is said of a file that is not well-formed."""


def _say_verdicts(verdicts: Verdicts) -> None:
    """Print the result line of the contest's checker."""
    say(f"judges =  {[[correct, quality] for correct, quality in verdicts]}")


def _ask_contest(problem: Problem, text: str, rule: str) -> tuple[Verdicts | None, str]:
    """Return the verdicts of the contest's checker, or why there are none."""
    try:
        return judge(problem, text, rule), ""
    except ContestCheckerCrash as crash:
        return None, f"the contest's checker stops without a verdict: {crash}"


def _parse_answers(text: str, name: str) -> list[Answer]:
    """Parse the answers of a file, each from a SIZE line that is first or after a blank line."""
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
        tell(f"{name}: {but}wrong by the rules:")
        for violation in found:
            tell(f"  {violation.text}")
    elif not passes:
        tell(f"{name}: the contest's checker does not pass it, but it is correct by the rules")


def _describe_problem(problem: Problem, *, debug: bool) -> None:
    """Tell that a problem is well-formed, its size, and its board if asked to."""
    crossing = sum(line.crosses_layers for line in problem.lines)
    say(
        f"problem OK: SIZE {problem.size},"
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

    cost = measure(answer)
    say(
        f"answer {index}: SIZE {size_text(answer.shape)},"
        f" length {cost.length}, bends {cost.bends}, cost {cost.total}"
    )
    count = len(problem.lines) + 1
    length_of = np.bincount(answer.ravel(), minlength=count)
    bends_of = np.bincount(answer[bends(answer)], minlength=count)
    for number in range(1, count):
        say(f"  LINE#{number}: length {length_of[number]}, bends {bends_of[number]}")
    if debug:
        _say_board([[[str(n) if n else "." for n in row] for row in layer] for layer in answer])


def _say_board(board: list[list[list[str]]]) -> None:
    """Print the cells of each layer, aligned."""
    width = max(len(cell) for layer in board for row in layer for cell in row)
    for z, layer in enumerate(board, start=1):
        say(f"  LAYER {z}")
        for row in layer:
            say("  " + " ".join(cell.rjust(width) for cell in row))
