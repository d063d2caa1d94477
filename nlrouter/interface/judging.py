"""Judges boards and answers, and tidies them up, as ``nlcheck`` does."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nlrouter.answer import Answer, Cost, as_answer
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

    Raises
    ------
    ValueError
        If it is no array of whole numbers in three dimensions.

    Examples
    --------
    >>> board = Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])
    >>> check(board, [[[1, 1, 1]]])
    []
    >>> [violation.rule for violation in check(board, [[[1, 0, 1]]])]
    ['cut']
    """
    return violations(problem, as_answer(answer))


def judge(problem: Problem, answer: ArrayLike, rule: str = "ADC2016") -> tuple[bool, float]:
    """Judge an answer as the contest's own checker does, holes included.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.
    rule
        The contest's year, ``ADC2014`` to ``ADC2016``. The rules before 2016 are for boards of
        one layer, where they mean the same checks.

    Returns
    -------
    tuple
        The verdict and the quality, as its result line has them; ``(False, 0.0)`` for an answer
        of zeros alone or of one column, of which it says nothing.

    Raises
    ------
    RuleMismatch
        If the rule is for one layer and the board has several.
    ValueError
        If there is no such rule, or the answer is no array of whole numbers in three dimensions.

    Examples
    --------
    >>> judge(Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))]), [[[1, 1, 1]]])
    (True, 0.3333333333333333)
    """
    from nlrouter.checker.contest import judge as judge_text

    verdicts = judge_text(problem, format_answer(as_answer(answer), len(problem.lines)), rule)
    return verdicts[0] if verdicts else (False, 0.0)


def cost(answer: ArrayLike) -> Cost:
    """Measure an answer: its filled cells and its bends.

    Parameters
    ----------
    answer
        ``(layers, height, width)`` line numbers, 0 where empty; right or wrong.

    Returns
    -------
    Cost
        Both in cells; ``total`` is their sum, the contest's cost.

    Raises
    ------
    ValueError
        If it is no array of whole numbers in three dimensions.

    Examples
    --------
    >>> cost([[[1, 1], [0, 1]]])
    Cost(length=3, bends=1)
    """
    from nlrouter.checker.cost import measure

    return measure(as_answer(answer))


def clean(problem: Problem, answer: ArrayLike) -> Answer:
    """Redraw an answer without useless pieces and detours, as ``nlcheck --clean`` does.

    Each line becomes as short as its neighbours allow, one after another; this is no search for
    the best answer, which `route` is.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty; correct or not.

    Returns
    -------
    Answer
        A new answer, correct, and at no more cost.

    Raises
    ------
    CannotClean
        If the cells that carry a line's number do not join its ends, or the shape is not the
        board's. It is a `ValueError`.

    Examples
    --------
    >>> clean(Problem(3, 2, 1, [((0, 0, 1), (2, 0, 1))]), [[[1, 0, 1], [1, 1, 1]]]).tolist()
    [[[1, 1, 1], [0, 0, 0]]]
    """
    from nlrouter.checker.clean import clean as clean_answer

    return clean_answer(problem, as_answer(answer))


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
