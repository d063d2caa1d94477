"""Averages over the rounds of a dual: what a fractional routing at its prices looks like.

The newest paths are blended into what was before, as the volume algorithm does it (see ``dual``).
The averages tell in which direction prices are to move, and which questions are worth asking.
"""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.dual_kernels import average, average_sides
from nlrouter.engine.bounds.relaxation import Relaxed
from nlrouter.engine.bounds.via_pairs import Decided
from nlrouter.engine.nets.nets import Nets


@dataclass(frozen=True)
class AveragesConfig:
    """Settings of the averages."""

    newest: float = 0.12
    """Weight of the newest paths at the start; the paper's 0.1."""
    least: float = 0.05
    """That weight in the end: a finer average for the choice of questions."""
    walks: int = 8
    """Latest walks of every net that are kept."""


class Averages:
    """What the paths of the latest rounds have in common.

    Parameters
    ----------
    nets
        The board.
    config
        Settings.

    Attributes
    ----------
    usage
        ``(layers, cells)`` how many nets hold each cell.
    sides
        ``(nets, nets)`` parities of crossings with the curves of others, of nets with curves.
    walks
        The latest walks of all nets.
    taken
        ``(nets, vias)`` how much of each net's line takes each via of its class in the matching.
    members
        ``(members,)`` the nets that are paired, see ``via_pairs``, and then those tied of which
        ``bonds`` count a part.
    apart
        ``(bonds,)`` by how much the sides of tied nets do not agree.
    led, detours
        ``(members, vias)`` how much of each one's walks leads to each via, and ``(members,)`` how
        much more they cost than the cheapest ones.
    """

    def __init__(self, nets: Nets, config: AveragesConfig) -> None:
        self.config = config
        self.usage = np.zeros(nets.free.shape)
        self.sides = np.zeros((nets.count, nets.count))
        self.walks: deque[list[NDArray[np.int32]]] = deque(maxlen=config.walks)
        most = max((len(span.vias) for span in nets.classes), default=0)
        self.taken = np.zeros((nets.count, most))
        self.members = np.zeros(0, np.intp)
        self.led, self.detours, self.apart = self.taken[:0], np.zeros(0), np.zeros(0)
        self._classes = nets.classes
        self._layer, self._stride = nets.layer, nets.stride
        self._weight = 1.0
        # Whether those of a dual above or below are the same arrays: copied before they change.
        self._shared = False

    def follow(
        self, members: NDArray[np.intp], bonds: tuple[tuple[int, int], ...], curves: Curves | None
    ) -> None:
        """Average, from now on, what members do as well, and how far nets with bonds are apart.

        What is known of them stays; at first a member leads where the matching does.
        """
        known = {net: row for row, net in enumerate(self.members.tolist())}
        led, detours = self.taken[members], np.zeros(len(members))
        for row, net in enumerate(members.tolist()):
            if net in known:
                led[row], detours[row] = self.led[known[net]], self.detours[known[net]]
        self.members, self.led, self.detours = members, led, detours
        self.apart = np.zeros(len(bonds))
        if curves is not None and bonds:
            i, j = np.array(bonds).T
            side = self.sides[j, i]
            self.apart = self.sides[i, j] - np.where(curves.parity[i, j], 1.0 - side, side)

    def of(self, members: NDArray[np.intp]) -> Averages:
        """Return these averages, without members that have no place any more among these."""
        kept = np.isin(self.members, members)
        fewer = copy(self)
        fewer.members, fewer.led, fewer.detours = members, self.led[kept], self.detours[kept]
        return fewer

    def below(self) -> Averages:
        """Return averages to go on from where more is settled, without walks."""
        self._shared = True
        below = copy(self)
        below.walks = deque(maxlen=self.config.walks)
        below.renew()
        return below

    def blend(self, relaxed: Relaxed, curves: Curves | None) -> None:
        """Blend the newest paths in, and how they pass the curves, if there are any."""
        if self._shared:
            self.usage, self.sides = self.usage.copy(), self.sides.copy()
            self.taken = self.taken.copy()
            self._shared = False
        edges, counts, weight = relaxed.edges, relaxed.counts, self._weight
        own = np.full(len(counts), weight)
        if relaxed.decided is not None:
            own[self.members[: len(relaxed.decided.vias)]] = 0.0
        for net, part in relaxed.partly.items():
            own[net] = weight * part.weight
        self.usage *= 1.0 - weight
        average(edges, counts, self._layer, self._stride, own, self.usage)
        if curves is not None:
            average_sides(edges, counts, curves.crossed, curves.compared, weight, self.sides)
        self.taken *= 1.0 - weight
        for span, chosen in zip(self._classes, relaxed.assignment, strict=True):
            for members in (span.lower, span.upper):
                self.taken[members, chosen] += weight
        self.apart += weight * (relaxed.apart - self.apart)
        self.led *= 1.0 - weight
        if relaxed.decided is not None:
            self._blend_pairs(relaxed.decided)
        first = len(self.members) - len(relaxed.partly)
        for member, (via, detour, _) in enumerate(relaxed.partly.values(), first):
            self.led[member, max(via, 0)] += weight * (via >= 0)
            self.detours[member] += weight * (detour - self.detours[member])
        self.keep(relaxed)
        self._weight = min(self._weight, self.config.newest)

    def sides_by(self, curves: Curves) -> NDArray[np.float64]:
        """Return the sides by other curves, of the latest walks."""
        sides = np.zeros_like(self.sides)
        for before, walks in enumerate(self.walks):
            counts = np.array([len(walk) for walk in walks], np.int32)
            edges = np.zeros((len(walks), max(counts, default=0)), np.int32)
            for own, walk in zip(edges, walks, strict=True):
                own[: len(walk)] = walk
            weight = 1.0 / (before + 1.0)
            average_sides(edges, counts, curves.crossed, curves.compared, weight, sides)
        return sides

    def _blend_pairs(self, decided: Decided) -> None:
        """Blend what pairs have decided on in."""
        weight, layer = self._weight, self._layer[self.members[: len(decided.vias)]]
        shares = weight * decided.weights
        average(decided.edges, decided.counts, layer, self._stride, shares, self.usage)
        leading = np.flatnonzero(decided.vias >= 0)
        self.led[leading, decided.vias[leading]] += weight
        detours = self.detours[: len(decided.vias)]
        detours += weight * (decided.detours - detours)

    def keep(self, relaxed: Relaxed) -> None:
        """Keep the newest walks."""
        self.walks.append([walk.copy() for walk in relaxed.walks])

    def refine(self, factor: float) -> None:
        """Let the newest paths weigh less from now on."""
        self._weight = max(self.config.least, self._weight * factor)

    def renew(self) -> None:
        """Let the newest paths weigh as much as at the start."""
        self._weight = max(self._weight, self.config.newest)


def cells_of(walk: NDArray[np.int32], cells: int, stride: int) -> NDArray[np.int32]:
    """Return the cells of a walk, each once, of its edges ``axis * cells + first cell``."""
    first = walk % cells
    return np.union1d(first, first + np.where(walk < cells, 1, stride))
