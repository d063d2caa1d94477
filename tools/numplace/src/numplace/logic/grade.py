"""How hard a puzzle is for a person: its hardest step, and the sum over all steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from numplace.logic.ladder import BY_NAME, LEVELS
from numplace.logic.step import Step

MOST_SCORE = (800, 1000, 1600, 1800)
"""Scores beyond which a puzzle belongs to the next level; HoDoKu's."""


@dataclass(frozen=True)
class Grade:
    """The difficulty of a puzzle, or of a part of an explanation.

    Parameters
    ----------
    level
        From 1; see `LEVELS`.
    score
        The sum of the scores of all steps.
    hardest
        The technique of the hardest step; empty if there are no steps.
    counts
        How often each technique was used, in the order of the ladder.
    """

    level: int
    score: int
    hardest: str
    counts: dict[str, int]

    @property
    def name(self) -> str:
        """The level in words."""
        return LEVELS[self.level - 1]


def grade(steps: Iterable[Step]) -> Grade:
    """Return the grade of steps.

    The level is that of the hardest technique, raised where the score passes `MOST_SCORE`.
    """
    counted = Counter(step.technique for step in steps)
    counts = {name: counted[name] for name in BY_NAME if name in counted}
    used = [BY_NAME[name] for name in counts]
    score = sum(technique.score * counts[technique.name] for technique in used)
    # Of equals the later one in the ladder.
    hardest = max(reversed(used), key=lambda each: (each.level, each.score), default=None)
    level = hardest.level if hardest else 1
    while level <= len(MOST_SCORE) and score > MOST_SCORE[level - 1]:
        level += 1
    return Grade(level, score, hardest.name if hardest else "", counts)
