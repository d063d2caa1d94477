"""The cheapest way to answer many questions at once, each of which two parties share.

Each party has a table: what it pays for each combination of answers to its questions. The least
sum of all tables is found by putting two parties together at a time: their table has the questions
that they do not share, and for each combination the best answers to those that they do. This is
bucket elimination (R. Dechter, Bucket elimination: a unifying framework for reasoning, 1999), whose
effort grows with the *width*, the most questions of any two parties put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

Question = tuple[int, int]
"""The two parties that share it, the lower first."""


@dataclass(frozen=True)
class _Step:
    """Two parties that are put together, and by which axes of their tables."""

    one: int
    other: int
    left: tuple[tuple[int, ...], tuple[int, ...]]
    """The axes of both that stay open, of the one and of the other party."""
    shared: tuple[tuple[int, ...], tuple[int, ...]]
    """The axes of both that are settled, in one order."""
    open_questions: tuple[tuple[Question, ...], tuple[Question, ...]]
    settled: tuple[Question, ...]

    @classmethod
    def of(
        cls, one: int, other: int, mine: tuple[Question, ...], theirs: tuple[Question, ...]
    ) -> _Step:
        """Return the step for two parties with these questions."""
        shared = tuple(each for each in mine if each in theirs)
        my_own = tuple(each for each in mine if each not in shared)
        their_own = tuple(each for each in theirs if each not in shared)
        left = tuple(map(mine.index, my_own)), tuple(map(theirs.index, their_own))
        settled = tuple(map(mine.index, shared)), tuple(map(theirs.index, shared))
        return cls(one, other, left, settled, (my_own, their_own), shared)


class Elimination:
    """The order in which parties are put together, planned once for many tables.

    Parameters
    ----------
    questions
        Who shares a question with whom, each pair once.

    Attributes
    ----------
    asked
        The questions of each party, in the order of the axes of its table.
    width
        The most questions of two parties that are put together.
    """

    def __init__(self, questions: tuple[Question, ...]) -> None:
        asked: dict[int, tuple[Question, ...]] = {}
        for question in questions:
            for party in question:
                asked[party] = (*asked.get(party, ()), question)
        self.asked = asked
        self.width = 0
        self._steps: list[_Step] = []
        self._plan(dict(asked))

    def _plan(self, tables: dict[int, tuple[Question, ...]]) -> None:
        """Put together, each time, the two parties that have the fewest questions together."""
        owners = {
            question: [party for party in question if question in tables[party]]
            for questions in tables.values()
            for question in questions
        }
        name = max(tables, default=-1) + 1

        def together(question: Question) -> tuple[int, Question]:
            one, other = owners[question]
            return len({*tables[one], *tables[other]}), question

        due = [together(question) for question in owners]
        heapify(due)
        while owners:
            least = heappop(due)
            question = least[1]
            if question not in owners or least != together(question):
                continue  # What is due of it now was added when that came to be.
            one, other = owners[question]
            mine, theirs = tables.pop(one), tables.pop(other)
            step = _Step.of(one, other, mine, theirs)
            self._steps.append(step)
            self.width = max(self.width, len(step.settled) + sum(map(len, step.left)))
            for each in step.settled:
                del owners[each]
            tables[name] = step.open_questions[0] + step.open_questions[1]
            for each in tables[name]:
                owners[each] = [name if party in (one, other) else party for party in owners[each]]
            for each in tables[name]:
                heappush(due, together(each))
            name += 1

    def solve(self, tables: dict[int, NDArray[np.float64]]) -> tuple[float, dict[Question, int]]:
        """Find the answers of the least sum.

        Parameters
        ----------
        tables
            What each party pays, an axis of length 2 for each of its questions (see ``asked``).

        Returns
        -------
        tuple of float and dict
            The sum, and the answer to each question, 0 or 1.
        """
        known = dict(tables)
        name = max(tables, default=-1) + 1
        choices = []
        for step in self._steps:
            one = known.pop(step.one).transpose(step.left[0] + step.shared[0])
            other = known.pop(step.other).transpose(step.left[1] + step.shared[1])
            ways = 1 << len(step.settled)
            both = one.reshape(-1, 1, ways) + other.reshape(1, -1, ways)
            choices.append(both.argmin(axis=2))
            open_axes = len(step.left[0]) + len(step.left[1])
            known[name] = both.min(axis=2).reshape((2,) * open_axes)
            name += 1
        answers: dict[Question, int] = {}
        for step, choice in zip(reversed(self._steps), reversed(choices), strict=True):
            row, column = (_number(questions, answers) for questions in step.open_questions)
            way = int(choice[row, column])
            for question in reversed(step.settled):
                answers[question] = way & 1
                way >>= 1
        return sum(float(table) for table in known.values()), answers


def _number(questions: tuple[Question, ...], answers: dict[Question, int]) -> int:
    """Return the answers to some questions as the digits of a number, the first one highest."""
    number = 0
    for question in questions:
        number = 2 * number + answers[question]
    return number
