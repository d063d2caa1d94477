"""The command ``numplace grade``: how hard puzzles are for a person."""

from __future__ import annotations

import argparse
import json
from functools import cache
from typing import TYPE_CHECKING, Any

from nlrouter.deadline import Deadline
from numplace.commands.explain import UNIQUENESS_SECONDS
from numplace.commands.options import FORMATS, add_sdq, load, say
from numplace.exit_codes import NO_SOLUTION, NOT_DONE, SUCCESS

if TYPE_CHECKING:
    from numplace.puzzle import Puzzle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="puzzles of any format; - is standard input"
    )
    parser.add_argument(
        "--format", choices=FORMATS, help="their format (default: told by the content)"
    )
    add_sdq(parser)
    parser.add_argument(
        "--no-assumption", action="store_true", help="never assume a number to refute it"
    )
    parser.add_argument("--lang", choices=("en", "ja"), default="en", help="language of the words")
    parser.add_argument("--json", action="store_true", help="write JSON, one object a line")


def run(args: argparse.Namespace) -> int:
    """Grade the puzzles of files; return the exit code."""
    code = SUCCESS
    for file in args.files:
        puzzles = load(args, file)
        for number, puzzle in enumerate(puzzles, start=1):
            name = file if len(puzzles) == 1 else f"{file}: puzzle {number}"
            record = _grade(puzzle, assume=not args.no_assumption)
            if args.json:
                text = json.dumps({"file": file, "puzzle": number} | record, ensure_ascii=False)
            else:
                text = f"{name}: {_words(record, args.lang)}"
            say(f"{text}\n")
            if record["status"] == "none":
                code = max(code, NO_SOLUTION)
            elif record["stuck"]:
                code = max(code, NOT_DONE)
    return code


def _grade(puzzle: Puzzle, *, assume: bool) -> dict[str, Any]:
    """Return level, score, hardest step and counts of a puzzle, for JSON."""
    from numplace.logic.grade import grade
    from numplace.logic.ladder import select
    from numplace.logic.solver import explain
    from numplace.result import Status
    from numplace.solve.count import count_answers

    @cache
    def status() -> Status:
        result = count_answers(puzzle, 2, deadline=Deadline(UNIQUENESS_SECONDS))
        return result.unless_interrupted().status

    techniques = select("strong", [] if assume else ["assumption"])
    found = explain(puzzle, techniques, unique=lambda: status() is Status.UNIQUE)
    known = Status.UNIQUE
    if found.contradiction:
        known = Status.NONE
    elif found.stuck:
        known = status()
    difficulty = grade(found.steps)
    return {
        "format": puzzle.origin.format,
        "status": str(known),
        "stuck": not found.solved,
        "level": difficulty.name,
        "score": difficulty.score,
        "hardest": difficulty.hardest,
        "steps": len(found.steps),
        "counts": difficulty.counts,
        "open": len(found.state.marks()),
    }


def _words(record: dict[str, Any], language: str) -> str:
    """Return the record in one line."""
    from numplace.logic.ladder import LEVELS
    from numplace.logic.words_ja import LEVELS as LEVELS_JA
    from numplace.logic.words_ja import TECHNIQUES

    if record["status"] == "none":
        return "解無し" if language == "ja" else "no solution"
    counts = record["counts"]
    if language == "ja":
        told = "、".join(f"{TECHNIQUES[name]} {count}" for name, count in counts.items())
        if record["stuck"]:
            ending = "解が複数" if record["status"] == "several" else "行き詰まり"
            return f"{ending}（残り {record['open']} マス）" + (told and f": {told}")
        level = LEVELS_JA[LEVELS.index(record["level"])]
        hardest = TECHNIQUES.get(record["hardest"], "-")
        return f"{level}、得点 {record['score']}、最難 {hardest}: {told}"
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    if record["stuck"]:
        ending = "several solutions" if record["status"] == "several" else "stuck"
        return f"{ending}, {record['open']} cells open" + (told and f": {told}")
    return f"{record['level']}, score {record['score']}, hardest {record['hardest'] or '-'}: {told}"
