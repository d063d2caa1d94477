"""Pairs of nets whose vias and walks are decided together, at the same prices.

Priced each for itself, a net whose via is open goes to some of several, and where nets are in each
other's way with any via, the average of the paths has a little of each and pays for none of it. A
*pair* is two nets of one layer that pay, for every two vias, what walks cost that do not cross (see
``pair_prices``). Pairs and the matching of lines with vias are problems of their own; that they
take the same vias is relaxed with a *share* per net and via, which the matching pays and the pair
is paid (N. Komodakis, N. Paragios, G. Tziritas, MRF energy minimization and beyond via dual
decomposition, 2011). The shares are improved as the prices are; the bound is valid for any.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.bond_kernel import CurveBits, Found, edges_back, search_table
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.curves import Curves, crossing_paths, draw_curves
from nlrouter.engine.bounds.pair_prices import Options, cheapest_paths
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import Ground

Pair = tuple[int, int]
"""Two nets of a layer."""

ALL = slice(None)
"""All vias of a net."""


@dataclass(frozen=True)
class ViaPairConfig:
    """Settings of pairs."""

    most: float = 16.0
    """Price of not crossing up to which it is looked for; what is above counts as this."""
    first_radius: float = 1.0
    """How much more than alone walks are looked for at first; twice as much where that matters."""
    least_taken: float = 0.02
    """Share of a line that takes a via on average from which it counts when pairs are chosen."""
    least_price: float = 0.02
    """What two nets pay at least, for the vias that their lines take on average, to be paired."""


@dataclass(frozen=True)
class Decided:
    """What pairs decide.

    Parameters
    ----------
    value
        What all pairs pay beyond what their nets pay alone, less their shares.
    vias
        The place in its class of the via that each net of a pair takes; -1 where it has an end.
    edges
        The edges of their walks.
    states
        States that were looked at.
    """

    value: float
    vias: dict[int, int]
    edges: dict[int, NDArray[np.int32]]
    states: int


@dataclass(frozen=True)
class Forced:
    """How much more pairs pay than at best where nets take certain vias.

    Parameters
    ----------
    extra
        ``(nets, vias)`` at least, where a net takes a via of its class; 0 for nets of no pair.
    loose
        The same if the two nets could cross: less, and below 0 as well. That of a net between two
        ends stands in the first column.
    together
        What is to be added to the `loose` of both nets where both take certain vias.
    """

    extra: NDArray[np.float64]
    loose: NDArray[np.float64]
    together: dict[Pair, float]


@dataclass(frozen=True)
class _Drawn:
    """A pair: options of its first net, so many, before those of the other; and their curves."""

    options: Options
    first: int
    curves: Curves


class _Priced:
    """A pair at some prices; what it pays for two vias is searched for where it matters.

    Parameters
    ----------
    drawn, ground
        The pair and where it runs.
    least
        ``(vias, vias)`` what it pays at least, a row for each via of its first net.
    most
        Price of not crossing up to which it is looked for.

    Attributes
    ----------
    states
        States that were looked at.
    """

    def __init__(
        self, drawn: _Drawn, ground: Ground, least: NDArray[np.float64], most: float,
        first_radius: float,
    ) -> None:
        self._drawn = drawn
        self._ground = ground
        self._left = least
        self._most = most
        self._alone = cheapest_paths(drawn.options, ground)
        crossing = crossing_paths(self._alone.paths, self._alone.lengths, len(ground.free))
        self._exact = ~crossing[: drawn.first, drawn.first :]
        self._extra = np.zeros(least.shape)
        self._radius = np.full(least.shape, first_radius)
        self._walks: dict[tuple[int, int], list[NDArray[np.int32]]] = {}
        self.states = 0

    def cheapest(self, rows: slice = ALL, columns: slice = ALL) -> tuple[float, tuple[int, int]]:
        """Return the least that it pays for any vias, or some, and the two vias."""
        part, exact = self._left[rows, columns], self._exact[rows, columns]
        while True:
            place = np.unravel_index(int(part.argmin()), part.shape)
            here = (rows.start or 0) + int(place[0]), (columns.start or 0) + int(place[1])
            if exact[place]:
                return float(part[place]), here
            self._search(*here)

    def walks(self, row: int, column: int) -> list[NDArray[np.int32]]:
        """Return the edges of the walks of both nets to two vias."""
        known = self._walks.get((row, column))
        return known or [self._edges(option) for option in (row, self._drawn.first + column)]

    def _search(self, row: int, column: int) -> None:
        """Look a step farther for what the pair pays for two vias, and its walks."""
        options, curves = self._drawn.options, self._drawn.curves
        cells = len(self._ground.free)
        both = row, self._drawn.first + column
        alone = self._alone.costs[list(both)]
        radius = min(float(self._radius[row, column]), self._most)
        self._radius[row, column] = 2.0 * radius
        within, tables = radius, []
        for mine, other, cost in ((*both, alone[0]), (*both[::-1], alone[1])):
            marks = curves.crossed[other].astype(np.int64)
            found = Found(np.empty(2), np.empty(2, np.int64), np.empty(4 * cells, np.int32))
            self.states += search_table(
                options.source[mine], options.target[mine], CurveBits(marks, 1, 1, 0),
                within, self._ground, found,
            )  # fmt: skip
            tables.append(found)
            # Where the first net goes round, the other need not: farther matters not.
            within = min(radius, float(found.costs.max()) - float(cost) + 1e-6)
        one, other_one = tables
        # Side s of one goes with side parity - s of the other.
        flip = int(curves.parity[both])
        together = one.costs + other_one.costs[[flip, 1 - flip]]
        side = int(together.argmin())
        extra = min(max(float(together[side]) - float(alone.sum()), 0.0), self._most)
        self._left[row, column] += extra - self._extra[row, column]
        self._extra[row, column] = extra
        ends = one.states[side], other_one.states[side ^ flip]
        self._exact[row, column] = radius >= self._most or min(ends) >= 0
        if self._exact[row, column]:
            self._walks[row, column] = [
                _walk(found, state, cells)
                for found, state in zip(tables, (side, side ^ flip), strict=True)
            ]

    def _edges(self, option: int) -> NDArray[np.int32]:
        """Return the edges of an option's cheapest path."""
        path = self._alone.paths[option, : self._alone.lengths[option]]
        beside = np.abs(np.diff(path)) == 1
        edges = np.where(beside, 0, len(self._ground.free)) + np.minimum(path[1:], path[:-1])
        return edges.astype(np.int32)


