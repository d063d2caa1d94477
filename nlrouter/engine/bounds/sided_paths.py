"""Cheapest paths that pass other nets on wanted sides, however many these are. Compiled.

A *state* is ``(2 * cell + axis) << bits | parities``: where the path is, how it came there, and
which of the parities that are wanted it has still to make. There are 2 ** bits states per place,
but the search (A*; Hart, Nilsson, Raphael 1968) keeps only those that it comes to, in a hash
table, and its guide keeps them few: the bits are cut into groups of three at most, and for
each group the exact cost to the target with this group's parities alone comes from one backward
search. The largest of these is never too much, and it is consistent, so no state is closed
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

FIRST_TABLE = 1 << 11
"""Places of a search's hash table at first; always a power of two."""

MOST_STATES = 1 << 19
"""States that a search keeps, 20 MB; one that comes to more ends with what it has proven."""


class Sought(NamedTuple):
    """Parities that a net's path is to have."""

    marks: NDArray[np.int64]
    """``(2, 2, cells)`` per sheet which of the curves cross an edge, a bit for each."""
    sheet_of: NDArray[np.int64]
    """``(bits,)`` for each curve in a cover, the bit whose parity tells the sheet."""
    bits: int
    """How many curves there are."""
    plain: int
    """How many of them, the first ones, are in no cover."""
    want: int
    """The wanted parity of crossings with each."""


class Group(NamedTuple):
    """Bits of which a guide knows the exact cost."""

    shift: int
    width: int
    """The ``width`` bits from ``shift`` on."""
    until: int
    """The only parities that matter at the source, or -1."""


@inner(cache=True)
def fill_guide(source, target, marks, group, radius, ground, rest, heap_key, heap_state):
    """Fill ``rest[(2 * cell + axis) << width | parities]`` with the cost to the target.

    The parities are those of a `Group`'s bits that are still to be made; ``marks`` are those of one
    sheet. With ``until`` it is enough to fill what lies on a path of these that costs at most the
    ``radius`` more than the cheapest, and what else is filled may be too much.

    A search from the target, where the axis of a state is the one by which the path goes on.
    """
    free, half, stride = ground
    shift, width, until = group
    full = (1 << width) - 1
    rest[: (2 * free.shape[0]) << width] = INFINITE
    size = 0
    for axis in range(2):
        state = (2 * target + axis) << width
        rest[state] = 0.0
        size = push(heap_key, heap_state, size, 0.0, state)
    guided = until >= 0
    source_y = source // stride
    source_x = source - source_y * stride
    limit = INFINITE
    other = 1 << width
    while size > 0 and heap_key[0] <= limit:
        key = heap_key[0]
        state = heap_state[0]
        size = pop(heap_key, heap_state, size)
        there = state >> width >> 1
        here = rest[state]
        if guided:
            key -= least_onward(there, source_y, source_x, stride)
        if key > here + 1e-9 or rest[state ^ other] + 1.0 <= here:
            continue
        if there == source:
            if (state & full) == until:
                if radius <= 0.0:
                    break
                limit = min(limit, here + radius)
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
                if guided:
                    cost += least_onward(cell, source_y, source_x, stride)
                size = push(heap_key, heap_state, size, cost, reached)
    # To go on by the other axis than that by which one came is a bend, but at the source.
    for cell in range(free.shape[0]):
        bend = 0.0 if cell == source else 1.0
        for parities in range(1 << width):
            x = ((2 * cell) << width) | parities
            y = x | other
            rest[x], rest[y] = min(rest[x], rest[y] + bend), min(rest[y], rest[x] + bend)


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
    differ = crossed ^ marks[1, along, edge]
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
def left_of_walk(edges, count, source, marks, sheet_of, want, stride):
    """Return the parities that a walk from the source still has to make at its end."""
    cells = marks.shape[2]
    left = want
    cell = source
    for k in range(count):
        along = 0 if edges[k] < cells else 1
        first = edges[k] - along * cells
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
def _guide(source, target, sought, ground):
    """Return the guide of a search, for groups of `GROUP_BITS` bits at most."""
    plain = sought.plain
    groups = (plain + GROUP_BITS - 1) // GROUP_BITS
    shifts = np.empty(groups, np.int64)
    widths = np.empty(groups, np.int64)
    most = (2 * ground.free.shape[0]) << min(GROUP_BITS, plain)
    rest = np.empty((groups, most))
    heap_key = np.empty(5 * most)
    heap_state = np.empty(5 * most, np.int32)
    first = 0
    until = sought.want if groups == 1 and plain == sought.bits else -1
    for g in range(groups):
        shifts[g] = first
        widths[g] = (plain - first + groups - g - 1) // (groups - g)
        first += widths[g]
        group = Group(shifts[g], widths[g], until)
        fill_guide(
            source, target, sought.marks[0], group, 0.0, ground, rest[g], heap_key, heap_state
        )
    return _Guide(rest, shifts, widths)


