"""What two nets of a layer pay for not crossing each other, for each two vias that they may take.

Two nets whose ends are settled pass each other on one of two *sides* (see ``sides``), and what both
cases cost at given prices is known from one search per net and curve.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.curves import crossing_paths, draw_curves
from nlrouter.engine.bounds.via_matching import FEW
from nlrouter.engine.paths.cheapest import (
    INFINITE,
    Ground,
    arrive,
    arrive_parities,
    scratch,
    search,
    search_parities,
    trace,
)
from nlrouter.engine.schedule.work import CONFLICT_CELL


class Options(NamedTuple):
    """Nets of a layer with targets that they may have, those of a net side by side."""

    net: NDArray[np.int32]
    target: NDArray[np.int32]
    source: NDArray[np.int32]
    """``(options,)`` each."""


class Cheapest(NamedTuple):
    """The cheapest paths of options, each for itself."""

    costs: NDArray[np.float64]
    """``(options,)``, `INFINITE` where there is none."""
    paths: NDArray[np.int32]
    """``(options, cells)`` their cells, ends included."""
    lengths: NDArray[np.int32]
    """``(options,)`` how many."""


def cheapest_paths(options: Options, ground: Ground) -> Cheapest:
    """Find the cheapest path of each option."""
    count, cells = len(options.net), len(ground.free)
    found = Cheapest(
        np.full(count, INFINITE), np.zeros((count, cells), np.int32), np.zeros(count, np.int32)
    )
    _reach(options, ground, *found)
    return found


@njit(cache=True)
def _reach(options, ground, costs, paths, lengths):
    """Fill costs, paths and lengths of the options, each for itself."""
    room = scratch(len(ground.free), 0)
    net, many = options.net, False
    for o in range(len(net)):
        source, target = options.source[o], options.target[o]
        if o == 0 or net[o] != net[o - 1]:
            many = o + FEW < len(net) and net[o + FEW] == net[o]
            if many:
                search(source, -1, ground, room)
        if many:
            costs[o], state = arrive(target, source, ground, room.dist)
        else:
            state = search(source, target, ground, room)
            costs[o] = room.dist[state] if state >= 0 else INFINITE
        if state >= 0:
            lengths[o] = trace(state, room.pred, paths[o])
            if many:
                paths[o, lengths[o]] = target
                lengths[o] += 1


@njit(cache=True)
def _reach_sides(first, last, due, options, ground, crossed, cutoff, costs):
    """Fill ``costs[o, other, side]`` for the options from ``first`` up to ``last`` of one net."""
    room = scratch(len(ground.free), 1)
    source = options.source[first]
    for other in due:
        curve = crossed[other].astype(np.int64)
        search_parities(source, -1, curve, 1, cutoff, ground, room)
        for o in range(first, last):
            for side in range(2):
                costs[o, other, side], _ = arrive_parities(
                    options.target[o], source, curve, 1, side, ground, room.dist
                )


def pair_prices(
    options: Options,
    ground: Ground,
    most: NDArray[np.float64],
    deadline: Deadline,
) -> NDArray[np.float64] | None:
    """Return what two nets pay together, for not crossing each other, beyond what each pays alone.

    Parameters
    ----------
    options
        The nets and their targets.
    ground
        Where they run.
    most
        ``(options, options)`` up to which price that is of interest; where it is below 0 they are
        told to pay nothing.
    deadline
        When to give up.

    Returns
    -------
    array or None
        ``(options, options)``; None if it was stopped.
    """
    net, cells = options.net, len(ground.free)
    count = len(net)
    alone, paths, lengths = cheapest_paths(options, ground)
    curves = draw_curves(options.source, options.target, paths, lengths, cells, ground.stride)
    # Those whose cheapest paths do not cross, most of them, pay nothing for it.
    crossing = crossing_paths(paths, lengths, cells)
    crossing &= (net[:, None] != net) & (most >= 0)
    farthest = alone + most.max(axis=1, initial=0.0)
    sided = np.full((count, count, 2), INFINITE)
    first = 0
    while first < count:
        last = int(np.searchsorted(net, net[first], "right"))
        due = np.flatnonzero(crossing[first:last].any(axis=0))
        deadline.work(CONFLICT_CELL * len(due) * cells)
        if deadline.passed():
            return None
        cutoff = float(farthest[first:last].max())
        _reach_sides(first, last, due, options, ground, curves.crossed, cutoff, sided)
        first = last
    sided = np.maximum(sided - alone[:, None, None], 0.0)
    other = np.where(curves.parity[:, :, None] == 1, sided[:, :, ::-1], sided)
    # Side s of one goes with side parity - s of the other.
    prices = (sided + other.transpose(1, 0, 2)).min(axis=2)
    return np.where(crossing, np.minimum(prices, INFINITE), 0.0)
