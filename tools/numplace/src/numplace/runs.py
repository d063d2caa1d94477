"""Solving a puzzle as its file asks: every run of it, and compared with its reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from nlrouter.deadline import Deadline
from numplace.answer import Answer
from numplace.cell import Cell, name_cells
from numplace.check.data import find_faults
from numplace.check.rules import violations
from numplace.files.sdq_reader import SdqOrigin
from numplace.puzzle import Puzzle
from numplace.result import Result, Status
from numplace.solve.count import count_answers


@dataclass(frozen=True)
class Run:
    """One run of a puzzle.

    Parameters
    ----------
    values
        The numbers that the file sets for this run; empty if there is only one run.
    result
        What was found.
    fault
        Why there is no answer, where that shows without solving; else empty.
    """

    values: dict[Cell, int]
    result: Result
    fault: str = ""

    @property
    def label(self) -> str:
        """The run's values in words, ``r4c2 = 1``; empty if there is only one run."""
        return ", ".join(f"{cell} = {value}" for cell, value in self.values.items())


def settings(puzzle: Puzzle) -> list[dict[Cell, int]]:
    """Return the values that each run of a puzzle sets; one empty setting if it names none."""
    if not isinstance(puzzle.origin, SdqOrigin):
        return [{}]
    ranges = [
        [(cell, value) for value in range(low, high + 1)] for cell, low, high in puzzle.origin.runs
    ]
    return [dict(choice) for choice in product(*ranges)]


def solve_runs(
    puzzle: Puzzle,
    limit: int | None = 2,
    *,
    deadline: Deadline | None = None,
    seed: int = 0,
    workers: int = 1,
    engine: str = "auto",
) -> Iterator[Run]:
    """Yield each run of a puzzle, solved; parameters are those of `count_answers`."""
    for values in settings(puzzle):
        clash = [cell for cell, v in values.items() if puzzle.givens.get(cell, v) != v]
        faults = find_faults(puzzle)
        if clash or faults:
            text = f"{name_cells(clash)} is given otherwise" if clash else faults[0].text
            yield Run(values, Result((), True, 0.0, "check"), text)
            continue
        result = count_answers(
            puzzle.with_givens({**puzzle.givens, **values}),
            limit,
            deadline=deadline,
            seed=seed,
            workers=workers,
            engine=engine,
        )
        yield Run(values, result)


def compare_with_reference(
    puzzle: Puzzle, reference: Answer, result: Result
) -> tuple[bool | None, list[str]]:
    """Return whether the answer found is the reference solution, and lines that say it.

    None if no answer was found. Where the puzzle has several, the first one found is compared.
    A reference that breaks the puzzle's own rules is told as that.
    """
    told = [f"reference solution: is none, as {w.text}" for w in violations(puzzle, reference)[:1]]
    if not result.answers:
        return None, told
    answer = result.answers[0]
    differing = [cell for cell in answer if answer[cell] != reference.get(cell)]
    if not differing:
        return True, ["reference solution: same"]
    text = f"reference solution: differs at {name_cells(differing)}"
    if result.status is Status.SEVERAL:
        text += " (the puzzle has several solutions)"
    return False, [text, *told]
