"""Completes a drawing: its lines stay, and half-drawn ones go on from where they end."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from nlrouter.answer import Answer, as_answer, only
from nlrouter.arguments import positive_seconds
from nlrouter.checker.usable import usable
from nlrouter.deadline import WALL, Deadline
from nlrouter.engine.task import Task
from nlrouter.keep.store import AnswerStore
from nlrouter.problem import Problem
from nlrouter.result import Observer, Outcome, Progress, unobserved
from nlrouter.routing.half_drawn import Continuation, continuation
from nlrouter.routing.search import (
    Result,
    checked_settings,
    confirmed,
    offer_to,
    search_unchecked,
    stop_on_interrupt,
    warn,
)

if TYPE_CHECKING:
    from nlrouter.engine.config import RouterConfig


@dataclass(frozen=True, kw_only=True)
class Completed(Result):
    """How a drawing was completed; see `Outcome` for what it holds.

    Where half-drawn lines go on, the bound is that of answers in which they do. It misses a bend
    where old and new meet at an angle. ``partial`` has these lines as they were drawn.

    Parameters
    ----------
    cut
        Numbers of lines that would have touched themselves and were cut short there. The answer
        then costs less than one that keeps them as drawn, and there is no bound.
    rest
        How the search of what was left to do ended, on the board without the drawn cells.
    kept
        These cells, of the board's shape, with the numbers of their half-drawn lines; 0 elsewhere.
    """

    cut: tuple[int, ...]
    rest: Outcome
    kept: Answer


@dataclass(frozen=True)
class Drawing:
    """A drawing that was taken up, with what becomes of its lines.

    Parameters
    ----------
    problem
        The board.
    start
        Its correct lines, 0 elsewhere.
    fixed
        Numbers of those that stay as they are; the others may change.
    dropped
        Numbers of lines that were begun and of which nothing can be used.
    rest
        The board that is left to do.
    """

    problem: Problem
    start: Answer
    fixed: frozenset[int]
    dropped: tuple[int, ...]
    rest: Continuation

    @property
    def continued(self) -> list[int]:
        """Numbers of the half-drawn lines that go on from where they end."""
        return self.rest.lines

    def complete(
        self,
        deadline: Deadline,
        observer: Observer = unobserved,
        workers: int = 1,
        seed: int = 0,
        config: RouterConfig | None = None,
    ) -> Completed:
        """Search for the best answer; see `nlrouter.complete`."""
        rest = self.rest
        kept = only(self.start, self.fixed)
        store = AnswerStore(self.problem, None, fixed=kept)
        cut: tuple[int, ...] = ()
        latest: Answer | None = None

        def offer(answer: Answer | None, *, last: bool = False) -> None:
            nonlocal cut, latest
            if answer is None or (answer is latest and not last):  # Most moments bring no other.
                return
            latest = answer
            full, shortened = rest.complete(answer)
            # A cheaper one may leave all that is drawn as it is.
            if last or not shortened:
                offer_to(store, full, warn)
                if store.answer is not None and np.array_equal(store.answer, full):
                    cut = tuple(shortened)

        def bound(lower_bound: int | None) -> int | None:
            return None if cut or lower_bound is None else rest.bound(lower_bound)

        def observe(progress: Progress) -> None:
            offer(progress.answer)

            def partial() -> Answer | None:
                lines = progress.partial()
                return None if lines is None else self._whole(lines)

            known = bound(progress.lower_bound)
            best = replace(progress, answer=store.answer, cost=store.cost)
            observer(replace(best, lower_bound=known, partial=partial))

        fixed = self.fixed | {rest.mark} if rest.lines else self.fixed
        # A half-drawn line may be complete by now, from where its kept cells end.
        lines, _ = usable(rest.problem, np.where(rest.blocked > 0, 0, self.start))
        start = np.where(rest.blocked > 0, rest.blocked, lines)
        task = Task(rest.problem, start, fixed, workers, seed, config)
        outcome = search_unchecked(task, deadline, observe)
        if outcome.answer is None and outcome.partial is None and _vias_fit(rest.problem):
            from nlrouter.engine.router import together

            outcome = replace(outcome, partial=together(task, deadline))
        offer(outcome.answer, last=True)
        partial = outcome.partial
        if partial is not None:
            outcome = replace(outcome, partial=np.where(partial == rest.mark, 0, partial))
        whole = replace(
            outcome,
            problem=self.problem,
            standing=replace(outcome.standing, bound=bound(outcome.lower_bound)),
            partial=None if partial is None else self._whole(partial),
        )
        result = confirmed(whole, store, warn)
        return Completed(**vars(result), cut=cut, rest=outcome, kept=rest.kept)

    def _whole(self, partial: Answer) -> Answer:
        """Put the half-drawn lines back to the lines that go together."""
        full, _ = self.rest.complete(partial, only=set(np.unique(partial).tolist()))
        lines, _ = usable(self.problem, full)
        return np.where(lines > 0, lines, self.rest.drawn)


def _vias_fit(problem: Problem) -> bool:
    """Whether there are as many vias for each two layers as lines that join them."""
    crossing = (line.span for line in problem.lines if line.crosses_layers)
    return sorted(crossing) == sorted(via.span for via in problem.vias)


def take_up(problem: Problem, drawing: Answer, kept: Answer) -> Drawing:
    """Take up a drawing.

    Parameters
    ----------
    problem
        The board.
    drawing
        ``(layers, height, width)`` line numbers, 0 where empty.
    kept
        Those of its cells that stay, 0 elsewhere: of complete lines, and of half-drawn ones to go
        on from where they end.
    """
    start, _ = usable(problem, drawing)
    done, _ = usable(problem, kept)
    fixed = frozenset(np.unique(done[done > 0]).tolist())
    # What else is drawn of a line that stays may spoil it.
    start = np.where((done > 0) | np.isin(start, list(fixed)), done, start)
    complete = frozenset(np.unique(start[start > 0]).tolist())
    rest = continuation(problem, kept, done)
    begun = {
        line.number
        for line in problem.lines
        if (drawing == line.number).sum() > sum(drawing[end] == line.number for end in line.ends)
    }
    dropped = begun - complete - set(rest.lines)
    return Drawing(problem, start, fixed, tuple(sorted(dropped)), rest)


def complete(
    problem: Problem,
    drawing: ArrayLike,
    *,
    fixed: Iterable[int] | None = None,
    time_limit: float = 60.0,
    workers: int | None = None,
    seed: int = 0,
    on_progress: Observer | None = None,
    stop: threading.Event | None = None,
    config: RouterConfig | None = None,
) -> Completed:
    """Search for the best way to complete a drawing, as the page's "finish" does.

    Complete lines stay as they are, and half-drawn ones go on from where they end. Ctrl-C ends the
    search and keeps what it has.

    Parameters
    ----------
    problem
        The board.
    drawing
        ``(layers, height, width)`` line numbers, 0 where empty.
    fixed
        Numbers of lines that stay as they are or, if they are half drawn, go on from where they
        end; the other complete ones may change then, and other half-drawn ones are drawn anew. By
        default all that is drawn stays.
    time_limit, workers, seed, on_progress, stop, config
        See `route`.

    Returns
    -------
    Completed
        The best answer, checked, and what is proven of it.

    Raises
    ------
    ValueError
        If the drawing has another shape than the board, or a number is out of range.

    Examples
    --------
    >>> problem = Problem(3, 2, 1, [((0, 0, 1), (2, 0, 1))])
    >>> result = complete(problem, [[[1, 0, 0], [1, 0, 0]]], time_limit=10)
    >>> result.answer.tolist(), result.cost
    ([[[1, 0, 1], [1, 1, 1]]], Cost(length=5, bends=2))
    """
    time_limit = positive_seconds(f"{time_limit=}", time_limit)
    workers, seed = checked_settings(workers, seed)
    drawn = as_answer(drawing, problem.shape, "drawing")
    kept = drawn if fixed is None else np.where(np.isin(drawn, list(fixed)), drawn, 0)
    with nullcontext(stop) if stop else stop_on_interrupt() as event:
        deadline = Deadline(time_limit, WALL, event.is_set)
        observer = on_progress or unobserved
        return take_up(problem, drawn, kept).complete(deadline, observer, workers, seed, config)
