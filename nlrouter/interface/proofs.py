"""Checks certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from nlrouter.certificate import Certificate, PuzzleCertificate
from nlrouter.problem import Problem

if TYPE_CHECKING:
    from nlrouter.puzzle.answers import Answers


@overload
def verify(problem: Problem, certificate: Certificate) -> float: ...


@overload
def verify(problem: Problem, certificate: PuzzleCertificate) -> Answers: ...


def verify(problem: Problem, certificate: Certificate | PuzzleCertificate) -> float | Answers:
    """Check a certificate, in whole numbers and with no code of the search.

    Parameters
    ----------
    problem
        The board that it is about.
    certificate
        The certificate.

    Returns
    -------
    float or Answers
        The lower bound that it proves: no answer to the board costs less. It is a whole number,
        or infinite where there is no answer. Of a puzzle's certificate the verdict that it proves,
        and the only answer, if there is one.

    Raises
    ------
    Refused
        If it does not hold, is about another board, or takes too long to check.

    Examples
    --------
    >>> from nlrouter import answers, route
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])
    >>> result = route(board, certify=True)
    >>> verify(board, result.certificate)
    5
    >>> found = answers(Problem(2, 1, 1, [((0, 0, 1), (1, 0, 1))]), "flow", certify=True)
    >>> verify(Problem(2, 1, 1, [((0, 0, 1), (1, 0, 1))]), found.certificate).verdict
    <Verdict.ONLY_ONE: 'only one answer'>
    """
    if isinstance(certificate, PuzzleCertificate):
        return _verified_answers(problem, certificate)
    from nlrouter.checker.certificate.verify import verified_bound

    return verified_bound(problem, certificate)


def _verified_answers(problem: Problem, certificate: PuzzleCertificate) -> Answers:
    """Return what a puzzle's certificate proves."""
    from nlrouter.checker.certificate.puzzle import numbered, verified_answer
    from nlrouter.puzzle.answers import Answers, Drawing, Verdict

    only = verified_answer(problem, certificate)
    if only is None:
        return Answers(Verdict.NONE, ())
    return Answers(Verdict.ONLY_ONE, (Drawing(numbered(problem, only), only),))
