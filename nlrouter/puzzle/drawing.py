"""Drawings of lines on one layer: their cells, and the moves that change one into another."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.problem import Problem
from nlrouter.strokes import Strokes

Place = tuple[int, int]
"""Row and column of a cell."""

Ends = NDArray[np.int64]
"""``(height, width)``: the line's number in its two end cells, `WALL` where no line may run, 0
elsewhere."""

WALL = -1
"""Stands in a cell that stays empty."""


def ends_of(problem: Problem) -> Ends:
    """Return the ends of a board with one layer."""
    ends = np.zeros((problem.height, problem.width), np.int64)
    for line in problem.lines:
        for end in line.ends:
            ends[end.y, end.x] = line.number
    return ends


def can_be_filled(ends: Ends) -> bool:
    """Whether the colours of a chessboard allow that lines fill the board.

    A line passes them by turns, so that it has one cell more of the colour that both of its ends
    have, and as many of both if theirs are different.
    """
    colour = 1 - 2 * (np.indices(ends.shape).sum(0) % 2)
    return bool(2 * colour[ends != WALL].sum() == colour[ends > 0].sum())


def ways_of(ends: Ends, strokes: Strokes) -> dict[int, list[Place]]:
    """Return the cells of each line from end to end."""
    near: dict[Place, list[Place]] = {}
    for marks, down, right in (strokes.right, 0, 1), (strokes.down, 1, 0):
        for y, x in np.argwhere(marks).tolist():
            near.setdefault((y, x), []).append((y + down, x + right))
            near.setdefault((y + down, x + right), []).append((y, x))
    ways: dict[int, list[Place]] = {}
    for y, x in np.argwhere(ends > 0).tolist():
        if int(ends[y, x]) in ways:
            continue
        way, before = [(y, x)], (-1, -1)
        while onward := [cell for cell in near[way[-1]] if cell != before]:
            before = way[-1]
            way.append(onward[0])
            if ends[onward[0]]:
                break
        ways[int(ends[y, x])] = way
    return ways


def strokes_along(ends: Ends, ways: Iterable[list[Place]]) -> Strokes:
    """Return the sides that some ways cross."""
    strokes = Strokes.none(*ends.shape)
    for way in ways:
        for first, second in pairwise(way):
            strokes.join(first, second)
    return strokes


def answer_along(ends: Ends, strokes: Strokes) -> Answer:
    """Return the numbers of the cells on each line's way."""
    answer: Answer = np.zeros((1, *ends.shape), np.int32)
    for line, way in ways_of(ends, strokes).items():
        for y, x in way:
            answer[0, y, x] = line
    return answer


def unfilled(ends: Ends, strokes: Strokes) -> set[Place]:
    """Return the cells in which a line may run and none does."""
    free = (answer_along(ends, strokes)[0] == 0) & (ends == 0)
    return {(y, x) for y, x in np.argwhere(free).tolist()}


def shortened(ends: Ends, strokes: Strokes) -> Strokes:
    """Cut lines short where they touch themselves, until none does."""
    touching = Strokes.between_equals(answer_along(ends, strokes)).cells_that_differ(strokes)
    if not touching.any():
        return strokes
    ways = (_shortest(way[0], way[-1], set(way)) for way in ways_of(ends, strokes).values())
    return strokes_along(ends, ways)


def flipped(ends: Ends, strokes: Strokes) -> Strokes | None:
    """Turn a corner of a line over into an empty cell; None if no corner stands around one."""
    empty = unfilled(ends, strokes)
    for way in ways_of(ends, strokes).values():
        for (y0, x0), (y1, x1), (y2, x2) in zip(way, way[1:], way[2:], strict=False):
            if y0 != y2 and x0 != x2:
                across = y0 + y2 - y1, x0 + x2 - x1
                if across in empty:
                    other = strokes.without([(y0, x0), (y1, x1), (y2, x2)])
                    other.join((y0, x0), across)
                    other.join(across, (y2, x2))
                    return other
    return None


def lengthened(ends: Ends, strokes: Strokes) -> Strokes | None:
    """Lead a line from a cell to its next one through empty cells; None if none can be so."""
    empty = unfilled(ends, strokes)
    for way in ways_of(ends, strokes).values():
        for first, second in pairwise(way):
            around = _shortest(first, second, empty | {first, second}, direct=False)
            if around:
                other = strokes.without([first, second])
                for here, there in pairwise(around):
                    other.join(here, there)
                return other
    return None


def _shortest(start: Place, stop: Place, cells: set[Place], *, direct: bool = True) -> list[Place]:
    """Return a shortest way through some cells, if asked so not the one straight to a neighbour."""
    before: dict[Place, Place] = {start: start}
    queue = deque([start])
    while queue and stop not in before:
        y, x = here = queue.popleft()
        for there in (y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x):
            if (
                there in cells
                and there not in before
                and (direct or (here, there) != (start, stop))
            ):
                before[there] = here
                queue.append(there)
    if stop not in before:
        return []
    way = [stop]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]
