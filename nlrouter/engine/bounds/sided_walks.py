"""The searches of many nets that carry parities, in one call. Compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.bounds.dual_kernels import widened
from nlrouter.engine.bounds.sided_paths import Sought, edges_back, made_by, search_sides
from nlrouter.engine.paths.cheapest import Ground


class AllSought(NamedTuple):
    """What the searches of some nets know of curves: a `Sought` for each net, without free bits."""

    marks: NDArray[np.int64]
    """``(nets, sheets, 2, cells)``"""
    sheet_of: NDArray[np.int64]
    """``(nets, settled)``"""
    heeded: NDArray[np.int64]
    guided: NDArray[np.int64]
    want: NDArray[np.int64]
    tolls: NDArray[np.float64]
    """``(nets, settled)``"""


class Walks(NamedTuple):
    """The walks that were found last, by the order of the nets."""

    costs: NDArray[np.float64]
    """``(nets,)`` as of a search, see `Found`."""
    ended: NDArray[np.bool_]
    """``(nets,)`` whether a search has a walk, or its start."""
    looked: NDArray[np.int64]
    """``(nets,)`` nodes that were looked at in all."""
    made: NDArray[np.int64]
    """``(nets,)`` the parities that the walk has made, of all bits; the wanted ones, where there is
    none, or its start alone."""
    edges: NDArray[np.int32]
    """``(nets, most)`` its edges."""
    counts: NDArray[np.int32]
    """``(nets,)`` how many."""


@njit(cache=True)
def search_each(members, nets, target, every, radius, board, half, walks):
    """Find the cheapest walks of some nets.

    Parameters
    ----------
    members, nets
        The places in ``nets`` of those to search for.
    target
        Where every net of the board leads.
    every, radius
        An `AllSought`, and how much more than at least each walk is looked for.
    board, half
        A `Board`, and ``(layers, cells)`` half of what cells cost.
    walks
        A `Walks`, filled for the members.

    Returns
    -------
    Walks
        This one, or one with more room where it had too little.
    """
    cells, rows = half.shape[1], walks.edges
    for k in members:
        net = nets[k]
        z, source = board.layer[net], np.int64(board.source[net])
        ground = Ground(board.free[z], half[z], board.stride)
        sought = Sought(
            every.marks[k], every.sheet_of[k], every.heeded[k], every.guided[k], every.want[k],
            every.tolls[k], 0,
        )  # fmt: skip
        found = search_sides(source, np.int64(target[net]), sought, radius[k], ground)
        end = found.ends[0]
        walks.costs[k], walks.ended[k] = found.costs[0], end >= 0
        walks.looked[k] += found.looked
        walks.counts[k], walks.made[k] = 0, every.want[k]
        if end >= 0:
            edges = edges_back(end, found, cells)
            rows = widened(rows, len(edges))
            rows[k, : len(edges)] = edges
            walks.counts[k] = len(edges)
            if found.complete:
                made = made_by(edges, source, sought.marks, sought.sheet_of, board.stride)
                walks.made[k] = made
    return Walks(walks.costs, walks.ended, walks.looked, walks.made, rows, walks.counts)
