"""Routes a board: shares the work out among processes and gathers what they find.

A part of the board (see ``nets.parts``) is searched by a `Finder`, for answers, and by a `Proof`,
for bounds. First both work here for a moment, which is all that a small board needs. Then each
worker process takes up one of the two roles for all parts, from the state reached so far: some
prove, the others find, and this process only passes on what they report.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from nlrouter.answer import Answer
from nlrouter.compiled import is_stored
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual_kernels import route_nets
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.cp_sat_router import solve_parts
from nlrouter.engine.find.drawn import drawn_nets, drawn_part
from nlrouter.engine.forking import can_fork
from nlrouter.engine.nets.feasibility import infeasible_reason, missing_vias
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.search import Board, Search, work_alone
from nlrouter.engine.task import Task
from nlrouter.engine.workers import work_together
from nlrouter.engines import Engine
from nlrouter.result import COMPILING, Observer, Outcome, Standing, unobserved


def route(task: Task, deadline: Deadline, observer: Observer = unobserved) -> Outcome:
    """Search for the best answer to a board, and for a proof that it is.

    Parameters
    ----------
    task
        What is asked; one process does it where the deadline has a `WorkClock`.
    deadline
        When to stop. With a `WorkClock`, equal seeds give equal results.
    observer
        Told of every better answer and bound, and now and then in between.

    Returns
    -------
    Outcome
        The best answer and bound found.
    """
    problem, start, kept = task.problem, task.start, task.kept
    config = task.config or RouterConfig()
    reason = infeasible_reason(problem, kept)
    # What shows so easily that there is no answer shows in a proof as well, where one is wanted.
    if reason and (config.write is None or missing_vias(problem)):
        return Outcome(problem, None, Standing(infeasible=True), deadline.elapsed(), reason)

    nets = nets_of(problem, kept)
    board = Board(nets, split(nets), deadline, observer, config.write)
    if config.engine is Engine.CP_SAT:
        solve_parts(board, drawn_nets(nets, start), task.seed, config.flow)
        return board.result()
    if not np.array_equal(start, kept) and not infeasible_reason(problem, start):
        start = together(task, deadline)
    searches = _searches(board, task.seed, config)
    drawn = drawn_nets(nets, start)
    for search, part in zip(searches, board.parts, strict=True):
        search.start_from(board, drawn_part(part, drawn))
    if not board.parts:  # All lines are fixed.
        board.merge("start")
    # What everything begins with: where its code is kept, most of the others' is.
    compiling = not (deadline.counts_work or is_stored(route_nets))
    if compiling or board.answer is None:
        # On a large board the first piece of work takes seconds, too.
        board.report(COMPILING if compiling else "start")
    try:
        _search(board, searches, task, config, compiling=compiling)
    except MemoryError:
        warnings.warn("out of memory, the search ends early", RuntimeWarning, stacklevel=2)
    for search in searches:
        board.tallies.merge(search.tallies)
        board.write(search.index, search.proof)
    outcome = board.result()
    if not reason:
        return outcome
    none = Standing(infeasible=True)
    return replace(outcome, answer=None, standing=none, reason=reason)


def _searches(board: Board, seed: int, config: RouterConfig) -> list[Search]:
    """Return the searches of all parts of a board, none of which has begun."""
    return [
        Search(i, part, seed, config.search, config.without, keeps=config.write is not None)
        for i, part in enumerate(board.parts)
    ]


def _search(
    board: Board, searches: list[Search], task: Task, config: RouterConfig, *, compiling: bool
) -> None:
    """Search all parts until all is known or the search is to stop."""
    alone = task.workers == 1 or board.deadline.counts_work
    if alone or not can_fork():
        work_alone(board, searches, board.deadline)
        return
    # A step on a large board takes seconds, in which this process would hear of nothing. And what a
    # first run compiles is shared out among the processes.
    step = sum(search.step_seconds for search in searches)
    if step <= config.opening_seconds and not compiling:
        work_alone(board, searches, board.deadline.within(config.opening_seconds))
    if board.done or board.deadline.passed():
        return
    if not work_together(board, searches, task.workers, task.seed, config.sharing):
        for search in searches:
            search.catch_up(board)
        work_alone(board, searches, board.deadline)


def together(task: Task, deadline: Deadline) -> Answer:
    """Add to the lines of a start those that go together with them, as far as a moment finds them.

    Parameters
    ----------
    task
        What is asked; all lines of its start stay as they are, and it need not have an answer.
    deadline
        When to stop; the search ends after a share of the time.

    Returns
    -------
    Answer
        The lines, those of the start among them, 0 elsewhere.
    """
    config = task.config or RouterConfig()
    seconds = min(config.finish_seconds, config.finish_share * deadline.remaining())
    nets = nets_of(task.problem, task.start)
    board = Board(nets, split(nets), deadline.within(seconds), unobserved)
    ended = board.deadline.unless(lambda: board.answer is not None or board.impossible)
    work_alone(board, _searches(board, task.seed, config), ended)
    result = board.result()
    lines = result.partial if result.answer is None else result.answer
    assert lines is not None
    return lines
