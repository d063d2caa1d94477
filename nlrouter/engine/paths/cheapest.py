"""Cheapest paths on one layer, bends included. Compiled.

A layer is flat and framed by a border of walls: a board of ``height`` rows and ``width``
columns has ``stride = width + 2`` and ``(height + 2) * stride`` cells, cell ``(y, x)`` being
``(y + 1) * stride + x + 1``. A *state* is ``2 * cell + axis``, the axis (0 along x, 1 along y)
being the one by which the cell was entered.

What a path costs is charged to its steps and bends: a step from ``u`` to ``v`` costs
``half[u] + half[v]``, and every bend 1. With ``half`` at ``(1 + price) / 2`` on free cells and 0 on
ends and vias, a path costs its inner cells, their prices and its bends. A state that is no cheaper
than a bend after the cell's other one leads to nothing that is. Dijkstra (1959) on the
states, guided by the Manhattan distance where there is one target (Hart, Nilsson, Raphael 1968).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.paths.queue import MOST_ONWARD, Queue, bucket_of, put, queue_for, take, wider

INFINITE = 1e18
"""Distance of a state that cannot be reached."""

NO_ROOM = -2
"""In place of a state, of a search that has to begin anew with more room."""


class Ground(NamedTuple):
    """What a search runs over."""

    free: NDArray[np.bool_]
    """``(cells,)`` where a path may pass."""
    half: NDArray[np.float64]
    """``(cells,)`` half of what a cell costs; at least 1/2 on free cells."""
    stride: int
    """Cells per framed row."""


class Board(NamedTuple):
    """Nets and the cells of all layers, for what looks at several layers."""

    layer: NDArray[np.int32]
    """``(nets,)`` the layer of each net."""
    source: NDArray[np.int32]
    """``(nets,)`` where it starts."""
    free: NDArray[np.bool_]
    """``(layers, cells)`` where a path may pass."""
    stride: int
    """Cells per framed row."""


class Scratch(NamedTuple):
    """Room for a search, and what it leaves there."""

    dist: NDArray[np.float64]
    """``(2 * cells << bits,)`` cost of each state, or more where it is that of the same cell by the
    other axis and a bend."""
    pred: NDArray[np.int32]
    """The state before it, -1 at the source; with a target only in the rows that it looked at."""
    queue: Queue


@njit(cache=True)
def scratch(cells, bits):
    """Return room for searches on a layer that keep so many parities apart."""
    return Scratch(
        np.empty((2 * cells) << bits),
        np.empty((2 * cells) << bits, np.int32),
        queue_for((8 * cells) << bits),
    )


@inner(cache=True)
def moved(place, move, stride):
    """Return where a move leads: the cell, the axis, and the first cell of the edge.

    Moves 0 and 1 go on along the axis of the place, ``2 * cell + axis``; 2 and 3 turn.
    """
    cell = place >> 1
    along = (place & 1) ^ (move >> 1)
    step = 1 if along == 0 else stride
    return (cell - step, along, cell - step) if move & 1 else (cell + step, along, cell)


@inner(cache=True)
def no_marks():
    """Return marks of edges where no curves matter: of the type of others, as a constant is not."""
    return np.empty((2, 0), np.int64)


@njit(cache=True)
def search(source, target, ground, room):
    """Find the cheapest path from a source to one target, or to every free cell.

    Parameters
    ----------
    source
        Cell to start from; it need not be free.
    target
        Cell to stop at, free or not; -1 for all free cells.
    ground
        A `Ground`.
    room
        A `Scratch`, filled.

    Returns
    -------
    int
        The state in which the target was reached; -1 where it was not or was not asked for.
    """
    return search_parities(source, target, no_marks(), 0, INFINITE, ground, room)


@inner(cache=True)
def search_parities(source, target, marks, bits, cutoff, ground, room):
    """Do as `search`, and keep apart how often, modulo 2, a path crosses some curves.

    A state is then ``(2 * cell + axis) << bits | parities``, and there is room for as many.

    Parameters
    ----------
    marks
        ``(2, cells)`` int, which of the curves cross an edge, a bit for each.
    bits
        How many curves there are; with 0 there need be no marks.
    cutoff
        Costs above may be left infinite.
    """
    while True:
        state = _search(source, target, marks, bits, cutoff, ground, room)
        if state != NO_ROOM:
            return state
        room = Scratch(room.dist, room.pred, wider(room.queue))


@inner(cache=True)
def _search(source, target, marks, bits, cutoff, ground, room):
    """Do as `search_parities`; return `NO_ROOM` where there is not enough for what it comes to."""
    free, half, stride = ground
    dist, pred, queue = room
    other = 1 << bits  # Between the two axes of a cell.
    last_of, behind, costs, states = queue
    last_of[:] = -1
    # Rows are cleared as they are come to: most searches end in a corner of a large layer.
    first = source // stride * stride
    last = first + stride
    _clear(dist, first, last, bits)
    guided = target >= 0
    target_y = target // stride
    target_x = target - target_y * stride
    least = least_onward(source, target_y, target_x, stride) if guided else 0.0
    hand, count, taken, arrived = bucket_of(least), 0, 0, -1
    for axis in range(2):
        state = (2 * source + axis) << bits
        dist[state] = 0.0
        pred[state] = -1
        count = put(last_of, behind, costs, states, hand, count, least, 0.0, state)
    while taken < count:
        if count + MOST_ONWARD > len(costs):
            return NO_ROOM
        entry, hand = take(last_of, behind, hand)
        if entry < 0:
            if arrived >= 0:
                return arrived
            continue
        taken += 1
        state = states[entry]
        here = dist[state]
        if costs[entry] > here or dist[state ^ other] + 1.0 <= here:
            continue
        place = state >> bits
        cell = place >> 1
        if cell == target:
            if arrived < 0 or here < dist[arrived]:
                arrived = state
            continue
        for move in range(2 if cell == source else 4):
            there, along, edge = moved(place, move, stride)
            if not free[there] and there != target:
                continue
            if there < first:
                _clear(dist, first - stride, first, bits)
                first -= stride
            elif there >= last:
                _clear(dist, last, last + stride, bits)
                last += stride
            cost = here + half[cell] + half[there] + (move >> 1)
            after = 2 * there + along
            if bits > 0:
                after = after << bits | (state - (place << bits)) ^ marks[along, edge]
            if cost < dist[after] and cost < dist[after ^ other] + 1.0 and cost <= cutoff:
                dist[after] = cost
                pred[after] = state
                least = cost
                if guided:
                    least += least_onward(there, target_y, target_x, stride)
                count = put(last_of, behind, costs, states, hand, count, least, cost, after)
    if arrived >= 0:
        return arrived
    _clear(dist, 0, first, bits)
    _clear(dist, last, free.shape[0], bits)
    return -1


@inner(cache=True)
def _clear(dist, first, last, bits):
    """Forget what it costs to come to some cells."""
    for i in range((2 * first) << bits, (2 * last) << bits):
        dist[i] = INFINITE


@inner(cache=True)
def least_onward(cell, target_y, target_x, stride):
    """Return the least that is still to pay between a cell and the target: cells of cost 1."""
    y = cell // stride
    distance = abs(y - target_y) + abs(cell - y * stride - target_x)
    return distance - 0.5 if distance > 0 else 0.0


@njit(cache=True)
def arrive(target, source, ground, dist):
    """Find the cheapest last step to a target that is not free, after `search` to all cells.

    Returns
    -------
    tuple of float and int
        Cost of the whole path (`INFINITE` if there is none) and the state before the target.
    """
    return arrive_parities(target, source, no_marks(), 0, 0, ground, dist)


@inner(cache=True)
def arrive_parities(target, source, marks, bits, wanted, ground, dist):
    """Do as `arrive` after `search_parities`, with the parities that are wanted."""
    half, stride = ground.half, ground.stride
    best = INFINITE
    before = -1
    for along in range(2):
        step = 1 if along == 0 else stride
        for sign in range(2):
            cell = target + step if sign == 0 else target - step
            edge = target if sign == 0 else cell
            last = half[cell] + half[target]
            parities = wanted ^ marks[along, edge] if bits > 0 else 0
            for axis in range(2):
                state = (2 * cell + axis) << bits | parities
                cost = dist[state] + last
                if axis != along and cell != source:
                    cost += 1.0
                if cost < best:
                    best = cost
                    before = state
    return best, before


@njit(cache=True)
def trace(state, pred, path):
    """Write the cells from the source to a state into ``path``; return how many they are."""
    length = 0
    i = state
    while i >= 0:
        i = pred[i]
        length += 1
    i = state
    for k in range(length - 1, -1, -1):
        path[k] = i >> 1
        i = pred[i]
    return length
