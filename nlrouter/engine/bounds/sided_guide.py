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

    places: NDArray[np.int64]
    """``(width,)`` which bits these are."""
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

    The parities are those of a `Group`'s bits, one after the other, that are still to be made;
    ``marks`` are those of one sheet. It is enough to fill what lies on a path of wanted parities
    that costs at most the limit, and what else is filled may be too much. Goes on where it has
    ended before; returns how far it has come.
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
    places, until = group
    width = len(places)
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
            before = (state & every) ^ _picked(marks[along, edge], places)
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
    """``(groups, places)`` for each group, by place and the parities of its bits."""
    places: NDArray[np.int64]
    """``(guided,)`` the bits of the first group, then those of the second, and so on."""
    starts: NDArray[np.int64]
    """``(groups + 1,)`` where each group starts among these."""


@inner(cache=True)
def _picked(parities, places):
    """Return some of the bits, one after the other."""
    picked = np.int64(0)
    for k in range(len(places)):
        picked |= ((parities >> places[k]) & 1) << k
    return picked


@inner(cache=True)
def _places(bits):
    """Return which bits are set."""
    places = np.empty(63, np.int64)
    count = 0
    for place in range(63):
        if (bits >> place) & 1:
            places[count] = place
            count += 1
    return places[:count]


@inner(cache=True)
def guide_of(source, target, sought, radius, ground):
    """Return the guide of a search, for groups of `GROUP_BITS` bits at most, and its limit.

    It is exact for what lies on walks that cost at most the limit: the radius more than what the
    dearest group costs alone.
    """
    marks, tolls, places = sought.marks[0], sought.tolls, _places(sought.guided)
    cells, stride, guided = ground.free.shape[0], ground.stride, len(places)
    groups = max((guided + GROUP_BITS - 1) // GROUP_BITS, 1)
    starts = np.array([guided * g // groups for g in range(groups + 1)])
    most = (2 * cells) << min(GROUP_BITS, guided)
    rest = np.full((groups, most), INFINITE)
    fillings = [_filling(source, target, stride) for _ in range(groups)]
    # Less half a cell that an end does not cost.
    ahead = least_onward(target, source // stride, source % stride, stride) - 0.5
    dearest = 0.0
    for g in range(groups):
        own = places[starts[g] : starts[g + 1]]
        counts = fillings[g].counts
        last, behind, costs, states = fillings[g].queue
        for left in range(1 << len(own)):
            toll = toll_of(np.int64(left), tolls[own])
            for axis in range(2 if toll < INFINITE else 0):
                state = ((2 * target + axis) << len(own)) | left
                rest[g, state] = toll
                key = toll + ahead
                count = put(last, behind, costs, states, counts[0], counts[1], key, toll, state)
                counts[1] = count
        group = Group(own, _picked(sought.want, own))
        fillings[g] = _fill(source, target, marks, group, INFINITE, ground, rest[g], fillings[g])
        dearest = max(dearest, fillings[g].least[0])
    if dearest < INFINITE:
        for g in range(groups):
            group = Group(places[starts[g] : starts[g + 1]], -1)
            limit = dearest + radius + ROUNDING
            _fill(source, target, marks, group, limit, ground, rest[g], fillings[g])
    return Guide(rest, places, starts), min(dearest + radius, INFINITE)


@inner(cache=True)
def toll_of(left, tolls):
    """Return what a walk pays at its end for parities that are still to be made."""
    toll = 0.0
    bit = 0
    while left > 0:
        if left & 1:
            toll += tolls[bit]
        left >>= 1
        bit += 1
    return min(toll, INFINITE)


@inner(cache=True)
def _filling(source, target, stride):
    """Return how far a search has come that has not begun."""
    first = least_onward(target, source // stride, source % stride, stride)
    counts = np.array([bucket_of(first), 0, 0])
    return _Filling(queue_for(FIRST_ENTRIES), counts, np.array([INFINITE]))


@inner(cache=True)
def least_rest(guide, place, parities):
    """Return what a guide says of a place and the parities still to be made."""
    rest, places, starts = guide
    least = 0.0
    for g in range(len(starts) - 1):
        own = places[starts[g] : starts[g + 1]]
        least = max(least, rest[g, (place << len(own)) | _picked(parities, own)])
    return least
