"""Lines that must cross as what they join alternates along a wall.

What a wall leaves over of a layer falls into discs, see ``rims``. A line that joins two places on
the rim of a disc cuts it in two, and whoever is to be joined across the cut meets that line
(Jordan's curve theorem). An end may touch a rim with several sides, or more than one rim, and its
line can leave it by any: every way has to meet some other line. A cell that is not on the rim, or
on both sides of the cut, is taken to lie wherever it does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.engine.nets.groups import Group, groups_of
from nlrouter.engine.nets.regions import regions_of
from nlrouter.engine.nets.rims import rims
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Cell, Problem


def crossing_lines(problem: Problem, fixed: Answer) -> str:
    """Name lines that must cross as their ends alternate along a wall; else return an empty text.

    Parameters
    ----------
    problem
        The board; every span has as many vias as lines.
    fixed
        Lines that stay as they are, drawn as in an answer.
    """
    filled = (fixed > 0) | (occupants(problem) != FREE)
    for z, groups in enumerate(groups_of(problem, fixed)):
        reason = _Layer(groups, filled[z]).reason()
        if reason:
            return f"on layer {z + 1}, {reason}"
    return ""


class _Layer:
    """The cells that the lines of a layer join, numbered group by group, and their rims."""

    def __init__(self, groups: list[Group], filled: NDArray[np.bool_]) -> None:
        self.groups = groups
        self.cells = [cell for group in groups for cell in group.starts + group.stops]
        self.size = np.array([len(group.lines) for group in groups], np.intp)
        self.group = np.repeat(np.arange(len(groups)), 2 * self.size)
        self.start = np.array([k < size for size in self.size for k in range(2 * size)], np.bool_)
        # A rim is the numbers of its cells, once for each side by which a line can leave the cell,
        # in their order around.
        self.rims: list[NDArray[np.intp]] = []
        self.on_border: list[bool] = []
        # By number: the rims and the places there of the cell's sides.
        self.sides: list[list[tuple[int, int]]] = [[] for _ in self.cells]
        self._walk(filled)
        # By number: whether the cell can be joined only across one disc. One that touches a cell
        # that it may be joined with needs none.
        self.only = np.array([len({rim for rim, _ in own}) == 1 for own in self.sides], np.bool_)
        self.touching = self._touching_mates()
        self.only[[i for pair in self.touching for i in pair]] = False

    def _walk(self, filled: NDArray[np.bool_]) -> None:
        """Find the rims with the cells on them."""
        stride = filled.shape[1] + 2
        number = {(cell.y + 1) * stride + cell.x + 1: i for i, cell in enumerate(self.cells)}
        # Cells that touch at a corner make one wall; the border's has the number of any corner.
        walls = regions_of(np.pad(filled, 1, constant_values=True), corners=True).ravel()
        group, start = self.group.tolist(), self.start.tolist()
        found = []
        met: set[tuple[int, int, bool]] = set()
        for region, rim in rims(filled):
            around = [number[cell] for cell in rim if cell in number]
            met.update((region, group[i], start[i]) for i in around)
            found.append((region, around, bool(walls[rim[0]] == walls[0])))
        for region, around, on_border in found:
            # No line leaves a cell for a region that nothing it may be joined with touches.
            around = [i for i in around if (region, group[i], not start[i]) in met]
            for place, i in enumerate(around):
                self.sides[i].append((len(self.rims), place))
            self.rims.append(np.array(around, np.intp))
            self.on_border.append(on_border)

    def _touching_mates(self) -> set[tuple[int, int]]:
        """Return the pairs ``(start, stop)`` of a group that are neighbours."""
        number = {cell: i for i, cell in enumerate(self.cells)}
        pairs = set()
        for (z, y, x), i in number.items():
            for near in (Cell(z, y, x + 1), Cell(z, y + 1, x)):
                j = number.get(near, i)
                if self.group[i] == self.group[j] and self.start[i] != self.start[j]:
                    pairs.add((i, j) if self.start[i] else (j, i))
        return pairs

    def reason(self) -> str:
        """Name a line that must cross another; return an empty text if none is found."""
        first = 0
        for group, size in zip(self.groups, self.size.tolist(), strict=True):
            stops = range(first + size, first + 2 * size)
            for k, line in enumerate(group.lines):
                crossed: set[int] = set()
                for stop in stops:
                    found = self._crossed(first + k, stop)
                    if not found:
                        break
                    crossed |= found
                else:
                    return self._words(line, first + k, crossed)
            first += 2 * size
        return ""

    def _crossed(self, start: int, stop: int) -> set[int]:
        """Return groups that a line between two cells must meet; none if it may meet no other."""
        crossed = set()
        for way in self._ways(start, stop):
            groups = self._cut_by(*way, start, stop)
            if not len(groups):
                return set()
            crossed.add(int(groups[0]))
        return crossed

    def _ways(self, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """Yield the rims, and two places on each, between which a line can join two cells.

        None are yielded where the cells touch or belong to two walls.
        """
        if (start, stop) not in self.touching:
            for rim, place in self.sides[start]:
                for other, end in self.sides[stop]:
                    if rim == other:
                        yield rim, min(place, end), max(place, end)

    def _cut_by(self, rim: int, low: int, high: int, *own: int) -> NDArray[np.intp]:
        """Return the groups that a line meets between two places of a rim, which are its own."""
        around = self.rims[rim]
        count = len(self.cells)
        here = np.bincount(around, minlength=count)
        inside = np.bincount(around[low + 1 : high], minlength=count)
        bound = self.only & (here > 0)
        bound[list(own)] = False
        size = self.size.copy()
        size[self.group[own[0]]] -= 1
        sides = (bound & (inside == here), bound & (inside == 0))
        met = np.zeros(len(size), np.bool_)
        for one, other in (sides, sides[::-1]):
            # Starts on one side need stops that are not bound to the other.
            held = (one & self.start) | (other & ~self.start)
            met |= np.bincount(self.group[held], minlength=len(size)) > size
        return np.flatnonzero(met)

    def _words(self, line: int, start: int, crossed: set[int]) -> str:
        """Say that a line must cross others."""
        own = self.groups[self.group[start]]
        others = []
        for group in (self.groups[i] for i in sorted(crossed)):
            lines = [f"LINE#{number}" for number in group.lines if number != line]
            others.append("one of " * (len(lines) > 1) + ", ".join(lines))
        which = ", whichever via it takes," * (len(own.lines) > 1)
        vias = " and vias" * (own.vias or any(self.groups[i].vias for i in crossed))
        cell = self.cells[start]
        border = any(self.on_border[rim] for rim, _ in self.sides[start])
        wall = "the border" if border else f"the wall at ({cell.x},{cell.y})"
        return (
            f"LINE#{line} must cross {' or '.join(others)}{which} as their ends{vias} alternate "
            f"along {wall}"
        )
