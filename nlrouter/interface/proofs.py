"""Checks certificates."""

from __future__ import annotations

from nlrouter.certificate import Certificate
from nlrouter.problem import Problem


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
    >>> from nlrouter import route
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])
    >>> result = route(board, certify=True)
    >>> verify(board, result.certificate)
    5
    """
    from nlrouter.checker.certificate.verify import verified_bound

    return verified_bound(problem, certificate)
