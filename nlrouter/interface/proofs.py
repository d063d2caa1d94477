"""Proves the bound of a result for others to check, and checks such proofs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlrouter.answer import Answer
from nlrouter.arguments import positive_seconds
from nlrouter.certificate import Certificate
from nlrouter.deadline import Deadline
from nlrouter.problem import Problem

if TYPE_CHECKING:
    from nlrouter.routing.search import Result


def certify(
    result: Result,
    *,
    time_limit: float = 30.0,
    better: Callable[[Answer], None] | None = None,
) -> Certificate:
    """Prove the lower bound of a result anew, or that there is no answer, for others to check.

    Parameters
    ----------
    result
        What `route` returned.
    time_limit
        Seconds at the most for the proof. Its own check at the end may take some more.
    better
        Called with a correct answer that costs less than the result's, if the proof comes upon one.

    Returns
    -------
    Certificate
        Its ``verified`` is what `verify` makes of it; what is missing to its ``bound`` rests on
        the search's word. Both are infinite where there is no answer.

    Raises
    ------
    ValueError
        If ``time_limit`` is no positive number.

    Examples
    --------
    >>> from nlrouter.routing.search import route
    >>> certificate = certify(route(Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])))
    >>> certificate.verified, certificate.bound, certificate.word
    (5, 5, '')
    """
    seconds = positive_seconds(f"{time_limit=}", time_limit)
    from nlrouter.certifier.certify import certify_result
    from nlrouter.certifier.via_tree import AS_LONG_AS_ALLOWED

    deadline = Deadline(seconds)
    return certify_result(result, "the search", deadline, better, AS_LONG_AS_ALLOWED)


def verify(problem: Problem, certificate: Certificate) -> float:
    """Check a certificate, in whole numbers and with no code of the search.

    Parameters
    ----------
    problem
        The board that it is about.
    certificate
        The certificate.

    Returns
    -------
    float
        The lower bound that it proves: no answer to the board costs less. It is a whole number,
        or infinite where there is no answer.

    Raises
    ------
    Refused
        If it does not hold, is about another board, or takes too long to check.

    Examples
    --------
    >>> from nlrouter.routing.search import route
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])
    >>> verify(board, certify(route(board)))
    5
    """
    from nlrouter.checker.certificate.verify import verified_bound

    return verified_bound(problem, certificate)
