"""How many answers a puzzle has: one, several, none, or not known in time."""

from __future__ import annotations

import math
from collections.abc import Iterator

from nlrouter.deadline import Deadline
from numplace.answer import Answer
from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.puzzle import Puzzle
from numplace.result import Result

ENGINES = ("auto", "logic", "bits", "cpsat", "sat")
"""What can search; ``auto`` takes ``bits`` where it knows all the constraints, then ``sat``, and
``cpsat`` for what these leave open.

``logic`` only deduces and assumes, and so may end without knowing."""


class WrongAnswer(Exception):
    """An engine found an answer that the checker refuses: a defect of this program."""


class UnknownConstraint(ValueError):
    """An engine does not know a constraint of the puzzle."""


def count_answers(
    puzzle: Puzzle,
    limit: int | None = 2,
    *,
    deadline: Deadline | None = None,
    seed: int = 0,
    workers: int = 1,
    engine: str = "auto",
) -> Result:
    """Look for answers, up to a limit or until it is proven that there are no others.

    Parameters
    ----------
    limit
        Most answers to look for, from 1; None for all. With 2 the status tells whether the
        answer is the only one.
    deadline
        When to give up; by default never. What was found so far is returned; so it is at
        Ctrl-C, which then ends the deadline.
    seed, workers
        Seed and threads of CP-SAT; with one worker the same seed gives the same answers.
    engine
        One of `ENGINES`.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C before an answer was found.
    WrongAnswer
        If the checker refuses an answer found.
    UnknownConstraint
        If the engine does not know a constraint of the puzzle.
    ValueError
        If the engine is none of them.
    """
    deadline = deadline or Deadline(math.inf)
    start = deadline.elapsed()
    answers: list[Answer] = []
    earlier: list[Answer] = []
    name, exhausted, interrupted = engine, False, False
    try:
        for name, search in _searches(puzzle, limit, deadline, seed, workers, engine):
            earlier, answers = max(earlier, answers, key=len), []
            for answer in search:
                if answer is None:
                    exhausted = True
                    break
                wrong = violations(puzzle, answer)
                if wrong:
                    raise WrongAnswer(f"{name} found a wrong answer: {wrong[0].text}")
                answers.append(answer)
            if exhausted or len(answers) == limit or deadline.passed():
                break
    except KeyboardInterrupt:
        # What was found must not be lost; with the deadline all else ends too.
        if not answers and not earlier:
            raise
        interrupted = True
        deadline.end = min(deadline.end, deadline.clock())
    if not exhausted and len(earlier) > len(answers):
        answers = earlier
    seconds = deadline.elapsed() - start
    return Result(tuple(answers), exhausted, seconds, name, interrupted)


def _searches(
    puzzle: Puzzle, limit: int | None, deadline: Deadline, seed: int, workers: int, engine: str
) -> Iterator[tuple[str, Iterator[dict[Cell, int] | None]]]:
    """Yield engines' names and their searches; the next is only for what the last left open."""
    if engine not in ENGINES:
        raise ValueError(f"{engine!r} is none of {', '.join(ENGINES)}")
    # Not at the top: the libraries alone take longer to import than most puzzles to solve.
    if engine in ("auto", "bits"):
        from numplace.solve import bits

        if bits.knows(puzzle):
            yield "bits", bits.find_answers(puzzle, limit, deadline, fast=engine == "bits")
        elif engine == "bits":
            known = "houses, parity and relations of two cells"
            raise UnknownConstraint(
                f"bits knows {known} only, in up to {bits.BitsConfig.most_cells} cells"
            )
    if engine == "sat":
        from numplace.sat import run

        yield "sat", run.find_answers(puzzle, limit, deadline)
    if engine == "auto":
        from numplace.sat import run
        from numplace.solve.deduction import narrowed
        from numplace.solve.rule_of_45 import with_totals

        less = narrowed(puzzle)
        if less is None:
            yield "logic", iter([None])
            return
        puzzle = with_totals(less)
        yield "sat", run.find_at_once(puzzle, limit, deadline)
    if engine == "logic":
        from numplace.solve.assumption import find_by_assumption

        yield "logic", find_by_assumption(puzzle, deadline)
    if engine in ("auto", "cpsat"):
        from numplace.solve import cpsat

        yield "cpsat", cpsat.find_answers(puzzle, limit, deadline, seed, workers)
