"""Pairs of nets whose vias and walks are decided together, at the same prices.

Priced each for itself, a net whose via is open goes to some of several, and where nets are in each
other's way with any via, the average of the paths has a little of each and pays for none of it. A
*pair* is two nets of one layer that pay, for every two vias, what walks cost that do not cross (see
``pair_prices``). Pairs and the matching of lines with vias are problems of their own; that they
take the same vias is relaxed with a *share* per via and member of a pair, which the matching pays
and the pair is paid (N. Komodakis, N. Paragios, G. Tziritas, MRF energy minimization and beyond via
dual decomposition, 2011).

A net may be in several pairs: each counts what the net pays for a detour by a *weight*, and the
weights of a net are 1 in all. A long line that crosses five others goes round all of them or each
goes round it, and five pairs with a fifth of the long line tell that. Shares and weights are
improved as the prices are; the bound is valid for any.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.curves import draw_curves
from nlrouter.engine.bounds.pair_prices import Options, cheapest_paths
from nlrouter.engine.bounds.via_pair_kernel import Drawn, Looked, Walks, cheapest_pair
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import OPEN, Nets
from nlrouter.engine.paths.cheapest import INFINITE, Ground
from nlrouter.engine.schedule.work import TIED_STATE

Pair = tuple[int, int]
"""Two nets of a layer."""

ALL = slice(None)
"""All vias of a net."""

NONE = (-1, -1)
"""No two vias."""


class Terms(NamedTuple):
    """What pairs decide by: a row for each member, those of a pair side by side."""

    shares: NDArray[np.float64]
    """``(members, vias)`` what it is paid for each via of its net's class."""
    weights: NDArray[np.float64]
    """``(members,)`` how much of what its net pays for a detour it counts."""
    tolls: NDArray[np.float64]
    """``(bonds,)`` what nets pay for the side on which they pass each other; see ``bonds``."""

    def and_more(self, weights: NDArray[np.float64]) -> Terms:
        """Return the same for more members, which are paid nothing yet."""
        unpaid = np.zeros((len(weights), self.shares.shape[1]))
        return Terms(
            np.vstack([self.shares, unpaid]), np.concatenate([self.weights, weights]), self.tolls
        )


def undecided(
    pairs: tuple[Pair, ...], terms: Terms, target: NDArray[np.int32]
) -> tuple[tuple[Pair, ...], Terms]:
    """Return the pairs that a net with an open via is linked to, by any number of them, and theirs.

    Where all nets of a group of pairs have their vias, bonds show more (see ``bonds``): they count
    what nets pay in full.
    """
    nets = np.array(pairs, np.intp).reshape(-1, 2)
    linked = target == OPEN
    while True:
        kept = linked[nets].any(axis=1)
        if linked[nets[kept]].all():
            break
        linked[nets[kept]] = True
    members = np.repeat(kept, 2)
    left = tuple(pair for pair, keep in zip(pairs, kept, strict=True) if keep)
    return left, Terms(terms.shares[members], terms.weights[members], terms.tolls)


