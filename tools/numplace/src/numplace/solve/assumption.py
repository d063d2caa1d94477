"""Solving by assumptions: a candidate that leads to a contradiction is struck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.puzzle import Puzzle
from numplace.solve.deduction import Candidates, Contradiction, Deduction, is_single


@dataclass(frozen=True)
class AssumptionConfig:
    """How far assumptions go."""

    most_visits: int = 162_000
    """Cells in all trials, 2,000 on a 9x9: about a second of plain Python; the search is faster
    then."""


def find_by_assumption(puzzle: Puzzle, deadline: Deadline) -> Iterator[dict[Cell, int] | None]:
    """Yield the only answer and None, None if there is none, or nothing if that stays open."""
    deduction = Deduction(puzzle)
    candidates = deduction.start()
    if (
        deduction.settle(candidates, puzzle.cells) is not None
        or assume(deduction, candidates, deadline, AssumptionConfig()) is not None
    ):
        yield None
    elif is_answer(candidates, deduction):
        yield {cell: mask.bit_length() - 1 for cell, mask in candidates.items()}
        yield None


def is_answer(candidates: Candidates, deduction: Deduction) -> bool:
    """Tell whether one candidate is left in each cell, and that is an answer."""
    return deduction.complete and all(is_single(mask) for mask in candidates.values())


def assume(
    deduction: Deduction, candidates: Candidates, deadline: Deadline, config: AssumptionConfig
) -> Contradiction | None:
    """Strike each candidate that leads to a contradiction, until none does."""
    left = config.most_visits // max(len(candidates), 1)
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
                left -= 1
                if left < 0 or deadline.passed():
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
