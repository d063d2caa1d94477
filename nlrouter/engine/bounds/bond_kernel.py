"""What a net pays for each combination of parities, by one search. Compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.bounds.sided_paths import GROUP_BITS, Group, fill_guide
from nlrouter.engine.paths.cheapest import INFINITE, moved, pop, push


class CurveBits(NamedTuple):
    """Curves that a net's walk may cross, those of settled sides last."""

    marks: NDArray[np.int64]
    """``(2, cells)`` which of them cross an edge, a bit for each."""
    bits: int
    """How many there are."""
    free_bits: int
    """How many of them, the lowest bits, are combined freely."""
    want: int
    """The parities of the others."""


class Found(NamedTuple):
    """What a search finds."""

    costs: NDArray[np.float64]
    """``(2 ** free_bits,)`` cost of each combination, or at least so much."""
    states: NDArray[np.int64]
    """``(2 ** free_bits,)`` the state in which its walk ends, -1 where the cost is no walk's."""
    pred: NDArray[np.int32]
    """``(2 * cells << bits,)`` the state before each one that was reached."""


@njit(cache=True)
def search_table(source, target, curves, radius, ground, found):
    """Find the cheapest walks of a net for all combinations of some parities.

    A* whose states carry the parities that are free, as made, and the others, as still to be made,
    guided by the exact costs with a group of the latter alone: so these hardly add states.

    Parameters
    ----------
    curves
        A `CurveBits`.
    radius
        How much more than the cheapest walk those are looked for that cost more; `INFINITE` for
        all.
    ground
        A `Ground`.
    found
        A `Found`, filled.

    Returns
    -------
    int
        How many states were looked at.
    """
    free, half, stride = ground
    marks, bits, free_bits, want = curves
    costs, states, pred = found
    cells, other = free.shape[0], 1 << bits
    width = min(bits - free_bits, GROUP_BITS)
    left = (1 << width) - 1
    group = Group(free_bits, width, want & left)
    rest = np.empty((2 * cells) << width)
    heap_key = np.empty((8 * cells) << bits)
    heap_state = np.empty((8 * cells) << bits, np.int32)
    fill_guide(source, target, marks, group, radius, ground, rest, heap_key, heap_state)
    dist = np.empty((2 * cells) << bits)
    for place in range(2 * cells):
        least = INFINITE
        for state in range(place << width, (place + 1) << width):
            least = min(least, rest[state])
        if least < INFINITE:  # The search comes to no others.
            for state in range(place << bits, (place + 1) << bits):
                dist[state] = INFINITE
    start = (2 * source) << bits | want << free_bits
    least = rest[(2 * source) << width | want & left]
    limit = min(least + radius, INFINITE)
    costs[:] = limit
    states[:] = -1
    missing = len(costs)
    size = 0
    looked = 0
    for axis in range(2):
        state = start + axis * other
        dist[state] = 0.0
        pred[state] = -1
        if least < INFINITE:
            size = push(heap_key, heap_state, size, least, state)
    while size > 0 and missing > 0:
        key = heap_key[0]
        state = heap_state[0]
        size = pop(heap_key, heap_state, size)
        place = state >> bits
        cell = place >> 1
        parities = state - (place << bits)
        here = dist[state]
        least = rest[place << width | parities >> free_bits & left]
        if key > here + least + 1e-9 or dist[state ^ other] + 1.0 <= here:
            continue
        looked += 1
        if cell == target:
            k = parities & ((1 << free_bits) - 1)
            if parities >> free_bits == 0 and states[k] < 0:
                costs[k] = here
                states[k] = state
                missing -= 1
            continue
        for move in range(2 if cell == source else 4):
            there, along, edge = moved(place, move, stride)
            if not free[there] and there != target:
                continue
            cost = here + half[cell] + half[there] + (move >> 1)
            onward = 2 * there + along
            made = parities ^ marks[along, edge]
            least = rest[onward << width | made >> free_bits & left]
            if cost + least > limit:
                continue
            after = onward << bits | made
            if cost < dist[after] and cost < dist[after ^ other] + 1.0:
                dist[after] = cost
                pred[after] = state
                size = push(heap_key, heap_state, size, cost + least, after)
    return looked


@njit(cache=True)
def edges_back(state, bits, pred, cells, edges):
    """Write the edges of the walk that ends in a state; return how many they are."""
    count = 0
    while pred[state] >= 0:
        there = state >> (bits + 1)
        state = pred[state]
        here = state >> (bits + 1)
        edges[count] = (0 if abs(there - here) == 1 else cells) + min(here, there)
        count += 1
    return count
