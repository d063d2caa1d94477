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
    chosen = _chosen(ways, nets.cells, below, MOST_WAYS)
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


def _chosen(ways: _Ways, cells: int, below: int, most_ways: int) -> list[_Way] | None:
    """Return one of each net's ways, so that none meet, for less than ``below``; depth first."""
    best: list[_Way] | None = None
    stack = [ways]
    while stack and most_ways > 0:
        ways = stack.pop()
        most_ways -= sum(map(len, ways))
        left = _left(ways, cells)
        if left is None or sum(own[0].cost for own in left) >= below:
            continue
        open_nets = [net for net, own in enumerate(left) if len(own) > 1]
        if not open_nets:
            best = [own[0] for own in left]
            below = sum(way.cost for way in best)
            continue
        net = min(open_nets, key=lambda net: len(left[net]))
        stack += [[*left[:net], [way], *left[net + 1 :]] for way in reversed(left[net])]
    return best


def _left(ways: _Ways, cells: int) -> _Ways | None:
    """Return the ways that may still be of use; None where a net has none.

    The only way of a net keeps its cells from others, and where the cheapest one of a net meets
    none of another's, the net needs no other.
    """
    held = np.zeros(cells, np.bool_)
    only: set[int] = set()
    while all(ways):
        new = [net for net, own in enumerate(ways) if len(own) == 1 and net not in only]
        if not new:
            wanted = np.zeros(cells, np.int32)
            for own in ways:
                wanted[np.concatenate([way.inner for way in own])] += 1
            return [own[:1] if (wanted[own[0].inner] == 1).all() else own for own in ways]
        for net in new:
            inner = ways[net][0].inner
            if held[inner].any():
                return None
            held[inner] = True
        only.update(new)
        ways = [
            own if net in only else [way for way in own if not held[way.inner].any()]
            for net, own in enumerate(ways)
        ]
    return None
