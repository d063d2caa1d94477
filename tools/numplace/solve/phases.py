"""Solving in the CSV system's phases: deduction, assumption, search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.puzzle import Puzzle
from numplace.result import Result
from numplace.solve.count import WrongAnswer, count_answers
from numplace.solve.deduction import Candidates, Contradiction, Deduction, is_single

LOGIC, ASSUMPTION, SEARCH = "logic", "assumption", "search"
"""The phases, in their order."""


@dataclass(frozen=True)
class PhasesConfig:
    """How far assumptions go."""

    most_assumptions: int = 2000
    """Trials in all: about a second of plain Python on a 9x9; the search is faster then."""


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
    config: PhasesConfig | None = None,
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
    if contradiction is None and not _is_answer(candidates, deduction):
        phase = ASSUMPTION
        contradiction = _assume(deduction, candidates, deadline, config or PhasesConfig())
    if contradiction is not None:
        nothing = Result((), True, deadline.elapsed(), phase)
        return PhasedResult(nothing, phase, contradiction.cells)
    if not _is_answer(candidates, deduction):
        result = count_answers(puzzle, limit, deadline=deadline, seed=seed)
        return PhasedResult(result, SEARCH)
    answer = {cell: mask.bit_length() - 1 for cell, mask in candidates.items()}
    wrong = violations(puzzle, answer)
    if wrong:
        raise WrongAnswer(f"{phase} found a wrong answer: {wrong[0].text}")
    return PhasedResult(Result((answer,), True, deadline.elapsed(), phase), phase)


def find_by_assumption(puzzle: Puzzle, deadline: Deadline) -> Iterator[dict[Cell, int] | None]:
    """Yield the only answer and None, None if there is none, or nothing if that stays open."""
    deduction = Deduction(puzzle)
    candidates = deduction.start()
    contradiction = deduction.settle(candidates, puzzle.cells)
    if contradiction is None and not _is_answer(candidates, deduction):
        contradiction = _assume(deduction, candidates, deadline, PhasesConfig())
    if contradiction is not None:
        yield None
    elif _is_answer(candidates, deduction):
        yield {cell: mask.bit_length() - 1 for cell, mask in candidates.items()}
        yield None


def _is_answer(candidates: Candidates, deduction: Deduction) -> bool:
    return deduction.complete and all(is_single(mask) for mask in candidates.values())


def _assume(
    deduction: Deduction, candidates: Candidates, deadline: Deadline, config: PhasesConfig
) -> Contradiction | None:
    """Strike each candidate that leads to a contradiction, until none does."""
    trials = 0
    progress = True
    while progress:
        progress = False
        # Ties go by the reading order, in which the candidates were made.
        for cell in sorted(candidates, key=lambda cell: candidates[cell].bit_count()):
            mask = candidates[cell]
            if is_single(mask):
                continue
            for value in range(mask.bit_length()):
                if not candidates[cell] >> value & 1 or is_single(candidates[cell]):
                    continue
                trials += 1
                if trials > config.most_assumptions or deadline.passed():
                    return None
                trial = dict(candidates)
                trial[cell] = 1 << value
                if deduction.settle(trial, [cell]) is None:
                    continue
                progress = True
                candidates[cell] &= ~(1 << value)
                contradiction = deduction.settle(candidates, [cell])
                if contradiction is not None:
                    return contradiction
    return None
