"""Large-neighbourhood improvement of one layer by short negotiations. Compiled.

A few nets that stand in each other's way are ripped up and negotiate anew, the others being
walls; what comes out is kept if it is no worse (P. Shaw, Using constraint programming and
local search methods to solve vehicle routing problems, 1998, with negotiated congestion in
place of constraint programming). No worse is enough: it moves the walls.

The routing may still hold overlaps. Then fewer of them is better, whatever the cost, and the
improvement goes on where a negotiation of all nets got stuck.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nlrouter.compiled import njit
from nlrouter.engine.find.negotiate import NegotiateConfig, negotiate
from nlrouter.engine.paths.cheapest import search, trace
from nlrouter.engine.paths.cost import total_cost


@dataclass(frozen=True)
class ImproveConfig:
    """Settings of the improvement."""

    smallest: int = 2
    """Nets ripped up at the least; one alone is routed best already."""
    largest: int = 9
    """Nets ripped up at the most; more seldom settle within the rounds."""
    rounds: int = 40
    """Rounds of a negotiation; those that settle mostly do within 20."""
    negotiate: NegotiateConfig = field(
        default_factory=lambda: NegotiateConfig(
            first_present=0.5, growth=1.3, history=0.5, noise=0.3
        )
    )
    """Of the group: pressure grows steeply, as a failure is cheap, and there is more noise, so that
    the same nets settle differently."""


@njit(cache=True)
def overlaps_of(members, paths, lengths, held):
    """Count what keeps the nets of a layer from being routed.

    Fills ``held`` with the number of nets in each cell.

    Returns
    -------
    int
        Cells that several nets hold, and all cells of the layer for each net without a path:
        0 means that the layer is routed.
    """
    held[:] = 0
    count = 0
    for net in members:
        if lengths[net] == 0:
            count += len(held)
        for i in range(1, lengths[net] - 1):
            c = paths[net, i]
            held[c] += 1
            if held[c] == 2:
                count += 1
    return count


@njit(cache=True)
def owners(members, paths, lengths, cells):
    """Return ``(cells,)`` place in ``members`` of a net that holds a cell, -1 for none."""
    owner = np.full(cells, -1, np.int32)
    for k in range(len(members)):
        net = members[k]
        for i in range(lengths[net]):
            owner[paths[net, i]] = k
    return owner


@njit(cache=True)
def grow_group(group, picked, size, members, source, target, free, price, stride, paths, lengths,
               owner, chosen, crossing):  # fmt: skip
    """Add nets that stand in the way of those of a group, or touch them.

    Parameters
    ----------
    group, picked
        Places in ``members`` of the nets in the group, and how many; ``group`` is filled up.
    size
        How many to reach.
    owner
        ``(cells,)`` place in ``members`` of a net that holds a cell, -1 for none.
    chosen
        ``(members,)`` bool, who is in the group; kept up to date.
    crossing
        Whether to start with the nets on the group's own cheapest paths.

    Returns
    -------
    int
        How many are in the group.
    """
    cells = free.shape[0]
    if crossing:
        dist = np.empty(2 * cells)
        pred = np.empty(2 * cells, np.int32)
        heap_key = np.empty(8 * cells)
        heap_state = np.empty(8 * cells, np.int32)
        path = np.empty(cells, np.int32)
        half = np.empty(cells)
        for c in range(cells):
            half[c] = 0.5 + 0.5 * np.random.random() * (1.0 + price[c])
        for g in range(picked):
            net = members[group[g]]
            state = search(
                source[net],
                target[net],
                free,
                half,
                stride,
                dist,
                pred,
                heap_key,
                heap_state,
            )
            if state < 0:
                continue
            for i in range(trace(state, pred, path)):
                k = owner[path[i]]
                if k >= 0 and not chosen[k] and picked < size:
                    chosen[k] = True
                    group[picked] = k
                    picked += 1
    stalled = 0
    while picked < size and stalled < 30:
        net = members[group[np.random.randint(picked)]]
        k = -1
        if lengths[net] > 0:
            cell = paths[net, np.random.randint(lengths[net])]
            direction = np.random.randint(4)
            step = 1 if direction < 2 else stride
            step = step if direction & 1 else -step
            # Look past a free cell or two: what stands behind a gap is in the way as well.
            for _ in range(3):
                cell += step
                if cell < 0 or cell >= cells or not free[cell]:
                    break
                k = owner[cell]
                if k >= 0:
                    break
        if k >= 0 and not chosen[k]:
            chosen[k] = True
            group[picked] = k
            picked += 1
        else:
            stalled += 1
    return picked


@njit(cache=True)
def set_walls(members, chosen, free, paths, lengths, walls):
    """Mark the cells that the nets outside the group leave free."""
    for cell in range(len(free)):  # A slice takes 2 s more to compile, for errors that never come.
        walls[cell] = free[cell]
    for k in range(len(members)):
        if not chosen[k]:
            net = members[k]
            for i in range(1, lengths[net] - 1):
                walls[paths[net, i]] = False


@njit(cache=True)
def take(subset, trial, trial_lengths, paths, lengths):
    """Put the new paths of some nets in the place of the old ones."""
    for net in subset:
        lengths[net] = trial_lengths[net]
        for i in range(lengths[net]):
            paths[net, i] = trial[net, i]


@njit(cache=True)
def improve(members, source, target, free, price, stride, smallest, largest, rounds, pressure,
            tries, paths, lengths):  # fmt: skip
    """Improve a routing of one layer.

    Parameters
    ----------
    members
        The nets of the layer.
    source, target
        ``(nets,)`` their ends.
    free, price
        ``(cells,)`` where they may pass, and the dual's prices.
    smallest, largest, rounds
        See `ImproveConfig`.
    pressure
        See `NegotiateConfig.pressure`.
    tries
        Negotiations to hold.
    paths, lengths
        The routing, changed in place; every member has a path.

    Returns
    -------
    tuple of int
        Overlaps (see `overlaps_of`), and inner cells plus bends.
    """
    cells = free.shape[0]
    count = len(members)
    owner = owners(members, paths, lengths, cells)
    held = np.zeros(cells, np.int32)
    overlaps = overlaps_of(members, paths, lengths, held)
    cost = total_cost(members, paths, lengths)
    occupancy = np.zeros(cells, np.int32)
    walls = free.copy()
    chosen = np.zeros(count, np.bool_)
    group = np.empty(count, np.int32)
    trial = np.empty_like(paths)
    trial_lengths = lengths.copy()
    for _ in range(tries):
        chosen[:] = False
        first = np.random.randint(count)
        if overlaps > 0:
            for _ in range(4 * count):
                net = members[first]
                shares = False
                for i in range(1, lengths[net] - 1):
                    shares |= held[paths[net, i]] > 1
                if shares:
                    break
                first = np.random.randint(count)
        group[0] = first
        chosen[first] = True
        size = min(count, np.random.randint(smallest, largest + 1))
        picked = grow_group(
            group, 1, size, members, source, target, free, price, stride, paths, lengths, owner,
            chosen, np.random.random() < 0.5,
        )  # fmt: skip
        subset = members[group[:picked]]
        before = total_cost(subset, paths, lengths)
        set_walls(members, chosen, free, paths, lengths, walls)
        left = negotiate(
            subset, source, target, walls, price, stride, pressure, rounds,
            before if overlaps == 0 else 1 << 60, trial, trial_lengths, occupancy,
        )  # fmt: skip
        if left < 0 or left > overlaps:
            continue
        after = total_cost(subset, trial, trial_lengths)
        if overlaps == 0 and after > before:
            continue
        if overlaps > 0 and left > 0:
            # Overlaps among the others count on: take the group out to count them.
            for net in subset:
                for i in range(1, lengths[net] - 1):
                    held[paths[net, i]] -= 1
            others = 0
            for c in range(cells):
                if held[c] > 1:
                    others += 1
            for net in subset:
                for i in range(1, lengths[net] - 1):
                    held[paths[net, i]] += 1
            if others + left > overlaps:
                continue
        cost += after - before
        for net in subset:
            for i in range(1, lengths[net] - 1):
                owner[paths[net, i]] = -1
        take(subset, trial, trial_lengths, paths, lengths)
        for k in range(count):
            net = members[k]
            if chosen[k] or overlaps > 0:
                for i in range(lengths[net]):
                    owner[paths[net, i]] = k
        if overlaps > 0:
            overlaps = overlaps_of(members, paths, lengths, held)
    return overlaps, cost


@njit(cache=True)
def rework(places, size, members, source, target, free, price, stride, rounds, pressure,
           limit, paths, lengths):  # fmt: skip
    """Route some nets of a layer anew together with what stands in their way, come what may.

    Parameters
    ----------
    places
        The nets to start from, as places in ``members``; their targets may have changed.
    size
        How many nets to rip up in all.
    limit
        Cost of the nets ripped up above which to give up.

    Returns
    -------
    tuple of int
        Overlaps of the layer (see `overlaps_of`; -1: given up, nothing changed), and its cost.
    """
    cells = free.shape[0]
    count = len(members)
    owner = owners(members, paths, lengths, cells)
    chosen = np.zeros(count, np.bool_)
    group = np.empty(count, np.int32)
    picked = len(places)
    for g in range(picked):
        group[g] = places[g]
        chosen[places[g]] = True
    picked = grow_group(
        group, picked, min(count, size), members, source, target, free, price, stride, paths,
        lengths, owner, chosen, True,
    )  # fmt: skip
    subset = members[group[:picked]]
    walls = np.empty(cells, np.bool_)
    set_walls(members, chosen, free, paths, lengths, walls)
    trial = np.empty_like(paths)
    trial_lengths = lengths.copy()
    held = np.zeros(cells, np.int32)
    before = total_cost(subset, paths, lengths)
    left = negotiate(
        subset, source, target, walls, price, stride, pressure, rounds, before + limit, trial,
        trial_lengths, held,
    )  # fmt: skip
    if left < 0:
        return -1, 0
    take(subset, trial, trial_lengths, paths, lengths)
    return overlaps_of(members, paths, lengths, held), total_cost(members, paths, lengths)
