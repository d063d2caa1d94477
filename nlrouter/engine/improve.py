"""Large-neighbourhood improvement of one layer by short negotiations. Compiled.

A few nets that stand in each other's way are ripped up and negotiate anew, the others being
walls; what comes out is kept if it costs no more (P. Shaw, Using constraint programming and
local search methods to solve vehicle routing problems, 1998, with negotiated congestion in
place of constraint programming). Equal cost is kept too: it moves the walls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from nlrouter.engine.negotiate import negotiate, path_cost
from nlrouter.engine.paths import NO_TOLLS, search, trace


@dataclass(frozen=True)
class ImproveConfig:
    """Settings of the improvement."""

    smallest: int = 2
    """Nets ripped up at the least; one alone is routed best already."""
    largest: int = 9
    """Nets ripped up at the most; more seldom settle within the rounds."""
    rounds: int = 40
    """Rounds of a negotiation; those that settle mostly do within 20."""
    growth: float = 1.3
    """Growth of the present factor: steep, as a failure is cheap."""
    noise: float = 0.3
    """Random share of a cell's cost, so that the same nets settle differently."""


@njit(cache=True)
def improve(members, source, target, free, price, stride, smallest, largest, rounds, growth, noise,
            tries, paths, lengths):  # type: ignore[no-untyped-def]  # fmt: skip
    """Improve a valid routing of one layer.

    Parameters
    ----------
    members
        The nets of the layer.
    source, target
        ``(nets,)`` their ends.
    free, price
        ``(cells,)`` where they may pass, and the dual's prices.
    smallest, largest, rounds, growth, noise
        See `ImproveConfig`.
    tries
        Negotiations to hold.
    paths, lengths
        The routing, changed in place.

    Returns
    -------
    int
        What was saved.
    """
    cells = free.shape[0]
    count = len(members)
    owner = np.full(cells, -1, np.int32)
    for k in range(count):
        net = members[k]
        for i in range(lengths[net]):
            owner[paths[net, i]] = k
    dist = np.empty(2 * cells)
    pred = np.empty(2 * cells, np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    occupancy = np.zeros(cells, np.int32)
    walls = free.copy()
    half = np.full(cells, 0.5)
    chosen = np.zeros(count, np.bool_)
    group = np.empty(count, np.int32)
    trial = paths.copy()
    trial_lengths = lengths.copy()
    scratch = np.empty(cells, np.int32)
    saved = 0
    for _ in range(tries):
        chosen[:] = False
        size = min(count, np.random.randint(smallest, largest + 1))
        first = np.random.randint(count)
        group[0] = first
        chosen[first] = True
        picked = 1
        if np.random.random() < 0.5:
            # Those that stand on the net's own cheapest path, walls or not.
            for c in range(cells):
                half[c] = 0.5 + 0.5 * np.random.random() * (1.0 + price[c])
            net = members[first]
            state = search(
                source[net], target[net], free, half, NO_TOLLS, stride, dist, pred, heap_key, heap_state
            )
            if state >= 0:
                for i in range(trace(state, pred, scratch)):
                    k = owner[scratch[i]]
                    if k >= 0 and not chosen[k] and picked < size:
                        chosen[k] = True
                        group[picked] = k
                        picked += 1
        stalled = 0
        while picked < size and stalled < 30:
            net = members[group[np.random.randint(picked)]]
            cell = paths[net, np.random.randint(lengths[net])]
            direction = np.random.randint(4)
            step = 1 if direction == 0 else -1 if direction == 1 else stride if direction == 2 else -stride
            # Look past a free cell or two: what stands behind a gap is in the way as well.
            for _ in range(3):
                cell += step
                if cell < 0 or cell >= cells or owner[cell] >= 0:
                    break
            k = owner[cell] if 0 <= cell < cells else -1
            if k >= 0 and not chosen[k]:
                chosen[k] = True
                group[picked] = k
                picked += 1
            else:
                stalled += 1
        before = 0
        subset = np.empty(picked, np.int32)
        for k in range(picked):
            net = members[group[k]]
            subset[k] = net
            before += path_cost(paths[net], lengths[net])
            for i in range(1, lengths[net] - 1):
                walls[paths[net, i]] = True
        for k in range(count):
            if not chosen[k]:
                net = members[k]
                for i in range(1, lengths[net] - 1):
                    walls[paths[net, i]] = False
        result = negotiate(
            subset, source, target, walls, price, stride, 0.5, growth, 1000.0, 0.5,
            noise, rounds, before, trial, trial_lengths, occupancy,
        )  # fmt: skip
        for c in range(cells):
            walls[c] = free[c]
        if result != 0:
            continue
        after = 0
        for k in range(picked):
            after += path_cost(trial[subset[k]], trial_lengths[subset[k]])
        if after > before:
            continue
        saved += before - after
        for k in range(picked):
            net = subset[k]
            for i in range(1, lengths[net] - 1):
                owner[paths[net, i]] = -1
        for k in range(picked):
            net = subset[k]
            lengths[net] = trial_lengths[net]
            for i in range(lengths[net]):
                paths[net, i] = trial[net, i]
                owner[paths[net, i]] = group[k]
    return saved
