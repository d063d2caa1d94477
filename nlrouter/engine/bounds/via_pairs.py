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

from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.curves import draw_curves
from nlrouter.engine.bounds.pair_prices import Options, cheapest_paths
from nlrouter.engine.bounds.via_pair_kernel import Drawn, Looked, Walks, cheapest_pair
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


class _Priced:
    """A pair at some prices; what it pays for two vias is searched for where it matters.

    Parameters
    ----------
    drawn, ground
        The pair and where it runs.
    least
        ``(vias, vias)`` what it pays at least, a row for each via of its first net.
    config
        Settings.

    Attributes
    ----------
    states
        States that were looked at.
    """

    def __init__(
        self, drawn: Drawn, ground: Ground, least: NDArray[np.float64], config: ViaPairConfig
    ) -> None:
        self._drawn = drawn
        self._ground = ground
        self._most = config.most
        shape = least.shape
        radius = np.full(shape, config.first_radius)
        self._looked = Looked(least, np.zeros(shape), radius, np.zeros(shape, np.bool_))
        self._walks = _walks(0)
        self.states = 0

    def cheapest(self, rows: slice = ALL, columns: slice = ALL) -> tuple[float, tuple[int, int]]:
        """Return the least that it pays for any vias, or some, and the two vias."""
        height, width = self._looked.paid.shape
        row, column, states = cheapest_pair(
            self._drawn, self._ground, self._most, rows.indices(height)[:2],
            columns.indices(width)[:2], self._looked, self._walks,
        )  # fmt: skip
        self.states += states
        return float(self._looked.paid[row, column]), (row, column)

    def walks(self) -> tuple[float, list[tuple[int, NDArray[np.int32]]]]:
        """Return what it pays at least, and for both nets the via and the edges of the walk."""
        self._walks = _walks(4 * len(self._ground.free))
        least, picked = self.cheapest()
        edges, counts = self._walks
        return least, [(via, edges[k, : counts[k]].copy()) for k, via in enumerate(picked)]


def _walks(room: int) -> Walks:
    """Return room for walks of so many edges."""
    return Walks(np.empty((2, room), np.int32), np.zeros(2, np.int64))


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
    def _drawn(self) -> dict[Pair, Drawn]:
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
            drawn[pair] = Drawn(
                options.source, options.target, len(targets[0]), curves.crossed, curves.parity
            )
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
            least, walks = priced.walks()
            value += least
            for net, (via, walk) in zip(pair, walks, strict=True):
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
        return _Priced(self._drawn[pair], ground, least, self._config)

    def _targets(self, net: int) -> NDArray[np.int32]:
        """Return where a net may lead."""
        i, vias = self._vias[net]
        return self._target[net : net + 1] if i < 0 else self._nets.classes[i].via_cells[vias]
