"""Crossing cuts: what makes the bound see that lines of one layer cannot cross.

Take two nets i, j of one layer and two curves that run between the cells, each from the cell
of one end of its net to that of the other. If the curves cross an odd number of times, then
the net i over edges that the curve of j crosses, and j over those that the curve of i
crosses, together use at least one. For the closed curves (path of i + curve of i) and (path
of j + curve of j) cross an even number of times, and the paths do not meet.

A *square* is the place between four cells; it has the number of its upper left cell. A curve
moves from square to square, each move crossing one edge between two cells; squares at the
border are joined around the outside of the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.paths.cheapest import INFINITE, pop, push


@dataclass(frozen=True)
class Cut:
    """A crossing cut: together, two nets take at least one of the edges named.

    Parameters
    ----------
    nets
        The two nets, i and j.
    edges
        For each of the two, ``(n, 2)``: axis and first cell of the edges that the other
        net's curve crosses an odd number of times; each once.
    """

    nets: tuple[int, int]
    edges: tuple[NDArray[np.int32], NDArray[np.int32]]


class Cuts:
    """Crossing cuts with their multipliers. Never changed once made.

    Parameters
    ----------
    net_count, cells
        How many nets there are, and framed cells a layer.
    """

    def __init__(self, net_count: int, cells: int) -> None:
        self.net_count = net_count
        self.cells = cells
        self.cuts: list[Cut] = []
        self.multipliers = np.zeros(0)
        self._row = np.full(net_count, -1, np.int32)
        # Incidence of all cuts in one list: cut, net, axis, cell.
        self._entries = np.zeros((0, 4), np.int32)

    def extended(self, found: list[Cut]) -> Cuts:
        """Return these cuts and more, the new ones with multipliers of 0."""
        entries = [self._entries]
        for k, cut in enumerate(found, len(self.cuts)):
            for net, edges in zip(cut.nets, cut.edges, strict=True):
                block = np.empty((len(edges), 4), np.int32)
                block[:, 0] = k
                block[:, 1] = net
                block[:, 2:] = edges
                entries.append(block)
        return self._with(
            self.cuts + found,
            np.concatenate([self.multipliers, np.zeros(len(found))]),
            np.concatenate(entries),
        )

    def moved(self, step: NDArray[np.float64]) -> Cuts:
        """Return the same cuts with multipliers moved by a step, none below 0."""
        if not self.cuts:  # Most duals have none, and this is done in every round.
            return self
        return self._with(self.cuts, np.maximum(0.0, self.multipliers + step), self._entries)

    def without_slack(self, keep: NDArray[np.bool_]) -> Cuts:
        """Return only the cuts that ``keep`` marks."""
        number = np.cumsum(keep) - 1
        entries = self._entries[keep[self._entries[:, 0]]]
        entries[:, 0] = number[entries[:, 0]]
        cuts = [cut for cut, kept in zip(self.cuts, keep, strict=True) if kept]
        return self._with(cuts, self.multipliers[keep], entries)

    def _with(
        self, cuts: list[Cut], multipliers: NDArray[np.float64], entries: NDArray[np.int32]
    ) -> Cuts:
        made = Cuts(self.net_count, self.cells)
        made.cuts, made.multipliers, made._entries = cuts, multipliers, entries
        used = np.unique(entries[:, 1])
        made._row[used] = np.arange(len(used))
        return made

    def total(self, nets: NDArray[np.int32]) -> float:
        """Sum the multipliers of the cuts between some nets."""
        chosen = {int(net) for net in nets}
        return float(
            sum(
                m
                for cut, m in zip(self.cuts, self.multipliers, strict=True)
                if cut.nets[0] in chosen
            )
        )

    def activity(self, flow: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return ``(cuts,)`` left-hand side of each cut at an edge flow ``(nets, 2, cells)``."""
        cut, net, axis, cell = self._entries.T
        return np.bincount(cut, flow[net, axis, cell], minlength=len(self.cuts)).astype(np.float64)

    def of_nets(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """Return the edges that nets are paid for, and the cuts, by nets.

        ``(nets + 1,)`` where those of each net begin and, last, end; ``(entries,)`` the edges as
        ``axis * cells + first cell``; ``(entries,)`` the cuts.
        """
        entries = self._entries[np.argsort(self._entries[:, 1], kind="stable")]
        cut, net, axis, cell = entries.T
        start = np.searchsorted(net, np.arange(self.net_count + 1))
        return start, axis * np.int32(self.cells) + cell, np.ascontiguousarray(cut)

    def tolls(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Return tolls ``(rows, 2, cells)`` and ``(nets,)`` the row of each net, -1 for none."""
        tolls = np.zeros((int(self._row.max(initial=-1)) + 1, 2, self.cells))
        cut, net, axis, cell = self._entries.T
        np.subtract.at(tolls, (self._row[net], axis, cell), self.multipliers[cut])
        return tolls, self._row


@njit(cache=True)
def _cheapest_curves(
    start, stop, weight, crossed, stride, height, dist, pred, heap_key, heap_state
):
    """Find the cheapest curve of either parity from one cell to another.

    Parameters
    ----------
    start, stop
        The cells.
    weight
        ``(2, cells)`` what it costs to cross an edge.
    crossed
        ``(2, cells)`` bool, the edges whose crossings are counted for the parity.
    dist, pred
        Filled, ``(2 * cells,)``; a state is ``2 * square + parity``.

    Returns
    -------
    tuple of int
        The last states of the even and the odd curve; -1 where there is none.
    """
    cells = weight.shape[1]
    for i in range(2 * cells):
        dist[i] = INFINITE
    size = 0
    for k in range(4):
        corner = start - (k & 1) - (k >> 1) * stride
        dist[2 * corner] = 0.0
        pred[2 * corner] = -1
        size = push(heap_key, heap_state, size, 0.0, 2 * corner)
    found_even = -1
    found_odd = -1
    while size > 0 and (found_even < 0 or found_odd < 0):
        key = heap_key[0]
        state = heap_state[0]
        size = pop(heap_key, heap_state, size)
        if key > dist[state]:
            continue
        square = state >> 1
        parity = state & 1
        if (stop - square) // stride in (0, 1) and (stop - square) % stride in (0, 1):
            if parity == 0 and found_even < 0:
                found_even = state
            elif parity == 1 and found_odd < 0:
                found_odd = state
        y = square // stride
        x = square - y * stride
        for move in range(4):
            if move == 0 and x < stride - 2:
                there, along, edge = square + 1, 1, square + 1
            elif move == 1 and x > 0:
                there, along, edge = square - 1, 1, square
            elif move == 2 and y < height:
                there, along, edge = square + stride, 0, square + stride
            elif move == 3 and y > 0:
                there, along, edge = square - stride, 0, square
            else:
                continue
            cost = key + weight[along, edge]
            after = 2 * there + (parity ^ (1 if crossed[along, edge] else 0))
            if cost < dist[after]:
                dist[after] = cost
                pred[after] = state
                size = push(heap_key, heap_state, size, cost, after)
    return found_even, found_odd


@njit(cache=True)
def _edges_crossed(state, pred, edges):
    """Write the edges that a curve crosses, as axis and cell; return how many they are."""
    count = 0
    while pred[state] >= 0:
        here = state >> 1
        state = pred[state]
        before = state >> 1
        high = max(here, before)
        edges[count, 0] = 1 if abs(here - before) == 1 else 0
        edges[count, 1] = high
        count += 1
    return count


@njit(cache=True)
def mark_edges(path, length, crossed):
    """Mark the edges that a path takes an odd number of times; with tolls it may go back."""
    crossed[:] = False
    for k in range(1, length):
        here = path[k - 1]
        there = path[k]
        along = 0 if abs(here - there) == 1 else 1
        crossed[along, min(here, there)] ^= True


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def separate_pair(
    i, j, source, target, flow, paths, lengths, stride, height, nudge, edges, counts, work
):
    """Find the two cheapest pairs of curves of nets i and j that cross an odd number of times.

    Parameters
    ----------
    flow
        ``(nets, 2, cells)`` fractional edge flow.
    paths, lengths
        Any path over free cells for each net.
    nudge
        Cost of crossing an edge without flow, which keeps curves short.
    edges, counts
        Filled, ``(2, 2, cells, 2)`` and ``(2, 2)``: per pair of curves, the edges that the
        curve of j crosses and those that the curve of i crosses.
    work
        ``(4 bool edge marks, dist, pred, heap_key, heap_state)``.
    """
    crossed, weight, dist, pred, heap_key, heap_state = work
    mark_edges(paths[j], lengths[j], crossed)
    odd = count_crossings(paths[i], lengths[i], crossed) & 1
    for a in range(2):
        for c in range(flow.shape[2]):
            weight[a, c] = flow[j, a, c] + nudge
    even_i, odd_i = _cheapest_curves(
        source[i], target[i], weight, crossed, stride, height, dist, pred, heap_key, heap_state
    )
    # The curve of i of parity p belongs with the one of j of parity 1 - odd - p.
    counts[0, 1] = _edges_crossed(even_i, pred, edges[0, 1]) if even_i >= 0 else -1
    counts[1, 1] = _edges_crossed(odd_i, pred, edges[1, 1]) if odd_i >= 0 else -1
    mark_edges(paths[i], lengths[i], crossed)
    for a in range(2):
        for c in range(flow.shape[2]):
            weight[a, c] = flow[i, a, c] + nudge
    even_j, odd_j = _cheapest_curves(
        source[j], target[j], weight, crossed, stride, height, dist, pred, heap_key, heap_state
    )
    with_even = odd_j if odd == 0 else even_j
    with_odd = even_j if odd == 0 else odd_j
    counts[0, 0] = _edges_crossed(with_even, pred, edges[0, 0]) if with_even >= 0 else -1
    counts[1, 0] = _edges_crossed(with_odd, pred, edges[1, 0]) if with_odd >= 0 else -1


@dataclass(frozen=True)
class SeparationConfig:
    """Settings of the search for violated cuts."""

    nudge: float = 1e-3
    """Cost of crossing an edge without flow: short curves, but no violation lost by it."""
    violation: float = 0.05
    """Least violation of a cut worth adding; below it the average flow is noise."""
    contact: float = 0.05
    """Least product of two nets' flows over common cells; their violation cannot exceed it."""


def separate(
    layer: NDArray[np.int32],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    free: NDArray[np.bool_],
    flow: NDArray[np.float32],
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
    stride: int,
    config: SeparationConfig,
) -> list[Cut]:
    """Find crossing cuts that a fractional flow violates, the most violated first.

    Nets whose target is open (below 0) are left out.
    """
    cells = free.shape[1]
    height = cells // stride - 2
    found: list[tuple[float, Cut]] = []
    edges = np.empty((2, 2, 2 * cells, 2), np.int32)
    counts = np.empty((2, 2), np.int64)
    work = (
        np.zeros((2, cells), np.bool_),
        np.zeros((2, cells)),
        np.empty(2 * cells),
        np.empty(2 * cells, np.int32),
        np.empty(16 * cells),
        np.empty(16 * cells, np.int32),
    )
    for z in range(free.shape[0]):
        nets = np.flatnonzero((layer == z) & (target >= 0))
        usage = np.zeros((len(nets), cells))
        along, down = flow[nets, 0], flow[nets, 1]
        usage += along + down
        usage[:, 1:] += along[:, :-1]
        usage[:, stride:] += down[:, :-stride]
        usage *= 0.5
        contact = usage @ usage.T
        for a, b in zip(*np.nonzero(np.triu(contact, 1) > config.contact), strict=True):
            i, j = int(nets[a]), int(nets[b])
            separate_pair(
                i, j, source, target, flow, paths, lengths, stride, height, config.nudge,
                edges, counts, work,
            )  # fmt: skip
            for k in range(2):
                if counts[k].min() < 0:
                    continue
                sides = tuple(
                    _usable(
                        edges[k, side, : counts[k, side]], free[z], stride, source[net], target[net]
                    )
                    for side, net in ((0, i), (1, j))
                )
                activity = sum(
                    float(flow[net, part[:, 0], part[:, 1]].sum())
                    for net, part in zip((i, j), sides, strict=True)
                )
                if activity < 1.0 - config.violation:
                    found.append((activity, Cut((i, j), (sides[0], sides[1]))))
    found.sort(key=lambda entry: entry[0])
    return [cut for _, cut in found]


def _usable(
    edges: NDArray[np.int32], free: NDArray[np.bool_], stride: int, source: int, target: int
) -> NDArray[np.int32]:
    """Keep the edges that a net could take: between free cells or its own ends.

    An edge that a curve crosses twice is dropped: such crossings are even in number whatever
    the net does, so the rest must be odd without them.
    """
    edges, times = np.unique(edges, axis=0, return_counts=True)
    edges = edges[times % 2 == 1]
    passable = free.copy()
    passable[[source, target]] = True
    others = edges[:, 1] + np.where(edges[:, 0] == 0, 1, stride)
    return edges[passable[edges[:, 1]] & passable[others]].copy()
