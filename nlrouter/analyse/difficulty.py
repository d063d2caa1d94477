"""How hard a board is, by what the router needs for it.

Only facts that do not depend on the machine count: the route goes by a clock that counts work.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nlrouter.arguments import positive_seconds, whole_number
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.domains import full_domains
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.router import route
from nlrouter.engine.task import Task
from nlrouter.keep.store import AnswerStore
from nlrouter.problem import Problem
from nlrouter.result import Progress, Status, ceil_bound
from nlrouter.routing.search import Result, confirmed, offer_to, warn

_ROUNDS = 100  # Rounds of the dual between looks at whether it has converged.


class Grade(StrEnum):
    """How hard a board is."""

    EASY = "easy"
    """The first answer is optimal, and the bound without branching proves it."""
    MEDIUM = "medium"
    """One of the two is so: the answer had to be improved, or the bound."""
    HARD = "hard"
    """Neither is so."""
    OPEN = "open"
    """The optimum was not proven within the work allowed."""


@dataclass(frozen=True)
class Difficulty:
    """What the router needed for a board.

    Parameters
    ----------
    grade
        The grade, which follows from the rest.
    first
        Cost of the first answer, or None without one.
    root
        The bound before any branching and any cut.
    alone
        What the lines would cost if they never met.
    result
        How the search ended.
    """

    grade: Grade
    first: int | None
    root: int
    alone: int
    result: Result


def difficulty(problem: Problem, work: float, *, seed: int = 0) -> Difficulty:
    """Route a board and grade it by what that takes.

    Parameters
    ----------
    problem
        A board with an answer.
    work
        The most work to do, in seconds of a typical machine.
    seed
        Seed of the search, from 0.

    Returns
    -------
    Difficulty
        The grade and the facts.

    Raises
    ------
    ValueError
        If ``work`` is no positive number, or ``seed`` no whole number from 0.

    Examples
    --------
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])
    >>> found = difficulty(board, 5.0)
    >>> found.grade, found.first, found.root, found.alone
    (<Grade.EASY: 'easy'>, 5, 5, 5)
    """
    work = positive_seconds(f"{work=}", work)
    seed = whole_number(f"{seed=}", seed, least=0)
    alone, root = _root_bounds(problem)
    firsts: list[int] = []

    def observe(progress: Progress) -> None:
        if progress.cost is not None and not firsts:
            firsts.append(progress.cost.total)

    # Not the small boards' way, whose first answer is always the best.
    task = Task(problem, np.zeros(problem.shape, np.int32), seed=seed)
    outcome = route(task, Deadline(work, WorkClock()), observe)
    store = AnswerStore(problem, None)
    offer_to(store, outcome.answer, warn)
    result = confirmed(outcome, store, warn)
    first = firsts[0] if firsts else None
    grade = Grade.OPEN
    if result.status is Status.OPTIMAL and result.cost is not None:
        optimum = result.cost.total
        missed = (first != optimum) + (root < optimum)
        grade = (Grade.EASY, Grade.MEDIUM, Grade.HARD)[missed]
    return Difficulty(grade, first, root, alone, result)


def _root_bounds(problem: Problem) -> tuple[int, int]:
    """Return the cost of the lines if they never met, and the bound of the best prices."""
    nets = nets_of(problem)
    alone = root = nets.constant
    for part in split(nets):
        dual = Dual(part.nets, full_domains(part.nets))
        alone += ceil_bound(dual.route(dual.prices).value) * part.copies
        while not dual.converged:
            dual.improve(Deadline(1e9, WorkClock()), _ROUNDS, None)
        root += ceil_bound(dual.value) * part.copies
    return alone, root
