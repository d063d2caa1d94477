"""The compiled inner loops of the dual: paths at given prices, and averages of them."""

from __future__ import annotations

import numpy as np

from nlrouter.compiled import njit
from nlrouter.engine.bounds.charges import END_CHARGE
from nlrouter.engine.bounds.sided_paths import heed, left_of_walk, search_passages
from nlrouter.engine.paths.cheapest import INFINITE, NO_TOLLS, search, trace


@njit(cache=True)
def edges_of_path(path, length, cells, edges):
    """Write the edges of a path, as ``axis * cells + first cell``."""
    for k in range(1, length):
        here = path[k - 1]
        there = path[k]
        edges[k - 1] = (0 if abs(there - here) == 1 else cells) + min(here, there)
    return length - 1


@njit(cache=True)
def take_overpaid(free, half, tolls, stride, source, target, edges, count):
    """Take every edge that pays more than it costs, whether the path takes it or not.

    The search has such an edge for nothing. A path takes an edge at most once, so adding what
    they pay keeps the bound valid. The edges join the path's in ``edges``.

    Returns
    -------
    tuple of float and int
        What they pay, not above 0, and the new number of edges.
    """
    cells = free.shape[0]
    paid = 0.0
    kept = 0
    for k in range(count):
        along = 0 if edges[k] < cells else 1
        cell = edges[k] - along * cells
        other = cell + (1 if along == 0 else stride)
        if half[cell] + half[other] + tolls[along, cell] > 0.0:
            edges[kept] = edges[k]
            kept += 1
    for along in range(2):
        step = 1 if along == 0 else stride
        for cell in range(cells - stride):
            if tolls[along, cell] < 0.0:
                other = cell + step
                charge = half[cell] + half[other] + tolls[along, cell]
                if (
                    charge <= 0.0
                    and (free[cell] or cell in (source, target))
                    and (free[other] or other in (source, target))
                ):
                    paid += charge
                    edges[kept] = along * cells + cell
                    kept += 1
    return paid, kept


@njit(cache=True)
def route_nets(
    nets, layer, source, target, free, half, tolls, tolled, passages, stride,
    paths, lengths, edges, counts, costs,
):  # fmt: skip
    """Route the given nets to their targets; fill ``lengths``, ``counts`` and ``costs``.

    Returns
    -------
    tuple of array
        ``paths`` and ``edges``, filled: these, or wider ones where they had no room.
    """
    row, marks, sheet_of, bits, plain, want, active, searches = passages
    cells = free.shape[1]
    dist = np.empty(2 * cells)
    pred = np.empty(2 * cells, np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    path = np.empty(cells, np.int32)
    taken = np.empty(3 * cells, np.int32)
    for net in nets:
        z = layer[net]
        toll = tolls[tolled[net]] if tolled[net] >= 0 else NO_TOLLS
        lengths[net] = 0
        counts[net] = 0
        r = row[net]
        passed = False
        length = 0
        count = 0
        if r < 0 or active[r] == 0:
            state = search(
                source[net], target[net], free[z], half[z], toll, stride,
                dist, pred, heap_key, heap_state,
            )  # fmt: skip
            if state < 0:
                costs[net] = INFINITE
                continue
            costs[net] = dist[state] - 2 * END_CHARGE
            length = trace(state, pred, path)
            count = edges_of_path(path, length, cells, taken)
            if r >= 0:
                left = left_of_walk(
                    taken, count, source[net], marks[r], sheet_of[r], want[r], stride
                )
                if left > 0:
                    active[r] = heed(active[r], left, plain[r], sheet_of[r])
            passed = r < 0 or active[r] == 0
        if not passed:
            length = 0
            cost, count = search_passages(
                source[net], target[net], marks[r], sheet_of[r], bits[r], plain[r], want[r],
                active[r : r + 1], searches[r : r + 1], free[z], half[z], toll, stride,
                taken[:cells],
            )  # fmt: skip
            if cost >= INFINITE:
                costs[net] = INFINITE
                continue
            costs[net] = cost - 2 * END_CHARGE
        if tolled[net] >= 0:
            paid, count = take_overpaid(
                free[z], half[z], toll, stride, source[net], target[net], taken, count
            )
            costs[net] += paid
        paths = widened(paths, length)
        edges = widened(edges, count)
        for i in range(length):
            paths[net, i] = path[i]
        for i in range(count):
            edges[net, i] = taken[i]
        lengths[net] = length
        counts[net] = count
    return paths, edges


@njit(cache=True)
def widened(rows, width):
    """Return rows of at least a width: these, or a copy with room to spare."""
    if width <= rows.shape[1]:
        return rows
    wider = np.empty((rows.shape[0], 2 * width), rows.dtype)
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            wider[i, k] = rows[i, k]
    return wider


@njit(cache=True)
def average(edges, counts, layer, stride, weight, usage, flow):
    """Blend the edges taken into the average cell usage and, if it is kept, the edge flow."""
    usage *= 1.0 - weight
    flow *= 1.0 - weight
    cells = flow.shape[2]
    for net in range(len(counts)):
        z = layer[net]
        for k in range(counts[net]):
            along = 0 if edges[net, k] < cells else 1
            cell = edges[net, k] - along * cells
            if len(flow) > 0:
                flow[net, along, cell] += weight
            usage[z, cell] += 0.5 * weight
            usage[z, cell + (1 if along == 0 else stride)] += 0.5 * weight


@njit(cache=True)
def average_sides(edges, counts, crossed, weight, sides):
    """Blend the sides on which the nets pass each other's curves into their averages."""
    cells = crossed.shape[2]
    for i in range(len(counts)):
        for j in range(len(crossed)):
            odd = False
            for k in range(counts[i]):
                along = 0 if edges[i, k] < cells else 1
                odd ^= crossed[j, along, edges[i, k] - along * cells]
            sides[i, j] += weight * ((1.0 if odd else 0.0) - sides[i, j])
