"""The cheapest matching of lines with vias at given prices: lines that never meet, but for vias.

A net looks for vias up to a radius only; one beyond counts as the radius, or as what it costs where
nothing is in the way. If the cheapest matching by these numbers takes a pair whose cost is not
exact, its nets look farther, and all is matched again; if not, no other matching is cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from minilsap import linear_sum_assignment
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import OPEN, Assignment, Nets, SpanClass
from nlrouter.engine.paths.cheapest import (
    INFINITE,
    Board,
    Ground,
    arrive,
    no_marks,
    scratch,
    search,
    search_parities,
)

FEW = 5
"""Vias up to which a net looks for each of them, guided by the distance, and not all around: a
round takes 0.4 to 0.6 of the time where nets have three left, and as long where they have ten."""


@dataclass(frozen=True)
class ViaMatchingConfig:
    """Settings of how far nets look for vias."""

    radius: float = 8.0
    """Cost up to which nets look for vias at first: most find theirs nearer."""
    farther: float = 1.5
    """How much farther they look than a via costs at least that they might take."""


class ViaMatching:
    """Which via each line of a board takes, and what it pays for each.

    Parameters
    ----------
    nets
        The board.
    domains
        The vias that lines may take.
    target
        ``(nets,)`` target of the nets whose line has a single via left, else `OPEN`.
    config
        Settings.
    """

    def __init__(
        self, nets: Nets, domains: Domains, target: NDArray[np.int32], config: ViaMatchingConfig
    ) -> None:
        self._nets = nets
        self._domains = domains
        self._target = target
        self._config = config
        self._radius = np.full(nets.count, config.radius)

    def match(
        self, half: NDArray[np.float64], shares: NDArray[np.float64]
    ) -> tuple[NDArray[np.int32], Assignment]:
        """Match lines and vias as cheaply as can be.

        Parameters
        ----------
        half
            ``(layers, cells)`` half of what each cell costs; see `half_charges`.
        shares
            ``(nets, vias)`` what a net pays besides for each via of its class.

        Returns
        -------
        tuple of array and Assignment
            ``(nets,)`` targets, and the vias taken.
        """
        target = self._target.copy()
        assignment: list[NDArray[np.intp]] = []
        for allowed, lines in zip(self._domains, self._open_lines, strict=True):
            chosen = np.argmax(allowed, axis=1)
            if len(lines.rows):
                picked = self._picked(lines, half, shares)
                chosen[lines.rows] = lines.columns[picked]
                for members in lines.members:
                    target[members] = lines.cells[picked]
            assignment.append(chosen)
        return target, tuple(assignment)

    @cached_property
    def _open_lines(self) -> list[_OpenLines]:
        """Those of each class."""
        return [self._open_of(*own) for own in zip(self._nets.classes, self._domains, strict=True)]

    def _open_of(self, span: SpanClass, allowed: NDArray[np.bool_]) -> _OpenLines:
        """Return the lines of a class that have a choice."""
        nets = self._nets
        rows = np.flatnonzero(self._target[span.lower] == OPEN)
        columns = np.flatnonzero(allowed[rows].any(axis=0))
        members = span.lower[rows], span.upper[rows]
        cells = span.via_cells[columns]
        wanted = allowed[np.ix_(rows, columns)]
        least = [least_costs(nets.source[own], cells, nets.stride) for own in members]
        return _OpenLines(rows, columns, members, cells, wanted, (least[0], least[1]))

    def costs(self, i: int, half: NDArray[np.float64], far: float) -> NDArray[np.float64]:
        """Return ``(n, n)`` what each line of class ``i`` pays for each via.

        A net that pays for a via ``far`` more than for its nearest one may be said to pay less.
        """
        span, nets = self._nets.classes[i], self._nets
        costs = np.zeros((len(span.vias), len(span.vias)))
        for members in (span.lower, span.upper):
            nearest = least_costs(nets.source[members], span.via_cells, nets.stride)
            radius = nearest.min(axis=1) + far
            sought = Sought(radius, self._domains[i])
            costs += self._reach(members, span.via_cells, half, sought, nearest)[0]
        return costs

    def _picked(
        self, lines: _OpenLines, half: NDArray[np.float64], shares: NDArray[np.float64]
    ) -> NDArray[np.intp]:
        """Return the place in their columns of the via that each of some lines takes."""
        members, wanted = lines.members, lines.wanted
        costs = np.zeros((2, *wanted.shape))
        exact = np.zeros(costs.shape, np.bool_)
        share = (shares[members[0]] + shares[members[1]])[:, lines.columns]
        due = [np.arange(len(wanted))] * 2
        while True:
            for side in range(2):
                if len(rows := due[side]):
                    looking = members[side][rows]
                    costs[side, rows], exact[side, rows] = self._reach(
                        looking, lines.cells, half, Sought(self._radius[looking], wanted[rows]),
                        lines.least[side][rows],
                    )  # fmt: skip
            total = np.minimum(costs[0] + costs[1] + share, INFINITE)
            total[~wanted] = INFINITE
            order, picked = linear_sum_assignment(total)
            open_to = ~exact[:, order, picked] & wanted[order, picked]
            if not open_to.any():
                return picked
            for side in range(2):
                due[side] = order[open_to[side]]
                least = costs[side, due[side], picked[due[side]]]
                self._radius[members[side][due[side]]] = self._config.farther * least + 1.0

    def _reach(
        self,
        members: NDArray[np.int32],
        via_cells: NDArray[np.int32],
        half: NDArray[np.float64],
        sought: Sought,
        least: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Find what each net pays for each via, and whether it is that or more (`reach_vias`)."""
        nets = self._nets
        costs = np.empty(least.shape)
        exact = np.empty(costs.shape, np.bool_)
        board = Board(nets.layer, nets.source, nets.free, nets.stride)
        reach_vias(members, via_cells, board, half, sought, least, costs, exact)
        return costs, exact


