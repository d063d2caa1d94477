"""Where the lines of a board with one layer run: between which cells.

Where a line may run beside itself, as in most puzzles, the numbers of the cells do not tell that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer


@dataclass(frozen=True, eq=False)
class Strokes:
    """The sides between two cells that lines cross.

    Parameters
    ----------
    right
        ``(height, width - 1)``: whether a line joins a cell and the next one of its row.
    down
        ``(height - 1, width)``: whether it joins a cell and the one below.
    """

    right: NDArray[np.bool_]
    down: NDArray[np.bool_]

    @classmethod
    def none(cls, height: int, width: int) -> Strokes:
        """Return those of a board on which nothing is drawn."""
        return cls(np.zeros((height, width - 1), np.bool_), np.zeros((height - 1, width), np.bool_))

    @classmethod
    def between_equals(cls, answer: Answer) -> Strokes:
        """Return those between all neighbours of one number, as lines run that touch nowhere."""
        layer = answer[0]
        return cls(
            (layer[:, 1:] == layer[:, :-1]) & (layer[:, 1:] != 0),
            (layer[1:] == layer[:-1]) & (layer[1:] != 0),
        )

    def join(self, first: tuple[int, int], second: tuple[int, int]) -> None:
        """Let a line cross the side between two neighbours ``(y, x)``."""
        (y, x), (below, _) = sorted((first, second))
        (self.right if y == below else self.down)[y, x] = True

    def joined(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Return what each cell ``(y, x)`` that a line leads through is joined with."""
        joined: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for sides, down, right in ((self.right, 0, 1), (self.down, 1, 0)):
            for y, x in np.argwhere(sides).tolist():
                joined.setdefault((y, x), []).append((y + down, x + right))
                joined.setdefault((y + down, x + right), []).append((y, x))
        return joined

    def pieces(self) -> list[list[tuple[int, int]]]:
        """Return the cells ``(y, x)`` of each piece that hangs together."""
        joined = self.joined()
        pieces = []
        while joined:
            piece, due = [], [next(iter(joined))]
            while due:
                cell = due.pop()
                if cell in joined:
                    piece.append(cell)
                    due += joined.pop(cell)
            pieces.append(sorted(piece))
        return pieces

    def only(self, cells: Iterable[tuple[int, int]]) -> Strokes:
        """Return those between some cells ``(y, x)``."""
        inside = np.zeros((self.right.shape[0], self.down.shape[1]), np.bool_)
        for cell in cells:
            inside[cell] = True
        return Strokes(
            self.right & inside[:, :-1] & inside[:, 1:], self.down & inside[:-1] & inside[1:]
        )

    def without(self, cells: Iterable[tuple[int, int]]) -> Strokes:
        """Return those that do not lie between some cells."""
        dropped = self.only(cells)
        return Strokes(self.right & ~dropped.right, self.down & ~dropped.down)

    def cells_that_differ(self, other: Strokes) -> NDArray[np.bool_]:
        """Mark the cells, ``(height, width)``, beside a side that only one of two crosses."""
        height, width = self.right.shape[0], self.down.shape[1]
        marked = np.zeros((height, width), np.bool_)
        right, down = self.right != other.right, self.down != other.down
        marked[:, :-1] |= right
        marked[:, 1:] |= right
        marked[:-1] |= down
        marked[1:] |= down
        return marked
