"""Lines that push others out of their way until all have one.

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

from nlrouter.engine.find.displace_kernel import Charges, Held, Lot, displace
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.find.lines import lines_of
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.paths.cheapest import Board
from nlrouter.luby import luby

MOST_PRIDE = 1e6
"""Where a line's pride stops growing: beyond, a path's own length would be lost in rounding."""

MOST_ANEW = 600
"""Nets up to which every other run begins from nothing, a matter of seconds; otherwise from
what the draft has."""


@dataclass(frozen=True)
class DisplaceConfig:
    """Settings of the displacement."""

    charge: float = 1.0
    """What a cell that is held costs beyond its price, at first."""
    gain: float = 30.0
    """How much more, each time it is fought over."""
    pride: float = 1.01
    """Factor on all that a line's cells cost others, each time it is pushed out."""
    faith: float = 0.5
    """How often a line that has lost its path on one layer keeps to its via and to the rest."""
    noise: float = 0.1
    """Random share of a cell's cost, so that runs differ."""
    moves: int = 110
    """Moves per line of a run, times Luby's sequence: most runs that succeed take fewer."""
    step: int = 300
    """Moves per step of the finder: some hundredths of a second."""


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
        self._lines = lines_of(nets)
        self.lines = len(self._lines.first)
        vias = len(self._lines.via_cells)
        base = (1.0 + prices) * (1.0 + self.config.noise * rng.random(prices.shape))
        self.held = Held(
            base,
            0.5 * base,
            np.full(prices.shape, -1, np.int32),
            np.zeros(prices.shape, np.int32),
            np.zeros(prices.shape),
            np.full(vias, -1, np.int32),
            np.zeros(vias),
        )
        self.lot = Lot(
            np.ones(self.lines),
            np.full(self.lines, -1, np.int32),
            nets.target.copy(),
            np.zeros(nets.count, np.int32),
            np.full(nets.count, -1, np.int32),
            rng.permutation(self.lines).astype(np.int32),
            np.array([0, self.lines], np.int32),
        )
        self.impossible = False

    @property
    def waiting(self) -> int:
        """How many lines have no path."""
        return int(self.lot.head[1])

    def start_from(self, draft: Draft) -> None:
        """Take up the lines of a draft that share no cell with those before them."""
        lines, held, lot = self._lines, self.held, self.lot
        vias = lines.vias(draft.assignment)
        waiting = []
        for line in lot.queue.tolist():
            nets = [net for net in (lines.first[line], lines.second[line]) if net >= 0]
            layers = [self.nets.layer[net] for net in nets]
            paths = [draft.paths[net] for net in nets]
            if any(
                not len(path) or (held.owner[z, path[1:-1]] >= 0).any()
                for z, path in zip(layers, paths, strict=True)
            ):
                waiting.append(line)
                continue
            if (via := vias[line]) >= 0:
                lot.via[line] = via
                held.holder[via] = line
                lot.target[nets] = lines.via_cells[via]
            for net, z, path in zip(nets, layers, paths, strict=True):
                inner = path[1:-1]
                lot.start[net] = path[1]
                lot.lengths[net] = len(inner)
                held.owner[z, inner] = line
                held.onward[z, inner] = path[2:]
                held.half[z, inner] = 0.5 * (held.base[z, inner] + self.config.charge)
        lot.queue[: len(waiting)] = waiting
        lot.head[:] = 0, len(waiting)

    def move(self, moves: int) -> bool:
        """Let waiting lines take their paths; return whether all lines have one."""
        nets, config = self.nets, self.config
        board = Board(nets.layer, nets.source, nets.free, nets.stride)
        charges = Charges(config.charge, config.gain, config.pride, MOST_PRIDE, config.faith)
        self.impossible = not displace(moves, self._lines, board, self.held, self.lot, charges)
        return self.waiting == 0 and not self.impossible

    def paths(self) -> list[NDArray[np.int32]]:
        """Return the cells of each net's path, ends included; empty where it has none."""
        nets = self.nets
        found = []
        for net in range(nets.count):
            if self.lot.lengths[net] < 0:
                found.append(np.empty(0, np.int32))
                continue
            path = [int(nets.source[net])]
            cell = int(self.lot.start[net])
            for _ in range(self.lot.lengths[net]):
                path.append(cell)
                cell = int(self.held.onward[nets.layer[net], cell])
            path.append(int(self.lot.target[net]))
            found.append(np.array(path, np.int32))
        return found

    def assignment(self) -> Assignment:
        """Return the vias taken, once all lines have a path."""
        return self._lines.assignment(self.lot.via)


class Runs:
    """Runs of displacement, from a draft and from nothing, until one succeeds.

    Parameters
    ----------
    nets
        The part.
    config
        Settings.
    """

    def __init__(self, nets: Nets, config: DisplaceConfig) -> None:
        self.nets = nets
        self.config = config
        self._fight: Displacement | None = None
        self._left = 0
        self._count = 0

    def step(
        self, draft: Draft, prices: NDArray[np.float64], rng: np.random.Generator
    ) -> Routing | None:
        """Go on with a run, or begin one; return the routing that comes out, if one does."""
        if self._fight is None or self._left <= 0:
            self._fight = self._begin(draft, prices, rng)
        self._left -= self.config.step
        if not self._fight.move(self.config.step):
            return None
        found = Routing.along(self._fight.paths(), self._fight.assignment())
        self._fight = None
        return found

    def _begin(
        self, draft: Draft, prices: NDArray[np.float64], rng: np.random.Generator
    ) -> Displacement:
        # From nothing the dual's prices only lead to where the draft is stuck.
        anew = self._count % 2 == 1 and self.nets.count <= MOST_ANEW
        self._count += 1
        started = np.zeros_like(prices) if anew else prices
        fight = Displacement(self.nets, started, rng, self.config)
        if not anew:
            fight.start_from(draft)
        self._left = self.config.moves * luby(self._count) * fight.lines
        return fight
