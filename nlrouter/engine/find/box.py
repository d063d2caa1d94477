"""Boxes: rectangles of a large layer, in which a few nets are worked on as if it were small.

What moves a few nets (`improve`, `rework`) takes time by the cells of the layer. On a large one it
is given a box around the nets: those that lie in it as a whole may move, the others are walls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.nets.nets import Nets


@dataclass(frozen=True)
class BoxConfig:
    """Settings of the boxes."""

    cells: int = 3000
    """Framed cells of a layer up to which it is its own box: 52x52."""
    width: int = 256
    """Cells that a path of a larger layer has room for at first; a longer one makes more."""
    margin: int = 14
    """Cells on each side of the nets that a box is cut for: room for others to give way."""


@dataclass(frozen=True)
class Box:
    """Nets of a layer in a box, as a small layer of their own; or a whole layer as it is.

    Parameters
    ----------
    nets
        The nets that may move, by their numbers in the part.
    members
        The same, by their numbers in the box.
    source, target, paths, lengths
        By number in the box, as those of a routing (see `Working`).
    free, price, stride
        Cells of the box, framed: where its nets may pass, what the cells cost beyond 1, and how
        many there are per row.
    offset
        Place of the box in its layer: row and column of the first framed cell; None for a whole
        layer, whose paths are those of the routing itself.
    """

    nets: NDArray[np.int32]
    members: NDArray[np.int32]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    free: NDArray[np.bool_]
    price: NDArray[np.float64]
    stride: int
    paths: NDArray[np.int32]
    lengths: NDArray[np.int32]
    offset: tuple[int, int] | None = None

    def put_back(self, stride: int, paths: NDArray[np.int32], lengths: NDArray[np.int32]) -> None:
        """Take the paths of its nets over into the layer's, of ``stride`` cells a row."""
        if self.offset is not None:
            _put_back(self.nets, self.paths, self.lengths, self.stride, *self.offset, stride, paths,
                      lengths)  # fmt: skip


def box_around(
    around: NDArray[np.int32],
    nets: Nets,
    z: int,
    members: NDArray[np.int32],
    target: NDArray[np.int32],
    price: NDArray[np.float64],
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
    config: BoxConfig,
) -> Box:
    """Cut out the box around some nets of a layer; a small layer is its own box.

    Parameters
    ----------
    around
        The nets, which all have paths.
    nets, z, members
        The part, the layer, and all nets of it.
    target, paths, lengths
        The part's routing. Where a net is to lead to and where its path ends may differ.
    price
        ``(cells,)`` what the layer's cells cost beyond 1.
    config
        Settings.
    """
    whole = Box(
        members, members, nets.source, target, nets.free[z], price, nets.stride, paths, lengths
    )
    if nets.cells <= config.cells:
        return whole
    cells = np.concatenate(
        [nets.source[around], target[around], *(paths[net, : lengths[net]] for net in around)]
    )
    rows, columns = cells // nets.stride, cells % nets.stride
    top = max(0, int(rows.min()) - config.margin - 1)
    left = max(0, int(columns.min()) - config.margin - 1)
    height = min(nets.cells // nets.stride, int(rows.max()) + config.margin + 2) - top
    width = min(nets.stride, int(columns.max()) + config.margin + 2) - left
    if 2 * height * width > nets.cells:
        return whole
    inside, source, onward, free, prices, own, own_lengths = _cut_out(
        members, nets.source, target, nets.free[z], price, nets.stride, paths, lengths, top, left,
        height, width,
    )  # fmt: skip
    return Box(
        inside, np.arange(len(inside), dtype=np.int32), source, onward, free, prices, width, own,
        own_lengths, (top, left),
    )  # fmt: skip


@njit(cache=True)
def _cut_out(members, source, target, free, price, stride, paths, lengths, top, left, height,
             width):  # fmt: skip
    """Return the parts of a `Box`: nets, source, target, free, price, paths, lengths."""
    box_free = np.zeros(height * width, np.bool_)
    box_price = np.zeros(height * width)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            cell = (top + y) * stride + left + x
            box_free[y * width + x] = free[cell]
            box_price[y * width + x] = price[cell]
    inside = np.empty(len(members), np.int32)
    count = 0
    for net in members:
        whole = lengths[net] > 0 and _place(target[net], stride, top, left, height, width) >= 0
        for i in range(lengths[net]):
            if _place(paths[net, i], stride, top, left, height, width) < 0:
                whole = False
        if whole:
            inside[count] = net
            count += 1
        else:
            for i in range(1, lengths[net] - 1):
                place = _place(paths[net, i], stride, top, left, height, width)
                if place >= 0:
                    box_free[place] = False
    inside = inside[:count].copy()
    box_source = np.empty(count, np.int32)
    box_target = np.empty(count, np.int32)
    box_paths = np.empty((count, height * width), np.int32)
    for k in range(count):
        net = inside[k]
        box_source[k] = _place(source[net], stride, top, left, height, width)
        box_target[k] = _place(target[net], stride, top, left, height, width)
        for i in range(lengths[net]):
            box_paths[k, i] = _place(paths[net, i], stride, top, left, height, width)
    return inside, box_source, box_target, box_free, box_price, box_paths, lengths[inside]


@njit(cache=True)
def _place(cell, stride, top, left, height, width):
    """Return the number of a layer's cell in a box, -1 where that is not inside its frame."""
    y = cell // stride - top
    x = cell % stride - left
    if 0 < y < height - 1 and 0 < x < width - 1:
        return y * width + x
    return -1


@njit(cache=True)
def _put_back(nets, box_paths, box_lengths, width, top, left, stride, paths, lengths):
    """Take over the paths of a box's nets."""
    for k in range(len(nets)):
        net = nets[k]
        lengths[net] = box_lengths[k]
        for i in range(box_lengths[k]):
            cell = box_paths[k, i]
            paths[net, i] = (top + cell // width) * stride + left + cell % width


@njit(cache=True)
def sharing(members, paths, lengths, cells):
    """Return ``(members,)`` whether a net shares a cell with another one of the layer."""
    held = np.zeros(cells, np.int32)
    for net in members:
        for i in range(1, lengths[net] - 1):
            held[paths[net, i]] += 1
    shares = np.zeros(len(members), np.bool_)
    for k in range(len(members)):
        net = members[k]
        for i in range(1, lengths[net] - 1):
            if held[paths[net, i]] > 1:
                shares[k] = True
    return shares


@njit(cache=True)
def passing(members, paths, lengths, stride, place, reach):
    """Return ``(members,)`` whether a net has a cell within ``reach`` rows and columns of one."""
    y, x = place // stride, place % stride
    near = np.zeros(len(members), np.bool_)
    for k in range(len(members)):
        net = members[k]
        for i in range(lengths[net]):
            cell = paths[net, i]
            if abs(cell // stride - y) <= reach and abs(cell % stride - x) <= reach:
                near[k] = True
                break
    return near
