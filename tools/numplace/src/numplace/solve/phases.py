"""Solving in the CSV system's phases: deduction, assumption, search."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.puzzle import Puzzle
from numplace.result import Result
from numplace.solve.assumption import AssumptionConfig, assume, is_answer
from numplace.solve.count import WrongAnswer, count_answers
from numplace.solve.deduction import Deduction, left_of

LOGIC, ASSUMPTION, SEARCH = "logic", "assumption", "search"
"""The phases, in their order."""


@dataclass(frozen=True)
class PhasedResult:
    """A result, the phase that it was reached in, and what a contradiction points at."""

    result: Result
    phase: str
    suspects: tuple[Cell, ...] = ()


def solve_in_phases(
    puzzle: Puzzle,
    deadline: Deadline,
    *,
    limit: int = 2,
    seed: int = 0,
    config: AssumptionConfig | None = None,
) -> PhasedResult:
    """Solve a puzzle by the simplest phase that decides it.

    Parameters
    ----------
    limit
        Most answers to look for, where it comes to a search.
    """
    deduction = Deduction(puzzle)
    candidates = deduction.start()
    contradiction = deduction.settle(candidates, puzzle.cells)
    phase = LOGIC
    if contradiction is None and not is_answer(candidates, deduction):
        phase = ASSUMPTION
        contradiction = assume(deduction, candidates, deadline, config or AssumptionConfig())
    if contradiction is not None:
        nothing = Result((), True, deadline.elapsed(), phase)
        return PhasedResult(nothing, phase, contradiction.cells)
    if not is_answer(candidates, deduction):
        result = count_answers(left_of(puzzle, candidates), limit, deadline=deadline, seed=seed)
        return PhasedResult(result, SEARCH)
    answer = {cell: mask.bit_length() - 1 for cell, mask in candidates.items()}
    wrong = violations(puzzle, answer)
    if wrong:
        raise WrongAnswer(f"{phase} found a wrong answer: {wrong[0].text}")
    return PhasedResult(Result((answer,), True, deadline.elapsed(), phase), phase)
