"""A layer divided into paths that do not touch themselves and leave no cell empty.

First, neighbouring cells are joined to paths in random order wherever the result does not
touch itself. Then each path that came out too short takes the end part of a path beside it, at
random, until none is too short: one more such path may be left over each time, but never two,
so they wander until they vanish.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from nlrouter.generators.layout import DeadEnd
from nlrouter.grid import neighbours
from nlrouter.problem import Cell

Path = list[Cell]


@dataclass(frozen=True)
class PartitionConfig:
    """Settings of the division."""

    shortest: int = 3
    """Cells of a path at least: two are a line that nobody has to look for."""
    swaps_per_cell: int = 50
    """Most swaps of end parts; 5 were enough for each of thousands of boards."""
    merges_per_cell: int = 20
    """Most swaps until there is a path less, which takes the more the longer paths are."""
    merge_choices: int = 4
    """Paths of which the shortest makes the next swap."""


class Partition:
    """A layer divided into paths.

    Parameters
    ----------
    z, width, height
        The layer and its size.
    rng
        Source of all random choices.
    vias
        Cells of the layer where a via begins or ends: each becomes an end of a path, and no
        path has two of them.
    walls
        Cells that belong to no path.
    """

    def __init__(
        self,
        z: int,
        width: int,
        height: int,
        rng: random.Random,
        vias: Collection[Cell] = (),
        walls: Collection[Cell] = (),
    ) -> None:
        self.width = width
        self.height = height
        self.rng = rng
        self.vias = frozenset(vias)
        self.config = PartitionConfig()
        cells = [Cell(z, y, x) for y, x in np.ndindex(height, width)]
        self.path_of = {cell: [cell] for cell in cells if cell not in walls}
        self.count = len(self.path_of)

    @property
    def paths(self) -> list[Path]:
        """The paths, in order of their first cells."""
        return list({id(path): path for path in self.path_of.values()}.values())

    def divide(self) -> None:
        """Divide the layer into paths that are long enough.

        Raises
        ------
        DeadEnd
            If that does not work out.
        """
        self._join_at_random()
        self._lengthen()

    def merge(self, count: int) -> None:
        """Make fewer paths of more cells each, by the same swaps, until there are so many.

        Raises
        ------
        DeadEnd
            If that takes too long.
        """
        cells = list(self.path_of)
        idle, least = 0, self.count
        while self.count > count:
            idle += 1
            if idle > self.config.merges_per_cell * len(cells):
                raise DeadEnd(f"no way to fill a layer with {count} lines")
            # Of a few paths the shortest, as it has the best chance to vanish.
            some = [self.path_of[self.rng.choice(cells)] for _ in range(self.config.merge_choices)]
            self._take_from_neighbour(min(some, key=len))
            if self.count < least:
                idle, least = 0, self.count
        self._lengthen()

    def _lengthen(self) -> None:
        """Make every path long enough; that never makes more of them."""
        short = [cell for cell, path in self.path_of.items() if self._is_short(path)]
        for _ in range(self.config.swaps_per_cell * len(self.path_of)):
            short = [cell for cell in short if self._is_short(self.path_of[cell])]
            if not short:
                return
            short += self._take_from_neighbour(self.path_of[self.rng.choice(short)])
        if any(self._is_short(self.path_of[cell]) for cell in short):
            raise DeadEnd(f"no way to fill a layer with lines of {self.config.shortest} cells")

    def _is_short(self, path: Path) -> bool:
        """Whether a path needs more cells; a via counts for those on its other layer."""
        return len(path) < self.config.shortest - self._has_via(path)

    def _has_via(self, path: Path) -> bool:
        return path[0] in self.vias or path[-1] in self.vias

    def _join_at_random(self) -> None:
        """Join paths end to end until none can be joined.

        One look at each pair of cells is enough, as what prevents a join stays.
        """
        pairs = [(cell, near) for cell in self.path_of for near in self._around(cell)]
        self.rng.shuffle(pairs)
        for cell, near in pairs:
            first, second = self.path_of[cell], self.path_of[near]
            if (
                first is not second
                and cell in (first[0], first[-1])
                and near in (second[0], second[-1])
            ):
                self.count -= self._join(cell, first, near, second)

    def _take_from_neighbour(self, path: Path) -> Path:
        """Join a path, at one of its ends, to the end part of a path beside it.

        Returns
        -------
        list
            What that leaves of the other path; it may be empty, and is so where nothing was
            joined.
        """
        cell = self.rng.choice(path if len(path) <= 2 else (path[0], path[-1]))
        beside = [near for near in self._around(cell) if self.path_of[near] is not path]
        if not beside:
            return []
        near = self.rng.choice(beside)
        other = self.path_of[near]
        i = other.index(near)
        if self.rng.random() < 0.5:
            part, rest = other[: i + 1], other[i + 1 :]
        else:
            part, rest = other[i:], other[:i]
        if not self._join(cell, path, near, part):
            return []
        for left in rest:
            self.path_of[left] = rest
        self.count -= not rest
        return rest

    def _join(self, cell: Cell, first: Path, near: Cell, second: Path) -> bool:
        """Join two paths at an end of each, if they touch nowhere else; return whether they do.

        The paths need not be those of `path_of` before, but they are afterwards.
        """
        if self._has_via(first) and self._has_via(second):
            return False
        if (cell in self.vias and len(first) > 1) or (near in self.vias and len(second) > 1):
            return False
        other = set(second)
        if sum(n in other for member in first for n in self._around(member)) != 1:
            return False
        head = first if first[-1] == cell else first[::-1]
        tail = second if second[0] == near else second[::-1]
        joined = head + tail
        for member in joined:
            self.path_of[member] = joined
        return True

    def _around(self, cell: Cell) -> Iterator[Cell]:
        """Yield the neighbours that belong to paths."""
        near = neighbours(cell, self.width, self.height)
        return (other for other in near if other in self.path_of)
