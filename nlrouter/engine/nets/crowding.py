"""Boards on which more lines must leave a block of a layer than its rim has places for.

A block is a rectangle of cells; where it spans the layer from border to border, its rim is a
straight cut. A line on one layer leaves if one of its ends lies within. Of the lines that share
the vias of one span, at least as many cross the rim as there are more ends than vias within, or
fewer, whichever vias they take. Each line that crosses needs a place of its own: a cell of the
block with a neighbour outside, both of them free or its own end or via.

All blocks are looked at at once, row by row of their upper edge, for those out of which more
lines lead than pairs of free cells; for these few, ends and vias on the rim are looked at as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nlrouter.answer import Answer
from nlrouter.engine.nets.groups import Group, groups_of
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem

COUNT = np.int16
"""What holds the number of lines or places of a block: narrow, as there are many blocks."""

BLOCKED = -1
"""Mark of a cell that no line can use."""


MOST_CELLS = 1600
"""Cells of a layer up to which all blocks are looked at: 36x36 takes 20 ms, 72x72 a second."""

MOST_CHECKED = 100
"""Blocks of a layer that are looked at closely, the most crowded first."""


@dataclass(frozen=True)
class _Block:
    """A block, its edges included."""

    top: int
    bottom: int
    left: int
    right: int


def crowded_block(problem: Problem, fixed: Answer) -> str:
    """Name a block that too many lines must leave; return an empty text if none is found.

    Parameters
    ----------
    problem
        The board; every span has as many vias as lines.
    fixed
        Lines that stay as they are, drawn as in an answer.
    """
    taken = np.where((fixed > 0) | (occupants(problem) != FREE), BLOCKED, FREE)
    for z, groups in enumerate(groups_of(problem, fixed)):
        if not groups:
            continue
        layer = _Layer(groups, taken[z])
        for block in _suspects(groups, layer.users == FREE):
            if reason := layer.reason(block):
                return f"on layer {z + 1}, {reason}"
    return ""


class _Layer:
    """The cells that the lines of a layer join, and who may use the others.

    Parameters
    ----------
    groups
        The groups of the layer.
    taken
        ``(height, width)``, `FREE` or `BLOCKED`.
    """

    def __init__(self, groups: list[Group], taken: NDArray[np.int32]) -> None:
        self.groups = groups
        ends = [(*cell[1:], k, 1) for k, group in enumerate(groups) for cell in group.starts]
        ends += [(*cell[1:], k, -1) for k, group in enumerate(groups) for cell in group.stops]
        self.y, self.x, self.group, self.sign = np.array(ends).T
        # Everybody, nobody, or one group, numbered from 1.
        self.users = taken.copy()
        self.users[self.y, self.x] = self.group + 1
        # Who may step from a cell up, down, to the left and to the right.
        framed = np.pad(self.users, 1, constant_values=BLOCKED)
        around = (framed[:-2, 1:-1], framed[2:, 1:-1], framed[1:-1, :-2], framed[1:-1, 2:])
        self.steps = np.stack([_user(self.users, other) for other in around], axis=2)

    def reason(self, block: _Block) -> str:
        """Say how many lines must leave a block, if those are too many."""
        within = (self.y >= block.top) & (self.y <= block.bottom)
        within &= (self.x >= block.left) & (self.x <= block.right)
        more = np.bincount(self.group[within], self.sign[within], len(self.groups))
        leaving = np.abs(more).astype(np.intp)
        own = self._places(block)
        places = int(own[FREE] + np.minimum(leaving, own[1:]).sum())
        total = int(leaving.sum())
        if total <= places:
            return ""
        names = []
        for group, count in zip(self.groups, leaving.tolist(), strict=True):
            lines = ", ".join(f"LINE#{number}" for number in group.lines)
            if count:
                names.append(lines if count == len(group.lines) else f"{count} of {lines}")
        return (
            f"{self._leave(block, total)} ({'; '.join(names)}), but only {places} "
            f"place{'s are' if places != 1 else ' is'} open to {'them' if total > 1 else 'it'}"
        )

    def _places(self, block: _Block) -> NDArray[np.intp]:
        """Return how many cells along the rim everybody can leave by, and each group alone."""
        steps = self.steps[block.top : block.bottom + 1, block.left : block.right + 1].copy()
        steps[1:, :, 0] = steps[:-1, :, 1] = steps[:, 1:, 2] = steps[:, :-1, 3] = BLOCKED
        highest = steps.max(axis=2)
        lowest = np.where(steps == BLOCKED, highest[:, :, None], steps).min(axis=2)
        # A free cell with several ends beside it serves one line, whichever.
        users = np.where(lowest == highest, highest, FREE)
        return np.bincount(users[users != BLOCKED], minlength=len(self.groups) + 1)

    def _leave(self, block: _Block, total: int) -> str:
        """Say where how many lines must leave."""
        height, width = self.users.shape
        which = f"{total} line{'s' * (total > 1)} must"
        if block.top == 0 and (block.left, block.right) == (0, width - 1):
            return _cut("row", block.bottom) + f"{which} cross"
        if block.left == 0 and (block.top, block.bottom) == (0, height - 1):
            return _cut("column", block.right) + f"{which} cross"
        corners = f"({block.left},{block.top}) to ({block.right},{block.bottom})"
        return f"{which} leave the block from {corners}"


def _suspects(groups: list[Group], free: NDArray[np.bool_]) -> list[_Block]:
    """Return blocks that more lines leave than along free cells: cuts first, then the worst."""
    height, width = free.shape
    small = height * width <= MOST_CELLS
    count = _Counts(groups, free, np.arange(width if small else 1))
    found = []
    for top in range(height if small else 1):
        excess = count.excess(top)
        suspects = np.flatnonzero(excess > 0)
        if top > 0 and len(suspects) > MOST_CHECKED:
            worst = np.argpartition(-excess.ravel()[suspects], MOST_CHECKED)
            suspects = suspects[worst[:MOST_CHECKED]]
        for row, left, right in zip(
            *(part.tolist() for part in np.unravel_index(suspects, excess.shape)), strict=True
        ):
            bottom = top + row
            spanning = (top == 0 and bottom == height - 1) or (left == 0 and right == width - 1)
            rank = (not spanning, -int(excess[row, left, right]))
            found.append((rank, _Block(top, bottom, left, right)))
    found.sort(key=lambda each: each[0])
    return [block for _, block in found[: MOST_CHECKED + height + width]]


class _Counts:
    """Counts for all blocks with some upper edge, as arrays ``(bottom, left, right)``.

    Parameters
    ----------
    groups
        The groups of the layer.
    free
        ``(height, width)``, the cells that everybody may use.
    lefts
        The left edges of interest, from 0 on.
    """

    def __init__(
        self, groups: list[Group], free: NDArray[np.bool_], lefts: NDArray[np.intp]
    ) -> None:
        self.shape = free.shape
        self.lefts = lefts
        self.none = np.arange(free.shape[1]) < lefts[:, None]
        single = [group.starts + group.stops for group in groups if len(group.lines) == 1]
        cells = np.array([[cell[1:] for cell in pair] for pair in single], np.intp).reshape(
            -1, 2, 2
        )
        self.low, self.high = cells.min(axis=1), cells.max(axis=1)
        self.ends = self._sums(cells.reshape(-1, 2), ())
        self.more = [
            self._sums([cell[1:] for cell in group.starts], [cell[1:] for cell in group.stops])
            for group in groups
            if len(group.lines) > 1
        ]
        # Between a cell and the one above it, or to its left: a pair of free cells.
        self.above = np.zeros((free.shape[0] + 1, free.shape[1]), COUNT)
        self.above[1:-1] = free[1:] & free[:-1]
        self.before = np.zeros((free.shape[0], free.shape[1] + 1), COUNT)
        self.before[:, 1:-1] = free[:, 1:] & free[:, :-1]
        self.above_sums = np.pad(self.above.cumsum(axis=1, dtype=COUNT), ((0, 0), (1, 0)))
        self.before_sums = np.pad(self.before.cumsum(axis=0, dtype=COUNT), ((1, 0), (0, 0)))

    def excess(self, top: int) -> NDArray[COUNT]:
        """Return how many lines more than places there are; 0 where the array has no block."""
        excess = self.leaving(top) - self.places(top)
        excess[:, self.none] = 0
        return excess

    def leaving(self, top: int) -> NDArray[COUNT]:
        """Return how many lines leave each block at least."""
        height, width = self.shape
        inner = self.low[:, 0] >= top
        both = np.zeros((height - top, len(self.lefts), width), COUNT)
        left = np.minimum(self.low[inner, 1], len(self.lefts) - 1)
        np.add.at(both, (self.high[inner, 0] - top, left, self.high[inner, 1]), 1)
        both = (
            both.cumsum(axis=0, dtype=COUNT)[:, ::-1]
            .cumsum(axis=1, dtype=COUNT)[:, ::-1]
            .cumsum(axis=2, dtype=COUNT)
        )
        leaving = self._within(self.ends, top) - (both << 1)
        for sums in self.more:
            leaving += np.abs(self._within(sums, top))
        return leaving

    def places(self, top: int) -> NDArray[COUNT]:
        """Return how many free cells of each block have a free neighbour outside.

        Of blocks one cell wide some count twice, of single cells none.
        """
        lefts = self.lefts[:, None]
        upper, lower = self.above_sums[top], self.above_sums[top + 1 :, None]
        beside = self.before_sums[top + 1 :] - self.before_sums[top]
        places = upper[1:] - upper[lefts] + lower[..., 1:] - lower[..., 0, lefts]
        places += beside[:, lefts] + beside[:, None, 1:]
        # A corner is one cell, however many neighbours it has.
        up, down = self.above[top], self.above[top + 1 :]
        places -= up[lefts] & self.before[top, lefts]
        places -= up & self.before[top, 1:]
        places -= (down & self.before[top:, :-1])[:, lefts]
        places -= (down & self.before[top:, 1:])[:, None]
        return places

    def _within(self, sums: NDArray[COUNT], top: int) -> NDArray[COUNT]:
        """Return the sum over each block."""
        strip = sums[top + 1 :] - sums[top]
        return strip[:, None, 1:] - strip[:, self.lefts, None]

    def _sums(self, cells: ArrayLike, less: ArrayLike) -> NDArray[COUNT]:
        """Return for each corner how many cells lie before it, less some others."""
        field = np.zeros(self.shape, COUNT)
        for some, weight in ((cells, 1), (less, -1)):
            y, x = np.asarray(some, np.intp).reshape(-1, 2).T
            np.add.at(field, (y, x), weight)
        return np.pad(
            field.cumsum(axis=0, dtype=COUNT).cumsum(axis=1, dtype=COUNT), ((1, 0), (1, 0))
        )


def _cut(name: str, k: int) -> str:
    return f"between {name}s {k} and {k + 1} (counted from 0), "


def _user(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return who may use two neighbouring cells: everybody, nobody or one group."""
    nobody = (one == BLOCKED) | (other == BLOCKED)
    nobody |= (one != other) & (one != FREE) & (other != FREE)
    return np.where(nobody, np.int32(BLOCKED), np.maximum(one, other))