@inner(cache=True)
def _least_rest(guide, place, parities):
    """Return what a guide says of a place and the parities still to be made."""
    least = 0.0
    for g in range(len(guide.shifts)):
        wanted = (parities >> guide.shifts[g]) & ((1 << guide.widths[g]) - 1)
        least = max(least, guide.rest[g, (place << guide.widths[g]) | wanted])
    return least


@njit(cache=True)
def search_sides(source, target, sought, ground, edges):
    """Find the cheapest path from source to target that passes others on the wanted sides.

    Parameters
    ----------
    sought
        A `Sought` of one curve at least.
    ground
        A `Ground`.
    edges
        Filled with the path's edges, ``axis * cells + first cell``, as far as there is room.

    Returns
    -------
    tuple of float, int and bool
        The cost, `INFINITE` where there is no path, how many edges there are, and whether it is
        the cost of a path: a search that comes to `MOST_STATES` returns what every path costs at
        least, and the start of one.
    """
    free, half, stride = ground
    marks, sheet_of, bits, _, want = sought
    guide = _guide(source, target, sought, ground)
    if _least_rest(guide, 2 * source, want) >= INFINITE:
        return INFINITE, 0, True
    # What is not touched takes no memory; but the table is all written.
    states = np.empty(MOST_STATES, np.int64)
    dist = np.empty(MOST_STATES)
    pred = np.empty(MOST_STATES, np.int32)
    heap_key = np.empty(4 * MOST_STATES)
    heap_node = np.empty(4 * MOST_STATES, np.int32)
    table = np.full(FIRST_TABLE, -1, np.int32)
    size = 0
    count = 0
    for axis in range(2):
        state = np.int64(((2 * source + axis) << bits) | want)
        states[count] = state
        dist[count] = 0.0
        pred[count] = -1
        table[_slot(table, states, state)] = count
        size = push(heap_key, heap_node, size, _least_rest(guide, 2 * source + axis, want), count)
        count += 1
    while size > 0:
        key = heap_key[0]
        node = heap_node[0]
        size = pop(heap_key, heap_node, size)
        left = states[node] & ((1 << bits) - 1)
        place = states[node] >> bits
        cell = place >> 1
        here = dist[node]
        arrived = cell == target and left == 0
        if arrived or count >= MOST_STATES:
            return key, _edges_back(node, states, pred, bits, free.shape[0], edges), arrived
        if cell == target or key > here + _least_rest(guide, place, left) + 1e-9:
            continue
        for move in range(2 if cell == source else 4):
            there, along, edge = moved(place, move, stride)
            if not free[there] and there != target:
                continue
            cost = here + half[cell] + half[there] + (move >> 1)
            onward = 2 * there + along
            after_left = _left_after(left, want, marks, sheet_of, along, edge, edge == cell)
            least = _least_rest(guide, onward, after_left)
            if least >= INFINITE:
                continue
            after = np.int64((onward << bits) | after_left)
            slot = _slot(table, states, after)
            reached = table[slot]
            if reached < 0:
                if 4 * count >= len(table):
                    table = _table_of(states, count)
                    slot = _slot(table, states, after)
                reached = count
                states[reached] = after
                table[slot] = reached
                count += 1
            elif cost >= dist[reached]:
                continue
            dist[reached] = cost
            pred[reached] = node
            size = push(heap_key, heap_node, size, cost + least, reached)
    return INFINITE, 0, True


@inner(cache=True)
def _table_of(states, count):
    """Return the hash table of some states, with room for as many again."""
    table = np.full(8 * count, -1, np.int32)
    for k in range(count):
        table[_slot(table, states, states[k])] = k
    return table


@inner(cache=True)
def _edges_back(node, states, pred, bits, cells, edges):
    """Write the edges of the way to a state, as far as there is room; return how many."""
    count = 0
    there = states[node] >> (bits + 1)
    node = pred[node]
    while node >= 0 and count < edges.shape[0]:
        here = states[node] >> (bits + 1)
        edges[count] = (0 if abs(there - here) == 1 else cells) + min(here, there)
        count += 1
        there = here
        node = pred[node]
    for k in range(count // 2):
        edges[k], edges[count - 1 - k] = edges[count - 1 - k], edges[k]
    return count
