"""Lines that push others out of their way until all have one. Compiled.

In a draft of a negotiation nets overlap; here they never do, but some lines have no path. The line
that has waited longest takes its cheapest path, through what others hold as well, which costs more
the more often a cell was fought over and a line was pushed out. Whoever is in its way loses its
path and waits in turn. Weighted rip-up after W. Dees and P. Karger, Automated rip-up and reroute
techniques, 1982, and H. Shin and A. Sangiovanni-Vincentelli, Mighty: a rip-up and reroute detailed
router, 1986. Where a line may choose its via, the via is a part of its path: a taken one is to be
fought for like a cell.

A whole bus gives way to another in this manner, line by line, where a group that negotiates anew is
too small to move it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.paths.cheapest import INFINITE, NO_TOLLS, arrive, search, trace


@dataclass(frozen=True)
class DisplaceConfig:
    """Settings of the displacement."""

    charge: float = 1.0
    """What a cell that is held costs beyond its price, at first."""
    gain: float = 30.0
    """How much more, each time it is fought over."""
    pride: float = 1.01
    """Factor on all that a line's cells cost others, each time it is pushed out."""
    most_pride: float = 1e6
    """Where that stops growing: beyond, a path's own length would be lost in rounding."""
    faith: float = 0.5
    """How often a line that has lost its path on one layer keeps to its via and to the rest."""
    noise: float = 0.1
    """Random share of a cell's cost, so that runs differ."""
    moves: int = 110
    """Moves per line of a run, times Luby's sequence: most runs that succeed take fewer."""


class Displacement:
    """A routing without overlaps that lacks lines, and the fight for a complete one.

    Parameters
    ----------
    nets
        The part.
    prices
        ``(layers, cells)`` of the dual.
    rng
        Draws the noise and the order.
    config
        Settings.
    """

    def __init__(
        self,
        nets: Nets,
        prices: NDArray[np.float64],
        rng: np.random.Generator,
        config: DisplaceConfig | None = None,
    ) -> None:
        self.nets = nets
        self.config = config or DisplaceConfig()
        crossing = [
            (low, high, i)
            for i, span in enumerate(nets.classes)
            for low, high in zip(span.lower, span.upper, strict=True)
        ]
        alone = np.setdiff1d(np.arange(nets.count), [net for pair in crossing for net in pair[:2]])
        ends = np.cumsum([0, *(len(span.vias) for span in nets.classes)])
        self._first = np.array([*alone, *(low for low, _, _ in crossing)], np.int32)
        self._second = np.array([-1] * len(alone) + [high for _, high, _ in crossing], np.int32)
        self._open = np.array(
            [(0, 0)] * len(alone) + [(ends[i], ends[i + 1]) for _, _, i in crossing], np.int32
        ).reshape(-1, 2)
        self._ends = ends
        self._via_cells = np.concatenate(
            [np.empty(0, np.int32), *(span.via_cells for span in nets.classes)]
        )
        self.lines = len(self._first)
        self.base = (1.0 + prices) * (1.0 + self.config.noise * rng.random(prices.shape))
        self.half = 0.5 * self.base
        self.owner = np.full(prices.shape, -1, np.int32)
        self.onward = np.zeros(prices.shape, np.int32)
        self.fights = np.zeros(prices.shape)
        self.holder = np.full(len(self._via_cells), -1, np.int32)
        self.via_fights = np.zeros(len(self._via_cells))
        self.pride = np.ones(self.lines)
        self.target = nets.target.copy()
        self.start = np.zeros(nets.count, np.int32)
        self.lengths = np.full(nets.count, -1, np.int32)
        self.via = np.full(self.lines, -1, np.int32)
        self.queue = rng.permutation(self.lines).astype(np.int32)
        self.head = np.array([0, self.lines], np.int32)
        self.impossible = False

    @property
    def waiting(self) -> int:
        """How many lines have no path."""
        return int(self.head[1])

    def start_from(self, draft: Draft) -> None:
        """Take up the lines of a draft that share no cell with those before them."""
        vias = np.full(self.lines, -1)
        chosen = [self._ends[i] + chosen for i, chosen in enumerate(draft.assignment)]
        if chosen:
            vias[self._second >= 0] = np.concatenate(chosen)
        waiting = []
        for line in self.queue.tolist():
            nets = [net for net in (self._first[line], self._second[line]) if net >= 0]
            layers = [self.nets.layer[net] for net in nets]
            paths = [draft.paths[net] for net in nets]
            if any(
                not len(path) or (self.owner[z, path[1:-1]] >= 0).any()
                for z, path in zip(layers, paths, strict=True)
            ):
                waiting.append(line)
                continue
            if (via := vias[line]) >= 0:
                self.via[line] = via
                self.holder[via] = line
                self.target[nets] = self._via_cells[via]
            for net, z, path in zip(nets, layers, paths, strict=True):
                inner = path[1:-1]
                self.start[net] = path[1]
                self.lengths[net] = len(inner)
                self.owner[z, inner] = line
                self.onward[z, inner] = path[2:]
                self.half[z, inner] = 0.5 * (self.base[z, inner] + self.config.charge)
        self.queue[: len(waiting)] = waiting
        self.head[:] = 0, len(waiting)

    def move(self, moves: int) -> bool:
        """Let waiting lines take their paths; return whether all lines have one."""
        nets, config = self.nets, self.config
        self.impossible = not displace(
            moves, self._first, self._second, self._open, self._via_cells, nets.layer, nets.source,
            self.target, nets.free, nets.stride, config.charge, config.gain, config.pride,
            config.most_pride, config.faith, self.base, self.half, self.owner, self.onward, self.fights,
            self.holder, self.via_fights, self.pride, self.start, self.lengths, self.via,
            self.queue, self.head,
        )  # fmt: skip
        return self.waiting == 0 and not self.impossible

    def paths(self) -> list[NDArray[np.int32]]:
        """Return the cells of each net's path, ends included; empty where it has none."""
        nets = self.nets
        found = []
        for net in range(nets.count):
            if self.lengths[net] < 0:
                found.append(np.empty(0, np.int32))
                continue
            path = [int(nets.source[net])]
            cell = int(self.start[net])
            for _ in range(self.lengths[net]):
                path.append(cell)
                cell = int(self.onward[nets.layer[net], cell])
            path.append(int(self.target[net]))
            found.append(np.array(path, np.int32))
        return found

    def assignment(self) -> Assignment:
        """Return the vias taken, once all lines have a path."""
        crossing = self.via[self._second >= 0].astype(np.intp)
        split = self._ends[1:-1]
        first = np.repeat(self._ends[:-1], np.diff(self._ends))
        return tuple(np.split(crossing - first, split)) if len(self.nets.classes) else ()


