"""The answers of one layer as clauses for a satisfiability solver.

A variable for each side that a line may cross, for each cell that is filled, and for each cell and
line whether the cell is that line's. Cells on both sides of a crossed one are of the same lines;
that no cell is of two need not be said, as both ends of a line are only its own. Loops that no end
hangs on are left to the reader.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes

Block = NDArray[np.int32]
"""Clauses of one length, ``(clauses, length)``."""


class Clauses:
    """The clauses of a board.

    Parameters
    ----------
    ends
        ``(height, width)`` the line's number in its two end cells, 0 elsewhere.
    rules
        The rule set.
    lowest
        Whether, of answers that can be changed into each other by local moves, only the shortest
        and then the lowest counts, as in `sweep`. Not by the rules ``flow``, which know no such
        moves; by ``nikoli`` what is left are answers by ``adc``.
    full
        Whether to fill every cell, as ``flow`` does in any case.

    Attributes
    ----------
    blocks
        The clauses.
    """

    def __init__(self, ends: NDArray[np.int64], rules: Rules, *, lowest: bool, full: bool) -> None:
        height, width = ends.shape
        self.ends = ends
        self.right = 1 + np.arange(height * (width - 1)).reshape(height, width - 1)
        first = 1 + self.right.size
        self.down = first + np.arange((height - 1) * width).reshape(height - 1, width)
        first += self.down.size
        self._filled = first + np.arange(ends.size).reshape(ends.shape)
        first += ends.size
        lines = int(ends.max())
        self._of = first + np.arange(ends.size * lines).reshape(*ends.shape, lines)
        self.blocks: list[Block] = []
        full = full or rules is Rules.FLOW
        if full:
            self._add(self._filled)
        self._add_cells()
        self._add_lines(apart=rules is Rules.ADC or lowest)
        self._add_squares(rules, lowest=lowest, full=full)

    def read(self, model: list[int]) -> tuple[Strokes, list[list[int]]]:
        """Return the lines of a model from end to end, and the sides of each loop besides."""
        true = np.array(model) > 0
        strokes = Strokes(true[self.right - 1], true[self.down - 1])
        loops = []
        for piece in strokes.pieces():
            if not any(self.ends[cell] for cell in piece):
                loops.append(self.crossed(strokes.only(piece)))
                strokes = strokes.without(piece)
        return strokes, loops

    def crossed(self, strokes: Strokes) -> list[int]:
        """Return the variables of the sides that are crossed."""
        sides = [*self.right[strokes.right].tolist(), *self.down[strokes.down].tolist()]
        return [int(side) for side in sides]

    def _add(self, *literals: ArrayLike) -> None:
        """Add a clause for each place of some arrays."""
        columns = np.broadcast_arrays(*literals)
        self.blocks.append(np.stack([column.ravel() for column in columns], 1).astype(np.int32))

    def _add_cells(self) -> None:
        """Ends have one side that is crossed, other filled cells two, and empty ones none."""
        height, width = self.ends.shape
        framed = np.zeros((4, height, width), np.int64)
        framed[0, :, :-1], framed[1, :-1] = self.right, self.down
        framed[2, :, 1:], framed[3, 1:] = self.right, self.down
        is_end = (self.ends > 0).ravel()
        self._add(self._filled.ravel()[is_end])
        # Cells with the same number of sides make clauses of the same lengths.
        sides = framed.reshape(4, -1)
        count = (sides > 0).sum(0)
        for degree in range(1, 5):
            members = np.sort(sides, 0)[4 - degree :]
            ends = members[:, is_end & (count == degree)]
            self._add(*ends)
            inner = members[:, ~is_end & (count == degree)]
            filled = self._filled.ravel()[~is_end & (count == degree)]
            for i in range(degree):
                self._add(-inner[i], filled)
                self._add(-filled, *np.delete(inner, i, 0))
                for j in range(i):
                    self._add(-ends[i], -ends[j])
                    for k in range(j):
                        self._add(-inner[i], -inner[j], -inner[k])

    def _add_lines(self, *, apart: bool) -> None:
        """Joined cells are of the same lines; cells ``apart`` of each other are not."""
        numbers = 1 + np.arange(self._of.shape[2])
        is_end = self.ends > 0
        own = self.ends[is_end][:, None] == numbers
        self._add(np.where(own, self._of[is_end], -self._of[is_end]))
        for sides, first, second in (
            (self.right, self._of[:, :-1], self._of[:, 1:]),
            (self.down, self._of[:-1], self._of[1:]),
        ):
            side = sides[:, :, None]
            self._add(-side, -first, second)
            self._add(-side, first, -second)
            if apart:
                self._add(side, -first, -second)

    def _add_squares(self, rules: Rules, *, lowest: bool, full: bool) -> None:
        """No loop around a square; no three sides of one either, where the line is to be short."""
        top, bottom = self.right[:-1], self.right[1:]
        left, right = self.down[:, :-1], self.down[:, 1:]
        square = (top, right, bottom, left)
        if rules is Rules.FLOW or (rules is Rules.NIKOLI and not lowest):
            self._add(*(-side for side in square))
            return
        for i in range(4):
            self._add(*(-side for j, side in enumerate(square) if j != i))
        if lowest and not full:
            self._add(-top, -left, self._filled[1:, 1:])
            self._add(-top, -right, self._filled[1:, :-1])
