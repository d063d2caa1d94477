"""The lines of a part as whole lines: their nets, and the vias that each may choose from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.paths.cheapest import INFINITE, Ground, arrive, no_marks, search_parities

FIRST_REACH = 30.0
"""Cost up to which lines look for a via at first; from 15 to 60 there is hardly a difference."""

FARTHER = 4.0
"""Factor on that where it is too little."""

FARTHEST = 2000.0
"""From here on they look everywhere."""


class Lines(NamedTuple):
    """The lines of a part; those of span classes come last, class by class.

    Parameters
    ----------
    first, second
        ``(lines,)`` the nets of each, the second -1 where a line stays on one layer.
    open_to
        ``(lines, 2)`` the range of ``via_cells`` that a line may choose from.
    via_cells
        ``(vias,)`` the cells of all vias, class by class.
    ends
        ``(classes + 1,)`` where each class starts in ``via_cells``, and where the last one ends.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    open_to: NDArray[np.int32]
    via_cells: NDArray[np.int32]
    ends: NDArray[np.intp]

    def vias(self, assignment: Assignment) -> NDArray[np.int32]:
        """Return ``(lines,)`` the via of each line, -1 for those that take none."""
        via = np.full(len(self.first), -1, np.int32)
        chosen = [self.ends[i] + columns for i, columns in enumerate(assignment)]
        if chosen:
            via[self.second >= 0] = np.concatenate(chosen)
        return via

    def assignment(self, via: NDArray[np.int32]) -> Assignment:
        """Return the vias of all lines, ``(lines,)``, as an assignment."""
        if len(self.ends) == 1:
            return ()
        crossing = via[self.second >= 0].astype(np.intp)
        columns = crossing - np.repeat(self.ends[:-1], np.diff(self.ends))
        return tuple(np.split(columns, self.ends[1:-1]))


def lines_of(nets: Nets) -> Lines:
    """Return the lines of a part."""
    crossing = [
        (low, high, i)
        for i, span in enumerate(nets.classes)
        for low, high in zip(span.lower, span.upper, strict=True)
    ]
    alone = np.setdiff1d(np.arange(nets.count), [net for pair in crossing for net in pair[:2]])
    ends = np.cumsum([0, *(len(span.vias) for span in nets.classes)])
    return Lines(
        np.array([*alone, *(low for low, _, _ in crossing)], np.int32),
        np.array([-1] * len(alone) + [high for _, high, _ in crossing], np.int32),
        np.array(
            [(0, 0)] * len(alone) + [(ends[i], ends[i + 1]) for _, _, i in crossing], np.int32
        ).reshape(-1, 2),
        np.concatenate([np.empty(0, np.int32), *(span.via_cells for span in nets.classes)]),
        ends,
    )


@njit(cache=True)
def find_via(nets, open_to, via_cells, price, board, half, rooms, state):
    """Find the cheapest via for two nets and their paths to it; return it, -1 if there is none.

    Most find it near by: searches look no further than a cost that is raised where all vias might
    be beyond.

    Parameters
    ----------
    nets
        ``(2,)`` the nets.
    open_to
        ``(2,)`` the range of ``via_cells`` to choose from.
    via_cells, price
        ``(vias,)`` where they are, and what they cost besides the paths.
    board, half
        A `Board`, and ``(layers, cells)`` half of what cells cost.
    rooms
        Two of `Scratch`, filled by a search from each net.
    state
        ``(2,)`` filled with the last states before the via.
    """
    one, two = nets
    first = Ground(board.free[board.layer[one]], half[board.layer[one]], board.stride)
    second = Ground(board.free[board.layer[two]], half[board.layer[two]], board.stride)
    start, other = board.source[one], board.source[two]
    reach = FIRST_REACH
    while True:
        search_parities(start, -1, no_marks(), 0, reach, first, rooms[0])
        search_parities(other, -1, no_marks(), 0, reach, second, rooms[1])
        chosen = -1
        least = INFINITE
        state[:] = -1
        for v in range(open_to[0], open_to[1]):
            cost, before = arrive(via_cells[v], start, first, rooms[0].dist)
            more, after = arrive(via_cells[v], other, second, rooms[1].dist)
            if price[v] + cost + more < least:
                least = price[v] + cost + more
                chosen = v
                state[0], state[1] = before, after
        if least <= reach or reach >= INFINITE:
            return chosen
        reach = reach * FARTHER if reach < FARTHEST else INFINITE