@njit(cache=True)
def displace(moves, first, second, open_to, via_cells, layer, source, target, free, stride, charge,
             gain, growth, most_pride, faith, base, half, owner, onward, fights, holder, via_fights,
             pride, start, lengths, via, queue, head):  # fmt: skip
    """Let waiting lines take their paths, one after another; see `Displacement`.

    Parameters
    ----------
    moves
        How many at the most.
    first, second
        ``(lines,)`` the nets of each line, the second -1 where it stays on one layer.
    open_to
        ``(lines, 2)`` the range of ``via_cells`` that a line may choose from.
    charge, gain, growth, most_pride, faith
        See `DisplaceConfig`; ``growth`` is its ``pride``.
    base, half, owner, onward, fights
        ``(layers, cells)`` cost of a cell alone, half of its cost as it stands, the line that
        holds it (-1: none), the next cell of the path through it, and what fights have added.
    holder, via_fights
        ``(vias,)`` the same of the vias.
    pride, via
        ``(lines,)`` factor on all that a line's cells cost others, and its via (-1: none).
    start, lengths, target
        ``(nets,)`` first inner cell, how many there are (-1: no path), and where the path ends.
    queue, head
        ``(lines,)`` a ring of the lines that wait; ``(2,)`` its first place and how many wait.

    Returns
    -------
    bool
        False if a line has no path whatever the others do.
    """
    cells = free.shape[1]
    dist = np.empty((2, 2 * cells))
    pred = np.empty((2, 2 * cells), np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    path = np.empty(cells, np.int32)
    nets = np.empty(2, np.int32)
    state = np.empty(2, np.int32)
    while moves > 0 and head[1] > 0:
        moves -= 1
        line = queue[head[0]]
        head[0] = (head[0] + 1) % len(queue)
        head[1] -= 1
        nets[0], nets[1] = first[line], second[line]
        if nets[1] >= 0 and (via[line] < 0 or np.random.random() >= faith):
            for k in range(2):
                z = layer[nets[k]]
                _clear(nets[k], z, base, half, owner, onward, start, lengths)
                search(
                    source[nets[k]], -1, free[z], half[z], NO_TOLLS, stride, dist[k], pred[k],
                    heap_key, heap_state,
                )  # fmt: skip
            if via[line] >= 0:
                holder[via[line]] = -1
            via[line] = _choose_via(
                nets, open_to[line], via_cells, layer, source, half, stride, charge, holder,
                via_fights, pride, dist, state,
            )  # fmt: skip
            v = via[line]
            if v >= 0:
                loser = holder[v]
                if loser >= 0:
                    via_fights[v] += gain
                    via[loser] = -1
                    waits = lengths[first[loser]] < 0 or lengths[second[loser]] < 0
                    for k in range(2):
                        net = first[loser] if k == 0 else second[loser]
                        _clear(net, layer[net], base, half, owner, onward, start, lengths)
                    if not waits:
                        _let_wait(loser, pride, growth, most_pride, queue, head)
                holder[v] = line
                target[nets[0]] = target[nets[1]] = via_cells[v]
        else:
            for k in range(2):
                net = nets[k]
                state[k] = 0
                if net >= 0 and lengths[net] < 0:
                    z = layer[net]
                    state[k] = search(
                        source[net], target[net], free[z], half[z], NO_TOLLS, stride, dist[k],
                        pred[k], heap_key, heap_state,
                    )  # fmt: skip
        if state[0] < 0 or state[1] < 0:
            queue[(head[0] + head[1]) % len(queue)] = line
            head[1] += 1
            return False
        for k in range(2):
            net = nets[k]
            if net < 0 or lengths[net] >= 0:
                continue
            z = layer[net]
            length = trace(state[k], pred[k], path)
            if path[length - 1] != target[net]:  # The search was for any via and stopped before.
                path[length] = target[net]
                length += 1
            lengths[net] = length - 2
            start[net] = path[1]
            for i in range(1, length - 1):
                c = path[i]
                loser = owner[z, c]
                if loser >= 0:
                    fights[z, c] += gain
                    low, high = first[loser], second[loser]
                    waits = lengths[low] < 0 or (high >= 0 and lengths[high] < 0)
                    lost = low if layer[low] == z else high
                    _clear(lost, z, base, half, owner, onward, start, lengths)
                    if not waits:
                        _let_wait(loser, pride, growth, most_pride, queue, head)
                owner[z, c] = line
                onward[z, c] = path[i + 1]
                half[z, c] = 0.5 * (base[z, c] + (charge + fights[z, c]) * pride[line])
    return True


@njit(cache=True)
def _choose_via(nets, open_to, via_cells, layer, source, half, stride, charge, holder, via_fights,
                pride, dist, state):  # fmt: skip
    """Return the cheapest via for two nets, -1 if there is none; fill the states before it."""
    chosen = -1
    least = INFINITE
    state[:] = -1
    for v in range(open_to[0], open_to[1]):
        cost = 0.0 if holder[v] < 0 else (charge + via_fights[v]) * pride[holder[v]]
        one, before = arrive(
            via_cells[v], source[nets[0]], half[layer[nets[0]]], NO_TOLLS, stride, dist[0]
        )
        two, after = arrive(
            via_cells[v], source[nets[1]], half[layer[nets[1]]], NO_TOLLS, stride, dist[1]
        )
        cost += one + two
        if cost < least:
            least = cost
            chosen = v
            state[0], state[1] = before, after
    return chosen


@njit(cache=True)
def _clear(net, z, base, half, owner, onward, start, lengths):
    """Take a net's path away, if it has one."""
    cell = start[net]
    for _ in range(lengths[net]):
        owner[z, cell] = -1
        half[z, cell] = 0.5 * base[z, cell]
        cell = onward[z, cell]
    lengths[net] = -1


@njit(cache=True)
def _let_wait(line, pride, growth, most_pride, queue, head):
    """Put a line that was pushed out last in the queue."""
    pride[line] = min(most_pride, pride[line] * growth)
    queue[(head[0] + head[1]) % len(queue)] = line
    head[1] += 1
