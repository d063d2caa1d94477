"""What the makers of calcudoku ask a SAT solver: for another answer, and how hard a puzzle is.

The lines of a square are loaded once, a group when it is first met, under a literal that turns it
on: from puzzle to puzzle few groups change.
"""

from __future__ import annotations

from itertools import combinations, product
from math import prod

from pysat.solvers import Glucose3

from numplace.answer import Answer
from numplace.constraints import Arithmetic
from numplace.files.calcudoku_spec import calcudoku, is_nylimb
from numplace.puzzle import Puzzle
from numplace.sat.cnf import Cnf
from numplace.sat.diagram import add_group
from numplace.sat.encode import encode

MOST_TUPLES = 750
"""Ways to fill a group, right or wrong, that are tried: those of three cells on a 9x9."""


class SquareSolver:
    """Answers questions on puzzles of one side, plain or Nylimb."""

    def __init__(self, side: int, nylimb: bool) -> None:
        self._cnf = encode(calcudoku(side, [], {}, nylimb=nylimb))
        self._search = Glucose3(bootstrap_with=self._cnf.clauses)
        # What the other one learns would make puzzles look easier than they are.
        self._spread = Glucose3(bootstrap_with=self._cnf.clauses)
        self._switches: dict[object, int] = {}

    def other_answer(self, puzzle: Puzzle, answer: Answer, conflicts: int) -> Answer | None:
        """Return another answer; None if there is none, an empty one if that takes more."""
        holds = self._cnf.holds
        key = tuple(answer.items())
        if key not in self._switches:
            self._switches[key] = self._cnf.new()
            self._search.add_clause([-self._switches[key], *(-holds[item] for item in key)])
        self._search.conf_budget(conflicts)
        found = self._search.solve_limited([*self._switched_on(puzzle), self._switches[key]])
        if found is None:
            return {}
        true = set(self._search.get_model()) if found else set()
        return {cell: v for (cell, v), literal in holds.items() if literal in true} or None

    def difficulty(self, puzzle: Puzzle, answer: Answer) -> int:
        """Return how hard a puzzle with one answer is.

        The measure of Daniel Beer's ``cdok``, over unit propagation: on the way to the answer,
        with everything struck that the clauses of lines and groups strike by units, the cell
        with the fewest numbers left is filled each time; B is the sum of ``(numbers left - 1) **
        2``. The difficulty is ``B * M + E``, E the empty cells at the start and M the power of
        ten above the number of cells. Below M, nothing had to be tried.
        """
        branching, assumed = 0, self._switched_on(puzzle)
        while True:
            fits, literals = self._spread.propagate(assumed)
            if not fits:
                raise ValueError("this is not the answer of the puzzle")
            struck = {-literal for literal in literals}
            left = dict.fromkeys(puzzle.cells, 0)
            for (cell, _), literal in self._cnf.holds.items():
                left[cell] += literal not in struck
            undecided = (cell for cell in puzzle.cells if left[cell] > 1)
            tightest = min(undecided, key=left.__getitem__, default=None)
            if tightest is None:
                break
            branching += (left[tightest] - 1) ** 2
            assumed.append(self._cnf.holds[tightest, answer[tightest]])
        power = 10 ** len(str(len(puzzle.cells)))
        return branching * power + len(puzzle.cells) - len(puzzle.givens)

    def _switched_on(self, puzzle: Puzzle) -> list[int]:
        """Return what is assumed for a puzzle: its numbers, and its groups."""
        groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
        givens = [self._cnf.holds[item] for item in puzzle.givens.items()]
        return [*givens, *map(self._switch, groups)]

    def _switch(self, group: Arithmetic) -> int:
        """Return the literal that turns a group on."""
        key = group.cells, group.op, group.target
        if key not in self._switches:
            self._switches[key] = switch = self._cnf.new()
            made: list[list[int]] = []
            self._cnf.clauses = made
            add_group(self._cnf, group)
            for clause in made:
                self._search.add_clause([*clause, -switch])
            if prod(len(self._cnf.domains[cell]) for cell in group.cells) <= MOST_TUPLES:
                _add_tuples(self._cnf, group)
            for clause in made:
                self._spread.add_clause([*clause, -switch])
        return self._switches[key]


def difficulty(puzzle: Puzzle, answer: Answer) -> int:
    """Return how hard a puzzle with one answer is; see `SquareSolver.difficulty`."""
    return SquareSolver(puzzle.width, is_nylimb(puzzle)).difficulty(puzzle, answer)


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
