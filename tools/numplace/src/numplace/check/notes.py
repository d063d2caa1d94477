"""The candidates of a puzzle as a log of steps goes on. Shares nothing with `logic`."""

from __future__ import annotations

from itertools import combinations

from numplace.cell import Cell
from numplace.constraints import Cage, Constraint, Different, House
from numplace.naming import constraint_names
from numplace.puzzle import Puzzle


class Notes:
    """Numbers placed and candidates left.

    Attributes
    ----------
    left
        The candidates of every cell; of a filled one its number alone.
    filled
        The filled cells.
    named
        The constraints by their names.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.left = {cell: set(puzzle.domains[cell]) for cell in puzzle.cells}
        self.filled: set[Cell] = set()
        names = constraint_names(puzzle)
        self.named: dict[str, Constraint] = dict(zip(names, puzzle.constraints, strict=True))
        self.peers: dict[Cell, set[Cell]] = {cell: set() for cell in puzzle.cells}
        for constraint in puzzle.constraints:
            if differ(constraint):
                for a, b in combinations(constraint.cells, 2):
                    self.peers[a].add(b)
                    self.peers[b].add(a)
        for cell, number in puzzle.givens.items():
            self.place(cell, number)

    def place(self, cell: Cell, number: int) -> None:
        """Fill a cell, and strike the number from all that cannot hold it too."""
        self.left[cell] = {number}
        self.filled.add(cell)
        for peer in self.peers[cell] - self.filled:
            self.left[peer].discard(number)

    @property
    def open(self) -> list[Cell]:
        """The cells that are not filled."""
        return [cell for cell in self.puzzle.cells if cell not in self.filled]


def differ(constraint: Constraint) -> bool:
    """Return whether no two cells of a constraint hold the same number."""
    if isinstance(constraint, Cage):
        return constraint.distinct
    return isinstance(constraint, (House, Different))
