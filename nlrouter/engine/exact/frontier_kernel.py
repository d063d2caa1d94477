"""The compiled sweep of the frontier search; see ``frontier`` for what it is about."""

from __future__ import annotations

import numpy as np

from nlrouter.compiled import njit
from nlrouter.engine.paths.cheapest import INFINITE, NO_TOLLS, distances_onward


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
def _back(cell, step, axis, k, rest, half, toll):
    """Return what it takes to go back from a cell over its edge to ``cell - step`` and on."""
    return _edge_cost(cell - step, step, axis, half, toll) + rest[k, 2 * (cell - step) + axis]


@njit(cache=True)
def _slot(keys, s, i):
    return np.int64((keys[s, i >> 3] >> np.uint64(8 * (i & 7))) & np.uint64(255))


@njit(cache=True)
def _set_slot(key, i, value):
    shift = np.uint64(8 * (i & 7))
    key[i >> 3] = (key[i >> 3] & ~(np.uint64(255) << shift)) | (np.uint64(value) << shift)


@njit(cache=True)
def _insert(key, true_cost, charge, table, keys, true_costs, charges, count, most):
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
            extra = max(charges[s] - true_costs[s], charge - true_cost)
            better = true_cost < true_costs[s]
            if better:
                true_costs[s] = true_cost
            charges[s] = extra + true_costs[s]
            return s, better
        slot = (slot + np.uint64(1)) & mask
    if count >= most:
        return -1, False
    table[slot] = count
    for w in range(words):
        keys[count, w] = key[w]
    true_costs[count] = true_cost
    charges[count] = charge
    return count, True


