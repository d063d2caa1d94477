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
from nlrouter.engine.paths.cheapest import INFINITE, least_onward, moved, pop, push

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


@inner(cache=True)
def _fill(source, target, marks, group, limit, ground, rest, heap):
    """Fill ``rest[(2 * cell + axis) << width | parities]`` with the cost to the target.

    The parities are those of a `Group`'s bits that are still to be made; ``marks`` are those of one
    sheet. It is enough to fill what lies on a path of wanted parities that costs at most the limit,
    and what else is filled may be too much. Goes on where it has ended before.

    A search from the target, where the axis of a state is the one by which the path goes on.

    Returns
    -------
    tuple of float and int
        What the path costs with which the search has ended, else `INFINITE`; and the heap's size.
    """
    free, half, stride = ground
    shift, width, until = group
    heap_key, heap_state, size = heap
    full = (1 << width) - 1
    source_y = source // stride
    source_x = source - source_y * stride
    other = 1 << width
    while size > 0 and heap_key[0] <= limit:
        key = heap_key[0]
        state = heap_state[0]
        size = pop(heap_key, heap_state, size)
        there = state >> width >> 1
        here = rest[state]
        key -= least_onward(there, source_y, source_x, stride)
        if key > here + ROUNDING or rest[state ^ other] + 1.0 <= here:
            continue
        bend = 0.0 if there == source else 1.0
        rest[state ^ other] = min(rest[state ^ other], here + bend)
        if there == source:
            if (state & full) == until:
                return here, size
            continue
        for move in range(2 if there == target else 4):
            cell, along, edge = moved(state >> width, move, stride)
            if not free[cell] and cell != source:
                continue
            cost = here + half[cell] + half[there] + (move >> 1)
            before = (state & full) ^ ((marks[along, edge] >> shift) & full)
            reached = ((2 * cell + along) << width) | before
            if cost < rest[reached] and cost < rest[reached ^ other] + 1.0:
                rest[reached] = cost
                cost += least_onward(cell, source_y, source_x, stride)
                size = push(heap_key, heap_state, size, cost, reached)
    return INFINITE, size


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
    plain, marks, cells = sought.plain, sought.marks[0], ground.free.shape[0]
    groups = max((plain + GROUP_BITS - 1) // GROUP_BITS, 1)
    shifts = np.empty(groups, np.int64)
    widths = np.empty(groups, np.int64)
    most = (2 * cells) << min(GROUP_BITS, plain)
    rest = np.full((groups, most), INFINITE)
    heap_key = np.empty((groups, 5 * most))
    heap_state = np.empty((groups, 5 * most), np.int32)
    sizes = np.zeros(groups, np.int64)
    shift, dearest = 0, 0.0
    for g in range(groups):
        shifts[g] = shift
        widths[g] = (plain - shift + groups - g - 1) // (groups - g)
        shift += widths[g]
        for axis in range(2):
            state = (2 * target + axis) << widths[g]
            rest[g, state] = 0.0
            sizes[g] = push(heap_key[g], heap_state[g], sizes[g], 0.0, state)
        until = (sought.want >> shifts[g]) & ((1 << widths[g]) - 1)
        group = Group(shifts[g], widths[g], until)
        heap = heap_key[g], heap_state[g], sizes[g]
        least, sizes[g] = _fill(source, target, marks, group, INFINITE, ground, rest[g], heap)
        dearest = max(dearest, least)
    if dearest < INFINITE:
        for g in range(groups):
            group = Group(shifts[g], widths[g], -1)
            heap = heap_key[g], heap_state[g], sizes[g]
            limit = dearest + radius + ROUNDING
            _fill(source, target, marks, group, limit, ground, rest[g], heap)
    return _Guide(rest, shifts, widths), min(dearest + radius, INFINITE)


@inner(cache=True)
def _least_rest(guide, place, parities):
    """Return what a guide says of a place and the parities still to be made."""
    least = 0.0
    for g in range(len(guide.shifts)):
        wanted = (parities >> guide.shifts[g]) & ((1 << guide.widths[g]) - 1)
        least = max(least, guide.rest[g, (place << guide.widths[g]) | wanted])
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
    free, half, stride = ground
    marks, sheet_of, settled, _, want, free_bits = sought
    bits = settled + free_bits
    guide, limit = _guide(source, target, sought, radius, ground)
    costs = np.full(1 << free_bits, limit)
    ends = np.full(1 << free_bits, -1, np.int64)
    if limit >= INFINITE and _least_rest(guide, 2 * source, want) >= INFINITE:
        return Found(costs, ends, np.empty(0, np.int64), np.empty(0, np.int32), bits, 0, True)
    states = np.empty(FIRST_STATES, np.int64)
    dist = np.empty(2 * FIRST_STATES)
    pred = np.empty(2 * FIRST_STATES, np.int32)
    closed = np.empty(2 * FIRST_STATES, np.bool_)
    heap_key = np.empty(2 * FIRST_STATES)
    heap_node = np.empty(2 * FIRST_STATES, np.int32)
    table = np.full(4 * FIRST_STATES, -1, np.int32)
    size, looked, missing, complete = 0, 0, len(costs), True
    start = np.int64((source << bits) | want)
    states[0] = start
    table[_slot(table, states, start)] = 0
    count = 1
    for axis in range(2):
        dist[axis] = 0.0
        closed[axis] = False
        pred[axis] = -1
        size = push(heap_key, heap_node, size, _least_rest(guide, 2 * source + axis, want), axis)
    while size > 0 and missing > 0:
        key = heap_key[0]
        node = heap_node[0]
        size = pop(heap_key, heap_node, size)
        state = states[node >> 1]
        parities = state & ((1 << bits) - 1)
        cell = state >> bits
        place = 2 * cell + (node & 1)
        here = dist[node]
        if closed[node] or dist[node ^ 1] + 1.0 <= here:
            continue
        closed[node] = True
        looked += 1
        if cell == target:
            k = parities >> settled
            if ends[k] < 0 and parities & ((1 << settled) - 1) == 0:
                costs[k] = here
                ends[k] = node
                missing -= 1
            continue
        if count + 4 > MOST_STATES:
            complete = False
            for k in np.flatnonzero(ends < 0):
                costs[k] = key
                ends[k] = node
            break
        if count + 4 > len(states):
            states, dist, pred, closed = (
                _longer(states), _longer(dist), _longer(pred), _longer(closed),
            )  # fmt: skip
            table = _table_of(states, count)
        if size + 4 > len(heap_key):
            heap_key, heap_node = _longer(heap_key), _longer(heap_node)
        came = states[pred[node] >> 1] >> bits if pred[node] >= 0 else -1
        for move in range(2 if cell == source else 4):
            there, along, edge = moved(place, move, stride)
            if there == came or (not free[there] and there != target):
                continue
            cost = here + half[cell] + half[there] + (move >> 1)
            made = _left_after(parities, want, marks, sheet_of, along, edge, edge == cell)
            least = cost + _least_rest(guide, 2 * there + along, made)
            if least > limit + ROUNDING or least >= INFINITE:
                continue
            after = np.int64((there << bits) | made)
            slot = _slot(table, states, after)
            reached = table[slot]
            if reached < 0:
                reached = count
                states[reached] = after
                for each in range(2 * reached, 2 * reached + 2):
                    dist[each] = INFINITE
                    closed[each] = False
                table[slot] = reached
                count += 1
            onward = 2 * reached + along
            if cost < dist[onward] and cost < dist[onward ^ 1] + 1.0:
                dist[onward] = cost
                pred[onward] = node
                size = push(heap_key, heap_node, size, least, onward)
    return Found(
        costs, ends, states[:count].copy(), pred[: 2 * count].copy(), bits, looked, complete
    )


@inner(cache=True)
def _longer(array):
    """Return an array with room for as much again."""
    longer = np.empty(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer


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
