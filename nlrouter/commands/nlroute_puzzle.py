"""What ``nlroute --puzzle`` does: find answers of any cost, and whether there are others."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import TYPE_CHECKING

import numpy as np

from nlrouter.commands.certificates import require_certificate_place
from nlrouter.commands.frame import Exit, complain, put, say, tell
from nlrouter.deadline import WALL, Deadline, WorkClock
from nlrouter.files.answer_file import format_answer, parse_drawing, read_contest_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.files.certificate_file import write_certificate
from nlrouter.files.errors import FileError
from nlrouter.files.names import require_other
from nlrouter.files.problem_file import read_problem
from nlrouter.files.pzpr_file import format_pzprv3, is_pzprv3
from nlrouter.files.text import read_text
from nlrouter.interface.puzzles import checked_answers
from nlrouter.keep.place import require_replaceable
from nlrouter.rule_sets import Rules
from nlrouter.signals import stop_on_signals

if TYPE_CHECKING:
    from nlrouter.puzzle.answers import Answers

SHOWN = 5
"""Cells in which two answers differ that the summary names."""


def run(args: argparse.Namespace) -> Exit:
    """Find the answers and write them; return the exit code."""
    problem = read_problem(args.problem)
    if problem.layers > 1:
        raise FileError(args.problem, None, f"{problem.layers} layers", "one layer, for --puzzle")
    if args.output is not None:
        require_other(args.output, args.problem, "another file for the answers")
        require_replaceable(args.output, "answer", _read_earlier, force=args.force)
    if args.certificate is not None:
        others = {"the problem itself": args.problem, "the file of -o": args.output}
        require_certificate_place(args.certificate, others, force=args.force)
    rules = Rules(args.puzzle)
    importlib.import_module("nlrouter.puzzle.answers")  # Not in the time of the search.
    deadline = Deadline(args.time_limit, WorkClock() if args.deterministic else WALL)
    with stop_on_signals(lambda: None, last=args.owns_process) as stop:
        found = checked_answers(
            problem,
            rules,
            deadline.unless(stop.is_set),
            args.limit,
            certify=args.certificate is not None,
        )
    if args.json:
        say(_record(args.problem, rules, found, deadline.elapsed()))
    text = "\n".join(
        format_answer(drawing.answer, len(problem.lines))
        if rules is Rules.ADC
        else format_pzprv3(problem, drawing.strokes)
        for drawing in found.drawings
    )
    if text and args.output is not None:
        write_atomically(args.output, text)
    elif text and not args.json:
        put(text, "the answers", whole=True)
    if not args.quiet:
        tell(_summary(rules, found, deadline.elapsed()))
    code = _code(found, args.limit)
    if args.certificate is None:
        return code
    try:
        if found.certificate is None:
            expected = "only one answer, which fills the board, or none, in time"
            raise FileError(args.certificate, None, _why_none(found), expected)
        write_certificate(args.certificate, found.certificate)
    except FileError as error:
        complain("nlroute", str(error))
        return code or Exit.NOT_DONE
    if not args.quiet:
        tell(f"certificate {args.certificate}: {found.verdict} ({rules})")
    return code


def _why_none(found: Answers) -> str:
    """Say why there is no certificate."""
    if found.verdict not in ("only one answer", "no answer"):
        return found.verdict
    if not all(drawing.answer.all() for drawing in found.drawings):
        return "an only answer that leaves cells empty"
    return "no proof"


def _code(found: Answers, limit: int) -> Exit:
    """Return the exit code of what is known."""
    match found.verdict:
        case "only one answer":
            return Exit.DONE
        case "several answers":
            return Exit.SEVERAL
        case "no answer":
            return Exit.INFEASIBLE
        case _:
            return Exit.DONE if limit == 1 and found.drawings else Exit.NOT_DONE


def _summary(rules: Rules, found: Answers, seconds: float) -> str:
    """Say what is known."""
    parts = [f"{found.verdict} ({rules})"]
    if found.differing is not None:
        cells = np.argwhere(found.differing).tolist()
        named = " ".join(f"({x},{y})" for y, x in cells[:SHOWN])
        more = " ..." if len(cells) > SHOWN else ""
        parts.append(f"{len(found.drawings)} found, the first two differ in {len(cells)} cells:")
        parts.append(f"{named}{more}")
    elif found.drawings and found.verdict == "not known":
        parts.append("one found")
    return "  ".join([*parts, f"{seconds:.2f} s"])


def _record(name: str, rules: Rules, found: Answers, seconds: float) -> str:
    """Return what is known as a line of JSON."""
    differing = [] if found.differing is None else np.argwhere(found.differing).tolist()
    return json.dumps(
        {
            "problem": name,
            "rules": rules,
            "verdict": found.verdict,
            "answers": [drawing.answer[0].tolist() for drawing in found.drawings],
            "differing": [[x, y] for y, x in differing],
            "seconds": round(seconds, 3),
        }
    )


def _read_earlier(path: str) -> None:
    """Raise `FileError` unless a file has an answer in a form that is written here."""
    name, text = read_text(path)
    if is_pzprv3(text):
        parse_drawing(text.split("\n\n")[0], name)
    else:
        read_contest_answer(path)
