"""Climbing the ladder: the easiest step, again and again, until nothing is left or nothing moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

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

    @property
    def proves_unique(self) -> bool:
        """Whether the steps show that there is no other solution."""
        return self.solved and not any(step.unique for step in self.steps)


def first_step(state: State, techniques: Sequence[Technique] = LADDER) -> Step | None:
    """Return the first step of the easiest technique that has one."""
    for technique in techniques:
        for step in technique.find(state):
            return step
    return None


def all_steps(state: State, techniques: Sequence[Technique] = LADDER) -> Iterator[Step]:
    """Return every step that a technique finds in one state; none changes it."""
    for technique in techniques:
        yield from technique.find(state)


def explain(
    puzzle: Puzzle,
    techniques: Sequence[Technique] = LADDER,
    *,
    unique: bool = True,
    most: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    start: State | None = None,
) -> Explanation:
    """Solve a puzzle as a person does, the simplest step first after every change.

    Parameters
    ----------
    techniques
        What is tried, in order.
    unique
        Whether the puzzle is known to have one solution; techniques that rest on it are left
        out otherwise.
    most
        Most steps; None for no limit.
    stop
        Asked before each step; True ends it there.
    start
        The notes to start from, by default those of the givens. They are not changed.
    """
    state = State.of(puzzle) if start is None else start.copy()
    usable = [each for each in techniques if unique or not each.assumes_unique]
    steps: list[Step] = []
    wrong = state.contradiction()
    while wrong is None and not state.solved and (most is None or len(steps) < most):
        step = None if stop() else first_step(state, usable)
        if step is None:
            break
        state.apply(step)
        steps.append(step)
        wrong = state.contradiction()
    return Explanation(tuple(steps), state, wrong or "")
