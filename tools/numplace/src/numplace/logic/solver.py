"""Climbing the ladder: the easiest step, again and again, until nothing moves any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from numplace.check.rules import violations
from numplace.logic.ladder import LADDER, Technique
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.puzzle import Puzzle


@dataclass(frozen=True)
class Explanation:
    """How far techniques get.

    Parameters
    ----------
    steps
        What was found, in order.
    state
        The notes after the last step.
    contradiction
        In words, what shows that there is no solution; empty if nothing does.
    """

    steps: tuple[Step, ...]
    state: State = field(compare=False)
    contradiction: str = ""

    @property
    def solved(self) -> bool:
        """Whether all cells are filled."""
        return self.state.solved and not self.contradiction

    @property
    def stuck(self) -> bool:
        """Whether no technique finds anything more although cells are open."""
        return not self.solved and not self.contradiction


def first_step(
    state: State,
    techniques: Sequence[Technique] = LADDER,
    unique: Callable[[], bool] = lambda: True,
    stop: Callable[[], bool] = lambda: False,
) -> Step | None:
    """Return the first step of the easiest technique that has one.

    Parameters
    ----------
    unique
        Tells whether the puzzle has one solution; asked only before a technique that rests on
        it.
    stop
        Asked before each technique; True ends the search there.
    """
    for technique in techniques:
        if stop():
            return None
        if technique.assumes_unique and not unique():
            continue
        for step in technique.find(state):
            return step
    return None


def all_steps(
    state: State,
    techniques: Sequence[Technique] = LADDER,
    unique: Callable[[], bool] = lambda: True,
) -> Iterator[Step]:
    """Return the steps that techniques find in one state, which stays as it is.

    Singles are told for each house that shows them; of other steps of a technique that come to
    the same only the first. Assumptions, which find whatever holds, are left out.
    """
    for technique in techniques:
        if technique.group == "assumption" or (technique.assumes_unique and not unique()):
            continue
        seen = set()
        for step in technique.find(state):
            if technique.group == "singles" or step.strikes not in seen:
                seen.add(step.strikes)
                yield step


def explain(
    puzzle: Puzzle,
    techniques: Sequence[Technique] = LADDER,
    *,
    unique: Callable[[], bool] = lambda: True,
    most: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    start: State | None = None,
    tell: Callable[[int, Step], None] = lambda *_: None,
) -> Explanation:
    """Solve a puzzle as a person does, the simplest step first after every change.

    Parameters
    ----------
    techniques
        What is tried, in order.
    unique
        Tells whether the puzzle is known to have one solution; techniques that rest on it are
        left out otherwise. Asked only when one of them has its turn.
    most
        Most steps; None for no limit.
    stop
        Asked before each technique; True ends it there.
    start
        The notes to start from, by default those of the givens. They are not changed.
    tell
        Called with each step as soon as it is found, and its place from 1.
    """
    state = State.of(puzzle) if start is None else start.copy()
    steps: list[Step] = []
    wrong = state.contradiction()
    while wrong is None and not state.solved and (most is None or len(steps) < most):
        step = first_step(state, techniques, unique, stop)
        if step is None:
            break
        state.apply(step)
        steps.append(step)
        tell(len(steps), step)
        wrong = state.contradiction()
    if wrong is None and state.solved:
        # A clue that no technique reads: what is left is the only candidate for an answer.
        broken = violations(puzzle, state.answer())
        wrong = broken[0].text if broken else None
    return Explanation(tuple(steps), state, wrong or "")