@njit(cache=True)
def sweep(width, height, origin, minor, major, kind, net_of, half, price, tolls, tolled, rest,
           base, limit, most, most_total, parents, downs, rights, starts):  # fmt: skip
    """Visit all cells.

    Parameters
    ----------
    width, height, origin, minor, major
        The order of the cells: ``height`` rows of ``width``, from ``origin`` in steps of
        ``minor`` within a row and ``major`` between rows.
    kind
        ``(cells,)`` 0 wall, 1 free, 2 source, 3 target.
    net_of
        ``(cells,)`` local net of a source or target.
    half, price, tolls, tolled
        The dual's charges; ``tolled`` ``(nets,)`` row of ``tolls`` or -1.
    rest
        ``(nets, 2 * cells)`` see `remaining`.
    base
        Bound of the layer less the nets' shortest distances.
    limit
        Bound above which a partial routing is dropped.
    most, most_total
        States at one cell and at all of them, beyond which the search gives up.
    parents, downs, rights, starts
        Filled for `walk_back`.

    Returns
    -------
    tuple
        Verdict (1 found, 0 nothing within the limit, -1 gave up), cost of what was found and
        the number of states visited.
    """
    words = (width + 8) // 8
    axis_minor = 0 if minor == 1 else 1
    axis_major = 1 - axis_minor
    nets = rest.shape[0]
    keys = np.zeros((most, words), np.uint64)
    next_keys = np.zeros((most, words), np.uint64)
    true_costs = np.zeros(most, np.int64)
    next_true = np.zeros(most, np.int64)
    charges = np.zeros(most)
    next_charges = np.zeros(most)
    size = 1
    while size < 2 * most:
        size *= 2
    table = np.full(size, -1, np.int32)
    key = np.zeros(words, np.uint64)
    count = 1
    # ``charges`` holds the bound: base, what the part visited costs, and for every stretch of
    # a net that is still to come its length by the distances to the target: that where it
    # begins (a source, or a plug of way 0, which leads out of the part visited) less that where
    # it ends (a plug of way 1, which leads into it; its edge belongs to what is to come).
    charges[0] = base
    for c in range(len(kind)):
        if kind[c] == 2:
            charges[0] += rest[net_of[c], 2 * c]
    total = 0
    corner_net = np.empty(2 * nets, np.int64)
    corner_way = np.empty(2 * nets, np.int64)
    corner_charge = np.empty(2 * nets)
    for y in range(height):
        for x in range(width):
            c = origin + y * major + x * minor
            right = c + minor
            down = c + major
            k_here = net_of[c]
            corners = 0
            if kind[c] == 1 and x + 1 < width and y + 1 < height:
                for k in range(nets):
                    if kind[right] == 0 or kind[down] == 0:
                        break
                    if kind[right] > 1 and net_of[right] != k:
                        continue
                    if kind[down] > 1 and net_of[down] != k:
                        continue
                    toll = tolls[tolled[k]] if tolled[k] >= 0 else NO_TOLLS
                    if rest[k, 2 * c] >= INFINITE:
                        continue
                    for way in range(2):
                        if way == 0:  # from below to the right
                            gain = rest[k, 2 * right + axis_minor] - rest[k, 2 * c + axis_major]
                            gain += _edge_cost(c, minor, axis_minor, half, toll)
                        else:
                            gain = rest[k, 2 * down + axis_major] - rest[k, 2 * c + axis_minor]
                            gain += _edge_cost(c, major, axis_major, half, toll)
                        corner_net[corners] = k
                        corner_way[corners] = way
                        corner_charge[corners] = 1.0 + gain
                        corners += 1
            table[:] = -1
            next_count = 0
            for s in range(count):
                left_plug = _slot(keys, s, width)
                up_plug = _slot(keys, s, x)
                for w in range(words):
                    key[w] = keys[s, w]
                # Up to 2 + corners children, numbered; each sets down, right, step, charge.
                children = 0
                what = kind[c]
                k = 0
                way = 0
                if what == 0:
                    if left_plug != 0 or up_plug != 0:
                        continue
                    children = 1
                elif what == 1:
                    if left_plug == 0 and up_plug == 0:
                        children = 1 + corners
                    elif left_plug != 0 and up_plug != 0:
                        # The two halves of one net meet: same net, opposite ways.
                        if (left_plug - 1) ^ (up_plug - 1) != 1:
                            continue
                        children = 1
                    else:
                        children = 2
                        plug = left_plug + up_plug
                        k = (plug - 1) >> 1
                        way = (plug - 1) & 1
                else:
                    k = k_here
                    # A source is left, a target entered: by way 1 and way 0 of a plug here.
                    wanted = 1 + 2 * k + (1 if what == 2 else 0)
                    if left_plug != 0 and up_plug != 0:
                        continue
                    plug = left_plug + up_plug
                    if plug != 0:
                        if plug != wanted:
                            continue
                        children = 1
                    else:
                        children = 2
                        way = 0 if what == 2 else 1
                for child in range(children):
                    down_plug = 0
                    right_plug = 0
                    true_cost = true_costs[s]
                    charge = charges[s]
                    if what == 0:
                        pass
                    elif what == 1 and left_plug == 0 and up_plug == 0:
                        if child == 0:
                            charge += price[c]
                        else:
                            k = corner_net[child - 1]
                            way = corner_way[child - 1]
                            charge += corner_charge[child - 1]
                            true_cost += 2
                            right_plug = 1 + 2 * k + way
                            down_plug = 1 + 2 * k + 1 - way
                    elif what == 1 and left_plug != 0 and up_plug != 0:
                        k = (left_plug - 1) >> 1
                        true_cost += 2
                        toll = tolls[tolled[k]] if tolled[k] >= 0 else NO_TOLLS
                        if (left_plug - 1) & 1 == 0:
                            charge += _back(c, major, axis_major, k, rest, half, toll)
                            charge += 1.0 - rest[k, 2 * c + axis_minor]
                        else:
                            charge += _back(c, minor, axis_minor, k, rest, half, toll)
                            charge += 1.0 - rest[k, 2 * c + axis_major]
                    else:
                        # One way on: child 0 to the right, child 1 down; or an end of a net.
                        toll = tolls[tolled[k]] if tolled[k] >= 0 else NO_TOLLS
                        axis_in = -1
                        if left_plug != 0:
                            axis_in = axis_minor
                        elif up_plug != 0:
                            axis_in = axis_major
                        if axis_in >= 0:
                            if (left_plug + up_plug - 1) & 1 == 0:
                                charge -= rest[k, 2 * c + axis_in]
                            else:
                                step = minor if left_plug != 0 else major
                                charge += _back(c, step, axis_in, k, rest, half, toll)
                        if what == 2:
                            charge -= rest[k, 2 * c]
                        if not (what > 1 and axis_in >= 0):
                            axis_out = axis_minor if child == 0 else axis_major
                            step = minor if child == 0 else major
                            there = c + step
                            if (child == 0 and x + 1 == width) or (child == 1 and y + 1 == height):
                                continue
                            if kind[there] == 0 or (kind[there] > 1 and net_of[there] != k):
                                continue
                            if way == 0:
                                charge += _edge_cost(c, step, axis_out, half, toll)
                                charge += rest[k, 2 * there + axis_out]
                            else:
                                charge -= rest[k, 2 * c + axis_out]
                            if what == 1:
                                true_cost += 1
                                if axis_in != axis_out:
                                    true_cost += 1
                                    charge += 1.0
                            if child == 0:
                                right_plug = 1 + 2 * k + way
                            else:
                                down_plug = 1 + 2 * k + way
                    if not charge <= limit:
                        continue
                    _set_slot(key, x, down_plug)
                    _set_slot(key, width, right_plug)
                    place, better = _insert(
                        key,
                        true_cost,
                        charge,
                        table,
                        next_keys,
                        next_true,
                        next_charges,
                        next_count,
                        most,
                    )
                    if place < 0 or total + next_count >= most_total:
                        return -1, 0, total
                    if place == next_count:
                        next_count += 1
                    if better:
                        parents[total + place] = s
                        downs[total + place] = down_plug
                        rights[total + place] = right_plug
            starts[y * width + x] = total
            total += next_count
            keys, next_keys = next_keys, keys
            true_costs, next_true = next_true, true_costs
            charges, next_charges = next_charges, charges
            count = next_count
            if count == 0:
                return 0, 0, total
    return 1, true_costs[0], total


@njit(cache=True)
def walk_back(width, height, starts, parents, downs, rights, down_of, right_of):
    """Read off, cell by cell, the plugs of the routing found."""
    s = 0
    for i in range(width * height - 1, -1, -1):
        at = starts[i] + s
        down_of[i] = downs[at]
        right_of[i] = rights[at]
        s = parents[at]
