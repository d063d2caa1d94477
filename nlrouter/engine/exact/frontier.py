"""Exact search of one layer, cell by cell, over what crosses the frontier. Compiled.

The cells are visited row by row (or column by column). What matters of the part already
visited is only which nets cross its *frontier*, where, and in which direction along their way
from source to target: the *frontier state*, one *plug* per edge cut. Partial routings of equal
state have the same completions, so the cheapest of them stands for all (frontier or
broken-profile dynamic programming; cf. D. Knuth's Simpath, TAOCP 4A, 7.1.4). With number and
direction in the plug no connectivity is needed: the flow of a net is conserved, so what is
missing from a proper path can only be loops, and a loop makes an answer dearer.

What keeps the states few is the dual: a partial routing is dropped when the Lagrangian bound
of its completions, from the dual's prices, tolls and every net's exact distances to its target,
exceeds the limit (J. Hooker's decision diagrams with Lagrangian bounds, 2017, in spirit). A
search that drops nothing else proves its limit; `FrontierResult.bound` says how much.

With ``limit`` set to the cost of an answer less 1, the search finds a better answer or proves
that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.charges import END_CHARGE, half_charges
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.dual_kernels import take_overpaid
from nlrouter.engine.exact.frontier_kernel import (
    FREE,
    SOURCE,
    TARGET,
    WALL,
    Charges,
    Ground,
    Order,
    Trail,
    remaining,
    sweep,
    walk_back,
)

MOST_NETS = 127
"""Nets of a layer that fit into a plug's byte."""


@dataclass(frozen=True)
class FrontierConfig:
    """Settings of the frontier search."""

    most: int = 1 << 20
    """States at one cell: 100 MB, and seconds per row of cells."""
    most_total: int = 60_000_000
    """States at all cells, for walking back: 360 MB."""


@dataclass(frozen=True)
class FrontierResult:
    """What a frontier search found.

    A routing is dropped where a *bound* of its cost exceeds the limit. With crossing cuts that
    bound may stay below the cost to the end, so a routing dearer than the limit can survive: it
    is a routing, but nothing says that it is the cheapest one.

    Parameters
    ----------
    limit
        Greatest cost of interest.
    complete
        Whether the search ran to its end, so that no routing within the limit was missed.
    paths
        The cheapest routing that has survived, one path per net of the layer, or None.
    cost
        Its inner cells plus bends.
    visited
        States visited.
    """

    limit: int
    complete: bool
    paths: dict[int, NDArray[np.int32]] | None
    cost: int
    visited: int

    @property
    def bound(self) -> int:
        """What the search proves: no routing of the layer costs less. 0 if it gave up."""
        if not self.complete:
            return 0
        beyond = self.limit + 1
        return beyond if self.paths is None else min(self.cost, beyond)

    @property
    def is_cheapest(self) -> bool:
        """Whether ``paths`` are proven to be a cheapest routing of the layer."""
        return self.paths is not None and self.cost <= self.bound


@dataclass(frozen=True)
class Layer:
    """One layer with its nets, their ends settled, and the dual's charges.

    Parameters
    ----------
    height, stride
        Rows without the frame, and cells per framed row.
    nets
        ``(n,)`` its nets.
    source, target
        ``(n,)`` their ends.
    free, price
        ``(cells,)`` see ``dual``.
    tolls, tolled
        Tolls and, ``(n,)``, the row of each net.
    constant
        What has to be added to the nets' distances to get the bound: multipliers and overpaid
        tolls less prices.
    """

    height: int
    stride: int
    nets: NDArray[np.int32]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    free: NDArray[np.bool_]
    price: NDArray[np.float64]
    tolls: NDArray[np.float64]
    tolled: NDArray[np.int32]
    constant: float


