"""Rounds a relaxation: the cheapest routing made of walks that nets have taken in late rounds.

The best prices leave a net ways of the same cost, so what a round takes is seldom a routing, even
where the bound is what one costs; but the walks of a few rounds often hold one. An integer program
chooses one for each net so that none meet: the restricted master heuristic of column generation
(C. Joncour, S. Michel, R. Sadykov, D. Sverdlov, F. Vanderbeck, Column generation based primal
heuristics, 2010). Walks of settled sides go round each other as a local search would never try.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing

Walk = tuple[int, NDArray[np.int32]]
"""A net, and the edges of its walk, ``axis * cells + first cell``."""


@dataclass(frozen=True)
class RoundingConfig:
    """Settings of the rounding."""

    most_nodes: int = 100
    """Nodes of the integer program's own tree: mostly one is enough."""
    walk_seconds: float = 5e-5
    """Work of a walk, for a `WorkClock`: 3 ms for 70."""


def cheapest_routing(
    nets: Nets, walks: Iterable[Walk], below: float, config: RoundingConfig
) -> Routing | None:
    """Return the cheapest routing of a layer that some walks of its nets make up.

    Parameters
    ----------
    nets
        The layer's nets, all settled.
    walks
        Some of each; those that come to a cell twice are passed over.
    below
        What it has to cost less than.
    config
        Settings.

    Returns
    -------
    Routing or None
        None where there is none, or none was found.
    """
    of_net: list[dict[bytes, NDArray[np.int32]]] = [{} for _ in range(nets.count)]
    for net, edges in walks:
        own, key = of_net[net], edges.tobytes()
        if key not in own:
            own[key] = _path(int(nets.source[net]), int(nets.target[net]), edges, nets)
    paths = [[path for path in own.values() if len(path)] for own in of_net]
    if not all(paths) or _meet([own[0] for own in paths if len(own) == 1]):
        return None
    chosen = _chosen(paths, below, config)
    if chosen is None:
        return None
    routing = Routing.along(chosen, ())
    return None if fault(nets, routing) or routing.cost >= below else routing


def _path(source: int, target: int, edges: NDArray[np.int32], nets: Nets) -> NDArray[np.int32]:
    """Return the cells of the only way along all edges from the source to the target; else none."""
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
            return np.empty(0, np.int32)
        path += onward
    return np.array(path[1:] if len(path) == len(edges) + 2 else [], np.int32)


def _meet(paths: list[NDArray[np.int32]]) -> bool:
    """Return whether any paths share an inner cell."""
    inner = np.concatenate([path[1:-1] for path in paths]) if paths else np.empty(0)
    return len(np.unique(inner)) < len(inner)


def _chosen(
    paths: list[list[NDArray[np.int32]]], below: float, config: RoundingConfig
) -> list[NDArray[np.int32]] | None:
    """Return one of each net's paths, so that none share an inner cell, as cheap as can be."""
    every = [path for own in paths for path in own]
    if len(every) == len(paths):
        return every
    inner = [path[1:-1] for path in every]
    cost = np.array([len(path) - 2 + np.count_nonzero(np.diff(path, 2)) for path in every])
    net = np.repeat(np.arange(len(paths)), [len(own) for own in paths])
    cells, row = np.unique(np.concatenate(inner), return_inverse=True)
    column = np.repeat(np.arange(len(every)), [len(own) for own in inner])
    held = csr_array((np.ones(len(row)), (row, column)), (len(cells), len(every)))
    one = csr_array((np.ones(len(every)), (net, np.arange(len(every)))), (len(paths), len(every)))
    found = milp(
        cost,
        integrality=np.ones(len(every)),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(one, 1, 1),
            LinearConstraint(held, -np.inf, 1),
            LinearConstraint(cost[None], -np.inf, below - 1),
        ],
        options={"node_limit": config.most_nodes, "mip_rel_gap": 0.0},
    )
    return None if found.x is None else [every[k] for k in np.flatnonzero(found.x > 0.5)]
