"""Cheapest walks that pass some nets on wanted sides, and others on either. Compiled.

A *state* is ``cell << bits | parities``: where the walk is, which of the parities that are wanted
it has still to make, and which of the free ones it has made; a *node* is a state and the axis by
which the walk came there, ``2 * state's number + axis``. There are 2 ** bits states per cell,
but the search (A*; Hart, Nilsson, Raphael 1968) keeps only those that it comes to, in a hash
table, and its guide keeps them few: the wanted bits are cut into groups of three at most, and for
each group the exact cost to the target with this group's parities alone comes from one backward
search. The largest of these is never too much, and it is consistent, so no node is closed
twice (additive or largest *pattern databases*: J. Culberson, J. Schaeffer 1998).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.paths.cheapest import INFINITE, least_onward, moved
from nlrouter.engine.paths.queue import (
    MOST_ONWARD,
    PER_UNIT,
    Queue,
    bucket_of,
    longer,
    put,
    queue_for,
    take,
    wider,
)

GROUP_BITS = 3
"""Bits of a group: on adc2015 Q10, 8 bits, 2 take 10 ms, 3 take 5 and 4 take 15."""

ROUNDING = 1e-9
"""What sums of the same costs may differ by."""

FIRST_STATES = 1 << 9
"""States for which a search has room at first; always a power of two."""

MOST_STATES = 1 << 18
"""States that a search keeps, 20 MB; one that comes to more ends with what it has proven."""


class Sought(NamedTuple):
    """Parities that a net's walk is to have, and others that are told apart."""

    marks: NDArray[np.int64]
    """``(sheets, 2, cells)`` which of the curves cross an edge, a bit for each: per sheet, or the
    same on both."""
    sheet_of: NDArray[np.int64]
    """``(settled,)`` for each curve in a cover, the bit whose parity tells the sheet."""
    settled: int
    """How many curves, the lowest bits, are to be crossed with a wanted parity."""
    plain: int
    """How many of these, the first ones, are in no cover."""
    want: int
    """The wanted parity of crossings with each."""
    free: int
    """How many curves there are besides, each with either parity."""


class Found(NamedTuple):
    """What a search finds."""

    costs: NDArray[np.float64]
    """``(2 ** free,)`` cost of the cheapest walk with these parities, or at least so much."""
    ends: NDArray[np.int64]
    """``(2 ** free,)`` the node in which this walk ends, -1 where the cost is no walk's."""
    states: NDArray[np.int64]
    """The states that were reached."""
    pred: NDArray[np.int32]
    """The node before each node, -1 at the source."""
    bits: int
    """Bits of a state below its cell."""
    looked: int
    """Nodes that were looked at."""
    complete: bool
    """Whether it has not come to `MOST_STATES`."""


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
    first, behind, due, costs, states = queue
    hand, count, taken = counts
    every = (1 << width) - 1
    source_y = source // stride
    source_x = source - source_y * stride
    other = 1 << width
    ended = True
    while taken < count and hand <= limit * PER_UNIT:
        if count + MOST_ONWARD > len(costs):
            ended = False
            break
        entry, hand = take(first, behind, due, hand)
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
                count = put(first, behind, due, costs, states, hand, count, key, cost, reached)
    counts[0], counts[1], counts[2] = hand, count, taken
    return ended


@inner(cache=True)
def _slot(table, states, state):
    """Return the place of a state in the hash table, or the free place where it belongs."""
    mask = table.shape[0] - 1
    slot = ((state * 0x9E3779B97F4A7C1) >> 24) & mask
    while table[slot] >= 0 and states[table[slot]] != state:
        slot = (slot + 1) & mask
    return slot


@inner(cache=True)
def _left_after(left, want, marks, sheet_of, along, edge, forward):
    """Return the parities left to make after an edge; ``forward``, if it starts in its first cell.

    What a bit of a cover counts depends on the sheet, which is the parity made of another bit.
    """
    crossed = marks[0, along, edge]
    differ = crossed ^ marks[len(marks) - 1, along, edge]
    bit = 0
    while differ > 0:
        if differ & 1:
            sheet = ((want ^ left) >> sheet_of[bit]) & 1
            if not forward:
                sheet ^= (crossed >> sheet_of[bit]) & 1
            crossed ^= sheet << bit
        differ >>= 1
        bit += 1
    return left ^ crossed


@njit(cache=True)
def left_of_walk(edges, source, marks, sheet_of, want, stride):
    """Return the parities that a walk from the source still has to make at its end."""
    cells = marks.shape[2]
    left = want
    cell = source
    for edge in edges:
        along = 0 if edge < cells else 1
        first = edge - along * cells
        forward = cell == first
        left = _left_after(left, want, marks, sheet_of, along, first, forward)
        cell = first + (1 if along == 0 else stride) if forward else first
    return left