def layer_of(dual: Dual, z: int) -> Layer:
    """Return layer ``z`` with the charges that its nets pay under a dual whose vias are settled."""
    nets = dual.nets
    members = np.flatnonzero(nets.layer == z).astype(np.int32)
    half = half_charges(nets.free[z], dual.prices[z])
    tolls, rows = dual.cuts.tolls()
    constant = dual.cuts.total(members) - float(dual.prices[z].sum())
    edges = np.empty(3 * nets.cells, np.int32)
    for net in members[rows[members] >= 0]:
        constant += take_overpaid(
            nets.free[z], half, tolls[rows[net]], nets.stride, nets.source[net],
            dual.target[net], edges, 0,
        )[0]  # fmt: skip
    return Layer(
        height=nets.cells // nets.stride - 2,
        stride=nets.stride,
        nets=members,
        source=nets.source[members],
        target=dual.target[members],
        free=nets.free[z],
        price=dual.prices[z],
        tolls=tolls,
        tolled=rows[members],
        constant=constant,
    )


def search_frontier(
    layer: Layer, limit: int, config: FrontierConfig | None = None
) -> FrontierResult:
    """Find the cheapest routing of a layer that costs at most ``limit``, or prove there is none.

    Parameters
    ----------
    layer
        The layer.
    limit
        Greatest sum of inner cells and bends that is of interest.
    config
        Settings.
    """
    config = config or FrontierConfig()
    width = layer.stride - 2
    if len(layer.nets) > MOST_NETS:
        return FrontierResult(limit, False, None, 0, 0)
    origin = layer.stride + 1
    if width <= layer.height:
        order = Order(width, layer.height, origin, 1, layer.stride)
        rank = np.arange(len(layer.free))
    else:
        order = Order(layer.height, width, origin, layer.stride, 1)
        cells = np.arange(len(layer.free))
        rank = cells % layer.stride * layer.stride + cells // layer.stride
    # From the end that is visited first: then the distances onward are those still to go.
    flip = rank[layer.source] > rank[layer.target]
    source = np.where(flip, layer.target, layer.source)
    target = np.where(flip, layer.source, layer.target)
    ground = Ground(
        np.where(layer.free, np.int8(FREE), np.int8(WALL)), np.full(len(layer.free), -1, np.int64)
    )
    ground.kind[source], ground.kind[target] = SOURCE, TARGET
    ground.net_of[source] = ground.net_of[target] = np.arange(len(layer.nets))
    half = half_charges(layer.free, layer.price)
    rest = remaining(
        np.arange(len(layer.nets)), source, target, layer.free, half, layer.tolls, layer.tolled,
        layer.stride,
    )  # fmt: skip
    trail = Trail(
        np.empty(config.most_total, np.int32),
        np.empty(config.most_total, np.uint8),
        np.empty(config.most_total, np.uint8),
        np.zeros(width * layer.height, np.int64),
    )
    verdict, cost, visited = sweep(
        order,
        ground,
        Charges(half, layer.price, layer.tolls, layer.tolled, rest),
        layer.constant - 2 * END_CHARGE * len(layer.nets),
        limit + 1e-6,
        config.most,
        trail,
    )
    if verdict <= 0:
        return FrontierResult(limit, verdict == 0, None, 0, visited)
    down_of = np.zeros(len(trail.starts), np.uint8)
    right_of = np.zeros(len(trail.starts), np.uint8)
    walk_back(trail, down_of, right_of)
    neighbours: dict[int, list[int]] = {}
    for i in range(len(trail.starts)):
        y, x = divmod(i, order.width)
        cell = origin + y * order.major + x * order.minor
        for plug, step in ((down_of[i], order.major), (right_of[i], order.minor)):
            if plug:
                neighbours.setdefault(cell, []).append(cell + step)
                neighbours.setdefault(cell + step, []).append(cell)
    paths = {}
    for net, start, stop in zip(layer.nets, layer.source, layer.target, strict=True):
        path = [int(start)]
        while path[-1] != stop:
            path.append(next(n for n in neighbours[path[-1]] if n not in path[-2:]))
        paths[int(net)] = np.array(path, np.int32)
    return FrontierResult(limit, True, paths, int(cost), visited)