def _walk(found: Found, side: int, cells: int) -> NDArray[np.int32]:
    """Return the edges of a walk; none where it was not found."""
    edges = np.empty(len(found.pred), np.int32)
    state = found.states[side]
    count = edges_back(state, 1, found.pred, cells, edges) if state >= 0 else 0
    return edges[:count].copy()


class ViaPairs:
    """Pairs of nets of a board.

    Parameters
    ----------
    nets, domains, target
        The board, the vias that lines may take, and ``(nets,)`` the targets that are settled.
    pairs
        The pairs; each net is in one at the most.
    config
        Settings.
    """

    def __init__(
        self,
        nets: Nets,
        domains: Domains,
        target: NDArray[np.int32],
        pairs: tuple[Pair, ...],
        config: ViaPairConfig,
    ) -> None:
        self._nets = nets
        self._domains = domains
        self._target = target
        self._pairs = pairs
        self._config = config

    @cached_property
    def _vias(self) -> dict[int, tuple[int, NDArray[np.intp]]]:
        """The class of each net of a pair, and its vias in it; of a net between two ends -1."""
        known = {net: (-1, np.array([-1])) for pair in self._pairs for net in pair}
        for i, (span, allowed) in enumerate(zip(self._nets.classes, self._domains, strict=True)):
            for members in (span.lower, span.upper):
                for row, net in enumerate(members.tolist()):
                    if net in known:
                        known[net] = i, np.flatnonzero(allowed[row])
        return known

    @cached_property
    def _drawn(self) -> dict[Pair, _Drawn]:
        """The pairs, drawn."""
        drawn = {}
        for pair in self._pairs:
            targets = [self._targets(net) for net in pair]
            net = np.repeat(np.array(pair, np.int32), [len(own) for own in targets])
            options = Options(net, np.concatenate(targets), self._nets.source[net])
            free = self._nets.free[self._nets.layer[pair[0]]]
            ground = Ground(free, half_charges(free, np.zeros(free.shape)), self._nets.stride)
            found = cheapest_paths(options, ground)
            curves = draw_curves(
                options.source, options.target, found.paths, found.lengths, len(free), ground.stride
            )
            drawn[pair] = _Drawn(options, len(targets[0]), curves)
        return drawn

    @property
    def options(self) -> int:
        """How many vias the nets of all pairs have."""
        return sum(len(vias) for _, vias in self._vias.values())

    def decide(self, half: NDArray[np.float64], shares: NDArray[np.float64]) -> Decided:
        """Let each pair take its cheapest vias and walks.

        Parameters
        ----------
        half
            ``(layers, cells)`` half of what each cell costs.
        shares
            ``(nets, vias)`` what a net is paid for each via of its class.
        """
        value, states = 0.0, 0
        vias: dict[int, int] = {}
        edges: dict[int, NDArray[np.int32]] = {}
        for pair in self._pairs:
            priced = self._priced(pair, half, shares)
            least, picked = priced.cheapest()
            value += least
            for net, via, walk in zip(pair, picked, priced.walks(*picked), strict=True):
                vias[net] = int(self._vias[net][1][via])
                edges[net] = walk
            states += priced.states
        return Decided(value, vias, edges, states)

    def forced(self, half: NDArray[np.float64], shares: NDArray[np.float64]) -> Forced:
        """Return how much more pairs pay where nets take certain vias; see `decide`."""
        extra, loose = np.zeros(shares.shape), np.zeros(shares.shape)
        together = {}
        for pair in self._pairs:
            priced = self._priced(pair, half, shares)
            least, _ = priced.cheapest()
            paid = [self._paid(net, shares) for net in pair]
            for axis, net in enumerate(pair):
                vias = np.maximum(self._vias[net][1], 0)
                loose[net, vias] = -paid[axis] - paid[1 - axis].max() - least
                for k, via in enumerate(vias):
                    only = slice(k, k + 1)
                    part = (only, ALL) if axis == 0 else (ALL, only)
                    extra[net, via] = priced.cheapest(*part)[0] - least
            together[pair] = float(sum(own.max() for own in paid)) + least
        return Forced(extra, loose, together)

    def _paid(self, net: int, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what a net is paid for each of its vias; nothing for an end."""
        i, vias = self._vias[net]
        return shares[net, vias] if i >= 0 else np.zeros(1)

    def _priced(
        self, pair: Pair, half: NDArray[np.float64], shares: NDArray[np.float64]
    ) -> _Priced:
        """Return a pair at some prices and shares."""
        nets, z = self._nets, self._nets.layer[pair[0]]
        (one, mine), (other, theirs) = (self._vias[net] for net in pair)
        least = -self._paid(pair[0], shares)[:, None] - self._paid(pair[1], shares)
        if one == other >= 0:  # No via has two lines.
            least[mine[:, None] == theirs] += self._config.most
        ground = Ground(nets.free[z], half[z], nets.stride)
        return _Priced(self._drawn[pair], ground, least, self._config.most, self._config.first_radius)

    def _targets(self, net: int) -> NDArray[np.int32]:
        """Return where a net may lead."""
        i, vias = self._vias[net]
        return self._target[net : net + 1] if i < 0 else self._nets.classes[i].via_cells[vias]
