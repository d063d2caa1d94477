"""Which clues a puzzle can do without: those kept leave one answer.

Every clue's clauses hold only where its own *selector* does, and one clause says that some cell
differs from the answer. A set of clues leaves no other answer exactly where its selectors cannot
be assumed, and the solver then names a core of them that is enough by itself (assumptions and
final conflicts: Eén and Sörensson 2003). One solver keeps what it has learnt for all sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from pysat.solvers import Glucose4

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.constraints import Constraint
from numplace.puzzle import Puzzle
from numplace.sat.encode import add_constraint, encode
from numplace.sat.levels import POSSIBLE_WEIGHTS
from numplace.sat.run import solve_by

CONFLICTS = 2000
"""Conflicts after which a set of clues counts as leaving another answer: half a second or less.
What cannot be shown sooner is no pastime for people."""

ALL_CONFLICTS = 30_000
"""Conflicts after which no more clues are tried: some five seconds."""


@dataclass(frozen=True, eq=False)
class Clue:
    """Givens and constraints that stay or go together. Equal only to itself.

    Parameters
    ----------
    givens
        Cells whose numbers are given.
    constraints
        What must hold among the numbers of some cells.
    """

    givens: tuple[Cell, ...] = ()
    constraints: tuple[Constraint, ...] = ()


class Thinner:
    """Asks whether clues leave an answer as the only one. To be used in a ``with`` statement.

    Parameters
    ----------
    frame
        Houses and all other constraints that stay; its givens stay too.
    answer
        The answer.
    clues
        All that may go.
    deadline
        When to stop trying; by default after `ALL_CONFLICTS`, which is the same on all machines.
    """

    def __init__(
        self,
        frame: Puzzle,
        answer: Mapping[Cell, int],
        clues: Sequence[Clue],
        deadline: Deadline | None = None,
    ) -> None:
        self.frame, self.answer, self.clues = frame, answer, clues
        self.deadline = deadline
        cnf = encode(frame)
        self._selector: dict[Clue, int] = {}
        for clue in clues:
            first = len(cnf.clauses)
            for cell in clue.givens:
                cnf.add(cnf.holds[cell, answer[cell]])
            for constraint in clue.constraints:
                add_constraint(cnf, constraint, POSSIBLE_WEIGHTS)
            self._selector[clue] = selector = cnf.new()
            for clause in cnf.clauses[first:]:
                clause.append(-selector)
        cnf.add(*(-cnf.holds[cell, answer[cell]] for cell in frame.cells))
        self._solver = Glucose4(bootstrap_with=cnf.clauses)

    def __enter__(self) -> Thinner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._solver.delete()

    def enough(self, clues: Iterable[Clue]) -> set[Clue] | None:
        """Return those of some clues that leave one answer; None if they leave more.

        None also where it is not decided by `CONFLICTS` conflicts.
        """
        wanted = list(clues)
        self._solver.conf_budget(CONFLICTS)
        selectors = [self._selector[clue] for clue in wanted]
        if solve_by(self._solver, assumptions=selectors) is not False:
            return None
        core = set(self._solver.get_core() or ())
        return {clue for clue in wanted if self._selector[clue] in core}

    def tired(self) -> bool:
        """Return whether it is time to make do with the clues that there are."""
        if self.deadline is not None:
            return self.deadline.passed()
        return bool(self._solver.accum_stats()["conflicts"] > ALL_CONFLICTS)

    def thin(self, kept: Sequence[Clue], order: Sequence[Clue], least: int = 0) -> list[Clue]:
        """Return clues without those of ``order`` that can go, tried one after the other.

        Parameters
        ----------
        kept
            Clues that leave one answer.
        order
            The ones of them that may go, those first that are to go first.
        least
            How many of ``order`` stay at least.
        """
        left, may_go = set(order), set(order)
        for clue in order:
            if clue not in left or len(left) <= least:
                continue
            if self.tired():
                break
            core = self.enough(each for each in kept if each is not clue)
            if core is None:
                continue
            # What the core does without goes at once, but for the clues that are not to go.
            gone = [clue] + [each for each in order if each in left - core - {clue}]
            left -= set(gone[: len(left) - least])
            kept = [each for each in kept if each in left or each not in may_go]
        return list(kept)

    def puzzle(self, clues: Iterable[Clue]) -> Puzzle:
        """Return the puzzle of some clues."""
        kept = list(clues)
        givens = {cell: self.answer[cell] for clue in kept for cell in clue.givens}
        more = [constraint for clue in kept for constraint in clue.constraints]
        puzzle = self.frame.with_constraints(more)
        return puzzle.with_givens({**self.frame.givens, **dict(sorted(givens.items()))})
