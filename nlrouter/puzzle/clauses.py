"""The answers of one layer as clauses for a satisfiability solver.

A variable for each side that a line may cross, for each cell that is filled, and for each binary
digit of the number of its line, which is the same in cells that a line joins. (With a variable for
each cell and line, proofs take as long, but 50x50 cells with 45 lines have half a million clauses.)
Loops that no end hangs on are left to the reader.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nlrouter.puzzle.drawing import WALL, Ends, strokes_along, ways_of
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes

Block = NDArray[np.int32]
"""Clauses of one length, ``(clauses, length)``."""


class Clauses:
    """The clauses of a board.

    Parameters
    ----------
    ends
        See `drawing.Ends`.
    rules
        The rule set.
    lowest
        Whether, of answers that can be changed into each other by local moves, only the shortest
        and then the lowest has to be a model, as in `sweep`. Others may be, too, and lines that
        touch themselves. Not by the rules ``flow``, which know no such moves.
    full
        Whether to fill every cell, as ``flow`` does in any case.
    order
        The places of the sides' variables, which come first: of those to the right of a cell, row
        by row, and then of those below.

    Attributes
    ----------
    blocks
        The clauses.
    """

    def __init__(
        self,
        ends: Ends,
        rules: Rules,
        *,
        lowest: bool,
        full: bool,
        order: NDArray[np.intp] | None = None,
    ) -> None:
        height, width = ends.shape
        self.ends = ends
        self._variables = 0
        sides = self._new((height * (width - 1) + (height - 1) * width,))
        sides = sides if order is None else sides[order]
        self.right = sides[: height * (width - 1)].reshape(height, width - 1)
        self.down = sides[height * (width - 1) :].reshape(height - 1, width)
        self._filled = self._new(ends.shape)
        self._bits = self._new((height, width, int(ends.max()).bit_length()))
        self.blocks: list[Block] = []
        full = full or rules is Rules.FLOW
        if full:
            self._add(self._filled)
        self._add_cells()
        self._add_lines(apart=rules is Rules.ADC and not lowest)
        self._add_squares(rules, lowest=lowest, full=full)

    def read(self, model: list[int]) -> tuple[Strokes, list[list[int]]]:
        """Return the lines of a model from end to end, and the sides of each loop besides."""
        true = np.array(model) > 0
        strokes = Strokes(true[self.right - 1], true[self.down - 1])
        lines = strokes_along(self.ends, ways_of(self.ends, strokes).values())
        rest = Strokes(strokes.right & ~lines.right, strokes.down & ~lines.down)
        if not self.crossed(rest):
            return lines, []  # As mostly; to look for pieces takes a library that is slow to load.
        return lines, [self.crossed(rest.only(piece)) for piece in rest.pieces()]

    def crossed(self, strokes: Strokes) -> list[int]:
        """Return the variables of the sides that are crossed."""
        sides = [*self.right[strokes.right].tolist(), *self.down[strokes.down].tolist()]
        return [int(side) for side in sides]

    def _new(self, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Return new variables in an array."""
        first = self._variables + 1
        self._variables += int(np.prod(shape))
        return np.arange(first, self._variables + 1).reshape(shape)

    def _add(self, *literals: ArrayLike) -> None:
        """Add a clause for each place of some arrays."""
        columns = np.broadcast_arrays(*literals)
        self.blocks.append(np.stack([column.ravel() for column in columns], 1).astype(np.int32))

    def _add_cells(self) -> None:
        """Ends have one side that is crossed, walls none; other cells two where filled, or none."""
        height, width = self.ends.shape
        framed = np.zeros((4, height, width), np.int64)
        framed[0, :, :-1], framed[1, :-1] = self.right, self.down
        framed[2, :, 1:], framed[3, 1:] = self.right, self.down
        is_end, is_inner = (self.ends > 0).ravel(), (self.ends == 0).ravel()
        self._add(self._filled.ravel()[~is_inner])
        self._add(-framed[(framed > 0) & (self.ends == WALL)])
        # Cells with the same number of sides make clauses of the same lengths.
        sides = framed.reshape(4, -1)
        count = (sides > 0).sum(0)
        for degree in range(1, 5):
            members = np.sort(sides, 0)[4 - degree :]
            ends = members[:, is_end & (count == degree)]
            self._add(*ends)
            inner = members[:, is_inner & (count == degree)]
            filled = self._filled.ravel()[is_inner & (count == degree)]
            for i in range(degree):
                self._add(-inner[i], filled)
                self._add(-filled, *np.delete(inner, i, 0))
                for j in range(i):
                    self._add(-ends[i], -ends[j])
                    for k in range(j):
                        self._add(-inner[i], -inner[j], -inner[k])

    def _add_lines(self, *, apart: bool) -> None:
        """Joined cells have one number; where lines are to be ``apart``, other neighbours two."""
        is_end = self.ends > 0
        own = self.ends[is_end][:, None] >> np.arange(self._bits.shape[2]) & 1
        self._add(np.where(own, self._bits[is_end], -self._bits[is_end]))
        for sides, before, after in (
            (self.right, np.s_[:, :-1], np.s_[:, 1:]),
            (self.down, np.s_[:-1], np.s_[1:]),
        ):
            side, one, other = sides[:, :, None], self._bits[before], self._bits[after]
            self._add(-side, -one, other)
            self._add(-side, one, -other)
            if apart:
                differs = self._new(one.shape)
                self._add(-differs, one, other)
                self._add(-differs, -one, -other)
                near = (self.ends[before] != WALL) & (self.ends[after] != WALL)
                filled = -self._filled[before][near], -self._filled[after][near]
                self._add(sides[near], *filled, *differs[near].T)

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
