"""Cheapest paths on one layer in whole numbers, for the check of a certificate.

Charges are in half units: a step costs the halves of the two cells that it joins, so that a
path costs its cells; ends have a half of their own. Dijkstra's algorithm (1959) on states
``2 * cell + axis``, the axis (0 along x, 1 along y) being that by which the cell was entered.
The edge from a cell to the next along an axis has the number ``2 * cell + axis``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from heapq import heappop, heappush

UNREACHED = 10**18
"""Cost where there is no path; the limited numbers of a certificate come nowhere near."""

Neighbours = list[list[tuple[int, int, int]]]
"""For each cell: its neighbours, each with the axis and the number of the edge to it."""

NO_TOLLS: Mapping[int, int] = {}
NO_MARKS: Mapping[int, int] = {}


def neighbours_of(height: int, width: int) -> Neighbours:
    """Return the neighbours of each cell ``y * width + x``."""
    near: Neighbours = [[] for _ in range(height * width)]
    for cell in range(height * width):
        if (cell + 1) % width:
            near[cell].append((cell + 1, 0, 2 * cell))
            near[cell + 1].append((cell, 0, 2 * cell))
        if cell + width < height * width:
            near[cell].append((cell + width, 1, 2 * cell + 1))
            near[cell + width].append((cell, 1, 2 * cell + 1))
    return near


def distances(
    near: Neighbours,
    half: list[int],
    bend: int,
    source: int,
    goals: Collection[int],
    end_half: int = 0,
    tolls: Mapping[int, int] = NO_TOLLS,
) -> list[int]:
    """Return what it costs to come from a source to each state.

    Parameters
    ----------
    near
        The layer's neighbours.
    half
        For each cell half of what it costs, -1 where no path may pass.
    bend
        What a bend costs.
    source
        Cell to start from; what ``half`` says of it does not matter.
    goals
        Cells that may be entered though no path may pass them.
    end_half
        Half of what the source and a goal cost.
    tolls
        What edges pay. No step costs less than nothing for it.
    """
    cost = [UNREACHED] * (2 * len(half))
    cost[2 * source] = cost[2 * source + 1] = 0
    heap = [(0, 2 * source)]
    while heap:
        here, state = heappop(heap)
        if here > cost[state]:
            continue
        cell, came = divmod(state, 2)
        own = end_half if cell == source else half[cell]
        if own < 0:
            continue
        for there, axis, edge in near[cell]:
            onward = half[there]
            if onward < 0:
                if there not in goals:
                    continue
                onward = end_half
            onward += own
            if tolls:
                onward = max(0, onward - tolls.get(edge, 0))
            onward += here
            if axis != came and cell != source:
                onward += bend
            after = 2 * there + axis
            if onward < cost[after]:
                cost[after] = onward
                heappush(heap, (onward, after))
    return cost


def cheapest(
    near: Neighbours,
    half: list[int],
    bend: int,
    source: int,
    target: int,
    rest: list[int],
    marks: Mapping[int, int] = NO_MARKS,
    want: int = 0,
    most: int = 0,
    enough: int = UNREACHED,
    end_half: int = 0,
    tolls: Mapping[int, int] = NO_TOLLS,
) -> int:
    """Return the cost of the cheapest walk that takes marked edges in the wanted parities.

    It is a lower bound where it is ``enough`` or more: then the search has stopped there.

    Most parities come out right by themselves. So none is asked for at first, and then those
    that came out wrong; without some of them the cost is at least a lower bound.

    Parameters
    ----------
    near, half, bend, source, end_half, tolls
        As in `distances`.
    target
        Cell to come to.
    rest
        What it costs at least to go on from each state, `UNREACHED` where there is no way: the
        guide (A*; Hart, Nilsson, Raphael 1968).
    marks
        Bits of an edge.
    want
        The exclusive or of the bits of all edges taken has to be this.
    most
        Parities that may be asked for.
    enough
        Cost above which it does not matter.
    """
    asked = 0
    while True:
        cost, parities = _cheapest(
            near, half, bend, source, target, rest, marks, want, asked, enough, end_half, tolls
        )
        wrong = parities ^ want
        if cost >= enough or not wrong or (asked | wrong).bit_count() > most:
            return cost
        asked |= wrong


def _cheapest(
    near: Neighbours,
    half: list[int],
    bend: int,
    source: int,
    target: int,
    rest: list[int],
    marks: Mapping[int, int],
    want: int,
    asked: int,
    enough: int,
    end_half: int,
    tolls: Mapping[int, int],
) -> tuple[int, int]:
    """Return cost and parities of the cheapest walk with the bits of ``want`` asked for."""
    bits = asked.bit_length()
    start = 2 * source << bits
    cost = {start: 0}
    taken = {start: 0}
    heap = [(0, start)]
    while heap:
        guess, state = heappop(heap)
        if guess >= enough:
            return guess, want
        place = state >> bits
        cell, came = divmod(place, 2)
        here = cost[state]
        parities = taken[state]
        if cell == target:
            if not (parities ^ want) & asked:
                return here, parities
            continue
        if cell != source and guess > here + rest[place]:
            continue
        own = end_half if cell == source else half[cell]
        for there, axis, edge in near[cell]:
            onward = half[there]
            if onward < 0:
                if there != target:
                    continue
                onward = end_half
            onward += own
            if tolls:
                onward = max(0, onward - tolls.get(edge, 0))
            onward += here
            if axis != came and cell != source:
                onward += bend
            reached = 2 * there + axis
            after_taken = parities ^ marks.get(edge, 0)
            after = reached << bits | (after_taken & asked)
            if onward < cost.get(after, UNREACHED) and rest[reached] < UNREACHED:
                cost[after] = onward
                taken[after] = after_taken
                heappush(heap, (onward + rest[reached], after))
    return UNREACHED, 0


def rest_by_distances(back: list[int], bend: int, target: int) -> list[int]:
    """Return the guide that the distances from the target make: exact where there are no marks.

    Seen from the target, the axis of a state is that of the first step onward.
    """
    rest = [min(back[state], back[state ^ 1] + bend) for state in range(len(back))]
    rest[2 * target] = rest[2 * target + 1] = 0
    return rest


def rest_by_position(height: int, width: int, target: int, cell: int, bend: int) -> list[int]:
    """Return the guide for edges without tolls: free cells of a least cost, and bends.

    Parameters
    ----------
    cell
        What a cell costs at least.
    """
    to_y, to_x = divmod(target, width)
    rest = []
    for y in range(height):
        for x in range(width):
            down, across = abs(y - to_y), abs(x - to_x)
            least = cell * (down + across) - cell // 2
            rest.append(least + bend * (down > 0))
            rest.append(least + bend * (across > 0))
    rest[2 * target] = rest[2 * target + 1] = 0
    return rest
