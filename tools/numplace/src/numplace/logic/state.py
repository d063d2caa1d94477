"""The notes of a solver: which numbers each open cell may still hold."""

from __future__ import annotations

from collections.abc import Iterable

from numplace.cell import Cell
from numplace.logic.bitset import lowest, members
from numplace.logic.step import Step
from numplace.logic.topology import Topology
from numplace.puzzle import Puzzle


class State:
    """Numbers placed so far and the candidates of open cells.

    Attributes
    ----------
    values
        The number of each cell; -1 while it is open.
    masks
        The set of candidates of each cell; of a filled one its number alone.
    open
        The set of open cells.
    """

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.values = [-1] * len(topology.cells)
        self.masks = list(topology.domains)
        self.open = (1 << len(topology.cells)) - 1
        self._at = {digit: 0 for house in topology.houses for digit in members(house.digits)}
        for cell, mask in enumerate(self.masks):
            for digit in members(mask):
                self._at[digit] = self._at.get(digit, 0) | 1 << cell
        self._filled = dict.fromkeys(self._at, 0)

    @classmethod
    def of(cls, puzzle: Puzzle) -> State:
        """Return the state at the start: givens placed, and struck from all that see them."""
        state = cls(Topology(puzzle))
        for cell, number in puzzle.givens.items():
            state.place(state.topology.index[cell], number)
        return state

    def copy(self) -> State:
        """Return a state that changes on its own."""
        twin = object.__new__(State)
        twin.topology = self.topology
        twin.values = self.values.copy()
        twin.masks = self.masks.copy()
        twin.open = self.open
        twin._at = self._at.copy()
        twin._filled = self._filled.copy()
        return twin

    @property
    def digits(self) -> Iterable[int]:
        """All numbers of the puzzle, ascending."""
        return sorted(self._at)

    def at(self, digit: int) -> int:
        """Return the open cells that may hold a number."""
        return self._at.get(digit, 0)

    def place(self, cell: int, digit: int) -> None:
        """Fill a cell and strike its number from all that see it."""
        for other in members(self.masks[cell] & ~(1 << digit)):
            self.strike(cell, other)
        self.values[cell] = digit
        self._filled[digit] = self._filled.get(digit, 0) | 1 << cell
        self.open &= ~(1 << cell)
        seen = self._at.get(digit, 0) & self.topology.peers[cell]
        self._at[digit] = self._at.get(digit, 0) & ~(1 << cell)
        for peer in members(seen):
            self.strike(peer, digit)

    def strike(self, cell: int, digit: int) -> None:
        """Take a candidate away."""
        self.masks[cell] &= ~(1 << digit)
        self._at[digit] = self._at.get(digit, 0) & ~(1 << cell)

    def apply(self, step: Step) -> None:
        """Do what a step says."""
        for cell, digit in step.strikes:
            self.strike(self.topology.index[cell], digit)
        for cell, digit in step.places:
            self.place(self.topology.index[cell], digit)

    @property
    def solved(self) -> bool:
        """Whether all cells are filled."""
        return not self.open

    def answer(self) -> dict[Cell, int]:
        """Return the numbers placed so far."""
        cells = self.topology.cells
        return {cells[i]: value for i, value in enumerate(self.values) if value >= 0}

    def contradiction(self) -> str | None:
        """Return in words why there can be no solution, if that is plain to see."""
        topology = self.topology
        if 0 in self.masks:
            cell = self.masks.index(0)
            if self.values[cell] >= 0:
                return f"{topology.cells[cell]} cannot hold {self.values[cell]}"
            return f"{topology.cells[cell]} has no candidate"
        for house in topology.houses:
            for digit in members(house.digits):
                if not (self._at[digit] | self._filled[digit]) & house.bits:
                    return f"{digit} has no place in {house.name}"
        return None

    def place_singles(self) -> bool:
        """Fill cells with one candidate, and only places in houses; return whether any was found.

        Each is looked at once; what they bring about is left for the next time.
        """
        found = False
        for cell in members(self.open):
            mask = self.masks[cell]
            if mask and not mask & (mask - 1):
                self.place(cell, lowest(mask))
                found = True
        for house in self.topology.houses:
            for digit in members(house.digits):
                places = self._at[digit] & house.bits
                if places and not places & (places - 1):
                    self.place(lowest(places), digit)
                    found = True
        return found

    def bivalue(self) -> list[int]:
        """Return the open cells with two candidates."""
        return [cell for cell in members(self.open) if self.masks[cell].bit_count() == 2]

    def marks(self) -> dict[Cell, tuple[int, ...]]:
        """Return the candidates of the open cells."""
        cells = self.topology.cells
        return {cells[cell]: members(self.masks[cell]) for cell in members(self.open)}
