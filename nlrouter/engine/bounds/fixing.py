"""Reduced-cost fixing: vias that no answer within a given cost can use.

Where a line with some via makes the cheapest matching at the dual's prices dearer by more than the
gap between the bound and the cost of interest, the line need not consider the via.
"""

from __future__ import annotations

import numpy as np
from minilsap import linear_sum_assignment
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.via_pairs import Forced
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.schedule.work import VIA_CELL


def allowed_vias(dual: Dual, upper: int, deadline: Deadline) -> Domains:
    """Return the vias that each line may take in an answer up to ``upper``.

    The best matching without a pair is cheaper than that with it by at least the pair's
    reduced cost; the exact difference is found by matching the others anew.
    """
    gap = upper - dual.value + TOLERANCE
    forced = dual.forced(deadline, gap)
    return tuple(
        allowed & (extra_costs(dual, i, forced, deadline) <= gap)
        for i, allowed in enumerate(dual.domains)
    )


def extra_costs(dual: Dual, i: int, forced: Forced, deadline: Deadline) -> NDArray[np.float64]:
    """Return by how much each via of each line of class ``i``, if forced, raises a dual's value.

    ``forced`` is what pairs pay more; see `Dual.forced`.
    """
    allowed = dual.domains[i]
    deadline.work(VIA_CELL * len(allowed) * dual.nets.cells)
    costs = np.where(allowed, np.minimum(dual.via_costs(i), INFINITE), INFINITE)
    return forced_extra(costs) + dual.of_class(i, forced.extra)


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
    _join(onward)
    extra = np.empty(costs.shape)
    extra[:, picked] = taken + onward.T
    return extra


@njit(cache=True)
def _join(onward):
    """Make ``(n, n)`` costs of single steps those of the cheapest paths, in place."""
    count = len(onward)
    for k in range(count):
        for i in range(count):
            first = onward[i, k]
            if first < INFINITE:
                for j in range(count):
                    onward[i, j] = min(onward[i, j], first + onward[k, j])
