"""Running a SAT solver under a deadline, and finding answers by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from nlrouter.deadline import Deadline
from numplace.beside import run_beside
from numplace.cell import Cell
from numplace.files.sdq_reader import SdqOrigin
from numplace.puzzle import Puzzle
from numplace.sat.encode import STRONGEST, encode
from numplace.solve.count import UnknownConstraint


@dataclass(frozen=True)
class AtOnceConfig:
    """What is tried before CP-SAT, whose library alone takes longer to load."""

    conflicts: int = 1_000_000
    """Half a minute: then CP-SAT may do better. Killers whose cages leave much open take 20,000,
    and CP-SAT, with bounds on their sums, ten times as long."""
    literals: int = 50_000
    """Candidates of all cells: the clauses of more take longer to write than CP-SAT its time. A
    hundred joined grids have 30,000 once the singles are in, and take a second, CP-SAT four."""
    answers: int = 20_000
    """A clause for each answer found slows the search for the next; so it does in CP-SAT."""


def solve_by(
    solver: Any, deadline: Deadline | None = None, assumptions: Sequence[int] = ()
) -> bool | None:
    """Return whether a solver's clauses can be fulfilled, None if its budget or the time was up.

    In the main thread Ctrl-C would end the solver in the middle of its work.
    """
    if deadline is not None and deadline.passed():
        return None
    return run_beside(
        lambda: solver.solve_limited(assumptions, expect_interrupt=True),
        solver.interrupt,
        deadline,
    )


def find_at_once(
    puzzle: Puzzle, limit: int | None, deadline: Deadline, config: AtOnceConfig | None = None
) -> Iterator[dict[Cell, int] | None]:
    """Do as `find_answers` by the strongest clauses, and end soon where that is not enough."""
    config = config or AtOnceConfig()
    literals = sum(map(len, puzzle.domains.values()))
    if literals > config.literals or (limit is not None and limit > config.answers):
        return
    limit = config.answers if limit is None else limit
    with suppress(UnknownConstraint):
        yield from find_answers(puzzle, limit, deadline, STRONGEST, config.conflicts)


def find_answers(
    puzzle: Puzzle,
    limit: int | None,
    deadline: Deadline,
    wish: SdqOrigin | None = None,
    conflicts: int | None = None,
) -> Iterator[dict[Cell, int] | None]:
    """Yield different answers, then None if it is proven that there are no others.

    Parameters
    ----------
    wish
        See `encode`.
    conflicts
        After how many conflicts for one answer to give up; None for never.
    """
    encoded = encode(puzzle, wish)
    if not all(encoded.clauses):
        yield None
        return
    from pysat.solvers import Glucose3

    found = 0
    with Glucose3(bootstrap_with=encoded.clauses) as solver:
        while limit is None or found < limit:
            if conflicts is not None:
                solver.conf_budget(conflicts)
            satisfiable = solve_by(solver, deadline)
            if satisfiable is None:
                return
            if not satisfiable:
                yield None
                return
            model = set(solver.get_model())
            answer = {
                cell: value
                for (cell, value), variable in encoded.holds.items()
                if variable in model
            }
            found += 1
            yield answer
            solver.add_clause([-encoded.holds[item] for item in answer.items()])
