"""Relaxed paths that happen to be a routing: no two of them share a cell.

A node of a tree whose best paths are one has nothing left to branch on, and its bound is what the
routing costs; who does not take it up would have to find it anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.relaxed import Relaxed
from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing


def as_routing(nets: Nets, relaxed: Relaxed) -> Routing | None:
    """Return the relaxed paths of a layer as a routing; None if they are none.

    Parameters
    ----------
    nets
        The layer's nets, all settled.
    relaxed
        What a round of its dual has found, with the edges of walks as well.
    """
    ends = [
        _ends(edges[:count], nets)
        for edges, count in zip(relaxed.edges, relaxed.counts, strict=True)
    ]
    met = np.bincount(np.concatenate([*map(np.ravel, ends)]), minlength=1) if ends else [0]
    if max(met) > 2:
        return None
    paths = []
    for source, target, own in zip(nets.source, nets.target, ends, strict=True):
        path = _path(int(source), int(target), own)
        if path is None:
            return None
        paths.append(path)
    routing = Routing.along(paths, ())
    return None if fault(nets, routing) else routing


def _ends(edges: NDArray[np.int32], nets: Nets) -> NDArray[np.int32]:
    """Return ``(edges, 2)`` the two cells of each edge."""
    axis, cell = np.divmod(edges, nets.cells)
    return np.stack([cell, cell + np.where(axis == 0, 1, nets.stride)], axis=1)


def _path(source: int, target: int, ends: NDArray[np.int32]) -> NDArray[np.int32] | None:
    """Return the cells of the only way along all edges from the source to the target."""
    beside: dict[int, list[int]] = {}
    for one, other in ends.tolist():
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    path = [-1, source]
    while path[-1] != target:
        onward = [cell for cell in beside.get(path[-1], ()) if cell != path[-2]]
        if len(onward) != 1:
            return None
        path += onward
    return np.array(path[1:], np.int32) if len(path) == len(ends) + 2 else None
