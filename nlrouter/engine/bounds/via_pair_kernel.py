"""What two nets of a layer pay together, for the vias that suit both best. Compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.bounds.sided_paths import Sought, edges_back, search_sides
from nlrouter.engine.paths.cheapest import INFINITE

MARGIN = 0.3
"""How much farther than a price that was found it is looked for at the next prices of cells."""


class Drawn(NamedTuple):
    """Two nets, and where they may lead: their options, those of the first net first."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    """``(options,)`` each."""
    first: int
    """How many options the first net has."""
    crossed: NDArray[np.bool_]
    """``(options, 2, cells)`` the edges that their curves cross."""
    parity: NDArray[np.int8]
    """``(options, options)`` whether two curves cross an odd number of times."""
    weights: NDArray[np.float64]
    """``(2,)`` how much of what each net pays for a detour the pair counts."""


class Looked(NamedTuple):
    """What is known of two vias, ``(vias, vias)`` each, a row for each of the first net."""

    paid: NDArray[np.float64]
    """What both nets pay at least."""
    extra: NDArray[np.float64]
    """How much of that is for not crossing."""
    radius: NDArray[np.float64]
    """How far to look for it next, at a guess."""
    exact: NDArray[np.bool_]
    """Whether they pay no more."""


class Walks(NamedTuple):
    """The walks of both nets; no room where they are not of interest."""

    edges: NDArray[np.int32]
    """``(2, 4 * cells)``."""
    counts: NDArray[np.int64]
    """``(2,)`` how many edges each has."""
    detours: NDArray[np.float64]
    """``(2,)`` how much more than its net's cheapest one each costs."""


@njit(cache=True)
def cheapest_pair(drawn, ground, most, enough, rows, columns, hint, looked, walks):
    """Find the two vias for which two nets pay least, of some.

    Two vias are looked at no farther than it takes to see that they are no cheaper than others.

    Parameters
    ----------
    drawn, ground
        A `Drawn` pair and where it runs.
    most
        Price of not crossing up to which it is looked for; what is above counts as this.
    enough
        What is paid at least from which on it does not matter how much it is.
    rows, columns
        The first of the vias that the nets may take, and the one after the last.
    hint
        Two of them that are cheap, at a guess; below 0 for none.
    looked, walks
        `Looked` and `Walks`, filled.

    Returns
    -------
    tuple of int
        The places of both vias, and how many states were looked at.
    """
    paid, extra, radius, exact = looked
    states, last, best = 0, -1, INFINITE
    while True:
        row, column = hint
        if row < 0 or exact[row, column] or best < INFINITE:
            row, column = rows[0], columns[0]
            for i in range(rows[0], rows[1]):
                for j in range(columns[0], columns[1]):
                    if paid[i, j] < paid[row, column]:
                        row, column = i, j
        place = row * paid.shape[1] + column
        known = exact[row, column] or paid[row, column] >= enough
        if known and (last == place or walks.edges.shape[1] == 0):
            return row, column, states
        within = extra[row, column] + 1e-6
        if not known:
            within = min(max(radius[row, column], within), best - paid[row, column] + within)
        price, found, more = _look(row, drawn.first + column, drawn, ground, within, walks)
        states += more
        last = place
        if not known:
            price = min(price, most)
            paid[row, column] += price - extra[row, column]
            extra[row, column] = price
            exact[row, column] = found or within >= most
            radius[row, column] = price + MARGIN if found else min(2.0 * within, most)
        if exact[row, column]:
            best = min(best, paid[row, column])


@inner(cache=True)
def _look(one, other, drawn, ground, radius, walks):
    """Look for what two options pay for not crossing, and their walks.

    Returns
    -------
    tuple
        What they pay at least, whether it is no more, and how many states were looked at.
    """
    cells = ground.free.shape[0]
    first = _both_sides(one, other, drawn, radius / drawn.weights[0], ground)
    # Where the first net goes round, the other need not: farther matters not.
    dear = min(radius, abs(first.costs[1] - first.costs[0]) * drawn.weights[0] + 1e-6)
    tables = first, _both_sides(other, one, drawn, dear / drawn.weights[1], ground)
    # Side s of one goes with side parity - s of the other.
    flip = np.int64(drawn.parity[one, other])
    price, side = INFINITE, 0
    for s in range(2):
        both = _detour(tables[0], s) * drawn.weights[0]
        both += _detour(tables[1], s ^ flip) * drawn.weights[1]
        if both < price:
            price, side = both, s
    found = True
    for k in range(2):
        taken = side if k == 0 else side ^ flip
        end = tables[k].ends[taken]
        found = found and (end >= 0 or tables[k].costs[0] >= INFINITE)
        if walks.edges.shape[1] > 0:
            walks.detours[k], walks.counts[k] = _detour(tables[k], taken), 0
            if end >= 0:
                edges = edges_back(end, tables[k], cells)
                walks.counts[k] = len(edges)
                walks.edges[k, : len(edges)] = edges
    return price, found, tables[0].looked + tables[1].looked


@inner(cache=True)
def _both_sides(mine, theirs, drawn, radius, ground):
    """Search an option's walks on either side of another."""
    marks = np.empty((1, 2, drawn.crossed.shape[2]), np.int64)
    marks[0] = drawn.crossed[theirs]
    sought = Sought(marks, np.zeros(1, np.int64), 0, 0, 0, np.empty(0), 1)
    source, target = np.int64(drawn.source[mine]), np.int64(drawn.target[mine])
    return search_sides(source, target, sought, radius, ground)


@inner(cache=True)
def _detour(table, side):
    """Return how much more than the cheapest walk that of a side costs at least."""
    return table.costs[side] - min(table.costs[0], table.costs[1])
