"""Negotiated congestion: lines bid for cells until no two want the same one. Compiled.

After L. McMurchie and C. Ebeling, PathFinder: a negotiation-based performance-driven router
for FPGAs (1995): every net takes its cheapest path whatever the others hold; a cell costs
``(base + history) * (1 + present * occupancy)``; nets that share cells are ripped up and routed
again while ``present`` grows from round to round and ``history`` keeps what was fought over.
Where it departs from the paper: the base cost carries the dual's prices, and only nets that
share cells are ripped up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.paths.cheapest import Ground, scratch, search, trace
from nlrouter.engine.paths.cost import path_cost

NO_LIMIT = 1 << 40
"""A cost limit that never binds."""

TOO_LONG = -2
"""What a negotiation returns where a path has more cells than there is room for."""

LAST_PRESENT = 1000.0
"""Where the present factor stops growing; beyond that, history decides alone."""

Pressure = tuple[float, float, float, float, float]
"""First present factor, its growth, its last one, the gain of history, and noise."""


@dataclass(frozen=True)
class NegotiateConfig:
    """Settings of a negotiation."""

    first_present: float = 0.6
    """Present factor of the first round: sharing is dear at once, as few cells are spare."""
    growth: float = 1.15
    """Factor on the present factor from round to round; 1.1 to 1.3 work."""
    history: float = 0.7
    """What a cell's history gains for every net too many, each round."""
    noise: float = 0.05
    """Random share of a cell's base cost, so that restarts differ."""

    def pressure(self, noise: float | None = None) -> Pressure:
        """Return the settings as the kernels take them, on demand with another noise."""
        noise = self.noise if noise is None else noise
        return self.first_present, self.growth, LAST_PRESENT, self.history, noise


@njit(cache=True)
def seed_random(seed):
    """Seed the random numbers of all compiled code."""
    np.random.seed(seed)


class Layer(NamedTuple):
    """A layer and its nets as the kernels take them."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    """``(nets,)`` the ends of the nets."""
    free: NDArray[np.bool_]
    """``(cells,)`` where they may pass."""
    price: NDArray[np.float64]
    """``(cells,)`` what a cell costs beyond 1, to start from."""
    stride: int
    """Cells per framed row."""


class Paths(NamedTuple):
    """The paths of nets."""

    cells: NDArray[np.int32]
    """``(nets, width)`` the cells of each, ends included."""
    lengths: NDArray[np.int32]
    """``(nets,)`` how many."""


@njit(cache=True)
def negotiate(members, layer, routed, pressure, rounds, limit, occupancy):
    """Route nets of one layer so that none share a cell.

    Parameters
    ----------
    members
        The nets to route.
    layer
        A `Layer`.
    routed
        A `Paths`, filled for the members.
    pressure
        See `NegotiateConfig.pressure`.
    rounds
        Rounds at the most.
    limit
        Sum of inner cells and bends above which it is not worth going on: no more rounds once
        even paths that may still overlap cost more.
    occupancy
        ``(cells,)`` int, work space; on return, how many members hold each cell.

    Returns
    -------
    int
        Cells held by more than one net; 0 where the routing is valid, -1 where a net has no
        path at all or the limit is passed, `TOO_LONG` where the paths have too little room.
    """
    source, target, free, price, stride = layer
    paths, lengths = routed
    first_present, growth, last_present, gain, noise = pressure
    cells = free.shape[0]
    room = scratch(cells, 0)
    path = np.empty(cells, np.int32)
    occupancy[:] = 0
    base = np.empty(cells)
    half = np.empty(cells)
    for c in range(cells):
        base[c] = (1.0 + price[c]) * (1.0 + noise * np.random.random())
        half[c] = 0.5 * base[c]
    ground = Ground(free, half, stride)
    present = first_present
    count = len(members)
    order = members.copy()
    lengths[members] = 0
    for _ in range(rounds):
        for k in range(count - 1, 0, -1):
            j = np.random.randint(0, k + 1)
            order[k], order[j] = order[j], order[k]
        total = 0
        for k in range(count):
            net = order[k]
            length = lengths[net]
            if not shares(paths[net], length, occupancy):
                total += path_cost(paths[net], length)
                continue
            hold(paths[net], length, -1, occupancy, base, half, present)
            state = search(source[net], target[net], ground, room)
            if state < 0:
                return -1
            length = trace(state, room.pred, path)
            if length > paths.shape[1]:
                return TOO_LONG
            lengths[net] = length
            total += path_cost(path, length)
            for i in range(length):
                paths[net, i] = path[i]
            hold(path, length, 1, occupancy, base, half, present)
        overused = rise(occupancy, base, gain)
        if overused == 0:
            return 0
        if total > limit:
            return -1
        present = min(last_present, present * growth)
        reprice(occupancy, base, half, present)
    return overused


@inner(cache=True)
def hold(path, length, count, occupancy, base, half, present):
    """Let a path hold its inner cells once more (1) or no longer (-1), and price them anew."""
    for i in range(1, length - 1):
        c = path[i]
        occupancy[c] += count
        half[c] = half_bid(base[c], occupancy[c], present)


@inner(cache=True)
def shares(path, length, occupancy):
    """Return whether a path shares a cell with another, or there is none."""
    for i in range(1, length - 1):
        if occupancy[path[i]] > 1:
            return True
    return length == 0


@inner(cache=True)
def rise(occupancy, base, gain):
    """Let what is shared become dearer; return how much that is."""
    shared = 0
    for c in range(len(base)):
        if occupancy[c] > 1:
            shared += 1
            base[c] += gain * (occupancy[c] - 1)
    return shared


@inner(cache=True)
def reprice(occupancy, base, half, present):
    """Price all cells of a layer anew."""
    for c in range(len(base)):
        half[c] = half_bid(base[c], occupancy[c], present)


@inner(cache=True)
def half_bid(base, occupancy, present):
    """Return half of what a cell costs that so many hold."""
    return max(0.5, 0.5 * base * (1.0 + present * occupancy))
