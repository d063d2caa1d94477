"""The compiled sweep of the frontier search; see ``frontier`` for what it is about."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.paths.cheapest import INFINITE, NO_TOLLS, distances_onward

WALL, FREE, SOURCE, TARGET = range(4)
"""What a cell holds; either end of a net may be its source here."""


class Order(NamedTuple):
    """The order of the cells.

    ``height`` rows of ``width``, from cell ``origin`` in steps of ``minor`` within a row and of
    ``major`` from row to row.
    """

    width: int
    height: int
    origin: int
    minor: int
    major: int


class Ground(NamedTuple):
    """What stands in the cells: ``(cells,)`` `WALL` to `TARGET`, and the net of an end."""

    kind: NDArray[np.int8]
    net_of: NDArray[np.int64]


class Charges(NamedTuple):
    """The dual's charges.

    ``half`` and ``price`` ``(cells,)``; ``tolls``, and ``tolled`` ``(nets,)`` the row of each net
    or -1; ``rest`` ``(nets, 2 * cells)`` as `remaining` has it.
    """

    half: NDArray[np.float64]
    price: NDArray[np.float64]
    tolls: NDArray[np.float64]
    tolled: NDArray[np.int32]
    rest: NDArray[np.float64]


class Trail(NamedTuple):
    """How each state came about: the state before, and its plugs; per cell, the first state."""

    parents: NDArray[np.int32]
    downs: NDArray[np.uint8]
    rights: NDArray[np.uint8]
    starts: NDArray[np.int64]


@njit(cache=True)
def remaining(nets, source, target, free, half, tolls, tolled, stride):
    """Return ``(nets, 2 * cells)`` cost from a cell entered by an axis to the net's target."""
    cells = free.shape[0]
    result = np.empty((len(nets), 2 * cells))
    pred = np.empty(2 * cells, np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    for k in range(len(nets)):
        toll = tolls[tolled[k]] if tolled[k] >= 0 else NO_TOLLS
        distances_onward(
            source[k], target[k], free, half, toll, stride, result[k], pred, heap_key, heap_state
        )
    return result


@njit(cache=True)
def _edge_cost(cell, step, axis, half, toll):
    """Return what an edge from a cell to ``cell + step`` costs, never less than nothing."""
    cost = half[cell] + half[cell + step]
    if toll.shape[1] > 0:
        cost += toll[axis, cell]
    return max(0.0, cost)


@njit(cache=True)
def _tabulate(c, has_right, has_down, order, ground, charges, arrive, leave):
    """Tabulate what plugs add to the bound at a cell.

    Parameters
    ----------
    c
        The cell.
    has_right, has_down
        Whether there is a cell to its right and below it.
    order, ground, charges
        See `sweep`.
    arrive, leave
        ``(2, plugs)`` filled: what a plug from the left (row 0) or from above (row 1) adds where
        it ends at the cell, and one to the right or down where it begins; infinite where its net
        may not go there. Plug 0 is none and adds nothing.
    """
    half, rests = charges.half, charges.rest
    for direction in range(2):
        step = order.minor if direction == 0 else order.major
        axis = 0 if step == 1 else 1
        there, back = c + step, c - step
        within = (has_right if direction == 0 else has_down) and ground.kind[there] != WALL
        for k in range(rests.shape[0]):
            rest = rests[k]
            toll = charges.tolls[charges.tolled[k]] if charges.tolled[k] >= 0 else NO_TOLLS
            # Way 0 leads along the net: what is still to come begins where the plug ends.
            plug = 1 + 2 * k
            arrive[direction, plug] = -rest[2 * c + axis]
            arrive[direction, plug + 1] = INFINITE
            if ground.kind[back] != WALL:
                edge = _edge_cost(back, step, axis, half, toll)
                arrive[direction, plug + 1] = edge + rest[2 * back + axis]
            leave[direction, plug] = leave[direction, plug + 1] = INFINITE
            if within and (ground.kind[there] == FREE or ground.net_of[there] == k):
                edge = _edge_cost(c, step, axis, half, toll)
                leave[direction, plug] = edge + rest[2 * there + axis]
                if rest[2 * c + axis] < INFINITE / 2:
                    leave[direction, plug + 1] = -rest[2 * c + axis]


@njit(cache=True)
def _find_corners(leave, corners):
    """List in ``corners`` the plugs to the right that may start a path around a corner."""
    count = 0
    for right in range(1, leave.shape[1]):
        down = _other_way(right)
        if leave[0, right] < INFINITE / 2 and leave[1, down] < INFINITE / 2:
            corners[count] = right
            count += 1
    return count


@njit(cache=True)
def _other_way(plug):
    """Return the plug of the same net that leads the other way."""
    return ((plug - 1) ^ 1) + 1


@njit(cache=True)
def _ways(kind, plug, left, up, corners, count, rights, downs):
    """List in how many ways a cell can be passed.

    Parameters
    ----------
    kind, plug
        What it is, and the plug by which an end is left.
    left, up
        The plugs that lead into it.
    corners, count
        The plugs to the right that may start around a corner, and how many.
    rights, downs
        Filled with the plugs that lead out of it.

    Returns
    -------
    int
        How many ways.
    """
    rights[0] = downs[0] = rights[1] = downs[1] = 0
    if kind == WALL:
        return 0 if left or up else 1
    if kind == FREE:
        if left and up:
            # Two pieces of one net meet: one leads here, the other away.
            return 1 if left == _other_way(up) else 0
        if left or up:
            rights[0] = downs[1] = left + up
            return 2
        for i in range(count):
            rights[i + 1] = corners[i]
            downs[i + 1] = _other_way(corners[i])
        return 1 + count
    if left and up:
        return 0
    if left or up:
        return 1 if left + up == _other_way(plug) else 0
    rights[0] = downs[1] = plug
    return 2


@njit(cache=True)
def _slot(keys, s, i):
    """Return plug ``i`` of state ``s``."""
    return np.int64((keys[s, i >> 3] >> np.uint64(8 * (i & 7))) & np.uint64(255))


@njit(cache=True)
def _set_slot(key, i, value):
    """Write plug ``i`` of a state."""
    shift = np.uint64(8 * (i & 7))
    key[i >> 3] = (key[i >> 3] & ~(np.uint64(255) << shift)) | (np.uint64(value) << shift)


@njit(cache=True)
def _insert(key, cost, bound, table, keys, costs, bounds, count, most):
    """Insert a partial routing or merge it with its like.

    Returns
    -------
    tuple of int
        Its place (-1: no room) and whether it is the cheapest of its kind so far.
    """
    words = keys.shape[1]
    h = np.uint64(1469598103934665603)
    for w in range(words):
        h = (h ^ key[w]) * np.uint64(1099511628211)
        h ^= h >> np.uint64(29)
    mask = np.uint64(len(table) - 1)
    slot = h & mask
    while True:
        s = table[slot]
        if s < 0:
            break
        same = True
        for w in range(words):
            if keys[s, w] != key[w]:
                same = False
                break
        if same:
            # Every bound of one holds for the other, shifted by the difference in cost.
            extra = max(bounds[s] - costs[s], bound - cost)
            better = cost < costs[s]
            if better:
                costs[s] = cost
            bounds[s] = extra + costs[s]
            return s, better
        slot = (slot + np.uint64(1)) & mask
    if count >= most:
        return -1, False
    table[slot] = count
    for w in range(words):
        keys[count, w] = key[w]
    costs[count] = cost
    bounds[count] = bound
    return count, True


@njit(cache=True)
def sweep(order, ground, charges, base, limit, most, trail):
    """Visit all cells.

    Parameters
    ----------
    order, ground, charges
        The order of the cells, what they hold, and the dual's charges.
    base
        Bound of the layer less the nets' shortest distances.
    limit
        Bound above which a partial routing is dropped.
    most
        States at one cell, beyond which the search gives up.
    trail
        Filled for `walk_back`; it gives up as well where this is full.

    Returns
    -------
    tuple
        Verdict (1 found, 0 nothing within the limit, -1 gave up), cost of what was found and
        the number of states visited.

    Notes
    -----
    The bound of a state is ``base``, what the part visited costs, and for every stretch of a net
    that is still to come its length by the distances to the target: that where it begins (a
    source, or a plug of way 0, which leads out of the part visited) less that where it ends (a
    plug of way 1, which leads into it; its edge is still to come).
    """
    kinds, net_of, price, rest = ground.kind, ground.net_of, charges.price, charges.rest
    parents, downs_of, rights_of = trail.parents, trail.downs, trail.rights
    width, plugs = order.width, 1 + 2 * len(rest)
    words = (width + 8) // 8
    keys, next_keys = np.zeros((most, words), np.uint64), np.zeros((most, words), np.uint64)
    costs, next_costs = np.zeros(most, np.int64), np.zeros(most, np.int64)
    bounds, next_bounds = np.zeros(most), np.zeros(most)
    size = 1
    while size < 2 * most:
        size *= 2
    table = np.full(size, -1, np.int32)
    key = np.zeros(words, np.uint64)
    arrive, leave = np.zeros((2, plugs)), np.zeros((2, plugs))
    corners = np.empty(plugs, np.int64)
    rights, downs = np.empty(plugs + 1, np.int64), np.empty(plugs + 1, np.int64)
    bounds[0] = base
    for c in range(len(kinds)):
        if kinds[c] == SOURCE:
            bounds[0] += rest[net_of[c], 2 * c]
    count = 1
    total = 0
    for i in range(width * order.height):
        y = i // width
        x = i - y * width
        c = order.origin + y * order.major + x * order.minor
        kind = kinds[c]
        _tabulate(c, x + 1 < width, y + 1 < order.height, order, ground, charges, arrive, leave)
        corner_count = _find_corners(leave, corners) if kind == FREE else 0
        end_plug = 0
        end_bound = 0.0
        if kind in (SOURCE, TARGET):
            end_plug = 1 + 2 * net_of[c] + (0 if kind == SOURCE else 1)
            end_bound = -rest[net_of[c], 2 * c] if kind == SOURCE else 0.0
        table[:] = -1
        found = 0
        for s in range(count):
            left, up = _slot(keys, s, width), _slot(keys, s, x)
            for w in range(words):
                key[w] = keys[s, w]
            entered = bounds[s] + arrive[0, left] + arrive[1, up] + end_bound
            for way in range(_ways(kind, end_plug, left, up, corners, corner_count, rights, downs)):
                right, down = rights[way], downs[way]
                bound = entered + leave[0, right] + leave[1, down]
                cost = costs[s]
                if kind == FREE:
                    along, across = left + right, up + down
                    if along == 0 and across == 0:
                        bound += price[c]
                    else:
                        bend = 1 if along != 0 and across != 0 else 0
                        bound += bend
                        cost += 1 + bend
                if not bound <= limit:
                    continue
                _set_slot(key, x, down)
                _set_slot(key, width, right)
                place, better = _insert(
                    key, cost, bound, table, next_keys, next_costs, next_bounds, found, most
                )
                if place < 0 or total + found >= len(parents):
                    return -1, 0, total
                if place == found:
                    found += 1
                if better:
                    parents[total + place] = s
                    downs_of[total + place] = down
                    rights_of[total + place] = right
        trail.starts[i] = total
        total += found
        keys, next_keys = next_keys, keys
        costs, next_costs = next_costs, costs
        bounds, next_bounds = next_bounds, bounds
        count = found
        if count == 0:
            return 0, 0, total
    return 1, costs[0], total


@njit(cache=True)
def walk_back(trail, down_of, right_of):
    """Read off, cell by cell, the plugs of the routing found."""
    s = 0
    for i in range(len(trail.starts) - 1, -1, -1):
        at = trail.starts[i] + s
        down_of[i] = trail.downs[at]
        right_of[i] = trail.rights[at]
        s = trail.parents[at]
