"""Judges boards and answers, as ``nlcheck`` does."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nlrouter.answer import Cost, as_answer
from nlrouter.checker.rules import Violation, violations
from nlrouter.files.answer_file import format_answer
from nlrouter.problem import Problem


def check(problem: Problem, answer: ArrayLike) -> list[Violation]:
    """Judge an answer by the rules, which are stricter than the contest's checker.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.

    Returns
    -------
    list of Violation
        What is wrong, in words and with the cell; empty for a correct answer.

    Examples
    --------
    >>> board = Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])
    >>> check(board, [[[1, 1, 1]]])
    []
    >>> [violation.rule for violation in check(board, [[[1, 0, 1]]])]
    ['cut']
    """
    return violations(problem, as_answer(answer))


def judge(problem: Problem, answer: ArrayLike) -> tuple[bool, float]:
    """Judge an answer as the contest's own checker does, holes included.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.

    Returns
    -------
    tuple
        The verdict and the quality, as its result line has them; ``(False, 0.0)`` for an answer
        of zeros alone, of which it says nothing.

    Raises
    ------
    ContestCheckerCrash
        Where it would have ended with an error.

    Examples
    --------
    >>> judge(Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))]), [[[1, 1, 1]]])
    (True, 0.3333333333333333)
    """
    from nlrouter.checker.contest import judge as judge_text

    verdicts = judge_text(problem, format_answer(as_answer(answer), len(problem.lines)))
    return verdicts[0] if verdicts else (False, 0.0)


def cost(answer: ArrayLike) -> Cost:
    """Measure an answer: its filled cells and its bends.

    Examples
    --------
    >>> cost([[[1, 1], [0, 1]]])
    Cost(length=3, bends=1)
    """
    from nlrouter.checker.cost import measure

    return measure(as_answer(answer))


def infeasible_reason(problem: Problem) -> str:
    """Return a reason why a board has no answer, in words; empty where none is seen at once.

    It takes milliseconds and misses much: `route` proves the rest.

    Examples
    --------
    >>> crossing = Problem(3, 3, 1, [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1))])
    >>> infeasible_reason(crossing)
    'on layer 1, LINE#1 must cross LINE#2 as their ends alternate along the border'
    """
    from nlrouter.engine.nets.feasibility import infeasible_reason as reason

    return reason(problem, np.zeros(problem.shape, np.int32))
