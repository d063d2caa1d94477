"""The compiled inner loops of the dual: paths at given prices, and averages of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.paths.cheapest import INFINITE, Ground, Scratch, scratch, search, trace


@inner(cache=True)
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
def route_nets(nets, target, board, half, routes):
    """Route the given nets to their targets, whichever way they pass others.

    Parameters
    ----------
    nets, target
        The nets, and ``(nets,)`` the targets of all.
    board, half
        A `Board`, and ``(layers, cells)`` half of what cells cost.
    routes
        A `Routes`, filled for the given nets.

    Returns
    -------
    Routes
        This one, or one with more room where it had too little.
    """
    walk = _walk(board)
    for net in nets:
        cost, length, count = _shortest(net, target[net], board, half, walk)
        routes = _noted(net, cost, length, count, walk, routes)
    return routes


class _Walk(NamedTuple):
    """Room for a search, and for the cells and edges that it finds."""

    room: Scratch
    cells: NDArray[np.int32]
    edges: NDArray[np.int32]


@inner(cache=True)
def _walk(board):
    """Return room for searches on a board."""
    cells = board.free.shape[1]
    return _Walk(scratch(cells, 0), np.empty(cells, np.int32), np.empty(cells, np.int32))


@inner(cache=True)
def _shortest(net, target, board, half, walk):
    """Find a net's cheapest path; return its cost, and how many cells and edges it has."""
    z = board.layer[net]
    ground = Ground(board.free[z], half[z], board.stride)
    state = search(board.source[net], target, ground, walk.room)
    if state < 0:
        return INFINITE, 0, 0
    length = trace(state, walk.room.pred, walk.cells)
    count = edges_of_path(walk.cells, length, board.free.shape[1], walk.edges)
    return walk.room.dist[state], length, count


@inner(cache=True)
def _noted(net, cost, length, count, walk, routes):
    """Return the routes with what a net takes; with more room where there was too little."""
    paths, edges = widened(routes.paths, length), widened(routes.edges, count)
    for i in range(length):
        paths[net, i] = walk.cells[i]
    for i in range(count):
        edges[net, i] = walk.edges[i]
    routes.lengths[net] = length
    routes.counts[net] = count
    routes.costs[net] = cost
    return Routes(paths, routes.lengths, edges, routes.counts, routes.costs)


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
def average(edges, counts, layer, stride, weights, usage):
    """Add the edges taken to the average cell usage, those of each walk with its weight."""
    cells = usage.shape[1]
    for net in range(len(counts)):
        z = layer[net]
        for k in range(counts[net]):
            along = 0 if edges[net, k] < cells else 1
            cell = edges[net, k] - along * cells
            usage[z, cell] += 0.5 * weights[net]
            usage[z, cell + (1 if along == 0 else stride)] += 0.5 * weights[net]


@njit(cache=True)
def average_sides(edges, counts, crossed, compared, weight, sides):
    """Blend the sides on which nets pass each other's curves into their averages, if compared."""
    cells = crossed.shape[2]
    for i in range(len(counts)):
        for j in np.flatnonzero(compared[i]):
            odd = False
            for k in range(counts[i]):
                along = 0 if edges[i, k] < cells else 1
                odd ^= crossed[j, along, edges[i, k] - along * cells]
            sides[i, j] += weight * ((1.0 if odd else 0.0) - sides[i, j])
