"""Asks for the answers of a puzzle: what ``nlroute --puzzle`` does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nlrouter.arguments import positive_seconds, whole_number
from nlrouter.deadline import Deadline
from nlrouter.problem import Problem
from nlrouter.rule_sets import Rules

if TYPE_CHECKING:
    from nlrouter.puzzle.answers import Answers


def answers(
    problem: Problem,
    rules: str = "adc",
    *,
    limit: int = 2,
    time_limit: float = 60.0,
    certify: bool = False,
) -> Answers:
    """Find answers of a board with one layer, whatever they cost, and whether there are others.

    Parameters
    ----------
    problem
        The board.
    rules
        ``adc``, the contest's: cells may stay empty, and a line does not touch itself;
        ``nikoli``: cells may stay empty, and a line may run beside itself; ``flow``: every cell is
        filled, and a line may run beside itself.
    limit
        How many different answers are enough, from 1. With 1 it is only ever proven that there
        is none.
    time_limit
        Seconds at the most.
    certify
        Whether the result has a certificate, for `verify`, that there is no answer, or no other
        than one that fills the board; it has none where the time is up before.

    Returns
    -------
    Answers
        The answers found, each checked, and the verdict: ``only one answer`` and ``no answer`` are
        proven; ``several answers`` are at hand.

    Raises
    ------
    ValueError
        If the board has several layers, there is no such rule set, or a number is out of range.

    Examples
    --------
    >>> board = Problem(2, 2, 1, [((0, 0, 1), (1, 0, 1))])
    >>> found = answers(board)
    >>> str(found.verdict), found.drawings[0].answer.tolist()
    ('only one answer', [[[1, 1], [0, 0]]])
    >>> found = answers(board, "nikoli")
    >>> str(found.verdict), found.differing.tolist()
    ('several answers', [[True, True], [True, True]])
    """
    if rules not in set(Rules):
        raise ValueError(f"{rules=}: expected one of {', '.join(Rules)}")
    limit = whole_number(f"{limit=}", limit, least=1)
    seconds = positive_seconds(f"{time_limit=}", time_limit)
    return checked_answers(problem, Rules(rules), Deadline(seconds), limit, certify=certify)


def checked_answers(
    problem: Problem, rules: Rules, deadline: Deadline, limit: int, *, certify: bool = False
) -> Answers:
    """Find answers, and check each before it is believed; see `answers`."""
    if problem.layers > 1:
        raise ValueError(f"a puzzle has one layer, the board has {problem.layers}")
    from nlrouter.checker.drawn import violations_by
    from nlrouter.keep.store import WrongAnswer
    from nlrouter.puzzle.answers import find_answers

    found = find_answers(problem, rules, deadline, limit=limit)
    for drawing in found.drawings:
        if broken := violations_by(problem, drawing.answer, rules, drawing.strokes):
            raise WrongAnswer(broken[0].text)
    if certify:
        from nlrouter.certifier.puzzle import certify_answers

        found = replace(found, certificate=certify_answers(problem, rules, found, deadline))
    return found
