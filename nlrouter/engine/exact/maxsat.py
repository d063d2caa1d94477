"""Core-guided MaxSAT: what a routing costs at least, up to the optimum.

The clauses of `sat_clauses` are hard; each used cell and each bend costs 1. First nothing may
cost anything. The solver refutes that by a *core*, costs of which at least one must be paid. The
bound rises by 1; the core's costs are free from now on, but for what is paid beyond one of them,
counted by a sequential counter (C. Sinz 2005). And so on until there is a solution, which is a
cheapest routing. That is OLL (A. Morgado, C. Dodaro, J. Marques-Silva, Core-guided MaxSAT with soft
cardinality constraints, 2014), as in RC2 (A. Ignatiev, A. Morgado, J. Marques-Silva 2019).

Most of what it achieves here comes from small cores: each literal that a few conflicts can do
without is left out, as in EvalMaxSAT (F. Avellaneda 2020). On tight boards most cores then are
single cells that every routing uses, and the solver goes on with what it knows of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.sat_clauses import SatClauses
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.schedule.work import ASSUMED, CORE_CLAUSE, CORE_CONFLICT
from nlrouter.puzzle.laying import Front

SOLVER = "glucose4"
"""By its name in PySAT. MiniSat and MapleSAT are slower; CaDiCaL was, with larger cores."""

SLICE = 300
"""Conflicts between looks at the clock: 10 to 50 ms."""


@dataclass(frozen=True)
class MaxSatConfig:
    """Settings of the search."""

    front: float = 0.3
    """Direction in which costs are assumed to be nil, in radians: neighbours one after the
    other make cores of neighbours. A little off the axes, as distances then hardly tie."""
    core_conflicts: int = 50
    """Conflicts for each try to leave a literal out of a core. Without any tries a 36x36 board
    with 140 lines stays at 964 of 1351 after 7 s; with 50 it closes in 2 s."""
    trial_cores: int = 40
    """Cores after which their size tells whether going on is worth while."""
    trial_seconds: float = 3.0
    """Seconds for these cores at the most; they take 0.1 to 1.0 where nothing else runs."""
    small_core: float = 2.0
    """Mean size of cores up to which it is: 1.0 to 1.7 on boards that close, 2.6 to 8 on others."""
    most_seconds: float = 12.0
    """Seconds at the most: the bound goes up in a rush, in 1 to 4, or hardly at all."""


class MaxSat:
    """A search for the least cost of some nets, which can be interrupted and go on.

    Parameters
    ----------
    nets
        The nets to route; vias may be open.
    config
        Settings.
    keeps
        Whether the solver keeps a record of what it learns, for a certificate.

    Attributes
    ----------
    bound
        No routing costs less; `NO_ANSWER` where it is proven that there is none.
    routing
        A cheapest routing, once it is found; it costs ``bound``.
    clauses
        The hard clauses, once it has begun.
    record
        The solver's record, as of when it was closed or taken up.
    paid
        The cores in the order of their finding: how many refutations the record has up to each, and
        its costs. Once there is no routing at all, the last one has none.
    """

    def __init__(
        self, nets: Nets, config: MaxSatConfig | None = None, *, keeps: bool = False
    ) -> None:
        self.nets = nets
        self.config = config or MaxSatConfig()
        self.paid: list[tuple[int, list[int]]] = []
        self.record: list[str] = []
        self._keeps = keeps
        self._refuted = 0
        self.bound = 0
        self.routing: Routing | None = None
        self._sizes = 0
        self._closed = False
        self._solver: Solver | None = None

    def worth(self, spent: float) -> bool:
        """Return whether to go on after so many seconds: while its cores are small."""
        if self.done:
            return False
        if self.bound < self.config.trial_cores:
            return spent < self.config.trial_seconds
        small = self._sizes <= self.config.small_core * self.bound
        return small and spent < self.config.most_seconds

    def close(self) -> None:
        """Let go of the solver, which takes most of the room; no step does anything any more."""
        if self._solver is not None and not self._closed:
            self.keep_record()
            self._solver.delete()
        self._closed = True

    def keep_record(self) -> None:
        """Take up the solver's record as it stands, if there is any use for it."""
        if self._keeps and self.paid and self._solver is not None and not self._closed:
            self.record = self._solver.get_proof() or []

    @property
    def done(self) -> bool:
        """Whether there is nothing left to find out."""
        return self._closed or self.routing is not None or self.bound >= NO_ANSWER

    def any_routing(self, deadline: Deadline) -> Routing | None:
        """Return a routing of whatever cost; None where the deadline passes or there is none."""
        self._build(deadline)
        found = None
        while found is None and not deadline.passed():
            found = self._solve([], SLICE, deadline)
        if found is False:
            self.bound = NO_ANSWER
        return Routing.along(*self._read()) if found else None

    def forbid(self, paths: list[NDArray[np.int32]]) -> None:
        """Let a routing along some paths be none."""
        self._build(Deadline(0.0))
        assert self._solver is not None
        self._solver.add_clause(self.clauses.not_all(paths))

    def refute(self, deadline: Deadline) -> None:
        """Show once more that there is no routing, as far as time allows: for the record."""
        self.any_routing(deadline)
        if self.bound >= NO_ANSWER:
            self.paid.append((self._refuted, []))

    def step(self, deadline: Deadline) -> None:
        """Go on until the deadline; it may pass by one slice of conflicts."""
        self._build(deadline)
        while not (self.done or deadline.passed()):
            assumed = sorted(self._free, key=self._free.__getitem__)
            solved = None
            while solved is None:
                solved = self._solve(assumed, SLICE, deadline)
                if solved is None and deadline.passed():
                    return
            if solved:
                self._finish()
            else:
                self._pay(self._smaller(self._core(), deadline))

    def _build(self, deadline: Deadline) -> None:
        """Make the solver, once. What is still free is kept with its place in the sweep."""
        if self._solver is not None:
            return
        front = Front(self.config.front)
        self.clauses = SatClauses(self.nets, front)
        costs, cells = self.clauses.add_costs()
        self._top = self.clauses.variables
        y, x = np.divmod(cells % self.nets.cells, self.nets.stride)
        rank = front.rank(y.astype(float), x.astype(float))
        # Layers have little to do with each other: one after the other.
        rank += (cells // self.nets.cells) * (np.ptp(rank) + 1.0) if len(rank) else 0.0
        self._free: dict[int, float] = dict(zip((-costs).tolist(), rank.tolist(), strict=True))
        self._rest: dict[int, list[int]] = {}
        self._solver = Solver(name=SOLVER, with_proof=self._keeps)
        self._conflicts = 0
        for block in self.clauses.blocks:
            self._solver.append_formula(block.tolist(), no_return=True)
            deadline.work(len(block) * CORE_CLAUSE)

    def _solve(self, assumed: list[int], conflicts: int, deadline: Deadline) -> bool | None:
        """Look for a solution where nothing costs of what is assumed not to; None is unknown."""
        assert self._solver is not None
        self._solver.conf_budget(conflicts)
        solved: bool | None = self._solver.solve_limited(assumptions=assumed)
        spent = self._solver.accum_stats()["conflicts"]
        work = (spent - self._conflicts) * CORE_CONFLICT
        deadline.work(ASSUMED * (1 + len(assumed)) + work)
        self._conflicts = spent
        self._refuted += solved is False
        return solved

    def _core(self) -> list[int]:
        """Return assumptions that do not all hold, after the solver has found that they do not."""
        assert self._solver is not None
        return self._solver.get_core() or []

    def _smaller(self, core: list[int], deadline: Deadline) -> list[int]:
        """Leave out of a core what it can easily do without."""
        core = sorted(core, key=self._free.__getitem__)
        i = 0
        while i < len(core) and not deadline.passed():
            others = core[:i] + core[i + 1 :]
            if self._solve(others, self.config.core_conflicts, deadline) is False:
                left = set(self._core())
                core = [literal for literal in others if literal in left]
            else:
                i += 1
        return core

    def _pay(self, core: list[int]) -> None:
        """Raise the bound by a core: one of its costs is paid, more than one costs again."""
        assert self._solver is not None
        costs = [-literal for literal in core]
        self.paid.append((self._refuted, costs))
        if not core:
            self.bound = NO_ANSWER
            return
        self.bound += 1
        self._sizes += len(core)
        rank = self._free[core[0]]
        clauses, counts = counter(costs, self._top)
        self._top += len(costs) * (len(costs) + 1) // 2
        self._solver.append_formula([costs, *clauses], no_return=True)
        for literal in core:
            del self._free[literal]
            self._release(self._rest.pop(literal, []), rank)
        self._release(counts, rank)

    def _release(self, counts: list[int], rank: float) -> None:
        """Assume that the first of some counts is not reached; the next comes when it is paid."""
        if counts:
            self._free[-counts[0]] = rank
            self._rest[-counts[0]] = counts[1:]

    def _finish(self) -> None:
        """Read the cheapest routing: a solution that pays no more than the bound."""
        self.routing = Routing(*self._read(), self.bound)

    def _read(self) -> tuple[list[NDArray[np.int32]], Assignment]:
        """Read the solution that was found."""
        assert self._solver is not None
        return self.clauses.read(self._solver.get_model())


def counter(costs: list[int], top: int) -> tuple[list[list[int]], list[int]]:
    """Return clauses that count some costs, in one direction.

    Parameters
    ----------
    costs
        The variables counted.
    top
        The last variable in use. New ones say, for each cost and each ``j`` up to its place,
        whether of the costs up to it at least ``j`` are paid.

    Returns
    -------
    tuple of list
        The clauses, and the variables that say whether at least 2, 3 and so on are paid.
    """
    clauses: list[list[int]] = []
    before: list[int] = []
    for place, cost in enumerate(costs, 1):
        here = list(range(top + 1, top + place + 1))
        top += place
        clauses.append([-cost, here[0]])
        for j, variable in enumerate(before):
            clauses += [[-variable, here[j]], [-cost, -variable, here[j + 1]]]
        before = here
    return clauses, before[1:]
