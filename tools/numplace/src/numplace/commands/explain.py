"""The command ``numplace explain``: solve as a person does, and tell the steps."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nlrouter.commands.option_types import seconds, whole_number
from nlrouter.deadline import Deadline
from numplace.commands.options import add_file, load, note, say
from numplace.exit_codes import BAD_INPUT, NO_SOLUTION, NOT_DONE, SUCCESS

if TYPE_CHECKING:
    from numplace.logic.ladder import Technique
    from numplace.logic.solver import Explanation
    from numplace.logic.step import Step
    from numplace.puzzle import Puzzle
    from numplace.result import Status

UNIQUENESS_SECONDS = 20.0
"""Longest search for a second solution; without proof no step may rest on there being none."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_file(parser)
    parser.add_argument(
        "--techniques",
        default="strong",
        metavar="document|strong|LIST",
        help="what is tried: the text document's set, everything, or names separated by commas, "
        "of techniques or groups such as fish (default: strong)",
    )
    parser.add_argument(
        "--without",
        default=[],
        action="append",
        metavar="LIST",
        help="techniques or groups that are not tried",
    )
    parser.add_argument(
        "--no-assumption", action="store_true", help="never assume a number to refute it"
    )
    parser.add_argument("--until", type=whole_number(0), metavar="N", help="stop after N steps")
    alone = parser.add_mutually_exclusive_group()
    alone.add_argument("--hint", action="store_true", help="tell the next step only")
    alone.add_argument(
        "--all-now",
        action="store_true",
        help="tell every step that there is at the start, or after --until N, and take none",
    )
    parser.add_argument("--marks", action="store_true", help="show the candidates left at the end")
    parser.add_argument("--lang", choices=("en", "ja"), default="en", help="language of the steps")
    parser.add_argument(
        "--time-limit", type=seconds, default=math.inf, metavar="S", help="seconds for all of it"
    )
    parser.add_argument("--json", action="store_true", help="write JSON, one object a line")


def run(args: argparse.Namespace) -> int:
    """Explain the puzzles of a file; return the exit code."""
    from numplace.logic.ladder import select

    without = ["assumption"] if args.no_assumption else []
    for names in args.without:
        without += names.split(",")
    try:
        techniques = select(args.techniques, without)
    except ValueError as error:
        note(f"numplace explain: {error}")
        return BAD_INPUT
    deadline = Deadline(args.time_limit)
    codes = []
    puzzles = load(args)
    for number, puzzle in enumerate(puzzles):
        if number and not args.json:
            say("\n")
        codes.append(_Telling(args, puzzle, techniques, deadline).run())
    return max(codes)


@dataclass
class _Telling:
    """The explanation of one puzzle, as it is told."""

    args: argparse.Namespace
    puzzle: Puzzle
    techniques: tuple[Technique, ...]
    deadline: Deadline

    def run(self) -> int:
        """Tell it; return the exit code."""
        from numplace.logic.solver import explain

        alone = self.args.hint or self.args.all_now
        most = (self.args.until or 0) if alone else self.args.until
        found = explain(
            self.puzzle,
            self.techniques,
            unique=self._unique,
            most=most,
            stop=self.deadline.passed,
            tell=(lambda *_: None) if alone else self._tell,
        )
        told = self._tell_alternatives(found) if alone else len(found.steps)
        ends = found.stuck and (not told if alone else most is None or len(found.steps) < most)
        why = self._why_stuck() if ends else ""
        if self.args.json and not alone:
            self._say(json.dumps(self._record(found, why), ensure_ascii=False))
        elif not self.args.json:
            self._tell_end(found, bool(told), stuck=bool(why), alone=alone)
        name = self.puzzle.origin.name
        if found.contradiction:
            note(f"{name}: no solution: {found.contradiction}")
            return NO_SOLUTION
        if why:
            note(f"{name}: stuck after {len(found.steps)} steps: {why}")
            return NOT_DONE
        return SUCCESS

    @cached_property
    def status(self) -> Status:
        """How many solutions there are, as far as it can be told in time."""
        from numplace.solve.count import count_answers

        limit = min(UNIQUENESS_SECONDS, self.deadline.remaining())
        result = count_answers(self.puzzle, 2, deadline=Deadline(limit))
        return result.unless_interrupted().status

    def _unique(self) -> bool:
        """Return whether it is proven that there is no second solution."""
        from numplace.result import Status

        return self.status is Status.UNIQUE

    def _tell_alternatives(self, found: Explanation) -> int:
        """Tell the steps that there are after others, or the first; return how many."""
        from numplace.logic.solver import all_steps, first_step

        if found.contradiction:
            return 0
        steps: Iterable[Step]
        if self.args.hint:
            step = first_step(found.state, self.techniques, self._unique)
            steps = [] if step is None else [step]
        else:
            steps = all_steps(found.state, self.techniques, self._unique)
        count = 0
        for step in steps:
            self._tell(len(found.steps) + 1, step)
            count += 1
            if self.deadline.passed():
                break
        return count

    def _why_stuck(self) -> str:
        from numplace.result import Status

        if self.deadline.passed():
            return "the time is up"
        if self.status is Status.SEVERAL:
            return "the puzzle has several solutions"
        if self.status is Status.NONE:
            return "no technique finds a step, and the puzzle has no solution"
        return "no technique finds a step"

    def _tell(self, number: int, step: Step) -> None:
        """Tell one step."""
        from numplace.logic.record import step_record
        from numplace.logic.words_en import ENGLISH
        from numplace.logic.words_ja import JAPANESE

        if self.args.json:
            self._say(json.dumps(step_record(number, step), ensure_ascii=False))
        else:
            words = JAPANESE if self.args.lang == "ja" else ENGLISH
            self._say(f"{number}. {words.tell(step)}")

    def _tell_end(self, found: Explanation, told: bool, *, stuck: bool, alone: bool) -> None:
        """Show candidates, if asked for or stuck, and the grid."""
        from numplace.files.answers import format_answer
        from numplace.logic.marks import format_marks, marks_of

        parts = [format_marks(marks_of(found.state))] if self.args.marks or stuck else []
        if not alone:
            parts.append(format_answer(self.puzzle, found.state.answer()))
        text = "\n".join(parts)
        self._say(("\n" + text if told and text else text).removesuffix("\n"))

    def _record(self, found: Explanation, why: str) -> dict[str, Any]:
        """Return what the explanation came to, for JSON."""
        from numplace.files.json_record import answer_rows
        from numplace.logic.grade import grade
        from numplace.logic.marks import marks_of
        from numplace.result import Status

        status = Status.UNKNOWN
        if found.contradiction:
            status = Status.NONE
        elif found.solved:
            status = Status.UNIQUE
        elif "status" in self.__dict__:
            status = self.status
        difficulty = grade(found.steps)
        return {
            "file": self.puzzle.origin.name,
            "format": self.puzzle.origin.format,
            "status": str(status),
            "stuck": bool(why),
            "reason": found.contradiction or why,
            "answers": [answer_rows(found.state.answer())] * found.solved,
            "steps": len(found.steps),
            "level": difficulty.name,
            "score": difficulty.score,
            "hardest": difficulty.hardest,
            "marks": marks_of(found.state),
        }

    def _say(self, text: str) -> None:
        if text:
            say(f"{text}\n")
