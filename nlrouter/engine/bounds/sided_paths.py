"""Cheapest walks that pass some nets on wanted sides, and others on either. Compiled.

A *state* is ``cell << bits | parities``: where the walk is, which of the parities that are wanted
it has still to make, and which of the free ones it has made; a *node* is a state and the axis by
which the walk came there, ``2 * state's number + axis``. There are 2 ** bits states per cell,
but the search (A*; Hart, Nilsson, Raphael 1968) keeps only those that it comes to, in a hash
table, and its guide keeps them few. What a guide says is never too much, and it is consistent: a
node gets cheaper again only within a bucket.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.bounds.sided_guide import ROUNDING, guide_of, least_rest, toll_of
from nlrouter.engine.paths.cheapest import INFINITE, moved
from nlrouter.engine.paths.queue import (
    MOST_ONWARD,
    Queue,
    bucket_of,
    least_of,
    longer,
    put,
    queue_for,
    take,
    wider,
)

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
    heeded: int
    """The bits of the curves that are to be crossed with a wanted parity."""
    guided: int
    """Those of these that the guide knows: none that is in a cover."""
    want: int
    """The wanted parity of crossings with each of the heeded."""
    tolls: NDArray[np.float64]
    """``(settled,)`` what a walk pays for the other parity; `INFINITE` where it may not have it."""
    free: int
    """How many curves there are besides, those of the next bits, each with either parity."""


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


@inner(cache=True)
def _slot(table, states, state):
    """Return the place of a state in the hash table, or the free place where it belongs."""
    mask = table.shape[0] - 1
    slot = ((state * 0x9E3779B97F4A7C1) >> 40) & mask
    while table[slot] >= 0 and states[table[slot]] != state:
        slot = (slot + 1) & mask
    return slot


@inner(cache=True)
def _left_after(left, want, marks, sheet_of, heeded, along, edge, forward):
    """Return the parities left to make after an edge; ``forward``, if it starts in its first cell.

    Only of the bits that are heeded. What a bit of a cover counts depends on the sheet, which is
    the parity made of another bit.
    """
    crossed = marks[0, along, edge] & heeded
    differ = crossed ^ (marks[len(marks) - 1, along, edge] & heeded)
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
def made_by(edges, source, marks, sheet_of, stride):
    """Return the parities, of all bits, that a walk from the source has made at its end."""
    cells = marks.shape[2]
    made = np.int64(0)
    cell = source
    for edge in edges:
        along = 0 if edge < cells else 1
        first = edge - along * cells
        forward = cell == first
        made = _left_after(made, 0, marks, sheet_of, -1, along, first, forward)
        cell = first + (1 if along == 0 else stride) if forward else first
    return made


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
    want, bits, free_bits = sought.want, len(sought.tolls) + sought.free, sought.free
    guide, limit = guide_of(source, target, sought, radius, ground)
    costs = np.full(1 << free_bits, limit)
    ends = np.full(1 << free_bits, -1, np.int64)
    least = min(least_rest(guide, 2 * source, want), least_rest(guide, 2 * source + 1, want))
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
        latest = 2 * (count - 1)  # The state come to last has one of its two nodes, or both.
        latest += reached.dist[latest + 1] < reached.dist[latest]
        for k in range(len(ends)):
            costs[k] = min(costs[k], least_of(hand))
            ends[k] = latest if ends[k] < 0 else ends[k]
    states, pred = reached.states[:count].copy(), reached.pred[: 2 * count].copy()
    return Found(costs, ends, states, pred, bits, looked, complete)


@inner(cache=True)
def _begin(start, least, reached):
    """Begin a search at a state, by either axis."""
    states, table, dist, pred, queue, counts = reached
    last, behind, costs, nodes = queue
    states[0] = start
    table[_slot(table, states, start)] = 0
    counts[0] = 1
    for axis in range(2):
        dist[axis] = 0.0
        pred[axis] = -1
        counts[3] = put(last, behind, costs, nodes, counts[2], counts[3], least, 0.0, axis)


@inner(cache=True)
def _go_on(source, target, sought, limit, ground, guide, reached, costs, ends):
    """Go on with a search as far as there is room; return whether it has ended."""
    free, half, stride = ground
    marks, sheet_of, wanted, _, want, tolls, free_bits = sought
    settled = len(tolls)
    bits = settled + free_bits
    heeded = wanted | (((1 << free_bits) - 1) << settled)
    states, table, dist, pred, queue, counts = reached
    last, behind, put_in, nodes = queue
    numbers, looked, hand, count, taken = counts
    missing = np.count_nonzero(ends < 0)
    ended = True
    while taken < count:
        if count + MOST_ONWARD > len(nodes) or numbers + MOST_ONWARD > len(states):
            ended = False
            break
        entry, hand = take(last, behind, hand)
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
            paid = here + toll_of(parities & wanted, tolls)
            if ends[k] < 0 or paid < costs[k]:
                missing -= ends[k] < 0
                costs[k] = paid
                ends[k] = node
            continue
        came = states[pred[node] >> 1] >> bits if pred[node] >= 0 else -1
        for move in range(2 if cell == source else 4):
            there, along, edge = moved(place, move, stride)
            if there == came or (not free[there] and there != target):
                continue
            cost = here + half[cell] + half[there] + (move >> 1)
            made = _left_after(parities, want, marks, sheet_of, heeded, along, edge, edge == cell)
            if there == target:
                least = cost + toll_of(made & wanted, tolls)
            else:
                least = cost + least_rest(guide, 2 * there + along, made)
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
                count = put(last, behind, put_in, nodes, hand, count, least, cost, onward)
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
