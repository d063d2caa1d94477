"""Which question to ask of a node: that whose cases promise most, and those that answer themselves.

What a case costs at least is known from one search per net. Where one of two cases costs too
much, the other is settled without a choice.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.node import SideTaken
from nlrouter.engine.prove.questions import Case, Question, Questions


@dataclass(frozen=True)
class AskConfig:
    """Settings of the choice."""

    doubt: float = 0.02
    """Least doubt of a question that is asked; below it the average flow is noise."""
    tries: int = 24
    """Questions whose cases are priced to find the best one."""
    patience: int = 8
    """Questions in a row that are no better than the best one, after which it is asked."""
    seconds: float = 0.3
    """Work for a question to be chosen: less than two steps of prices."""
    most_gain: float = 50.0
    """Gain of a case up to which more is better: a few dear cases are as good as settled."""

    def promise(self, gain: float) -> float:
        """Return what a case promises; the product over its cases is what a question does."""
        return 0.01 + min(gain, self.most_gain)


@dataclass(frozen=True)
class PricedCase:
    """A case of a question: its dual, what its nets pay more, what that shows, how far it is off.

    ``answer`` is its place among the question's cases: of a side, the side of the first net.
    """

    question: Question
    answer: int
    case: Case
    dual: Dual
    gain: float
    value: float
    away: float

    @property
    def decisions(self) -> tuple[SideTaken, ...]:
        """What it decides; one in a cover may settle turns first."""
        _, j, end = self.question
        if end < 0:
            return (SideTaken(self.question, self.answer),)
        turns = [
            SideTaken((net, -1, end), each.parity) for net, each in self.case if each.name[0] < 0
        ]
        sides = [
            SideTaken(self.question, each.parity) for _, each in self.case if each.name == (j, end)
        ]
        return (*turns, *sides)


def ask(
    dual: Dual,
    questions: Questions,
    found: list[tuple[float, Question]],
    upper: int | None,
    config: AskConfig,
    deadline: Deadline,
) -> tuple[list[PricedCase], list[tuple[PricedCase, PricedCase]]]:
    """Price the cases of the most doubtful questions, and choose.

    Parameters
    ----------
    dual
        The node's.
    questions
        Knows the cases.
    found
        The questions, each with its doubt.
    upper
        The limit: a case that costs as much is too dear. None while there is none.
    config
        Settings.
    deadline
        When to stop at the latest.

    Returns
    -------
    list of PricedCase
        The cases of the question that promises most, none where there is no choice to make.
    list of tuple
        The cases that are settled without a choice, each with the one that costs too much.
    """
    limit = INFINITE if upper is None else upper - 1 + TOLERANCE
    deadline = deadline.after(config.seconds)
    best = -1.0
    cases: list[PricedCase] = []
    forced: list[tuple[PricedCase, PricedCase]] = []
    waited = 0
    for _, question in sorted(found, key=lambda entry: -entry[0])[: config.tries]:
        if (cases or forced) and deadline.passed():
            break
        priced = _priced(dual, questions, question)
        cheap = [case for case in priced if case.value <= limit]
        if not cheap and limit < INFINITE:
            return priced, []
        if len(priced) == 2 and len(cheap) == 1 and limit < INFINITE:
            (dear,) = (case for case in priced if case is not cheap[0])
            forced.append((cheap[0], dear))
            continue
        score = 1.0
        for case in priced:
            score *= config.promise(case.gain) + case.away
        waited += 1
        if score > best:
            best, cases = score, priced
            waited = 0
        elif waited >= config.patience:
            break
    return cases, forced


def _priced(dual: Dual, questions: Questions, question: Question) -> list[PricedCase]:
    """Return the cases of a question, with what they cost at least."""
    found = []
    for answer, case in enumerate(questions.cases(dual, question)):
        child = dual.sided(case)
        value, gain = price(dual, child)
        away = questions.away(dual, question, case)
        found.append(PricedCase(question, answer, case, child, gain, value, away))
    return found


def price(dual: Dual, below: Dual) -> tuple[float, float]:
    """Return the bound of a case, and by how much it is above that of the node, at its prices."""
    value, gain = dual.value_of(below)
    below.rest()
    return value, max(0.0, gain)
