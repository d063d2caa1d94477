"""An answer against its puzzle."""

from __future__ import annotations

from numplace.answer import Answer
from numplace.cell import in_reading_order
from numplace.constraints.base import Violation
from numplace.puzzle import Puzzle


def violations(puzzle: Puzzle, answer: Answer) -> list[Violation]:
    """Return everything that is wrong with an answer; nothing if it is right.

    Where cells lack a number, or have one outside, only that is told.
    """
    wrong = [
        Violation(f"{cell} has no number", (cell,)) for cell in puzzle.cells if cell not in answer
    ]
    wrong += [
        Violation(f"{cell} is outside and has {answer[cell]}", (cell,))
        for cell in in_reading_order(set(answer) - set(puzzle.cells))
    ]
    if wrong:
        return wrong
    for cell in puzzle.cells:
        number = answer[cell]
        if number not in puzzle.domains[cell]:
            wrong.append(Violation(f"{cell} cannot hold {number}", (cell,)))
        if puzzle.givens.get(cell, number) != number:
            text = f"{cell} has {number}, but {puzzle.givens[cell]} is given"
            wrong.append(Violation(text, (cell,)))
    for constraint in puzzle.constraints:
        wrong += constraint.broken(answer)
    return wrong
