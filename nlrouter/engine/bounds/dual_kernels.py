"""The compiled inner loops of the dual: paths at given prices, and averages of them."""

from __future__ import annotations

import numpy as np

from nlrouter.compiled import njit
from nlrouter.engine.bounds.sided_paths import heed, left_of_walk, search_passages
from nlrouter.engine.paths.cheapest import INFINITE, search, trace


@njit(cache=True)
def edges_of_path(path, length, cells, edges):
    """Write the edges of a path, as ``axis * cells + first cell``."""
    for k in range(1, length):
        here = path[k - 1]
        there = path[k]
        edges[k - 1] = (0 if abs(there - here) == 1 else cells) + min(here, there)
    return length - 1


@njit(cache=True)
def route_nets(
    nets, layer, source, target, free, half, passages, stride,
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
    taken = np.empty(cells, np.int32)
    for net in nets:
        z = layer[net]
        lengths[net] = 0
        counts[net] = 0
        r = row[net]
        passed = False
        length = 0
        count = 0
        if r < 0 or active[r] == 0:
            state = search(
                source[net], target[net], free[z], half[z], stride,
                dist, pred, heap_key, heap_state,
            )  # fmt: skip
            if state < 0:
                costs[net] = INFINITE
                continue
            costs[net] = dist[state]
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
                active[r : r + 1], searches[r : r + 1], free[z], half[z], stride,
                taken,
            )  # fmt: skip
            if cost >= INFINITE:
                costs[net] = INFINITE
                continue
            costs[net] = cost
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
def average(edges, counts, layer, stride, weight, usage):
    """Blend the edges taken into the average cell usage."""
    usage *= 1.0 - weight
    cells = usage.shape[1]
    for net in range(len(counts)):
        z = layer[net]
        for k in range(counts[net]):
            along = 0 if edges[net, k] < cells else 1
            cell = edges[net, k] - along * cells
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
