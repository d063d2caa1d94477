"""Routes a board: shares the work out among processes and gathers what they find.

A part of the board (see ``engine.parts``) is searched by a `Finder`, for answers, and by a
`Prover`, for bounds. First both work here for a moment, which is all that a small board needs.
Then each worker process takes up one of the two roles for all parts, from the state reached so
far; the first proves, the others find, and this process only passes on what they report.
"""

from __future__ import annotations

import multiprocessing
import threading
from dataclasses import dataclass

from nlrouter.deadline import Deadline
from nlrouter.engine.feasibility import infeasible_reason
from nlrouter.engine.nets import nets_of
from nlrouter.engine.parts import split
from nlrouter.engine.search import Board, Role, Search, work_alone
from nlrouter.engine.workers import work_together
from nlrouter.problem import Problem
from nlrouter.result import Observer, Result, Status


@dataclass(frozen=True)
class RouterConfig:
    """Settings of the portfolio."""

    opening_seconds: float = 0.7
    """Time of the opening in this process; most small boards are closed by then."""
    heartbeat: float = 0.25
    """Seconds between looks at the stop event and the display."""


def route(
    problem: Problem,
    deadline: Deadline,
    *,
    workers: int,
    seed: int,
    observer: Observer,
    stop: threading.Event,
    config: RouterConfig | None = None,
) -> Result:
    """Search for the best answer to a board, and for a proof that it is.

    Parameters
    ----------
    problem
        The board.
    deadline
        When to stop. With a `WorkClock`, equal seeds give equal results.
    workers
        Processes to use; just this one with a `WorkClock`.
    seed
        Seed of all random choices.
    observer
        Told of every better answer and bound, and now and then in between.
    stop
        Ends the search early when it is set.
    config
        Settings.

    Returns
    -------
    Result
        The best answer and bound found.
    """
    config = config or RouterConfig()
    reason = infeasible_reason(problem)
    if reason:
        return Result(Status.INFEASIBLE, None, None, None, deadline.elapsed(), reason)
    nets = nets_of(problem)
    board = Board(nets, split(nets), deadline, observer)

    def stopped() -> bool:
        return stop.is_set() or deadline.passed()

    searches = [Search(i, part, seed, stopped) for i, part in enumerate(board.parts)]
    alone = workers == 1 or deadline.counts_work
    if alone or "fork" not in multiprocessing.get_all_start_methods():
        work_alone(board, searches, deadline, Role.ALL, stopped)
    else:
        opening = deadline.within(config.opening_seconds)
        work_alone(board, searches, opening, Role.OPEN, stopped)
        if not board.done and not stopped():
            work_together(board, searches, workers, seed, stopped, config.heartbeat)
    return board.result()
