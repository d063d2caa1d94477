"""Small boards, closed before anything that takes long to load or to compile is needed.

Most boards of a few hundred cells are closed by MaxSAT within a fraction of a second: less than
it takes to load the rest of the engine. What it does not close here is left to that. Before it
begins, its solver is asked for any answer, which takes 1 to 100 ms.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nlrouter.answer import Answer
from nlrouter.deadline import Deadline
from nlrouter.engine.exact.maxsat import MaxSat, MaxSatConfig
from nlrouter.engine.exact.sat_clauses import writable
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.engine.nets.nets import BoardNets, nets_of
from nlrouter.engine.nets.parts import merge, split
from nlrouter.engine.nets.routing import Routing
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem
from nlrouter.result import Observer, Outcome, Progress, Standing
from nlrouter.tally import Tallies


@dataclass(frozen=True)
class SmallConfig:
    """Settings of the attempt."""

    maxsat: MaxSatConfig = field(default_factory=MaxSatConfig)
    most_cells: int = 200
    """Free cells that are routed on at the most: 40 of 48 random boards within are closed, of
    eight with 250 none."""
    seconds: float = 1.5
    """Work at the most, lost where it does not close the board. Of 105 boards 70 are closed in it;
    the engine closes most others in 0.6, after a second to load."""
    share: float = 0.5
    """Share of the time that is left at the most: the engine has an answer sooner."""
    engine_seconds: float = 1.0
    """Work of loading the engine: if that comes too late, this goes on to the end instead."""


def close_small(
    problem: Problem,
    deadline: Deadline,
    observer: Observer,
    kept: Answer,
    tallies: Tallies,
    config: SmallConfig | None = None,
) -> Outcome | None:
    """Find a cheapest answer to a small board.

    Parameters
    ----------
    problem
        The board.
    deadline
        When to stop.
    observer
        Told of the first answer and of the cheapest.
    kept
        Lines that stay as they are, 0 elsewhere.
    tallies
        Where is counted what it costs and gains.
    config
        Settings.

    Returns
    -------
    Outcome or None
        The answer, which is optimal, or why there is none; what there is when the time is up; None
        where the board is not closed so soon, or nothing simple shows why it has no answer.
    """
    config = config or SmallConfig()
    settled = set(np.unique(kept).tolist())
    used = {end.z for line in problem.lines if line.number not in settled for end in line.ends}
    free = (occupants(problem) == FREE) & (kept == 0)
    # The size first: on a large board the engine asks for a reason itself.
    if int(free[sorted(used)].sum()) > config.most_cells:
        return None
    if reason := infeasible_reason(problem, kept):
        return Outcome(problem, None, Standing(infeasible=True), deadline.elapsed(), reason)
    with tallies.at_work("small boards") as tally:
        outcome = _close(nets_of(problem, kept), deadline, observer, config)
        tally.better += outcome is not None and outcome.answer is not None
    return outcome


def _close(
    nets: BoardNets, deadline: Deadline, observer: Observer, config: SmallConfig
) -> Outcome | None:
    """Find a cheapest answer to a small board, or give up; see `close_small`."""
    parts = split(nets)
    if not all(writable(part.nets) for part in parts):
        return None
    slot = _slot(deadline, config)

    def unfinished(standing: Standing, answer: Answer | None = None) -> Outcome | None:
        if not deadline.passed():
            return None
        return Outcome(nets.problem, answer, standing, deadline.elapsed())

    searches = [MaxSat(part.nets, config.maxsat) for part in parts]
    first = [found for search in searches if (found := search.any_routing(slot)) is not None]
    if len(first) < len(parts):
        # What the engine makes of a board without an answer tells more.
        return unfinished(Standing(bound=nets.constant))
    answer, cost = merge(nets, parts, first)
    observer(Progress(deadline.elapsed(), answer, cost, nets.constant, "sat"))
    routings: list[Routing] = []
    for search in searches:
        search.step(slot)
        if search.routing is None:
            raised = sum(s.bound * part.copies for s, part in zip(searches, parts, strict=True))
            return unfinished(Standing(cost, nets.constant + raised), answer)
        routings.append(search.routing)
    answer, cost = merge(nets, parts, routings)
    observer(Progress(deadline.elapsed(), answer, cost, cost.total, "maxsat"))
    return Outcome(nets.problem, answer, Standing(cost, cost.total), deadline.elapsed())


def _slot(deadline: Deadline, config: SmallConfig) -> Deadline:
    """Return when the attempt ends: not before the engine can be loaded in time after it.

    Starved of processor time, that can take longer than is left.
    """
    begun, effort = deadline.elapsed(), deadline.effort()
    share = deadline.within(config.share * deadline.remaining())

    def in_time() -> bool:
        elapsed, worked = deadline.elapsed() - begun, deadline.effort() - effort
        return worked * deadline.remaining() > config.engine_seconds * elapsed

    return deadline.unless(lambda: share.passed() and in_time()).after(config.seconds)
