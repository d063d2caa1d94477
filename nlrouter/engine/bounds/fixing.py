"""Reduced-cost fixing: what no answer within a given cost can use.

With the dual's prices, the cheapest path of a net *through* a cell is known for all cells from
two searches. Where it costs more than the net's cheapest path by more than the gap between the
bound and the cost of interest, the net need not consider the cell. The same holds for a line
and a via.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from nlrouter.compiled import njit
from nlrouter.engine.bounds.charges import TOLERANCE, half_charges
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.choice import Choice
from nlrouter.engine.paths.cheapest import INFINITE, arrive, search


@njit(cache=True)
def _excess(nets, layer, source, target, free, half, stride, excess):
    """Fill ``(nets, cells)`` what a settled net pays more for passing through a free cell."""
    cells = free.shape[1]
    onward = np.empty(2 * cells)
    back = np.empty(2 * cells)
    pred = np.empty(2 * cells, np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    for net in nets:
        z = layer[net]
        search(source[net], -1, free[z], half[z], stride, onward, pred, heap_key, heap_state)
        search(target[net], -1, free[z], half[z], stride, back, pred, heap_key, heap_state)
        shortest, _ = arrive(target[net], source[net], half[z], stride, onward)
        for c in range(cells):
            if free[z, c]:
                straight = min(onward[2 * c] + back[2 * c], onward[2 * c + 1] + back[2 * c + 1])
                bent = min(onward[2 * c] + back[2 * c + 1], onward[2 * c + 1] + back[2 * c]) + 1.0
                excess[net, c] = min(straight, bent) - shortest


def allowed_cells(dual: Dual, upper: int) -> NDArray[np.bool_]:
    """Return ``(nets, cells)`` the free cells that a net may use in an answer up to ``upper``.

    Nets whose target is open keep all free cells.
    """
    nets = dual.nets
    excess = np.zeros((nets.count, nets.cells))
    half = half_charges(nets.free, dual.prices)
    _excess(
        dual.settled, nets.layer, nets.source, dual.target, nets.free, half, nets.stride, excess,
    )  # fmt: skip
    gap = upper - dual.value + TOLERANCE
    return nets.free[nets.layer] & (excess <= gap)


def allowed_vias(dual: Dual, upper: int) -> Choice:
    """Return the choice of vias that is left in an answer up to ``upper``.

    The best matching without a pair is cheaper than that with it by at least the pair's
    reduced cost; the exact difference is found by matching the others anew.
    """
    gap = upper - dual.value + TOLERANCE
    narrowed = []
    for i, allowed in enumerate(dual.choice):
        costs = np.where(allowed, np.minimum(dual.via_costs(i), INFINITE), INFINITE)
        narrowed.append(allowed & (forced_extra(costs) <= gap))
    return tuple(narrowed)


def forced_extra(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much each pair, if it is forced, makes the cheapest matching dearer.

    Parameters
    ----------
    costs
        ``(n, n)`` what a row pays for a column.

    Returns
    -------
    array
        ``(n, n)``. Who is forced to another column pushes its holder out, who takes the next, and
        so on until one takes the column given up: a cheapest path (Floyd and Warshall 1962).
    """
    rows, picked = linear_sum_assignment(costs)
    if costs[rows, picked].max(initial=0.0) >= INFINITE:
        return np.full(costs.shape, INFINITE)
    # What row i pays more for taking what row k holds, itself and with all that it pushes out.
    taken = costs[:, picked] - costs[rows, picked][:, None]
    onward = taken.copy()
    for k in rows:
        np.minimum(onward, onward[:, k, None] + onward[k], out=onward)
    extra = np.empty(costs.shape)
    extra[:, picked] = taken + onward.T
    return extra
