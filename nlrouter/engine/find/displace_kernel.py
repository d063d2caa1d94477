"""The compiled inner loop of `displace`: waiting lines take their paths and push others out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.find.lines import find_via
from nlrouter.engine.paths.cheapest import Ground, scratch, search, trace


class Held(NamedTuple):
    """Who holds which cell and via, and what it costs to push him out."""

    base: NDArray[np.float64]
    """``(layers, cells)`` cost of a cell alone."""
    half: NDArray[np.float64]
    """``(layers, cells)`` half of its cost as it stands."""
    owner: NDArray[np.int32]
    """``(layers, cells)`` the line that holds it, -1 for none."""
    onward: NDArray[np.int32]
    """``(layers, cells)`` the next cell of the path through it."""
    fights: NDArray[np.float64]
    """``(layers, cells)`` what fights have added to its cost."""
    holder: NDArray[np.int32]
    """``(vias,)`` the line that holds a via, -1 for none."""
    via_fights: NDArray[np.float64]
    """``(vias,)`` what fights have added to its cost."""


class Lot(NamedTuple):
    """How the lines stand."""

    pride: NDArray[np.float64]
    """``(lines,)`` factor on all that a line's cells cost others."""
    via: NDArray[np.int32]
    """``(lines,)`` its via, -1 for none."""
    target: NDArray[np.int32]
    """``(nets,)`` where a net's path ends."""
    start: NDArray[np.int32]
    """``(nets,)`` its first inner cell."""
    lengths: NDArray[np.int32]
    """``(nets,)`` how many inner cells there are, -1 without a path."""
    queue: NDArray[np.int32]
    """``(lines,)`` a ring of the lines that wait."""
    head: NDArray[np.int32]
    """``(2,)`` its first place, and how many wait."""


class Charges(NamedTuple):
    """See `DisplaceConfig`."""

    charge: float
    gain: float
    growth: float
    most_pride: float
    faith: float


@njit(cache=True)
def displace(moves, lines, board, held, lot, charges):
    """Let waiting lines take their paths, one after another; see `Displacement`.

    Parameters
    ----------
    moves
        How many at the most.
    lines, board
        `Lines`, and a `Board`.
    held, lot
        A `Held` and a `Lot`, changed.
    charges
        `Charges`.

    Returns
    -------
    bool
        False if a line has no path whatever the others do.
    """
    cells = board.free.shape[1]
    rooms = (scratch(cells, 0), scratch(cells, 0))
    path = np.empty(cells, np.int32)
    state = np.empty(2, np.int32)
    via_price = np.empty(len(lines.via_cells))
    while moves > 0 and lot.head[1] > 0:
        moves -= 1
        line = lot.queue[lot.head[0]]
        lot.head[0] = (lot.head[0] + 1) % len(lot.queue)
        lot.head[1] -= 1
        nets = (lines.first[line], lines.second[line])
        state[:] = 0
        if nets[1] >= 0 and (lot.via[line] < 0 or np.random.random() >= charges.faith):
            _choose_via(line, nets, lines, board, held, lot, charges, (rooms, via_price, state))
        else:
            for k in range(2):
                net = nets[k]
                if net >= 0 and lot.lengths[net] < 0:
                    z = board.layer[net]
                    ground = Ground(board.free[z], held.half[z], board.stride)
                    state[k] = search(board.source[net], lot.target[net], ground, rooms[k])
        if state[0] < 0 or state[1] < 0:
            lot.queue[(lot.head[0] + lot.head[1]) % len(lot.queue)] = line
            lot.head[1] += 1
            return False
        for k in range(2):
            net = nets[k]
            if net >= 0 and lot.lengths[net] < 0:
                length = trace(state[k], rooms[k].pred, path)
                if path[length - 1] != lot.target[net]:  # The search stopped before its via.
                    path[length] = lot.target[net]
                    length += 1
                _lay(line, net, path[:length], lines, board, held, lot, charges)
    return True


@inner(cache=True)
def _choose_via(line, nets, lines, board, held, lot, charges, work):
    """Let a line take the via that is cheapest with the paths to it, and push out who holds it."""
    rooms, price, state = work
    for k in range(2):
        _clear(nets[k], board, held, lot)
    if lot.via[line] >= 0:
        held.holder[lot.via[line]] = -1
    open_to = lines.open_to[line]
    for v in range(open_to[0], open_to[1]):
        holder = held.holder[v]
        price[v] = 0.0
        if holder >= 0:
            price[v] = (charges.charge + held.via_fights[v]) * lot.pride[holder]
    v = find_via(nets, open_to, lines.via_cells, price, board, held.half, rooms, state)
    lot.via[line] = v
    if v < 0:
        return
    loser = held.holder[v]
    if loser >= 0:
        held.via_fights[v] += charges.gain
        lot.via[loser] = -1
        waits = lot.lengths[lines.first[loser]] < 0 or lot.lengths[lines.second[loser]] < 0
        _clear(lines.first[loser], board, held, lot)
        _clear(lines.second[loser], board, held, lot)
        if not waits:
            _let_wait(loser, lot, charges)
    held.holder[v] = line
    lot.target[nets[0]] = lot.target[nets[1]] = lines.via_cells[v]


@inner(cache=True)
def _lay(line, net, path, lines, board, held, lot, charges):
    """Lay a net's path, and push out who is in its way."""
    z = board.layer[net]
    lot.lengths[net] = len(path) - 2
    lot.start[net] = path[1]
    for i in range(1, len(path) - 1):
        c = path[i]
        loser = held.owner[z, c]
        if loser >= 0:
            held.fights[z, c] += charges.gain
            low, high = lines.first[loser], lines.second[loser]
            waits = lot.lengths[low] < 0 or (high >= 0 and lot.lengths[high] < 0)
            _clear(low if board.layer[low] == z else high, board, held, lot)
            if not waits:
                _let_wait(loser, lot, charges)
        held.owner[z, c] = line
        held.onward[z, c] = path[i + 1]
        cost = (charges.charge + held.fights[z, c]) * lot.pride[line]
        held.half[z, c] = 0.5 * (held.base[z, c] + cost)


@inner(cache=True)
def _clear(net, board, held, lot):
    """Take a net's path away, if it has one."""
    z = board.layer[net]
    cell = lot.start[net]
    for _ in range(lot.lengths[net]):
        held.owner[z, cell] = -1
        held.half[z, cell] = 0.5 * held.base[z, cell]
        cell = held.onward[z, cell]
    lot.lengths[net] = -1


@inner(cache=True)
def _let_wait(line, lot, charges):
    """Put a line that was pushed out last in the queue."""
    lot.pride[line] = min(charges.most_pride, lot.pride[line] * charges.growth)
    lot.queue[(lot.head[0] + lot.head[1]) % len(lot.queue)] = line
    lot.head[1] += 1