@dataclass(frozen=True)
class _OpenLines:
    """The lines of a class that have a choice, and the vias that any of them may take."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    members: tuple[NDArray[np.int32], NDArray[np.int32]]
    """``(rows,)`` the lower and the upper net of each line."""
    cells: NDArray[np.int32]
    """``(columns,)`` where the vias are."""
    wanted: NDArray[np.bool_]
    """``(rows, columns)`` which of them each line may take."""
    least: tuple[NDArray[np.float64], NDArray[np.float64]]
    """``(rows, columns)`` what they cost each net at least; see `least_costs`."""


class Sought(NamedTuple):
    """Which vias some nets look for, and how far."""

    radius: NDArray[np.float64]
    """``(n,)`` cost from which a net's search looks no further; `INFINITE` for all vias."""
    wanted: NDArray[np.bool_]
    """``(n, vias)`` of which vias the cost is of interest."""


@njit(cache=True)
def reach_vias(nets, via_cells, board, half, sought, least, costs, exact):
    """Find what each net pays at least for each via, exactly where that is within its radius.

    Beyond, it is the radius, or what the via costs where all cells are free and for nothing.

    Parameters
    ----------
    nets
        ``(n,)`` nets whose targets are open.
    via_cells, board, half
        ``(vias,)`` where the vias are, a `Board`, and ``(layers, cells)`` half of what cells cost.
    sought
        A `Sought`.
    least
        ``(n, vias)`` what they cost at least; see `least_costs`.
    costs, exact
        ``(n, vias)``, filled: the costs, and whether they are those of a path, or certain to be
        `INFINITE`, as are those that are not wanted.
    """
    layer, source, free, stride = board
    radius, wanted = sought
    room = scratch(free.shape[1], 0)
    for i in range(len(nets)):
        net = nets[i]
        ground = Ground(free[layer[net]], half[layer[net]], stride)
        costs[i] = INFINITE
        exact[i] = True
        if wanted[i].sum() <= FEW:
            for j in np.flatnonzero(wanted[i]):
                state = search(source[net], via_cells[j], ground, room)
                if state >= 0:
                    costs[i, j] = room.dist[state]
            continue
        search_parities(source[net], -1, no_marks(), 0, radius[i], ground, room)
        for j in np.flatnonzero(wanted[i]):
            cost = INFINITE
            if least[i, j] <= radius[i]:
                cost, _ = arrive(via_cells[j], source[net], ground, room.dist)
            bound = max(radius[i], least[i, j])
            exact[i, j] = cost <= bound or radius[i] >= INFINITE
            costs[i, j] = cost if exact[i, j] else bound


def least_costs(
    source: NDArray[np.int32], via_cells: NDArray[np.int32], stride: int
) -> NDArray[np.float64]:
    """Return ``(nets, vias)`` inner cells and bends of paths that nothing is in the way of."""
    height = np.abs(source[:, None] // stride - via_cells // stride)
    width = np.abs(source[:, None] % stride - via_cells % stride)
    return height + width - 1.0 + ((height > 0) & (width > 0))
