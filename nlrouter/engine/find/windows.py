"""Improvement within windows: rectangles of one layer, all that lies outside being fixed.

The pieces of paths inside a window, with the cells by which they enter and leave it, make a small
layer of their own. A few rounds of the dual mostly show that it cannot be routed any better; of
the rest, the walks that nets take in late rounds mostly hold the better routing. What short
negotiations of whole nets miss are moves of parts of many nets at once.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.rounding import cheapest_routing
from nlrouter.engine.find.config import WindowConfig
from nlrouter.engine.find.working import Neighbourhood, Working
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import Ground, scratch, search, trace
from nlrouter.engine.paths.cost import path_cost, total_cost
from nlrouter.engine.schedule.work import WALK


class Windows(Neighbourhood):
    """Routes what lies in some windows of a layer as cheaply as can be."""

    name = "windows"
    repairs = False

    def change(self, working: Working, deadline: Deadline) -> None:
        """Improve some windows of a layer without overlaps."""
        z = working.pick_layer()
        config = working.config.window
        # A net may come to pass through all of the window.
        working.make_room(min(working.nets.cells, int(working.lengths.max()) + config.cells))
        for _ in range(working.config.windows):
            working.costs[z] -= improve_window(
                working.nets, working.members[z], working.paths, working.lengths, working.random,
                deadline, config,
            )  # fmt: skip


@dataclass(frozen=True)
class _Window:
    """A rectangle of one layer and the pieces of paths in it.

    Parameters
    ----------
    y, x
        Its first row and column, the frame being row and column 0.
    nets
        The layer that it makes, each piece a net; two rows and columns of frame, of which the
        inner holds the cells outside that pieces come from.
    piece
        ``(pieces, 3)`` net of each, and the places in the net's path where it starts and ends.
    cost
        Inner cells and bends of the pieces.
    """

    y: int
    x: int
    nets: Nets
    piece: NDArray[np.int32]
    cost: int


def improve_window(
    nets: Nets,
    members: NDArray[np.int32],
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
    rng: random.Random,
    deadline: Deadline,
    config: WindowConfig,
) -> int:
    """Route what lies in some window of a layer as cheaply as can be.

    Parameters
    ----------
    nets
        The part.
    members
        The nets of the layer.
    paths, lengths
        Their routing, free of overlaps; changed in place if it gets cheaper.
    rng
        Picks the window.
    deadline
        When to stop at the latest.
    config
        Settings.

    Returns
    -------
    int
        By how much the routing is cheaper now.
    """
    window = _pick(nets, members, paths, lengths, rng, config)
    if len(window.piece) < 2:
        return 0
    dual = Dual(window.nets, config=config.dual)
    relaxed = dual.improve(deadline, config.rounds, window.cost)
    if dual.value > window.cost - 1 + 1e-6:
        return 0
    walks = [walk for own in (relaxed.walks, *dual.averages.walks) for walk in enumerate(own)]
    deadline.work(WALK * len(walks))
    found = cheapest_routing(window.nets, walks, window.cost)
    if found is None:
        return 0
    before = total_cost(members, paths, lengths)
    _put(nets, window, found.paths, paths, lengths)
    return before - total_cost(members, paths, lengths)


def _pick(
    nets: Nets,
    members: NDArray[np.int32],
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
    rng: random.Random,
    config: WindowConfig,
) -> _Window:
    """Cut a random window out of a layer."""
    rows, columns = nets.cells // nets.stride - 2, nets.stride - 2
    short = rng.randint(config.narrowest, config.widest)
    sides = [short, rng.randint(short, config.stretch * short)]
    rng.shuffle(sides)
    height, width = min(sides[0], rows), min(sides[1], columns)
    y = rng.randint(1, rows - height + 1)
    x = rng.randint(1, columns - width + 1)
    free = np.zeros((height + 4, width + 4), np.bool_)
    layer = nets.free[nets.layer[members[0]]].reshape(-1, nets.stride)
    free[2:-2, 2:-2] = layer[y : y + height, x : x + width]
    piece, ends = _pieces(members, paths, lengths, nets.stride, y, x, height, width)
    cost = sum(path_cost(paths[k, a : b + 1], b + 1 - a) for k, a, b in piece)
    window = Nets(
        stride=width + 4,
        free=free.reshape(1, -1),
        layer=np.zeros(len(piece), np.int32),
        line=nets.line[piece[:, 0]],
        source=ends[:, 0].copy(),  # A view would have the kernels compiled once more.
        target=ends[:, 1],
    )
    return _Window(y, x, window, piece, cost)


@njit(cache=True)
def _pieces(members, paths, lengths, stride, y, x, height, width):
    """Return the pieces of paths with cells in a window: ``(n, 3)`` and their ``(n, 2)`` ends."""
    piece = np.empty((height * width, 3), np.int32)
    ends = np.empty((height * width, 2), np.int32)
    count = 0
    for net in members:
        last = lengths[net] - 1
        start = -1
        for i in range(1, last + 1):
            row = paths[net, i] // stride - y
            column = paths[net, i] % stride - x
            inside = i < last and 0 <= row < height and 0 <= column < width
            if inside and start < 0:
                start = i - 1
            elif not inside and start >= 0:
                piece[count, 0], piece[count, 1], piece[count, 2] = net, start, i
                for side in range(2):
                    cell = paths[net, start if side == 0 else i]
                    row = cell // stride - y + 2
                    ends[count, side] = row * (width + 4) + cell % stride - x + 2
                count += 1
                start = -1
    return piece[:count], ends[:count]


def _put(
    nets: Nets,
    window: _Window,
    found: list[NDArray[np.int32]],
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
) -> None:
    """Put pieces routed anew in the place of the old ones."""
    stride = window.nets.stride
    # From the last piece of a net to its first, so that the places of those before hold.
    for k in range(len(window.piece) - 1, -1, -1):
        net, start, stop = window.piece[k]
        row, column = found[k] // stride, found[k] % stride
        inner = (row + window.y - 2) * nets.stride + column + window.x - 2
        tail = paths[net, stop + 1 : lengths[net]].copy()
        length = start + len(inner)
        paths[net, start:length] = inner
        paths[net, length : length + len(tail)] = tail
        lengths[net] = length + len(tail)
    for net in np.unique(window.piece[:, 0]):
        lengths[net] = _shortcut(paths[net], lengths[net], nets.stride, nets.cells)


@njit(cache=True)
def _shortcut(path, length, stride, cells):
    """Route a net over its own cells, as a piece may have come to touch others; its length."""
    free = np.zeros(cells, np.bool_)
    for i in range(1, length - 1):
        free[path[i]] = True
    room = scratch(cells)
    state = search(path[0], path[length - 1], Ground(free, np.full(cells, 0.5), stride), room)
    return trace(state, room.pred, path)