@dataclass(frozen=True)
class ViaPairConfig:
    """Settings of pairs."""

    most: float = 16.0
    """Price of not crossing up to which it is looked for; what is above counts as this."""
    first_radius: float = 1.0
    """How much more than alone walks are looked for at first; twice as much where that matters."""
    most_pairs: int = 4
    """Of a net. On five boards the roots are up to 8 higher than with one, and as high with 8."""
    least_more: float = 0.3
    """What nets that are paired later have to pay in all: the prices take a second to settle."""
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
        ``(members,)`` the place in its class of the via that each takes; -1 where it has an end.
    edges, counts
        ``(members, most)`` the edges of their walks, and ``(members,)`` how many.
    detours
        ``(members,)`` how much more the walks cost than the cheapest ones.
    weights
        ``(members,)`` by how much each was counted.
    states
        States that were looked at.
    """

    value: float
    vias: NDArray[np.intp]
    edges: NDArray[np.int32]
    counts: NDArray[np.int64]
    detours: NDArray[np.float64]
    weights: NDArray[np.float64]
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


@dataclass
class _Seen:
    """What was seen of a pair at other prices, from which a search at the next ones begins.

    Parameters
    ----------
    radius
        ``(vias, vias)`` how far walks had to be looked for.
    picked
        The cheapest two vias.
    """

    radius: NDArray[np.float64]
    picked: tuple[int, int] = NONE


class _Priced:
    """A pair at some prices; what it pays for two vias is searched for where it matters.

    Parameters
    ----------
    drawn, ground
        The pair and where it runs.
    least
        ``(vias, vias)`` what it pays at least, a row for each via of its first net.
    seen
        What helps to find it.
    most
        Price of not crossing up to which it is looked for.

    Attributes
    ----------
    states
        States that were looked at.
    """

    def __init__(
        self, drawn: Drawn, ground: Ground, least: NDArray[np.float64], seen: _Seen, most: float
    ) -> None:
        self._drawn = drawn
        self._ground = ground
        self._seen = seen
        self._most = most
        shape = least.shape
        self._looked = Looked(least, np.zeros(shape), seen.radius, np.zeros(shape, np.bool_))
        self._walks = _walks(0)
        self.states = 0

    def cheapest(
        self, rows: slice = ALL, columns: slice = ALL, enough: float = INFINITE
    ) -> tuple[float, tuple[int, int]]:
        """Return the least that it pays for any vias, or some, and the two vias.

        Where that is ``enough`` or more, it may be said to be less, but no less than this.
        """
        height, width = self._looked.paid.shape
        hint = self._seen.picked if rows == columns == ALL else NONE
        row, column, states = cheapest_pair(
            self._drawn, self._ground, self._most, enough, rows.indices(height)[:2],
            columns.indices(width)[:2], hint, self._looked, self._walks,
        )  # fmt: skip
        self.states += states
        return float(self._looked.paid[row, column]), (row, column)

    def walks(self) -> tuple[float, Walks]:
        """Return what it pays at least, and the walks of both nets; the vias are `_Seen.picked`."""
        self._walks = _walks(4 * len(self._ground.free))
        least, self._seen.picked = self.cheapest()
        return least, self._walks


def _walks(room: int) -> Walks:
    """Return room for walks of so many edges."""
    return Walks(np.empty((2, room), np.int32), np.zeros(2, np.int64), np.zeros(2))


class ViaPairs:
    """Pairs of nets of a board.

    Parameters
    ----------
    nets, domains, target
        The board, the vias that lines may take, and ``(nets,)`` the targets that are settled.
    pairs
        The pairs, each once.
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
                options.source,
                options.target,
                len(targets[0]),
                curves.crossed,
                curves.parity,
                np.ones(2),
            )
        return drawn

    @cached_property
    def _seen(self) -> dict[Pair, _Seen]:
        """What was seen of each pair."""
        first = self._config.first_radius
        shapes = {pair: [len(self._vias[net][1]) for net in pair] for pair in self._pairs}
        return {pair: _Seen(np.full(shape, first)) for pair, shape in shapes.items()}

    def decide(self, half: NDArray[np.float64], terms: Terms) -> Decided:
        """Let each pair take its cheapest vias and walks.

        Parameters
        ----------
        half
            ``(layers, cells)`` half of what each cell costs.
        terms
            By what they decide.
        """
        value, states = 0.0, 0
        vias: list[int] = []
        walked: list[Walks] = []
        for p, pair in enumerate(self._pairs):
            priced = self._priced(p, half, terms)
            least, walks = priced.walks()
            value += least
            states += priced.states
            picked = self._seen[pair].picked
            vias += [int(self._vias[net][1][k]) for net, k in zip(pair, picked, strict=True)]
            walked.append(walks)
        counts, detours = (np.concatenate([walks[k] for walks in walked]) for k in (1, 2))
        longest = int(counts.max())
        edges = np.concatenate([walks.edges[:, :longest] for walks in walked])
        return Decided(value, np.array(vias), edges, counts, detours, terms.weights, states)

    def forced(
        self, half: NDArray[np.float64], terms: Terms, gap: float, deadline: Deadline
    ) -> Forced:
        """Return how much more pairs pay where nets take certain vias; see `decide`.

        What is more than ``gap`` may be said to be less, but no less than this; and nothing to be
        more once time is up.
        """
        shape = self._nets.count, terms.shares.shape[1]
        extra, loose = np.zeros(shape), np.zeros(shape)
        together = {}
        for p, pair in enumerate(self._pairs):
            priced = self._priced(p, half, terms)
            least, _ = priced.cheapest()
            paid = self._paid(p, terms)
            for axis, net in enumerate(pair):
                vias = np.maximum(self._vias[net][1], 0)
                loose[net, vias] += -paid[axis] - paid[1 - axis].max() - least
                for k, via in enumerate(vias):
                    if deadline.passed():
                        break
                    only = slice(k, k + 1)
                    rows, columns = (only, ALL) if axis == 0 else (ALL, only)
                    extra[net, via] += priced.cheapest(rows, columns, least + gap)[0] - least
            together[pair] = float(sum(own.max() for own in paid)) + least
            deadline.work(TIED_STATE * priced.states)
        return Forced(extra, loose, together)

    def _paid(self, p: int, terms: Terms) -> list[NDArray[np.float64]]:
        """Return what both nets of a pair are paid for each of their vias; nothing for an end."""
        own = terms.shares[2 * p : 2 * p + 2]
        known = zip(own, (self._vias[net] for net in self._pairs[p]), strict=True)
        return [shares[vias] if i >= 0 else np.zeros(1) for shares, (i, vias) in known]

    def _priced(self, p: int, half: NDArray[np.float64], terms: Terms) -> _Priced:
        """Return a pair at some prices and terms."""
        pair = self._pairs[p]
        nets, z = self._nets, self._nets.layer[pair[0]]
        (one, mine), (other, theirs) = (self._vias[net] for net in pair)
        paid = self._paid(p, terms)
        least = -paid[0][:, None] - paid[1]
        if one == other >= 0:  # No via has two lines.
            least[mine[:, None] == theirs] += self._config.most
        ground = Ground(nets.free[z], half[z], nets.stride)
        drawn = self._drawn[pair]._replace(weights=terms.weights[2 * p : 2 * p + 2])
        return _Priced(drawn, ground, least, self._seen[pair], self._config.most)

    def _targets(self, net: int) -> NDArray[np.int32]:
        """Return where a net may lead."""
        i, vias = self._vias[net]
        return self._target[net : net + 1] if i < 0 else self._nets.classes[i].via_cells[vias]
