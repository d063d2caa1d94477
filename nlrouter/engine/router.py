"""Routes a board: shares the work out among processes and gathers what they find.

A part of the board (see ``nets.parts``) is searched by a `Finder`, for answers, and by a `Proof`,
for bounds. First both work here for a moment, which is all that a small board needs. Then each
worker process takes up one of the two roles for all parts, from the state reached so far: some
prove, the others find, and this process only passes on what they report.
"""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass, field, replace

import numpy as np

from nlrouter.answer import Answer, only
from nlrouter.compiled import is_stored
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual_kernels import route_nets
from nlrouter.engine.cp_sat_router import solve_parts
from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engine.find.drawn import drawn_nets, drawn_part
from nlrouter.engine.forking import can_fork
from nlrouter.engine.nets.feasibility import infeasible_reason, missing_vias
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.search import (
    METHOD_NAMES,
    Board,
    PartWriter,
    Role,
    Search,
    SearchConfig,
    work_alone,
)
from nlrouter.engine.sharing import SharingConfig
from nlrouter.engine.small import SmallConfig
from nlrouter.engine.workers import work_together
from nlrouter.engines import Engine
from nlrouter.problem import Problem
from nlrouter.result import COMPILING, Observer, Outcome, Standing


@dataclass(frozen=True)
class RouterConfig:
    """Settings of the engine: one tree, from which every setting is reached."""

    engine: Engine = Engine.PORTFOLIO
    """What routes the board."""
    flow: FlowConfig = field(default_factory=FlowConfig)
    """The CP-SAT model, where that does it alone."""
    small: SmallConfig = field(default_factory=SmallConfig)
    """The attempt to close a small board at once."""
    without: frozenset[str] = frozenset()
    """Names of methods that are switched off, to see what they are worth: see `METHOD_NAMES`."""
    write: PartWriter | None = None
    """Writes what proves the bound of each part once the search has ended; see `Outcome.proofs`."""
    search: SearchConfig = field(default_factory=SearchConfig)
    """What is done for each part of the board."""
    opening_seconds: float = 0.7
    """Time of the opening in this process; most small boards are closed by then."""
    sharing: SharingConfig = field(default_factory=SharingConfig)
    """What the processes do for each other."""
    finish_seconds: float = 5.0
    """Time to finish a partial start before its lines may move: mostly it is done in one."""
    finish_share: float = 0.25
    """Share of all the time that this may take."""

    def __post_init__(self) -> None:
        """Raise `ValueError` if a method that is to be switched off does not exist."""
        if unknown := sorted(self.without - METHOD_NAMES):
            known = ", ".join(sorted(METHOD_NAMES))
            raise ValueError(f"found the method {unknown[0]!r}, expected one of: {known}")


def route(
    problem: Problem,
    deadline: Deadline,
    *,
    workers: int,
    seed: int,
    observer: Observer,
    stop: threading.Event,
    config: RouterConfig | None = None,
    start: Answer | None = None,
    fixed: frozenset[int] = frozenset(),
) -> Outcome:
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
    start
        What to start from: lines that are correct and complete, the others missing (see
        `nlrouter.checker.usable.usable`). With all lines it is the first answer; otherwise they are
        where the search for one begins, and may change.
    fixed
        Numbers of lines of ``start`` that do not change. Answer, bound and status are then those
        of the board on which these lines stay as they are.

    Returns
    -------
    Outcome
        The best answer and bound found.

    Raises
    ------
    ValueError
        If a fixed line is missing from ``start``.
    """
    config = config or RouterConfig()
    deadline = deadline.unless(stop.is_set)
    if start is None:
        start = np.zeros(problem.shape, np.int32)
    if missing := fixed.difference(np.unique(start).tolist()):
        raise ValueError(f"lines {sorted(missing)} are to be kept but missing from the start")
    kept = only(start, fixed)
    reason = infeasible_reason(problem, kept)
    # What shows so easily that there is no answer shows in a proof as well, where one is wanted.
    if reason and (config.write is None or missing_vias(problem)):
        return Outcome(problem, None, Standing(infeasible=True), deadline.elapsed(), reason)

    if config.engine is Engine.CP_SAT:
        nets = nets_of(problem, kept)
        board = Board(nets, split(nets), deadline, observer)
        solve_parts(board, drawn_nets(nets, start), seed, config.flow)
        return board.result()
    if not np.array_equal(start, kept) and not infeasible_reason(problem, start):
        start = together(problem, start, deadline, seed, config)
    nets = nets_of(problem, kept)
    board = Board(nets, split(nets), deadline, observer, config.write)
    searches = _searches(board, seed, config)
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
        _search(board, searches, workers, seed, config)
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
    board: Board,
    searches: list[Search],
    workers: int,
    seed: int,
    config: RouterConfig,
) -> None:
    """Search all parts until all is known or the search is to stop."""
    alone = workers == 1 or board.deadline.counts_work
    if alone or not can_fork():
        work_alone(board, searches, board.deadline, Role.ALL)
        return
    # A step on a large board takes seconds, in which this process would hear of nothing.
    if sum(search.step_seconds for search in searches) <= config.opening_seconds:
        opening = board.deadline.within(config.opening_seconds)
        work_alone(board, searches, opening, Role.OPEN)
    if board.done or board.deadline.passed():
        return
    if not work_together(board, searches, workers, seed, config.sharing):
        for search, routing in zip(searches, board.routings, strict=True):
            if routing is not None:
                search.finder.adopt(routing)
        work_alone(board, searches, board.deadline, Role.ALL)


def together(
    problem: Problem,
    start: Answer,
    deadline: Deadline,
    seed: int,
    config: RouterConfig | None = None,
) -> Answer:
    """Add to lines those that go together with them, as far as they are found in a moment.

    Parameters
    ----------
    problem
        The board; it need not have an answer.
    start
        Lines that are correct and complete and stay as they are, 0 elsewhere.
    deadline, seed, config
        See `route`; the search ends after a share of the time.

    Returns
    -------
    Answer
        The lines, those of ``start`` among them, 0 elsewhere.
    """
    config = config or RouterConfig()
    seconds = min(config.finish_seconds, config.finish_share * deadline.remaining())
    nets = nets_of(problem, start)
    board = Board(nets, split(nets), deadline.within(seconds), lambda _: None)
    searches = [
        Search(i, part, seed, config.search, config.without, keeps=config.write is not None)
        for i, part in enumerate(board.parts)
    ]
    ended = board.deadline.unless(lambda: board.answer is not None or board.impossible)
    work_alone(board, searches, ended, Role.OPEN)
    result = board.result()
    lines = result.partial if result.answer is None else result.answer
    assert lines is not None
    return lines
