"""The compiled inner loop of `bidding`: rounds in which lines take their cheapest paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.find.lines import find_via
from nlrouter.engine.find.negotiate import Paths, hold, reprice, rise, shares
from nlrouter.engine.paths.cheapest import Ground, scratch, search, trace


class Bids(NamedTuple):
    """What cells and vias cost, and how many hold them."""

    base: NDArray[np.float64]
    """``(layers, cells)`` cost of a cell alone, and its history."""
    half: NDArray[np.float64]
    """``(layers, cells)`` half of its cost as it stands."""
    held: NDArray[np.int32]
    """``(layers, cells)`` how many nets hold it."""
    via_base: NDArray[np.float64]
    """``(vias,)`` cost of a via, and its history."""
    via_held: NDArray[np.int32]
    """``(vias,)`` how many lines hold it."""


class Schedule(NamedTuple):
    """See `BiddingConfig`; the present factor as it stands, and its growth."""

    present: float
    growth: float
    history: float
    faith: float


class Stand(NamedTuple):
    """How the lines stand."""

    via: NDArray[np.int32]
    """``(lines,)`` the via of each, -1 for none."""
    paths: Paths


@njit(cache=True)
def bid(rounds, least, lines, board, target, bids, schedule, now, best):
    """Negotiate lines for some rounds.

    Parameters
    ----------
    rounds
        How many, unless nothing is shared before.
    least
        Cells and vias that are shared in the best round so far, -1 before the first.
    lines, board
        `Lines`, and a `Board`.
    target
        ``(nets,)`` where each path ends, changed where that is a via.
    bids, schedule
        `Bids`, changed, and the `Schedule`.
    now, best
        How the lines stand and stood in the best round: `Stand`, changed.

    Returns
    -------
    tuple of int and float
        Cells and vias that are shared in the best round, -1 if a line has no path whatever the
        others do, and the present factor.
    """
    cells = board.free.shape[1]
    rooms = (scratch(cells, 0), scratch(cells, 0))
    price = np.empty(len(lines.via_cells))
    state = np.empty(2, np.int32)
    moves = np.empty(2, np.bool_)
    order = np.arange(len(lines.first))
    present = schedule.present
    for _ in range(rounds):
        np.random.shuffle(order)
        for line in order:
            work = (rooms, price, state, moves)
            if not _bid_of(line, present, lines, board, target, bids, schedule, now, work):
                return -1, present
        shared = rise(bids.via_held, bids.via_base, schedule.history)
        for z in range(len(bids.held)):
            shared += rise(bids.held[z], bids.base[z], schedule.history)
        if least < 0 or shared < least:
            least = shared
            best.via[:] = now.via
            best.paths.lengths[:] = now.paths.lengths
            for net in range(len(now.paths.lengths)):
                for i in range(now.paths.lengths[net]):
                    best.paths.cells[net, i] = now.paths.cells[net, i]
        if least == 0:
            break
        present *= schedule.growth
        for z in range(len(bids.half)):
            reprice(bids.held[z], bids.base[z], bids.half[z], present)
    return least, present


@inner(cache=True)
def _bid_of(line, present, lines, board, target, bids, schedule, now, work):
    """Let a line take its cheapest paths anew where it shares what it has, if there are any."""
    rooms, price, state, moves = work
    nets = (lines.first[line], lines.second[line])
    via = now.via[line]
    lost = nets[1] >= 0 and (via < 0 or bids.via_held[via] > 1)
    for k in range(2):
        net = nets[k]
        moves[k] = net >= 0 and shares(
            now.paths.cells[net], now.paths.lengths[net], bids.held[board.layer[net]]
        )
    if not (moves[0] or moves[1] or lost):
        return True
    anew = lost or (nets[1] >= 0 and np.random.random() >= schedule.faith)
    for k in range(2):
        moves[k] = moves[k] or anew
        if moves[k]:
            _hold(nets[k], -1, present, board, bids, now.paths)
    if anew:
        if via >= 0:
            bids.via_held[via] -= 1
        open_to = lines.open_to[line]
        for v in range(open_to[0], open_to[1]):
            price[v] = bids.via_base[v] * (1.0 + present * bids.via_held[v])
        via = find_via(nets, open_to, lines.via_cells, price, board, bids.half, rooms, state)
        if via < 0:
            return False
        now.via[line] = via
        bids.via_held[via] += 1
        target[nets[0]] = target[nets[1]] = lines.via_cells[via]
    for k in range(2):
        if not moves[k]:
            continue
        net = nets[k]
        z = board.layer[net]
        if not anew:
            ground = Ground(board.free[z], bids.half[z], board.stride)
            state[k] = search(board.source[net], target[net], ground, rooms[k])
        if state[k] < 0:
            return False
        path = now.paths.cells[net]
        length = trace(state[k], rooms[k].pred, path)
        if path[length - 1] != target[net]:  # The search stopped before its via.
            path[length] = target[net]
            length += 1
        now.paths.lengths[net] = length
        _hold(net, 1, present, board, bids, now.paths)
    return True


@inner(cache=True)
def _hold(net, count, present, board, bids, paths):
    """Let a net hold its cells once more (1) or no longer (-1)."""
    z = board.layer[net]
    path, length = paths.cells[net], paths.lengths[net]
    hold(path, length, count, bids.held[z], bids.base[z], bids.half[z], present)
