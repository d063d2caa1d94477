"""Answers to tight boards, and proofs that there is none, by a satisfiability solver.

For layers on which lines that bid for cells one by one get in each other's way for good. Two
models: where an answer is meant to fill the board, demanding that says nearly all there is to
know; otherwise cells may stay empty. Of what an answer costs, neither knows anything.

With the slack model an answer comes at once or hardly ever, depending on how the solver's first
decisions sweep across the board. So it starts over with other sweeps, giving up after numbers of
conflicts that no other schedule beats by more than a logarithmic factor (M. Luby, A. Sinclair,
D. Zuckerman, Optimal speedup of Las Vegas algorithms, 1993).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf, pi

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.config import SatConfig
from nlrouter.engine.exact.sat_clauses import SatClauses, Sweep
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.schedule.luby import luby
from nlrouter.engine.schedule.work import CLAUSE, CONFLICT
from nlrouter.result import Status

FULL_SOLVER = "glucose4"
"""For the full model: 0.9 s on 36x36x8 with 289 lines, where CaDiCaL takes 3 to 6 s."""

SLACK_SOLVER = "cadical195"
"""For the slack model: Glucose, MiniSat and MapleSAT hardly ever succeed there."""

SLICE = 1000
"""Conflicts between looks at the clock, as CaDiCaL cannot be interrupted; 0.02 to 0.5 s."""


@dataclass(frozen=True)
class SatResult:
    """How a solve ended.

    Parameters
    ----------
    status
        `Status.FEASIBLE` with an answer, `Status.INFEASIBLE` where it is proven that there is
        none (for the full model: none that fills the layers), or `Status.UNKNOWN`.
    paths
        Path of each member, ends included, or None without an answer.
    assignment
        The vias taken, or None without an answer.
    """

    status: Status
    paths: list[NDArray[np.int32]] | None = None
    assignment: Assignment | None = None


def solve_sat(
    nets: Nets,
    members: NDArray[np.int32],
    target: NDArray[np.int32],
    deadline: Deadline,
    *,
    full: bool,
    seed: int = 0,
    config: SatConfig | None = None,
    other_than: list[NDArray[np.int32]] | None = None,
) -> SatResult:
    """Route some nets, whatever the cost.

    Parameters
    ----------
    nets
        The board.
    members
        The nets to route: all of a layer, say, or of layers that vias tie.
    target
        ``(nets,)`` where each net leads to. `OPEN` for a member whose via is to be chosen,
        among the vias of its class that are no net's target; both nets of a line are open, and
        members, or neither is.
    deadline
        When to stop; it may pass by the time of one slice of conflicts, a fraction of a second.
    full
        Whether every free cell of the members' layers is to be filled.
    seed
        Seed of the sweeps.
    config
        Settings.

    other_than
        Path of each member in an answer that does not count.

    Returns
    -------
    SatResult
        The answer, or what is known about there being one.
    """
    config = config or SatConfig()

    generator = random.Random(seed)
    number = 0
    while not deadline.passed():
        number += 1
        sweep = Sweep(generator.uniform(0.0, 2 * pi), generator.random() < config.inward)
        clauses = SatClauses(nets, members, target, full=full, sweep=sweep)
        if other_than is not None:
            clauses.forbid(other_than)
        budget = inf if full else config.try_conflicts * luby(number)
        deadline.work(CLAUSE * sum(map(len, clauses.blocks)))
        with _solver(clauses, full) as solver:
            result = _search(solver, clauses, full, budget, deadline)
        if result.status != Status.UNKNOWN:
            return result
    return SatResult(Status.UNKNOWN)


def _solver(clauses: SatClauses, full: bool) -> Solver:
    """Return a solver that knows the clauses."""
    solver = Solver(name=FULL_SOLVER if full else SLACK_SOLVER)
    if not full:
        # The stable mode alone keeps to the order of the variables from the start.
        solver.configure({"stabilizeonly": 1})
    for block in clauses.blocks:
        solver.append_formula(block.tolist(), no_return=True)
    if not full:
        solver.set_phases(clauses.edges.tolist())
    return solver


def _search(
    solver: Solver,
    clauses: SatClauses,
    full: bool,
    budget: float,
    deadline: Deadline,
) -> SatResult:
    """Look for an answer until a number of conflicts has come up.

    Loose loops are left out of an answer; one that is to fill the board must not have any.
    """
    conflicts = 0
    while True:
        solver.conf_budget(int(min(budget, SLICE)))
        budget -= SLICE
        solved = solver.solve_limited()
        before, conflicts = conflicts, solver.accum_stats()["conflicts"]
        deadline.work(CONFLICT * (1 + conflicts - before))
        if solved is False:
            return SatResult(Status.INFEASIBLE)
        if solved:
            paths, assignment, loops = clauses.read(solver.get_model())
            if not (full and loops):
                return SatResult(Status.FEASIBLE, paths, assignment)
            for loop in loops:
                solver.add_clause([-edge for edge in loop])
        if budget <= 0 or deadline.passed():
            return SatResult(Status.UNKNOWN)
