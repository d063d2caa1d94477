"""Rounds a relaxation: the cheapest routing made of walks that nets have taken in late rounds.

The best prices leave a net ways of the same cost, so what a round takes is seldom a routing, even
where the bound is what one costs; but the walks of a few rounds often hold one: the restricted
master heuristic of column generation (C. Joncour, S. Michel, R. Sadykov, D. Sverdlov,
F. Vanderbeck, Column generation based primal heuristics, 2010). Walks of settled sides go round
each other as a local search would never try. Most nets have one walk or two, so that a search with
propagation is done at once, sooner than a solver would be loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing

Walk = tuple[int, NDArray[np.int32]]
"""A net, and the edges of its walk, ``axis * cells + first cell``."""


MOST_WAYS = 40_000
"""Ways that the search looks at, at the most: 200 nodes of 70 nets with three each, where a few
are mostly enough; on a large layer fewer nodes, so that nobody waits for it."""


@dataclass(frozen=True)
class _Way:
    """A path of a net: its cells, ends included, and what it costs."""

    path: NDArray[np.int32]
    cost: int

    @property
    def inner(self) -> NDArray[np.int32]:
        """The cells that no other net may hold."""
        return self.path[1:-1]


_Ways = list[list[_Way]]
"""Those of each net that are left, the cheapest first."""


def cheapest_routing(nets: Nets, walks: Iterable[Walk], below: int) -> Routing | None:
    """Return the cheapest routing of a layer that some walks of its nets make up.

    Parameters
    ----------
    nets
        The layer's nets, all settled.
    walks
        Some of each; those that come to a cell twice are passed over.
    below
        What it has to cost less than.

    Returns
    -------
    Routing or None
        None where there is none, or none was found.
    """
    of_net: list[dict[bytes, _Way | None]] = [{} for _ in range(nets.count)]
    for net, edges in walks:
        own, key = of_net[net], edges.tobytes()
        if key not in own:
            own[key] = _way(int(nets.source[net]), int(nets.target[net]), edges, nets)
    ways = [sorted(filter(None, own.values()), key=lambda way: way.cost) for own in of_net]
    chosen = _chosen(ways, below, MOST_WAYS)
    if chosen is None:
        return None
    routing = Routing.along([way.path for way in chosen], ())
    return None if fault(nets, routing) else routing


def _way(source: int, target: int, edges: NDArray[np.int32], nets: Nets) -> _Way | None:
    """Return the only way along all edges from the source to the target; None without one."""
    axis, first = np.divmod(edges, nets.cells)
    beside: dict[int, list[int]] = {}
    for one, other in zip(
        first.tolist(), (first + np.where(axis == 0, 1, nets.stride)).tolist(), strict=True
    ):
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    path = [-1, source]
    while path[-1] != target:
        onward = [cell for cell in beside.get(path[-1], ()) if cell != path[-2]]
        if len(onward) != 1:
            return None
        path += onward
    if len(path) != len(edges) + 2:
        return None
    cells = np.array(path[1:], np.int32)
    return _Way(cells, Routing.along([cells], ()).cost)


def _chosen(ways: _Ways, below: int, most_ways: int) -> list[_Way] | None:
    """Return one of each net's ways, so that none meet, for less than ``below``; depth first."""
    every = [way for own in ways for way in own]
    cost = [way.cost for way in every]
    sets = _own(ways)
    meets = _meetings(ways, sets)
    best: list[_Way] | None = None
    stack = [(1 << len(every)) - 1]
    while stack and most_ways > 0:
        left = stack.pop()
        most_ways -= left.bit_count()
        left = _left(left, sets, meets)
        own = [left & mine for mine in sets]
        if not all(own) or sum(cost[_first(mine)] for mine in own) >= below:
            continue
        split = min((mine for mine in own if mine.bit_count() > 1), key=int.bit_count, default=0)
        if not split:
            best = [every[_first(mine)] for mine in own]
            below = sum(way.cost for way in best)
        stack += [left & ~split | 1 << k for k in reversed(range(len(every))) if split >> k & 1]
    return best


def _own(ways: _Ways) -> list[int]:
    """Return the set of each net's ways: a bit for each way, from the cheapest of the first on."""
    ends = np.cumsum([len(own) for own in ways]).tolist()
    return [(1 << end) - (1 << end - len(own)) for end, own in zip(ends, ways, strict=True)]


def _meetings(ways: _Ways, sets: list[int]) -> list[int]:
    """Return for each way the set of those of other nets that it meets."""
    at: dict[int, int] = {}
    held = [(net, way.inner.tolist()) for net, own in enumerate(ways) for way in own]
    for k, (_, cells) in enumerate(held):
        for cell in cells:
            at[cell] = at.get(cell, 0) | 1 << k
    return [reduce(or_, map(at.__getitem__, cells), 0) & ~sets[net] for net, cells in held]


def _left(left: int, sets: list[int], meets: list[int]) -> int:
    """Return the ways that may still be of use; of some net none if there is no routing of them.

    The only way of a net keeps its cells from others, and where the cheapest one of a net meets
    none of another's, the net needs no other.
    """
    before = 0
    while before != left:
        before = left
        for mine in sets:
            own = left & mine
            if not own:
                return 0
            k = _first(own)
            if not meets[k] & left:
                left &= ~own | 1 << k
            elif own == 1 << k:
                left &= ~meets[k]
    return left


def _first(ways: int) -> int:
    """Return the first of some ways."""
    return (ways & -ways).bit_length() - 1
