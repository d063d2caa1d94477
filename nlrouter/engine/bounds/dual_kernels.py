"""The compiled inner loops of the dual: paths at given prices, and averages of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.bounds.sided_paths import Sought, heed, left_of_walk, search_passages
from nlrouter.engine.paths.cheapest import INFINITE, Ground, scratch, search, trace


@njit(cache=True)
def edges_of_path(path, length, cells, edges):
    """Write the edges of a path, as ``axis * cells + first cell``."""
    for k in range(1, length):
        here = path[k - 1]
        there = path[k]
        edges[k - 1] = (0 if abs(there - here) == 1 else cells) + min(here, there)
    return length - 1


class Routes(NamedTuple):
    """What nets take, and what it costs."""

    paths: NDArray[np.int32]
    """``(nets, most)`` the cells of each path, ends included."""
    lengths: NDArray[np.int32]
    """``(nets,)`` how many; 0 where a net takes a walk that passes others as is settled."""
    edges: NDArray[np.int32]
    """``(nets, most)`` the edges of each, ``axis * cells + first cell``."""
    counts: NDArray[np.int32]
    """``(nets,)`` how many."""
    costs: NDArray[np.float64]
    """``(nets,)`` the costs, `INFINITE` where a net cannot reach its target."""


@njit(cache=True)
def route_nets(nets, target, board, half, passages, routes):
    """Route the given nets to their targets.

    Parameters
    ----------
    nets, target
        The nets, and ``(nets,)`` the targets of all.
    board, half
        A `Board`, and ``(layers, cells)`` half of what cells cost.
    passages
        What is settled of the nets' paths; see `sides.Passages`.
    routes
        A `Routes`, filled for the given nets.

    Returns
    -------
    Routes
        This one, or one with more room where it had too little.
    """
    paths, lengths, edges, counts, costs = routes
    cells = board.free.shape[1]
    room = scratch(cells)
    path = np.empty(cells, np.int32)
    taken = np.empty(cells, np.int32)
    for net in nets:
        z, source = board.layer[net], board.source[net]
        ground = Ground(board.free[z], half[z], board.stride)
        r = passages.row[net]
        length = 0
        count = 0
        plain = r < 0 or passages.active[r] == 0
        if plain:
            state = search(source, target[net], ground, room)
            costs[net] = room.dist[state] if state >= 0 else INFINITE
            if state >= 0:
                length = trace(state, room.pred, path)
                count = edges_of_path(path, length, cells, taken)
            if r >= 0 and state >= 0:
                plain = _heeds_none(r, passages, taken, count, source, board.stride)
        if not plain:
            length = 0
            cost, count = search_passages(
                source, target[net], _sought(r, passages), passages.active[r : r + 1],
                passages.searches[r : r + 1], ground, taken,
            )  # fmt: skip
            costs[net] = min(cost, INFINITE)
            if cost >= INFINITE:
                count = 0
        paths = widened(paths, length)
        edges = widened(edges, count)
        for i in range(length):
            paths[net, i] = path[i]
        for i in range(count):
            edges[net, i] = taken[i]
        lengths[net] = length
        counts[net] = count
    return Routes(paths, lengths, edges, counts, costs)


@njit(cache=True)
def _sought(r, passages):
    """Return the parities of a net with passages, by its row."""
    return Sought(
        passages.marks[r], passages.sheet_of[r], passages.bits[r], passages.plain[r],
        passages.want[r],
    )  # fmt: skip


@njit(cache=True)
def _heeds_none(r, passages, edges, count, source, stride):
    """Return whether a path has all parities right; if not, one of them is heeded from now on."""
    left = left_of_walk(
        edges, count, source, passages.marks[r], passages.sheet_of[r], passages.want[r], stride
    )
    if left > 0:
        passages.active[r] = heed(passages.active[r], left, passages.plain[r], passages.sheet_of[r])
    return left == 0


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
