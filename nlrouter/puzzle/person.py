"""How hard a puzzle with one full answer is for a person, by what it takes to solve it.

The sides that a line crosses are found one after the other, as a person marks lines and crosses.
What follows from what is known is left to a solver's unit propagation, over clauses that say no
more than the person is meant to see.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pysat.solvers import Solver

from nlrouter.problem import Problem
from nlrouter.puzzle.clauses import Clauses
from nlrouter.puzzle.drawing import ends_of
from nlrouter.rule_sets import Rules


class PersonGrade(StrEnum):
    """What a person needs."""

    EASY = "easy"
    """What is known around a cell: how many lines pass its sides, and of which numbers they are."""
    MEDIUM = "medium"
    """Besides, that a line does not turn three times around a square, so that a turn stands on a
    diagonal of turns that leads to an end. By the rules ``flow`` that does not hold."""
    HARD = "hard"
    """Besides, to suppose that a line crosses a side, or does not, until that cannot be."""
    VERY_HARD = "very hard"
    """More than that, such as one supposition within another."""


@dataclass(frozen=True)
class PersonDifficulty:
    """What a puzzle asks of a person.

    Parameters
    ----------
    grade
        The least that is enough.
    suppositions
        How many suppositions came to nothing, each of which told a side.
    """

    grade: PersonGrade
    suppositions: int


def person_difficulty(problem: Problem, rules: str = "adc") -> PersonDifficulty:
    """Grade a puzzle with one layer whose only answer fills the board.

    Parameters
    ----------
    problem
        The board.
    rules
        The rule set by which it has only one answer: ``adc``, ``nikoli`` or ``flow``.

    Raises
    ------
    ValueError
        If the board has several layers, or there is no such rule set.

    Examples
    --------
    >>> board = Problem(2, 2, 1, [((0, 0, 1), (0, 1, 1)), ((1, 0, 1), (1, 1, 1))])
    >>> person_difficulty(board, "flow").grade
    <PersonGrade.EASY: 'easy'>
    """
    if problem.layers > 1:
        raise ValueError(f"a puzzle has one layer, the board has {problem.layers}")
    rules = Rules(rules)
    ends = ends_of(problem)
    for known, grade in (Rules.FLOW, PersonGrade.EASY), (rules, PersonGrade.MEDIUM):
        person = _Person(Clauses(ends, known, lowest=known is not Rules.FLOW, full=True))
        if not person.unknown():
            return PersonDifficulty(grade, 0)
    count = person.suppose()
    return PersonDifficulty(PersonGrade.VERY_HARD if person.unknown() else PersonGrade.HARD, count)


class _Person:
    """What is known by and by."""

    def __init__(self, clauses: Clauses) -> None:
        self._sides = [*clauses.right.ravel().tolist(), *clauses.down.ravel().tolist()]
        self._solver = Solver(name="glucose4")
        # As suppositions that hold: of others it does not tell what follows from them alone.
        self._facts: list[int] = []
        for block in clauses.blocks:
            if block.shape[1] == 1:
                self._facts += block.ravel().tolist()
            else:
                self._solver.append_formula(block.tolist(), no_return=True)

    def unknown(self) -> list[int]:
        """Return the sides of which is not known whether a line crosses them."""
        known = {abs(literal) for literal in self._solver.propagate(self._facts)[1]}
        return [side for side in self._sides if side not in known]

    def suppose(self) -> int:
        """Refute suppositions until none comes to nothing; return how many did."""
        count, before = 0, -1
        while count > before:
            before = count
            for side in self.unknown():
                for literal in (side, -side):
                    if not self._solver.propagate([*self._facts, literal])[0]:
                        self._facts.append(-literal)
                        count += 1
                        break
        return count
