"""What the makers of calcudoku ask a SAT solver: for another answer, and how hard a puzzle is."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cache
from itertools import combinations, product
from math import prod

from pysat.solvers import Glucose3

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints import Arithmetic
from numplace.files.calcudoku_spec import calcudoku, is_nylimb
from numplace.puzzle import Puzzle
from numplace.sat.cnf import Cnf
from numplace.sat.diagram import add_group
from numplace.sat.encode import encode

MOST_TUPLES = 750
"""Ways to fill a group, right or wrong, that are tried: those of three cells on a 9x9."""


def other_answer(puzzle: Puzzle, answer: Answer, conflicts: int) -> Answer | None:
    """Return another answer; None if there is none, an empty one if that takes more conflicts."""
    cnf = _encoded(puzzle)
    differs = [-cnf.holds[item] for item in answer.items()]
    with Glucose3(bootstrap_with=[*cnf.clauses, differs]) as solver:
        solver.conf_budget(conflicts)
        found = solver.solve_limited()
        if found is None:
            return {}
        true = set(solver.get_model()) if found else set()
    return {cell: v for (cell, v), literal in cnf.holds.items() if literal in true} or None


@cache
def _lines(side: int, nylimb: bool) -> Cnf:
    """Return the clauses of a square without groups and numbers, which are most of them."""
    return encode(calcudoku(side, [], {}, nylimb=nylimb))


def _encoded(puzzle: Puzzle) -> Cnf:
    """Return the clauses of a calcudoku."""
    cnf = copy(_lines(puzzle.width, is_nylimb(puzzle)))
    cnf.clauses = [*cnf.clauses, *([cnf.holds[item]] for item in puzzle.givens.items())]
    for each in puzzle.constraints:
        if isinstance(each, Arithmetic):
            add_group(cnf, each)
    return cnf


def _add_tuples(cnf: Cnf, group: Arithmetic) -> None:
    """Name each way to fill a group, so that units strike all that none of them uses."""
    cells = group.cells
    lined = [
        (a, b)
        for a, b in combinations(range(len(cells)), 2)
        if cells[a].x == cells[b].x or cells[a].y == cells[b].y
    ]
    ways: dict[int, list[int]] = {}
    for numbers in product(*(cnf.domains[cell] for cell in cells)):
        if any(numbers[a] == numbers[b] for a, b in lined) or not group.holds([*numbers]):
            continue
        way = cnf.new()
        for item in zip(cells, numbers, strict=True):
            cnf.add(-way, cnf.holds[item])
            ways.setdefault(cnf.holds[item], []).append(way)
    for cell in cells:
        for value in cnf.domains[cell]:
            holds = cnf.holds[cell, value]
            cnf.add(-holds, *ways.get(holds, ()))


def difficulty(puzzle: Puzzle, answer: Mapping[Cell, int]) -> int:
    """Return how hard a puzzle with one answer is.

    The measure of Daniel Beer's ``cdok``, over unit propagation: on the way to the answer, with
    everything struck that the clauses of lines and groups strike by units, the cell with the fewest
    numbers left is filled each time; B is the sum of ``(numbers left - 1) ** 2``. The difficulty
    is ``B * M + E``, E the empty cells at the start and M the power of ten above the number of
    cells. Below M, nothing had to be tried.

    Parameters
    ----------
    answer
        The answer of the puzzle.
    """
    cnf = _encoded(puzzle)
    for each in puzzle.constraints:
        small = prod(len(cnf.domains[cell]) for cell in each.cells) <= MOST_TUPLES
        if isinstance(each, Arithmetic) and small:
            _add_tuples(cnf, each)
    start = cnf.new()  # What follows from no assumption at all the solver would not tell.
    clauses = [clause if len(clause) > 1 else [*clause, -start] for clause in cnf.clauses]
    branching, assumed = 0, [start]
    with Glucose3(bootstrap_with=clauses) as solver:
        while True:
            fits, literals = solver.propagate(assumed)
            if not fits:
                raise ValueError("this is not the answer of the puzzle")
            struck = {-literal for literal in literals}
            left = dict.fromkeys(puzzle.cells, 0)
            for (cell, _), literal in cnf.holds.items():
                left[cell] += literal not in struck
            undecided = (cell for cell in puzzle.cells if left[cell] > 1)
            tightest = min(undecided, key=left.__getitem__, default=None)
            if tightest is None:
                break
            branching += (left[tightest] - 1) ** 2
            assumed.append(cnf.holds[tightest, answer[tightest]])
    power = 10 ** len(str(len(puzzle.cells)))
    return branching * power + len(puzzle.cells) - len(puzzle.givens)
