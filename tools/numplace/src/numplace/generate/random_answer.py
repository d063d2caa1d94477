"""A random answer to any puzzle, by a SAT solver with random preferences."""

from __future__ import annotations

from random import Random

from pysat.solvers import Glucose4

from numplace.cell import Cell
from numplace.puzzle import Puzzle
from numplace.sat.encode import encode
from numplace.sat.run import solve_by

CONFLICTS = 20_000
"""Conflicts after which there is no answer to be had: a second or two."""


def random_answer(puzzle: Puzzle, random: Random) -> dict[Cell, int] | None:
    """Return an answer; None if there is none, or none is found by `CONFLICTS` conflicts.

    The solver prefers a random number in each cell; some cells get it for sure, as many as
    random tries find possible. Not all answers are equally likely.
    """
    cnf = encode(puzzle)
    if not all(cnf.clauses):
        return None
    preferred = {cell: random.choice(puzzle.domains[cell]) for cell in puzzle.cells}
    phases = [
        variable if preferred[cell] == value else -variable
        for (cell, value), variable in cnf.holds.items()
    ]
    sure: list[int] = []
    with Glucose4(bootstrap_with=cnf.clauses) as solver:
        solver.set_phases(phases)
        for cell in random.sample(puzzle.cells, len(puzzle.cells)):
            wish = [*sure, cnf.holds[cell, preferred[cell]]]
            if solver.propagate(wish)[0] and len(sure) < len(puzzle.cells) // 10:
                sure = wish
        # Wishes may be too many together: the later half goes each time.
        while True:
            solver.conf_budget(CONFLICTS if not sure else CONFLICTS // 20)
            if solve_by(solver, assumptions=sure):
                break
            if not sure:
                return None
            sure = sure[: len(sure) // 2]
        model = set(solver.get_model() or ())
    return {cell: value for (cell, value), variable in cnf.holds.items() if variable in model}
