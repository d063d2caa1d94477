"""Which side of each other two nets pass: a choice that planarity leaves, and its price.

Give every net a *curve* between its ends, drawn once and for all between the cells (see
``cuts``). Of two nets i, j of one layer, the closed curves (path of i + curve of i) and (path
of j + curve of j) cross an even number of times, and the paths do not meet. So, modulo 2,

    (crossings of path i with curve j) + (crossings of path j with curve i)
        = (crossings of curve i with curve j),

which leaves just two cases: the *side* of i against j, 0 or 1, says how often its path crosses
the curve of j, modulo 2, and that of j against i follows. Another curve would shift a side by
a constant only, so a net whose side against j is settled satisfies every crossing cut with j.

A settled side is no relaxation: the cheapest path with given sides is found exactly, by a
search whose states carry a bit for each of them. Branching on sides thus closes what crossing
cuts leave open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.bounds.cuts import count_crossings, draw_curve, mark_edges
from nlrouter.engine.paths.cheapest import INFINITE, pop, push

MOST_BITS = 8
"""Sides that one net's search keeps apart: 256 states per cell and axis."""


@njit(cache=True)
def search_sides(
    source,
    target,
    marks,
    bits,
    want,
    free,
    half,
    tolls,
    stride,
    rest,
    dist,
    pred,
    heap_key,
    heap_state,
):
    """Find the cheapest path from source to target that passes others on the wanted sides.

    Parameters
    ----------
    marks
        ``(2, cells)`` int, which of the curves cross an edge, a bit for each.
    bits, want
        How many curves there are, and the wanted parity of crossings with each.
    rest
        ``(2 * cells,)`` least cost from a cell entered by an axis to the target, whatever the
        sides: the guide.
    dist, pred, heap_key, heap_state
        Work space for ``2 * cells << bits`` and ``8 * cells << bits`` states, a state being
        ``(2 * cell + axis) << bits | parities``.

    Returns
    -------
    int
        The state in which the target was reached, -1 if it was not.
    """
    for i in range((2 * free.shape[0]) << bits):
        dist[i] = INFINITE
    size = 0
    for axis in range(2):
        state = (2 * source + axis) << bits
        dist[state] = 0.0
        pred[state] = -1
        size = push(heap_key, heap_state, size, 0.0, state)
    tolled = tolls.shape[1] > 0
    while size > 0:
        key = heap_key[0]
        state = heap_state[0]
        size = pop(heap_key, heap_state, size)
        parities = state & ((1 << bits) - 1)
        place = state >> bits
        cell = place >> 1
        if cell == target:
            if parities == want:
                return state
            continue
        here = dist[state]
        if cell != source and key > here + rest[place] + 1e-9:
            continue
        for turn in range(2):
            if turn == 1 and cell == source:
                continue
            along = (place & 1) ^ turn
            step = 1 if along == 0 else stride
            for sign in range(2):
                there = cell + step if sign == 0 else cell - step
                if not free[there] and there != target:
                    continue
                edge = cell if sign == 0 else there
                cost = half[cell] + half[there]
                if tolled:
                    cost = max(0.0, cost + tolls[along, edge])
                cost += here + turn
                onward = 2 * there + along
                after = (onward << bits) | (parities ^ marks[along, edge])
                if cost < dist[after] and rest[onward] < INFINITE:
                    dist[after] = cost
                    pred[after] = state
                    size = push(heap_key, heap_state, size, cost + rest[onward], after)
    return -1


@dataclass(frozen=True)
class Curves:
    """The curves of one layer's nets.

    Parameters
    ----------
    crossed
        ``(nets, 2, cells)`` bool, the edges that each net's curve crosses an odd number of
        times.
    parity
        ``(nets, nets)`` int, crossings of two nets' curves modulo 2.
    """

    crossed: NDArray[np.bool_]
    parity: NDArray[np.int8]


def draw_curves(
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
    cells: int,
    stride: int,
) -> Curves:
    """Draw a curve for each net of a layer.

    Parameters
    ----------
    source, target
        ``(nets,)`` the nets' ends.
    paths, lengths
        Any path over free cells for each, by which curves are compared.
    """
    count = len(source)
    crossed = np.zeros((count, 2, cells), np.bool_)
    on_path = np.zeros((count, 2, cells), np.bool_)
    for k in range(count):
        draw_curve(source[k], target[k], stride, crossed[k])
        mark_edges(paths[k], lengths[k], on_path[k])
    meets = np.array(
        [[(crossed[i] & on_path[j]).sum() for j in range(count)] for i in range(count)]
    )
    shifted = np.array(
        [
            [count_crossings(paths[i], lengths[i], on_path[j]) for j in range(count)]
            for i in range(count)
        ]
    )
    parity = (meets + meets.T + shifted) % 2
    return Curves(crossed, parity.astype(np.int8))