class _Reached(NamedTuple):
    """The states that a search has come to, in the order in which it came there."""

    states: NDArray[np.int64]
    table: NDArray[np.int32]
    """Their numbers by hash."""
    dist: NDArray[np.float64]
    """``(2 * room,)`` what each node costs, or `INFINITE`."""
    pred: NDArray[np.int32]
    """``(2 * room,)`` the node before."""
    queue: Queue
    counts: NDArray[np.int64]
    """``(5,)`` how many states there are, how many nodes were looked at, the queue's bucket at
    hand, and how many entries were put in and taken out."""


class _Guide(NamedTuple):
    """What it costs at least to go on, for groups of bits; the largest of these counts."""

    rest: NDArray[np.float64]
    shifts: NDArray[np.int64]
    widths: NDArray[np.int64]


@inner(cache=True)
def _guide(source, target, sought, radius, ground):
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
        first, behind, due, costs, states = queue
        for axis in range(2):
            state = (2 * target + axis) << widths[g]
            rest[g, state] = 0.0
            counts[1] = put(
                first, behind, due, costs, states, counts[0], counts[1], 0.0, 0.0, state
            )
        until = (sought.want >> shifts[g]) & ((1 << widths[g]) - 1)
        group = Group(shifts[g], widths[g], until)
        fillings[g] = _fill(source, target, marks, group, INFINITE, ground, rest[g], fillings[g])
        dearest = max(dearest, fillings[g].least[0])
    if dearest < INFINITE:
        for g in range(groups):
            group = Group(shifts[g], widths[g], -1)
            limit = dearest + radius + ROUNDING
            _fill(source, target, marks, group, limit, ground, rest[g], fillings[g])
    return _Guide(rest, shifts, widths), min(dearest + radius, INFINITE)


