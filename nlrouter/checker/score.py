"""Points of the contest: for a correct answer, and for its quality among those of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlrouter.checker.contest import ContestCheckerCrash, judge
from nlrouter.problem import Problem

CORRECT_POINTS = 1.0
"""What the contest gives for a correct answer."""

SHARED_POINTS = 10.0
"""What the contest shares out per board, in proportion to quality."""


@dataclass(frozen=True)
class Verdict:
    """What the contest's checker says of the answer that a team gives to a board.

    Parameters
    ----------
    quality
        ``1 / cost`` of a correct answer, 0 for any other.
    note
        Why there are no points, in a few words; empty for a correct answer.
    """

    quality: float
    note: str = ""


def give_verdict(problem: Problem, text: str) -> Verdict:
    r"""Judge an answer file's text as the contest does; of several answers, the first counts.

    Examples
    --------
    >>> board = Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])
    >>> give_verdict(board, "SIZE 3X1X1\nLAYER 1\n01,01,01\n")
    Verdict(quality=0.3333333333333333, note='')
    >>> give_verdict(board, "SIZE 3X1X1\nLAYER 1\n01,00,01\n")
    Verdict(quality=0.0, note='wrong')
    """
    try:
        verdicts = judge(problem, text)
    except ContestCheckerCrash as error:
        return Verdict(0.0, f"not readable: {error}")
    if not verdicts:
        return Verdict(0.0, "no answer in the file")
    correct, quality = verdicts[0]
    return Verdict(quality) if correct else Verdict(0.0, "wrong")


def share(qualities: Sequence[float]) -> list[float]:
    """Share a board's `SHARED_POINTS` out in proportion to quality.

    Parameters
    ----------
    qualities
        A quality per team, 0 for one without a correct answer.
    """
    total = sum(qualities) or 1.0
    return [SHARED_POINTS * quality / total for quality in qualities]


def points(qualities: Sequence[float]) -> list[float]:
    """Return each team's points for a board.

    1 for a correct answer, and of 10 for the board a share in proportion to quality.

    Parameters
    ----------
    qualities
        A quality per team, ``1 / cost``; 0 for one without a correct answer.

    Examples
    --------
    >>> points([1 / 20, 1 / 20, 0])
    [6.0, 6.0, 0.0]
    """
    return [
        part + (CORRECT_POINTS if quality > 0 else 0.0)
        for quality, part in zip(qualities, share(qualities), strict=True)
    ]
