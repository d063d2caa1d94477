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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.find.negotiate import Layer, NegotiateConfig, Paths, negotiate
from nlrouter.engine.paths.cost import total_cost


@dataclass(frozen=True)
class ReworkConfig:
    """Settings of a group that is routed anew."""

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
    """Pressure grows steeply, as a failure is cheap, and there is more noise, so that
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


@inner(cache=True)
def fill_owner(owner, members, paths, lengths):
    """Fill ``(cells,)`` with the place in ``members`` of a net that holds a cell, -1 for none."""
    owner[:] = -1
    for k in range(len(members)):
        net = members[k]
        for i in range(lengths[net]):
            owner[paths[net, i]] = k


class Group(NamedTuple):
    """Some nets of a layer, picked one after the other."""

    members: NDArray[np.int32]
    """``(members,)`` all nets of the layer."""
    places: NDArray[np.int32]
    """``(members,)`` places in ``members`` of those picked, the first ones."""
    chosen: NDArray[np.bool_]
    """``(members,)`` who is picked."""
    owner: NDArray[np.int32]
    """``(cells,)`` place in ``members`` of a net that holds a cell, -1 for none."""


@inner(cache=True)
def _group(members, routed, cells):
    """Return a group of which nobody has been picked."""
    owner = np.empty(cells, np.int32)
    fill_owner(owner, members, routed.cells, routed.lengths)
    return Group(members, np.empty(len(members), np.int32), np.zeros(len(members), np.bool_), owner)


@inner(cache=True)
def _pick(group, picked, k):
    """Pick a net by its place, if it is not in the group; return how many are now."""
    if group.chosen[k]:
        return picked
    group.chosen[k] = True
    group.places[picked] = k
    return picked + 1


@inner(cache=True)
def _grow(group, picked, size, layer, routed):
    """Add nets that touch those of a group, or stand behind a gap.

    Parameters
    ----------
    group, picked
        A `Group`, filled up, and how many are in it.
    size
        How many to reach.
    layer, routed
        A `Layer`, and a `Paths`.

    Returns
    -------
    int
        How many are in the group.
    """
    paths, lengths = routed
    stalled = 0
    while picked < size and stalled < 30:
        net = group.members[group.places[np.random.randint(picked)]]
        k = -1
        if lengths[net] > 0:
            cell = paths[net, np.random.randint(lengths[net])]
            direction = np.random.randint(4)
            step = 1 if direction < 2 else layer.stride
            step = step if direction & 1 else -step
            # Look past a free cell or two: what stands behind a gap is in the way as well.
            for _ in range(3):
                cell += step
                if cell < 0 or cell >= len(layer.free) or not layer.free[cell]:
                    break
                k = group.owner[cell]
                if k >= 0:
                    break
        before = picked
        if k >= 0:
            picked = _pick(group, picked, k)
        stalled += 1 if picked == before else 0
    return picked


@inner(cache=True)
def _walled(group, layer, routed):
    """Return a layer where the nets outside the group are walls."""
    walls = layer.free.copy()
    for k in range(len(group.members)):
        if not group.chosen[k]:
            net = group.members[k]
            for i in range(1, routed.lengths[net] - 1):
                walls[routed.cells[net, i]] = False
    return Layer(layer.source, layer.target, walls, layer.price, layer.stride)


@inner(cache=True)
def _take(subset, trial, routed):
    """Put the new paths of some nets in the place of the old ones."""
    for net in subset:
        routed.lengths[net] = trial.lengths[net]
        for i in range(trial.lengths[net]):
            routed.cells[net, i] = trial.cells[net, i]


@inner(cache=True)
def _draw_first(members, routed, held, overlaps):
    """Draw the place of a net to start from: one that overlaps, if any does."""
    first = np.random.randint(len(members))
    if overlaps > 0:
        for _ in range(4 * len(members)):
            net = members[first]
            for i in range(1, routed.lengths[net] - 1):
                if held[routed.cells[net, i]] > 1:
                    return first
            first = np.random.randint(len(members))
    return first


@inner(cache=True)
def _beside(subset, routed, held):
    """Count the overlaps of a layer without some nets, which are taken off ``held``."""
    for net in subset:
        for i in range(1, routed.lengths[net] - 1):
            held[routed.cells[net, i]] -= 1
    count = 0
    for cell in range(len(held)):
        count += held[cell] > 1
    return count


@njit(cache=True)
def rework(places, size, members, layer, routed, pressure, rounds, limit, most):
    """Route some nets of a layer anew together with what stands in their way.

    Parameters
    ----------
    places
        The nets to start from, as places in ``members``; their targets may have changed. With none,
        one is drawn that overlaps, if any does.
    size
        How many nets to rip up in all.
    members
        The nets of the layer.
    layer
        A `Layer`.
    routed
        A `Paths`, changed in place.
    pressure, rounds
        See `NegotiateConfig.pressure` and `ReworkConfig`.
    limit
        What the nets ripped up may cost more than before.
    most
        Overlaps of the layer at the most.

    Returns
    -------
    tuple of int
        Overlaps of the layer (see `overlaps_of`; -1: given up, nothing changed), and its cost.
    """
    paths, lengths = routed
    held = np.zeros(len(layer.free), np.int32)
    overlaps = overlaps_of(members, paths, lengths, held)
    group = _group(members, routed, len(layer.free))
    picked = 0
    for k in places:
        picked = _pick(group, picked, k)
    if picked == 0:
        picked = _pick(group, 0, _draw_first(members, routed, held, overlaps))
    picked = _grow(group, picked, min(len(members), size), layer, routed)
    subset = members[group.places[:picked]]
    trial = Paths(np.empty_like(paths), lengths.copy())
    occupancy = np.zeros(len(layer.free), np.int32)
    limit += total_cost(subset, paths, lengths)
    walled = _walled(group, layer, routed)
    left = negotiate(subset, walled, trial, pressure, rounds, limit, occupancy)
    # Overlaps among the others count on.
    if left < 0 or left + _beside(subset, routed, held) > most:
        return -1, 0
    if total_cost(subset, trial.cells, trial.lengths) > limit:
        return -1, 0
    _take(subset, trial, routed)
    return overlaps_of(members, paths, lengths, held), total_cost(members, paths, lengths)
