"""Exact routing of some nets, the others being walls, by CP-SAT on a flow model.

For whole boards of modest size and for single layers. What other methods know comes in as cells
that a net need not consider, a cost to stay within and an answer to start from; none of it
is needed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engine.exact.flow_arcs import through_costs
from nlrouter.engine.exact.flow_constraints import FlowConstraints, Paths
from nlrouter.engine.nets.matching import matchings_of
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.result import Status, ceil_bound


@dataclass(frozen=True)
class FlowResult:
    """How a solve ended.

    Parameters
    ----------
    status
        `Status.OPTIMAL`, or `Status.INFEASIBLE` for no routing within ``upper``, only where
        that is proven.
    paths
        Path of each member, or None without an answer.
    assignment
        The vias taken, or None without an answer.
    cost
        Inner cells and bends of the paths, or None.
    bound
        No routing of the members over allowed cells costs less.
    """

    status: Status
    paths: Paths | None
    assignment: Assignment | None
    cost: int | None
    bound: int


OnAnswer = Callable[[Paths, Assignment, int], None]
"""Called with the paths, the assignment and the cost of a better answer."""

OnBound = Callable[[int], None]
"""Called with a better bound."""


def solve_flow(
    nets: Nets,
    members: NDArray[np.int32],
    target: NDArray[np.int32],
    free: NDArray[np.bool_],
    deadline: Deadline,
    *,
    allowed: NDArray[np.bool_] | None = None,
    upper: int | None = None,
    hint: Paths | None = None,
    seed: int = 0,
    config: FlowConfig | None = None,
    on_answer: OnAnswer | None = None,
    on_bound: OnBound | None = None,
) -> FlowResult:
    """Route some nets as cheaply as possible.

    Parameters
    ----------
    nets
        The board.
    members
        The nets to route.
    target
        ``(nets,)`` where each net leads to. `OPEN` for a member whose via is to be chosen,
        among the vias of its class that are no net's target; both nets of a line are open, and
        members, or neither is. Of a class that stays out of it, the assignment means nothing
        where its targets are open.
    free
        ``(layers, cells)`` bool, cells that neither ends, nor vias, nor other nets occupy.
    deadline
        When to stop at the latest.
    allowed
        ``(nets, cells)`` bool, the free cells that a net may use; None for all.
    upper
        Cost of the members above which no answer is wanted.
    hint
        Path of each member to start from.
    seed
        Random seed of the solver.
    config
        Settings.
    on_answer, on_bound
        Called from the solver's thread for every better answer and bound.


    Returns
    -------
    FlowResult
        The best routing found, and the bound.
    """
    matchings = matchings_of(nets, members, target)
    through = through_costs(nets, members, target, free, allowed, matchings)
    alone = through.min(axis=(1, 2))
    limit = INFINITE / 2 if upper is None else upper
    slack = limit - float(alone.sum())
    if slack < 0:
        return _infeasible(upper)
    usable = through <= (alone + slack)[:, None, None]
    model = FlowConstraints(nets, members, target, free, matchings, usable, upper)
    if hint is not None:
        model.hint(hint)
    solve = _Solve(model, ceil_bound(float(alone.sum())), on_answer, on_bound)
    config = config or FlowConfig()
    solver = _solver(config, seed, deadline)
    solver.best_bound_callback = solve.note_bound
    with _Watch(solver, deadline, config.poll_seconds):
        status = solver.solve(model.model, solve)
    deadline.work(solver.response_proto.deterministic_time)
    assert status != cp_model.MODEL_INVALID
    if status == cp_model.INFEASIBLE:
        return _infeasible(upper)
    if solve.answer is None:
        return FlowResult(Status.UNKNOWN, None, None, None, solve.bound)
    if status == cp_model.OPTIMAL:
        solve.note_bound(solve.answer[2])
    proven = solve.bound >= solve.answer[2]
    return FlowResult(Status.OPTIMAL if proven else Status.FEASIBLE, *solve.answer, solve.bound)


def _infeasible(upper: int | None) -> FlowResult:
    """Return the result of a solve that has no answer."""
    return FlowResult(Status.INFEASIBLE, None, None, None, 0 if upper is None else upper + 1)


def _solver(config: FlowConfig, seed: int, deadline: Deadline) -> cp_model.CpSolver:
    """Return a solver with all its settings."""
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.random_seed = seed
    if deadline.counts_work:
        parameters.max_deterministic_time = deadline.remaining()
    else:
        parameters.max_time_in_seconds = deadline.remaining()
    # The solver's own handling of an interrupt would put an end to Python's.
    parameters.catch_sigint_signal = False
    parameters.linearization_level = config.linearization_level
    parameters.add_lp_constraints_lazily = config.add_lp_constraints_lazily
    return solver


class _Solve(cp_model.CpSolverSolutionCallback):
    """What a solve has found so far, and who is to hear of it."""

    def __init__(
        self,
        model: FlowConstraints,
        bound: int,
        on_answer: OnAnswer | None,
        on_bound: OnBound | None,
    ) -> None:
        super().__init__()
        self.answer: tuple[Paths, Assignment, int] | None = None
        self.bound = bound
        self._model = model
        self._on_answer = on_answer
        self._on_bound = on_bound

    def on_solution_callback(self) -> None:
        """Take note of a solution."""
        paths, assignment = self._model.read(list(self.response_proto.solution))
        cost = Routing.along(paths, assignment).cost
        if self.answer is None or cost < self.answer[2]:
            self.answer = paths, assignment, cost
            if self._on_answer is not None:
                self._on_answer(paths, assignment, cost)

    def note_bound(self, value: float) -> None:
        """Take note of a bound."""
        bound = ceil_bound(value)
        if bound > self.bound:
            self.bound = bound
            if self._on_bound is not None:
                self._on_bound(bound)


class _Watch:
    """Stops a solver, while it lasts, as soon as somebody wants it to."""

    def __init__(self, solver: cp_model.CpSolver, deadline: Deadline, seconds: float) -> None:
        self._solver = solver
        self._deadline = deadline
        self._seconds = seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        """Ask until the solve is over; stop it again each time, as it may not have begun."""
        while not self._over.wait(self._seconds):
            if self._deadline.stopped():
                self._solver.stop_search()
