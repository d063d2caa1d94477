"""Lines laid one after the other, each the shortest way that is left."""

from __future__ import annotations

import random
from collections import deque

import numpy as np

from nlrouter.answer import Answer
from nlrouter.generators.layout import Column, Made, problem_of
from nlrouter.grid import neighbours
from nlrouter.problem import Cell

Path = list[Cell]

Reach = dict[Cell, Cell]
"""Cells that can be reached, in order of their distance; of each, the cell before it."""


def path_to(goal: Cell, reach: Reach) -> Path:
    """Return a shortest path to a cell, which as such does not touch itself."""
    path = [goal]
    while reach[path[-1]] != path[-1]:
        path.append(reach[path[-1]])
    return path[::-1]


class Canvas:
    """A board on which lines are laid.

    Parameters
    ----------
    shape
        Layers, height and width.
    rng
        Source of all random choices.

    Attributes
    ----------
    answer
        The lines laid so far.
    reserved
        ``(layers, height, width)`` bool, cells that lines only end in.
    """

    def __init__(self, shape: tuple[int, int, int], rng: random.Random) -> None:
        self.answer: Answer = np.zeros(shape, dtype=np.int32)
        self.reserved = np.zeros(shape, dtype=np.bool_)
        self.rng = rng
        self._ends: dict[int, tuple[Cell, Cell]] = {}
        self._columns: list[Column] = []

    def reach(self, start: Cell) -> Reach:
        """Return what free cells can be reached from a cell, the nearest first."""
        _, height, width = self.answer.shape
        before = {start: start}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            if self.reserved[cell] and cell != start:
                continue
            around = list(neighbours(cell, width, height))
            self.rng.shuffle(around)
            for near in around:
                if near not in before and not self.answer[near]:
                    before[near] = cell
                    queue.append(near)
        return before

    def is_free(self, column: Column) -> bool:
        """Whether a via has room here."""
        y, x, bottom, top = column
        cells = slice(bottom, top + 1), y, x
        return not (self.answer[cells].any() or self.reserved[cells].any())

    def lay(self, path: Path) -> None:
        """Lay a new line along a path on one layer."""
        number = len(self._ends) + 1
        self._ends[number] = path[0], path[-1]
        for cell in path:
            self.answer[cell] = number

    def lay_through(self, first: Path, column: Column, second: Path) -> None:
        """Lay a new line along two paths that both end in a via."""
        number = len(self._ends) + 1
        self._ends[number] = first[0], second[0]
        self._columns.append(column)
        y, x, bottom, top = column
        self.answer[bottom : top + 1, y, x] = number
        for cell in (*first, *second):
            self.answer[cell] = number

    def made(self) -> Made:
        """Return the board with the lines laid so far."""
        return problem_of(self.answer, self._ends, self._columns), self.answer
