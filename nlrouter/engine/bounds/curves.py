"""Curves between the ends of nets, by which sides are told (see ``sides``).

They are drawn between the cells.

A *square* is the place between four cells; it has the number of its upper left cell. A curve
moves from square to square, each move crossing one edge between two cells; squares at the
border are joined around the outside of the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit
from nlrouter.engine.bounds.covers import ray_from
from nlrouter.engine.nets.nets import OPEN


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
    rays
        ``(2 * nets, 2, cells)`` bool, the edges crossed by a ray to the border from each end: the
        nets' sources, then their targets; none where some net has no curve.
    compared
        ``(nets, nets)`` bool, whether both have a curve, on the same layer.
    """

    crossed: NDArray[np.bool_]
    parity: NDArray[np.int8]
    rays: NDArray[np.bool_]
    compared: NDArray[np.bool_]


def draw_curves(
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
    cells: int,
    stride: int,
    layer: NDArray[np.int32] | None = None,
) -> Curves:
    """Draw a curve for each net whose ends are both settled.

    Parameters
    ----------
    source, target
        ``(nets,)`` the nets' ends; a target may be `OPEN`.
    paths, lengths
        Any path over free cells for each, by which curves are compared.
    layer
        ``(nets,)`` the nets' layers; one and the same by default.
    """
    count = len(source)
    crossed = np.zeros((count, 2, cells), np.bool_)
    drawn = target != OPEN
    for k in np.flatnonzero(drawn):
        draw_curve(source[k], target[k], stride, crossed[k])
    compared = drawn[:, None] & drawn
    if layer is not None:
        compared &= layer[:, None] == layer
    sides = _sides(paths, lengths, crossed)
    parity = compared & (crossing_paths(paths, lengths, cells) ^ sides ^ sides.T)
    rays = np.zeros((0, 2, cells), np.bool_)
    if drawn.all():
        ends = np.concatenate([source, target])
        rays = np.array([ray_from(int(end), stride, cells) for end in ends]).reshape(-1, 2, cells)
    return Curves(crossed, parity.astype(np.int8), rays, compared)


@njit(cache=True)
def crossing_paths(paths, lengths, cells):
    """Return ``(nets, nets)`` whether two paths of a layer cross an odd number of times."""
    count = len(lengths)
    crossing = np.zeros((count, count), np.bool_)
    on_path = np.empty((2, cells), np.bool_)
    for j in range(count):
        mark_edges(paths[j], lengths[j], on_path)
        for i in range(count):
            crossing[i, j] = count_crossings(paths[i], lengths[i], on_path) & 1
    return crossing


@njit(cache=True)
def _sides(paths, lengths, crossed):
    """Return ``(nets, nets)`` whether each path crosses each curve an odd number of times."""
    count = len(lengths)
    sides = np.zeros((count, count), np.bool_)
    for i in range(count):
        for j in range(count):
            sides[i, j] = meetings(paths[i], lengths[i], crossed[j]) & 1
    return sides


@inner(cache=True)
def mark_edges(path, length, crossed):
    """Mark the edges that a path takes an odd number of times; a walk may go back."""
    crossed[:] = False
    for k in range(1, length):
        here = path[k - 1]
        there = path[k]
        along = 0 if abs(here - there) == 1 else 1
        crossed[along, min(here, there)] ^= True


@inner(cache=True)
def count_crossings(path, length, crossed):
    """Count how often a path, shifted by half a cell both ways, crosses the marked edges."""
    count = 0
    for k in range(1, length):
        here = path[k - 1]
        there = path[k]
        # Shifted, a cell becomes the square of its number, and a step a move between squares.
        if crossed[1 if abs(here - there) == 1 else 0, max(here, there)]:
            count += 1
    return count


@inner(cache=True)
def meetings(path, length, crossed):
    """Count how many of a path's own edges are marked."""
    count = 0
    for k in range(1, length):
        here = path[k - 1]
        there = path[k]
        if crossed[0 if abs(here - there) == 1 else 1, min(here, there)]:
            count += 1
    return count


@njit(cache=True)
def draw_curve(start, stop, stride, crossed):
    """Mark the edges crossed by a curve that goes straight along y, then along x."""
    crossed[:] = False
    square = start
    while square // stride != stop // stride:
        if square // stride < stop // stride:
            square += stride
            crossed[0, square] ^= True
        else:
            crossed[0, square] ^= True
            square -= stride
    while square != stop:
        if square < stop:
            square += 1
            crossed[1, square] ^= True
        else:
            crossed[1, square] ^= True
            square -= 1
