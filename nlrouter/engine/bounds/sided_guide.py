"""What it costs at least to go on in a search that wants parities: its guide. Compiled.

The wanted bits are cut into groups of three at most, and for each group the exact cost to the
target with this group's parities alone comes from one backward search. The largest of these is
never too much (additive or largest *pattern databases*: J. Culberson, J. Schaeffer 1998).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner
from nlrouter.engine.paths.cheapest import INFINITE, least_onward, moved
from nlrouter.engine.paths.queue import (
    MOST_ONWARD,
    Queue,
    bucket_of,
    put,
    queue_for,
    take,
    wider,
)

GROUP_BITS = 3
"""Bits of a group: on adc2015 Q10, 8 bits, 2 take 10 ms, 3 take 5 and 4 take 15."""

ROUNDING = 1e-9
"""What sums of the same costs may differ by."""

FIRST_ENTRIES = 1 << 10
"""Entries of a queue for which there is room at first."""


class Group(NamedTuple):
    """Bits of which a guide knows the exact cost."""

    shift: int
    width: int
    """The ``width`` bits from ``shift`` on."""
    until: int
    """The parities at the source with which the search ends; -1: it goes on to its limit."""


class _Filling(NamedTuple):
    """How far a search from a target has come."""

    queue: Queue
    counts: NDArray[np.int64]
    """``(3,)`` the queue's bucket at hand, and how many entries were put in and taken out."""
    least: NDArray[np.float64]
    """``(1,)`` what the path costs with which it has ended, else `INFINITE`."""


@inner(cache=True)
def _fill(source, target, marks, group, limit, ground, rest, filling):
    """Fill ``rest[(2 * cell + axis) << width | parities]`` with the cost to the target.

    The parities are those of a `Group`'s bits that are still to be made; ``marks`` are those of one
    sheet. It is enough to fill what lies on a path of wanted parities that costs at most the limit,
    and what else is filled may be too much. Goes on where it has ended before; returns how far it
    has come.
    """
    while not _fill_more(source, target, marks, group, limit, ground, rest, filling):
        filling = _Filling(wider(filling.queue), filling.counts, filling.least)
    return filling


@inner(cache=True)
def _fill_more(source, target, marks, group, limit, ground, rest, filling):
    """Go on to fill as far as there is room; return whether it has ended.

    A search from the target, where the axis of a state is the one by which the path goes on.
    """
    free, half, stride = ground
    shift, width, until = group
    queue, counts, least = filling
    last, behind, costs, states = queue
    hand, count, taken = counts
    every = (1 << width) - 1
    source_y = source // stride
    source_x = source - source_y * stride
    other = 1 << width
    farthest = bucket_of(limit)
    ended = True
    while taken < count and hand <= farthest:
        if count + MOST_ONWARD > len(costs):
            ended = False
            break
        entry, hand = take(last, behind, hand)
        if entry < 0:
            if until >= 0 and least[0] < INFINITE:
                break
            continue
        taken += 1
        state = np.int64(states[entry])
        there = state >> width >> 1
        here = rest[state]
        if costs[entry] > here or rest[state ^ other] + 1.0 <= here:
            continue
        bend = 0.0 if there == source else 1.0
        rest[state ^ other] = min(rest[state ^ other], here + bend)
        if there == source:
            if (state & every) == until:
                least[0] = min(least[0], here)
            continue
        for move in range(2 if there == target else 4):
            cell, along, edge = moved(state >> width, move, stride)
            if not free[cell] and cell != source:
                continue
            cost = here + half[cell] + half[there] + (move >> 1)
            before = (state & every) ^ ((marks[along, edge] >> shift) & every)
            reached = ((2 * cell + along) << width) | before
            if cost < rest[reached] and cost < rest[reached ^ other] + 1.0:
                rest[reached] = cost
                key = cost + least_onward(cell, source_y, source_x, stride)
                count = put(last, behind, costs, states, hand, count, key, cost, reached)
    counts[0], counts[1], counts[2] = hand, count, taken
    return ended


class Guide(NamedTuple):
    """What it costs at least to go on, for groups of bits; the largest of these counts."""

    rest: NDArray[np.float64]
    shifts: NDArray[np.int64]
    widths: NDArray[np.int64]


@inner(cache=True)
def guide_of(source, target, sought, radius, ground):
    """Return the guide of a search, for groups of `GROUP_BITS` bits at most, and its limit.

    It is exact for what lies on walks that cost at most the limit: the radius more than what the
    dearest group costs alone.
    """
    plain, marks = sought.plain, sought.marks[0]
    cells, stride = ground.free.shape[0], ground.stride
    groups = max((plain + GROUP_BITS - 1) // GROUP_BITS, 1)
    shifts = np.empty(groups, np.int64)
    widths = np.empty(groups, np.int64)
    most = (2 * cells) << min(GROUP_BITS, plain)
    rest = np.full((groups, most), INFINITE)
    fillings = [_filling(source, target, stride) for _ in range(groups)]
    shift, dearest = 0, 0.0
    for g in range(groups):
        shifts[g] = shift
        widths[g] = (plain - shift + groups - g - 1) // (groups - g)
        shift += widths[g]
        queue, counts, _ = fillings[g]
        last, behind, costs, states = queue
        for axis in range(2):
            state = (2 * target + axis) << widths[g]
            rest[g, state] = 0.0
            counts[1] = put(last, behind, costs, states, counts[0], counts[1], 0.0, 0.0, state)
        until = (sought.want >> shifts[g]) & ((1 << widths[g]) - 1)
        group = Group(shifts[g], widths[g], until)
        fillings[g] = _fill(source, target, marks, group, INFINITE, ground, rest[g], fillings[g])
        dearest = max(dearest, fillings[g].least[0])
    if dearest < INFINITE:
        for g in range(groups):
            group = Group(shifts[g], widths[g], -1)
            limit = dearest + radius + ROUNDING
            _fill(source, target, marks, group, limit, ground, rest[g], fillings[g])
    return Guide(rest, shifts, widths), min(dearest + radius, INFINITE)


@inner(cache=True)
def _filling(source, target, stride):
    """Return how far a search has come that has not begun."""
    first = least_onward(target, source // stride, source % stride, stride)
    counts = np.array([bucket_of(first), 0, 0])
    return _Filling(queue_for(FIRST_ENTRIES), counts, np.array([INFINITE]))


@inner(cache=True)
def least_rest(rest, shifts, widths, place, parities):
    """Return what a guide says of a place and the parities still to be made."""
    least = 0.0
    for g in range(len(shifts)):
        wanted = (parities >> shifts[g]) & ((1 << widths[g]) - 1)
        least = max(least, rest[g, (place << widths[g]) | wanted])
    return least