@inner(cache=True)
def _filling(source, target, stride):
    """Return how far a search has come that has not begun."""
    first = least_onward(target, source // stride, source % stride, stride)
    counts = np.array([bucket_of(first), 0, 0])
    return _Filling(queue_for(2 * FIRST_STATES), counts, np.array([INFINITE]))


@inner(cache=True)
def _least_rest(rest, shifts, widths, place, parities):
    """Return what a guide says of a place and the parities still to be made."""
    least = 0.0
    for g in range(len(shifts)):
        wanted = (parities >> shifts[g]) & ((1 << widths[g]) - 1)
        least = max(least, rest[g, (place << widths[g]) | wanted])
    return least


@njit(cache=True)
def search_sides(source, target, sought, radius, ground):
    """Find the cheapest walks from source to target that pass others on the wanted sides.

    Parameters
    ----------
    sought
        A `Sought`.
    radius
        How much more than at least the cheapest walk those are looked for that cost more;
        `INFINITE` for all.
    ground
        A `Ground`.

    Returns
    -------
    Found
        The costs are `INFINITE` where there is no walk. A search that comes to `MOST_STATES` has
        what every walk that it has not found costs at least, and the start of one.
    """
    want, bits, free_bits = sought.want, sought.settled + sought.free, sought.free
    guide, limit = _guide(source, target, sought, radius, ground)
    costs = np.full(1 << free_bits, limit)
    ends = np.full(1 << free_bits, -1, np.int64)
    rest, shifts, widths = guide
    least = min(
        _least_rest(rest, shifts, widths, 2 * source, want),
        _least_rest(rest, shifts, widths, 2 * source + 1, want),
    )
    if limit >= INFINITE and least >= INFINITE:
        return Found(costs, ends, np.empty(0, np.int64), np.empty(0, np.int32), bits, 0, True)
    reached = _Reached(
        np.empty(FIRST_STATES, np.int64),
        np.full(4 * FIRST_STATES, -1, np.int32),
        np.empty(2 * FIRST_STATES),
        np.empty(2 * FIRST_STATES, np.int32),
        queue_for(2 * FIRST_STATES),
        np.array([0, 0, bucket_of(least), 0, 0]),
    )
    _begin(np.int64((source << bits) | want), least, reached)
    complete = True
    while complete and not _go_on(
        source, target, sought, limit, ground, guide, reached, costs, ends
    ):
        complete = reached.counts[0] + MOST_ONWARD <= MOST_STATES
        reached = _with_room(reached)
    count, looked, hand, _, _ = reached.counts
    if not complete:
        for k in range(len(ends)):
            costs[k] = min(costs[k], hand / PER_UNIT)
            ends[k] = count - 1 if ends[k] < 0 else ends[k]
    states, pred = reached.states[:count].copy(), reached.pred[: 2 * count].copy()
    return Found(costs, ends, states, pred, bits, looked, complete)


@inner(cache=True)
def _begin(start, least, reached):
    """Begin a search at a state, by either axis."""
    states, table, dist, pred, queue, counts = reached
    first, behind, due, costs, nodes = queue
    states[0] = start
    table[_slot(table, states, start)] = 0
    counts[0] = 1
    for axis in range(2):
        dist[axis] = 0.0
        pred[axis] = -1
        counts[3] = put(first, behind, due, costs, nodes, counts[2], counts[3], least, 0.0, axis)


@inner(cache=True)
def _go_on(source, target, sought, limit, ground, guide, reached, costs, ends):
    """Go on with a search as far as there is room; return whether it has ended."""
    free, half, stride = ground
    marks, sheet_of, settled, _, want, free_bits = sought
    bits = settled + free_bits
    rest, shifts, widths = guide
    states, table, dist, pred, queue, counts = reached
    first, behind, due, put_in, nodes = queue
    numbers, looked, hand, count, taken = counts
    missing = np.count_nonzero(ends < 0)
    ended = True
    while taken < count:
        if count + MOST_ONWARD > len(nodes) or numbers + MOST_ONWARD > len(states):
            ended = False
            break
        entry, hand = take(first, behind, due, hand)
        if entry < 0:
            if missing == 0:
                break
            continue
        taken += 1
        node = np.int64(nodes[entry])
        here = dist[node]
        if put_in[entry] > here or dist[node ^ 1] + 1.0 <= here:
            continue
        state = states[node >> 1]
        parities = state & ((1 << bits) - 1)
        cell = state >> bits
        place = 2 * cell + (node & 1)
        looked += 1
        if cell == target:
            k = parities >> settled
            if parities & ((1 << settled) - 1) == 0 and (ends[k] < 0 or here < costs[k]):
                missing -= ends[k] < 0
                costs[k] = here
                ends[k] = node
            continue
        came = states[pred[node] >> 1] >> bits if pred[node] >= 0 else -1
        for move in range(2 if cell == source else 4):
            there, along, edge = moved(place, move, stride)
            if there == came or (not free[there] and there != target):
                continue
            cost = here + half[cell] + half[there] + (move >> 1)
            made = _left_after(parities, want, marks, sheet_of, along, edge, edge == cell)
            least = cost + _least_rest(rest, shifts, widths, 2 * there + along, made)
            if least > limit + ROUNDING or least >= INFINITE:
                continue
            after = np.int64((there << bits) | made)
            slot = _slot(table, states, after)
            number = np.int64(table[slot])
            if number < 0:
                number = numbers
                states[number] = after
                dist[2 * number] = dist[2 * number + 1] = INFINITE
                table[slot] = number
                numbers += 1
            onward = 2 * number + along
            if cost < dist[onward] and cost < dist[onward ^ 1] + 1.0:
                dist[onward] = cost
                pred[onward] = node
                count = put(
                    first, behind, due, put_in, nodes, hand, count, least, cost, onward
                )  # fmt: skip
    counts[0], counts[1], counts[2], counts[3], counts[4] = numbers, looked, hand, count, taken
    return ended


@inner(cache=True)
def _with_room(reached):
    """Return what a search has come to, with room for as much again where there is too little."""
    states, table, dist, pred, queue, counts = reached
    if counts[3] + MOST_ONWARD > len(queue.states):
        queue = wider(queue)
    if counts[0] + MOST_ONWARD > len(states):
        states, dist, pred = longer(states), longer(dist), longer(pred)
        table = _table_of(states, counts[0])
    return _Reached(states, table, dist, pred, queue, counts)


@inner(cache=True)
def _table_of(states, count):
    """Return the hash table of some states, with room for all that the states have room for."""
    table = np.full(4 * len(states), -1, np.int32)
    for k in range(count):
        table[_slot(table, states, states[k])] = k
    return table


@njit(cache=True)
def edges_back(node, found, cells):
    """Return the edges of the walk to a node, ``axis * cells + first cell``."""
    count = 0
    there = found.pred[node]
    while there >= 0:
        there = found.pred[there]
        count += 1
    edges = np.empty(count, np.int32)
    there = found.states[node >> 1] >> found.bits
    while count > 0:
        count -= 1
        node = found.pred[node]
        here = found.states[node >> 1] >> found.bits
        edges[count] = (0 if abs(there - here) == 1 else cells) + min(here, there)
        there = here
    return edges
