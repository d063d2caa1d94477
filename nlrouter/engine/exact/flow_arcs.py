"""What the flow model is made of: the arcs worth having and the vias to be matched.

An *arc* is a step of a net from a cell to a neighbour; arcs are kept by where they start, in
arrays ``[member, direction, cell]``. The cheapest path of a net alone, through each arc, tells
which arcs lead anywhere, and which none but a routing above the given cost can use.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.matching import Matching
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE, search


def steps(stride: int) -> NDArray[np.int32]:
    """Return ``(4,)`` what an arc of each direction adds to its cell: along x, then along y."""
    return np.array([1, -1, stride, -stride], np.int32)


def through_costs(
    nets: Nets,
    members: NDArray[np.int32],
    target: NDArray[np.int32],
    free: NDArray[np.bool_],
    allowed: NDArray[np.bool_] | None,
    matchings: Sequence[Matching],
) -> NDArray[np.float64]:
    """Find what each net would pay, were it alone, for its cheapest path through each arc.

    Parameters
    ----------
    nets, members, target, free, allowed
        See `flow_model.solve_flow`.
    matchings
        The vias that nets with an open target may end in.

    Returns
    -------
    numpy.ndarray
        ``(members, 4, cells)``; `INFINITE` or more where there is no such path.
    """
    to_vias = _costs_to_vias(nets, members, free, matchings)
    through = np.empty((len(members), 4, nets.cells))
    for i, net in enumerate(members):
        layer = free[nets.layer[net]]
        passable = layer if allowed is None else layer & allowed[net]
        half = np.where(layer, 0.5, 0.0)
        before = _costs_to_leave(nets.source[net], passable, nets.stride)
        after = to_vias[i] if i in to_vias else _costs_to_leave(target[net], passable, nets.stride)
        after = np.where(layer & ~passable, INFINITE, after)
        for direction, step in enumerate(steps(nets.stride)):
            axis = direction // 2
            through[i, direction] = before[axis] + half + np.roll(half + after[axis], -step)
    return through


def _costs_to_vias(
    nets: Nets,
    members: NDArray[np.int32],
    free: NDArray[np.bool_],
    matchings: Sequence[Matching],
) -> dict[int, NDArray[np.float64]]:
    """Return, per member whose target is open, the costs to the nearest of its vias.

    One array for all nets of a side: what a single net is not allowed is left to the caller.
    """
    to_vias: dict[int, NDArray[np.float64]] = {}
    for matching in matchings:
        for side in matching.sides:
            if len(side):
                layer = free[nets.layer[members[side[0]]]]
                costs = [_costs_to_leave(cell, layer, nets.stride) for cell in matching.cells]
                to_vias |= dict.fromkeys(side.tolist(), np.min(costs, axis=0))
    return to_vias


def _costs_to_leave(
    start: np.int32, passable: NDArray[np.bool_], stride: int
) -> NDArray[np.float64]:
    """Return ``(2, cells)`` cost from a cell up to the middle of others, to go on along an axis."""
    cells = len(passable)
    dist = np.empty(2 * cells)
    search(
        start, -1, passable, np.where(passable, 0.5, 0.0), stride,
        dist, np.empty(2 * cells, np.int32), np.empty(8 * cells), np.empty(8 * cells, np.int32),
    )  # fmt: skip
    entered = dist.reshape(cells, 2).T
    return np.minimum(entered, entered[::-1] + 1.0)
