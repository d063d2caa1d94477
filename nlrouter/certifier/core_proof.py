"""Proves by cores what a part costs, and keeps what a check needs to see it.

It is the search of `MaxSat`, but on the clauses of the check, so that their variables are the
same, and with a solver that keeps a record of what it learns. Of that, only what the cores rest
on is written.
"""

from __future__ import annotations

import numpy as np
from pysat.solvers import Solver

from nlrouter.certificate import Core, Cores
from nlrouter.certifier.frame import framed
from nlrouter.checker.certificate.board import Case, Layers, every_via
from nlrouter.checker.certificate.clauses import CaseClauses, clauses_of
from nlrouter.checker.certificate.cores import count_of
from nlrouter.checker.certificate.propagate import Propagator
from nlrouter.deadline import Deadline
from nlrouter.engine.exact.maxsat import MaxSat
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing


class CoreProof(MaxSat):
    """The proof of a part by cores.

    Parameters
    ----------
    nets
        The part.
    board
        The same as the check sees it.
    """

    def __init__(self, nets: Nets, board: Layers) -> None:
        super().__init__(nets)
        case = Case(tuple(range(len(board.free))), every_via(board))
        self._formula: CaseClauses = clauses_of(board, case)
        self._width = board.width
        self._found: list[tuple[int, list[int]]] = []
        self._refuted = 0
        self._variables = self._formula.variables
        self._rest: dict[int, list[int]] = {}
        self.optimal = False

    @property
    def done(self) -> bool:
        """Whether there is nothing left to find out."""
        return self.optimal or super().done

    def _build(self, deadline: Deadline) -> None:
        self._solver = Solver(name=self.config.solver, with_proof=True)
        self._conflicts = 0
        for clause in self._formula.clauses:
            self._solver.add_clause([_signed(literal) for literal in clause])
        deadline.work(len(self._formula.clauses) * self.config.build_seconds)
        self._free = {-(cost + 1): float(k) for k, cost in enumerate(self._formula.costs)}

    def _solve(self, assumed: list[int], conflicts: int, deadline: Deadline) -> bool | None:
        solved = super()._solve(assumed, conflicts, deadline)
        self._refuted += solved is False
        return solved

    def _pay(self, core: list[int]) -> None:
        assert self._solver is not None
        if not core:
            super()._pay(core)
            return
        self.bound += 1
        self._sizes += len(core)
        costs = [-literal - 1 for literal in core]
        self._found.append((self._refuted, costs))
        rank = self._free[core[0]]
        clauses, more, new = count_of(costs, self._variables)
        self._variables += new
        self._solver.append_formula(
            [[-literal for literal in core]]
            + [[_signed(literal) for literal in clause] for clause in clauses],
            no_return=True,
        )
        for cost in costs:
            del self._free[-(cost + 1)]
            self._release(self._rest.pop(cost, []), rank)
        self._release(more, rank)

    def _release(self, counts: list[int], rank: float) -> None:
        """Let the first of some counts be free; the next comes when that is paid."""
        if counts:
            self._free[-(counts[0] + 1)] = rank
            self._rest[counts[0]] = counts[1:]

    def _finish(self) -> None:
        assert self._solver is not None
        self.optimal = True
        self.routing = self._routing(set(self._solver.get_model() or []))

    def _routing(self, model: set[int]) -> Routing:
        """Return the cheapest routing that a model of the clauses is: it has no loops."""
        nets, width, stride = self.nets, self._width, self.nets.stride
        joined: list[dict[int, list[int]]] = []
        for first in self._formula.edges:
            nexts: dict[int, list[int]] = {}
            for number in range(2 * width * (nets.cells // stride - 2)):
                if first + number + 1 in model:
                    cell, axis = divmod(number, 2)
                    here = framed(cell, stride)
                    there = here + (stride if axis else 1)
                    nexts.setdefault(here, []).append(there)
                    nexts.setdefault(there, []).append(here)
            joined.append(nexts)
        paths = []
        for z, source in zip(nets.layer, nets.source, strict=True):
            path = [int(source)]
            while onward := [cell for cell in joined[z][path[-1]] if cell not in path[-2:]]:
                path.append(onward[0])
            paths.append(np.array(path, np.int32))
        assignment = tuple(
            np.array([np.flatnonzero(span.via_cells == paths[net][-1])[0] for net in span.lower])
            for span in nets.classes
        )
        return Routing(paths, assignment, self.bound)

    def node(self, deadline: Deadline) -> Cores | None:
        """Return what proves the bound; None if time is up, or if the record does not show it."""
        assert self._solver is not None
        known = Propagator(self._formula.variables)
        known.add(self._formula.clauses)
        learnt: dict[int, tuple[int, tuple[int, ...]]] = {}
        rests_on: dict[int, list[int]] = {}
        record = iter(self._solver.get_proof() or [])
        refuted = 0
        wanted: list[int] = []
        for number, (when, costs) in enumerate(self._found):
            while refuted < when:
                line = next(record, None)
                if line is None or deadline.passed():
                    return None
                if line == "0":
                    refuted += 1
                elif not line.startswith("d"):
                    lemma = tuple(_unsigned(int(word)) for word in line.split()[:-1])
                    reasons = known.reasons([literal ^ 1 for literal in lemma])
                    if reasons is None:
                        return None
                    rests_on[known.clauses] = reasons
                    learnt[known.clauses] = number, lemma
                    known.add([lemma])
            reasons = known.reasons([2 * cost + 1 for cost in costs])
            if reasons is None or known.contradiction:
                return None
            rests_on[known.clauses] = reasons
            wanted.append(known.clauses)
            clauses, _, new = count_of(costs, known.variables)
            known.grow(new)
            known.add([[2 * cost for cost in costs], *clauses])
        needed = set()
        while wanted:
            clause = wanted.pop()
            if clause not in needed:
                needed.add(clause)
                wanted += rests_on.get(clause, [])
        lemmas: list[list[tuple[int, ...]]] = [[] for _ in self._found]
        for clause in sorted(needed & learnt.keys()):
            number, lemma = learnt[clause]
            lemmas[number].append(lemma)
        return Cores(
            tuple(
                Core(tuple(before), tuple(costs))
                for before, (_, costs) in zip(lemmas, self._found, strict=True)
            )
        )


def _signed(literal: int) -> int:
    """Return a literal of the check as one of the solver."""
    return -(literal // 2 + 1) if literal % 2 else literal // 2 + 1


def _unsigned(literal: int) -> int:
    """Return a literal of the solver as one of the check."""
    return 2 * (abs(literal) - 1) + (literal < 0)
