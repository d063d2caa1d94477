"""The check of cores: what every answer of a case pays at least, by its clauses.

A core is a set of costs of which every answer pays at least one: assume that it pays none, and
unit propagation must find a contradiction. A lemma, a clause that helps with that, is found to
follow in the same way (RUP; E. Goldberg, Y. Novikov 2003). What a core's costs come to is 1 and,
for each ``j > 1``, 1 more if at least ``j`` of them are paid; new variables stand for that. So
whatever is paid is the number of cores and what is paid of the costs that are left, which no
longer has the core's own costs but has the new variables; it is never negative.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlrouter.certificate import Cores
from nlrouter.checker.certificate.board import Case, Layers
from nlrouter.checker.certificate.clauses import Clause, clauses_of
from nlrouter.checker.certificate.limits import Refused, Work
from nlrouter.checker.certificate.propagate import Propagator

VISITS_A_STEP = 100
"""Clauses that compiled code looks at in the time of one of the steps that `Work` counts."""


def count_of(costs: Sequence[int], first: int) -> tuple[list[Clause], list[int], int]:
    """Return clauses that count costs (C. Sinz 2005), in one direction.

    Parameters
    ----------
    costs
        The variables counted.
    first
        The first of the new variables: for each cost, and each ``j`` up to its place, whether of
        the costs up to it at least ``j`` are paid.

    Returns
    -------
    tuple
        The clauses; the variables that must hold where at least 2, 3 and so on are paid; and how
        many new variables there are.
    """
    clauses: list[Clause] = []
    before: list[int] = []
    for place, cost in enumerate(costs):
        here = list(range(first, first + place + 1))
        first += place + 1
        clauses.append((2 * cost + 1, 2 * here[0]))
        for j, variable in enumerate(before):
            clauses.append((2 * variable + 1, 2 * here[j]))
            clauses.append((2 * cost + 1, 2 * variable + 1, 2 * here[j + 1]))
        before = here
    return clauses, before[1:], len(costs) * (len(costs) + 1) // 2


class CoreCheck:
    """Checks cores of a part, all together within limits.

    Parameters
    ----------
    board
        The part.
    work
        Counts the work of the whole check.
    """

    def __init__(self, board: Layers, work: Work) -> None:
        self._board = board
        self._work = work
        self._checks = 0
        self._clauses = 0

    def bound(self, node: Cores, case: Case) -> int | None:
        """Return what every answer of a case pays at least; None if there is no answer.

        Raises
        ------
        Refused
            If anything in the cores does not follow, or they are too many.
        """
        self._count(0, sum(len(self._board.free[z]) for z in case.layers))
        formula = clauses_of(self._board, case)
        self._count(0, len(formula.clauses))
        known = Propagator(formula.variables)
        known.add(formula.clauses)
        left = set(formula.costs)
        for number, core in enumerate(node.cores):
            for lemma in core.lemmas:
                self._count(1, len(lemma))
                self._follows(known, lemma, f"a lemma of core {number}")
                known.add([lemma])
            count = len(core.costs)
            self._count(1, count * (count + 1) // 2)
            if not left.issuperset(core.costs):
                raise Refused(f"core {number} has costs that are not left")
            core_clause = [2 * cost for cost in core.costs]
            self._follows(known, core_clause, f"core {number}")
            if not count:
                return None
            clauses, more, new = count_of(core.costs, known.variables)
            known.grow(new)
            known.add([core_clause, *clauses])
            left.difference_update(core.costs)
            left.update(more)
        return None if known.contradiction else len(node.cores)

    def _count(self, checks: int, clauses: int) -> None:
        self._checks += checks
        self._clauses += clauses
        limits = self._work.limits
        if self._checks > limits.checks or self._clauses > limits.clauses:
            raise Refused("cores beyond all measure")

    def _follows(self, known: Propagator, clause: Sequence[int], what: str) -> None:
        if max(clause, default=0) >= 2 * known.variables or len(set(clause)) < len(clause):
            raise Refused(f"{what} is no clause")
        before = known.visits
        refuted = known.refutes([literal ^ 1 for literal in clause])
        self._work.add(1 + (known.visits - before) // VISITS_A_STEP)
        if not refuted:
            raise Refused(f"{what} does not follow")
