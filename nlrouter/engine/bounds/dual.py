"""Lagrangian dual: a price per cell, and what the lines would pay if they never met.

What they pay (see ``relaxation``) less the prices is a lower bound for any prices. These
are improved by the volume algorithm (see ``volume``). The average of the paths taken is
a near-optimal fractional flow of every net.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.averages import Averages, AveragesConfig
from nlrouter.engine.bounds.bonds import Bond, Term, Tolls, fitting, more
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.favourites import favourites, within
from nlrouter.engine.bounds.relaxation import Relaxation, RelaxationConfig, Relaxed
from nlrouter.engine.bounds.sided_search import MOST_BITS
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.bounds.via_pairs import Forced, Pair, Terms, undecided
from nlrouter.engine.bounds.volume import Volume, VolumeConfig
from nlrouter.engine.nets.domains import Domains, full_domains
from nlrouter.engine.nets.nets import OPEN, Nets
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.result import ceil_bound

PRICE_UNIT = 2**16
"""Prices are whole multiples of its inverse, so that sums of them are exact in floating point: a
certificate, which is checked in whole numbers, shows just the bound that the search has."""

MOST_PRICE = 1e4
"""Of a cell: where there is no routing prices rise without end."""


@dataclass(frozen=True)
class DualConfig(RelaxationConfig):
    """Settings of the dual, and of what it calls."""

    unused: float = 0.05
    """How much of a line takes vias on average that may go without any effect on the prices."""
    overshoot: float = 0.01
    """Share of the bound by which the target lies above it while no answer is known."""
    sure: float = 0.9
    """How much of a line takes a via on average for that to be its favourite. With 0.99 the bound
    of a board of 24x36x3 stands at 1201 instead of 1211 after 20 s."""
    averages: AveragesConfig = field(default_factory=AveragesConfig)
    """Of the paths taken."""
    volume: VolumeConfig = field(default_factory=VolumeConfig)
    """The method that prices are improved by."""


class Dual(Relaxation):
    """Prices of a board's cells, the bound that they prove, and the search for better ones.

    Parameters
    ----------
    nets
        The board.
    domains
        The vias that lines may take; all of their class by default.
    config
        Settings.

    Attributes
    ----------
    prices
        ``(layers, cells)`` the best prices so far.
    value
        The bound that these prices prove: inner cells and bends of all nets and ``nets.constant``.
    averages
        What the paths of the latest rounds have in common.
    converged
        Whether the prices are as good as the method finds them.
    """

    config: DualConfig

    def __init__(
        self, nets: Nets, domains: Domains | None = None, config: DualConfig | None = None
    ) -> None:
        config = config or DualConfig()
        super().__init__(nets, full_domains(nets) if domains is None else domains, config)
        self.prices = np.zeros(nets.free.shape)
        self.value = -np.inf
        self.averages = Averages(nets, config.averages)
        self._found: tuple[NDArray[np.float64], Relaxed] | None = None
        self._volume = Volume(nets.free, config.volume)

    def rest(self) -> None:
        """Let go of what takes room and can be made again."""
        super().rest()
        self._found = None

    @property
    def converged(self) -> bool:
        """Whether the prices are as good as the method finds them."""
        return self._volume.converged

    @property
    def tolls(self) -> Tolls:
        """The bonds, with the tolls that prove the value with the prices."""
        return tuple(zip(self.bonds, self.terms.tolls.tolist(), strict=True))

    @property
    def steady(self) -> bool:
        """Whether the prices are near enough to the best ones to tell which question is best."""
        return self._volume.steady

    def via_costs(self, i: int, far: float = INFINITE) -> NDArray[np.float64]:
        """Return what each line of class ``i`` pays for each via at the best prices and shares.

        See `ViaMatching.costs`.
        """
        costs = self._vias.costs(i, half_charges(self.nets.free, self.prices), far)
        return costs + self.of_class(i, self._by_net(self.terms))

    def forced(self, deadline: Deadline, gap: float = INFINITE) -> Forced:
        """Return how much more pairs pay at the best prices where nets take certain vias.

        How much more than ``gap`` does not matter; see `ViaPairs.forced`.
        """
        if self._paired is None:
            nothing = np.zeros(self.averages.taken.shape)
            return Forced(nothing, nothing, {})
        half = half_charges(self.nets.free, self.prices)
        return self._paired.forced(half, self._of_pairs(self.terms), gap, deadline)

    def improve(self, deadline: Deadline, rounds: int, upper: float | None = None) -> Relaxed:
        """Improve the prices until they converge or time or rounds are up.

        Parameters
        ----------
        deadline, rounds
            When to stop at the latest.
        upper
            Cost of a known answer: it guides the step length, and a bound that reaches it is
            good enough.

        Returns
        -------
        Relaxed
            The nets' paths at the best prices of this call.
        """
        best = self._best()
        best_value = -np.inf if best is None else self.value
        prices, terms = self.prices, self.terms
        for _ in range(rounds):
            if best is not None:
                if self.converged or best_value >= INFINITE / 2:
                    break
                distance = self._distance(upper)
                moved = self._volume.move(self.prices, self.terms, self.averages, distance)
                if moved is None:
                    break
                prices = np.rint(np.minimum(moved[0], MOST_PRICE) * PRICE_UNIT) / PRICE_UNIT
                tolls = np.rint(moved[1].tolls * PRICE_UNIT) / PRICE_UNIT
                terms = moved[1]._replace(tolls=tolls)
            relaxed = self.route(prices, terms)
            deadline.work(self.work_of(relaxed))
            value = self._proven(relaxed, prices)
            self.averages.blend(relaxed, self.curves)
            if np.isfinite(best_value):  # Else no prices were tried, but the best once more.
                self._volume.learn(self.value, value - best_value, self.averages)
            if value > best_value + 1e-9:
                best, best_value = relaxed, value
                self.prices, self.terms, self.value = prices, terms, value
            if deadline.passed():
                break
            if upper is not None and ceil_bound(self.value) >= upper:
                break
        assert best is not None
        self._found = self.prices, best
        return best

    def _best(self) -> Relaxed | None:
        """Return the paths at the best prices, as far as they are known."""
        if self._found is None or self._found[0] is not self.prices:
            return None
        return self._found[1]

    def _distance(self, upper: float | None) -> float:
        """Return how far the value may be from its best, at a guess."""
        goal = self.value * (1 + self.config.overshoot) + 1.0
        if upper is not None:
            goal = min(goal, upper)
        return max(goal - self.value, 0.05)

    def restricted(self, domains: Domains) -> Dual:
        """Return a dual with fewer vias to choose from, to start from these prices.

        What is settled of the nets' paths stays so.
        """
        dual = Dual(self.nets, domains, self.config)
        dual.prices = self.prices
        dual.curves = self.curves
        dual.averages = self.averages.below()
        if np.isfinite(self.value):  # They have been improved before.
            dual._volume.resume()
        self.note_searches()
        dual._heeded = self._heeded
        dual.passages = self.passages
        dual.left = self.left
        dual.leads = np.where(
            dual.target == OPEN, within(self.nets, self.leads, domains), dual.target
        )
        same = dual.leads == self.leads
        bonds = tuple(bond for bond in self.bonds if same[list(bond)].all())
        left = undecided(self.via_pairs, self._of_pairs(self.terms), dual.target)
        dual._follow(self, *left, bonds)
        dual._reach = self._reach.copy()
        dual._room = self._room.copy()
        return dual

    def narrowed(self, domains: Domains) -> Dual:
        """Return a dual with fewer vias, which goes on from this one where those are not in use.

        Prices that are the best stay so without what no line takes on average, and with the pairs.
        """
        dual = self.restricted(domains)
        same = dual.via_pairs == self.via_pairs and dual.bonds == self.bonds
        if not (same and np.isfinite(self.value)):
            return dual
        gone = [
            float((self.averages.taken[span.lower, : len(span.vias)] * ~left).sum(axis=1).max())
            for span, left in zip(self.nets.classes, domains, strict=True)
        ]
        if max(gone, default=0.0) <= self.config.unused:
            dual.value, dual.averages = self.value, self.averages.of(dual.averages.members)
            dual._volume = self._volume  # noqa: SLF001 - the same class.
        return dual

    def probe(self, members: list[int]) -> float:
        """Return the cost of some settled nets' cheapest paths at the best prices."""
        chosen = np.array(members, np.int32)
        half = half_charges(self.nets.free, self.prices)
        return float(self._route(chosen, self.target, half).costs[chosen].sum())

    def sided(self, settled: list[tuple[int, Passage]]) -> Dual:
        """Return a dual with more passages of nets settled, to start from these prices.

        A net that has `MOST_BITS` already keeps those it has.
        """
        dual = self.restricted(self.domains)
        dual.passages = self.passages.copy()
        dual._heeded = heeded = self._heeded.copy()  # noqa: SLF001 - the same class.
        tied = self.tied
        for net, passage in settled:
            if len(dual.passages[net]) < MOST_BITS:
                dual.passages[net] = (*dual.passages[net], passage)
                if tied[net] and passage.turn is None:
                    heeded[net] |= {passage.name}
        bonds = fitting(self.bonds, dual.passages, self._room)
        dual._follow(self, self.via_pairs, self._of_pairs(self.terms), bonds)  # noqa: SLF001 - same.
        dual._volume.resume()  # noqa: SLF001 - the same class.
        dual.value = self.value
        return dual

    def leaving(self, net: int, cell: int) -> Dual:
        """Return a dual in which a net leaves a cell to others, to start from these prices."""
        dual = self.sided([])
        dual.left = {**self.left, net: (*self.left.get(net, ()), cell)}
        return dual

    def tie(self, found: list[tuple[float, Bond]]) -> bool:
        """Tie more nets, which take up the search again; return whether there was room for any.

        Parameters
        ----------
        found
            Pairs of settled nets, and how doubtful the side is on which they pass each other.
        """
        bonds = more(found, self.bonds, self.passages, self._room)
        if len(bonds) == len(self.bonds):
            return False
        self._follow(self, self.via_pairs, self._of_pairs(self.terms), bonds)
        self.rest()
        self.averages.renew()
        self._volume.renew()
        return True

    def paired_with(self, found: list[Pair], weights: NDArray[np.float64]) -> Dual:
        """Return a dual in which more pairs of nets decide on vias, to start from these prices.

        ``weights`` are those of the members of these pairs; see `Terms`.
        """
        dual = self.restricted(self.domains)
        terms = self._of_pairs(self.terms).and_more(weights)
        dual._follow(self, (*self.via_pairs, *found), terms, self.bonds)  # noqa: SLF001 - same.
        dual.value = self.value
        return dual

    def favouring(self) -> Dual | None:
        """Return a dual in which more nets may be tied by favourite vias; None if none may."""
        leads = favourites(self.nets, self.leads, self.averages.taken, self.config.sure)
        if (leads == self.leads).all():
            return None
        dual = self.sided([])
        dual.leads = leads
        return dual

    def _follow(
        self, before: Dual, pairs: tuple[Pair, ...], terms: Terms, bonds: tuple[Bond, ...]
    ) -> None:
        """Let pairs and bonds decide on vias, of a dual before this one or of more nets."""
        known = before._of_bonds(before.terms)
        paid = dict(zip(before.bonds, before.terms.tolls.tolist(), strict=True))
        self.via_pairs, self.bonds = pairs, bonds
        fresh = Term(np.zeros(terms.shares.shape[1]), 1.0)
        own = [known.get(net, fresh) for net in self._partly]
        members = self.members
        weights = np.concatenate([terms.weights, [term.weight for term in own]])
        weights /= np.bincount(members, weights)[members]
        tolls = np.array([paid.get(bond, 0.0) for bond in bonds])
        self.terms = Terms(
            np.vstack([terms.shares, *(term.shares for term in own)]), weights, tolls
        )
        self.averages.follow(members, bonds, self.curves)

    def value_of(self, below: Dual) -> tuple[float, float]:
        """Price a dual of a layer, with more settled of its nets' paths, at the best prices.

        Returns
        -------
        tuple of float
            The bound that it proves, and by how much that is above the bound of this one.
        """
        known = self._best()
        if known is None:
            known = self.route(self.prices)
            self._found = self.prices, known
        value = self._proven(known, self.prices)
        mine = {} if self._tied is None else self._tied.asked
        theirs = {} if below._tied is None else below._tied.asked
        changed = [
            net
            for net in range(self.nets.count)
            if below.passages[net] is not self.passages[net]
            or below.left.get(net) is not self.left.get(net)
            or mine.get(net) != theirs.get(net)
        ]
        single = [net for net in changed if net not in theirs]
        gain = (below.probe(single) if single else 0.0) - float(known.alone[changed].sum())
        gain -= sum(known.tied[net] for net in changed if net in mine)
        if below._tied is not None:
            half = half_charges(self.nets.free, self.prices)
            again = [net for net in changed if net in theirs]
            gain += below._tied.cost(again, half, below.terms.tolls)
        return value + gain, gain

    def _proven(self, relaxed: Relaxed, prices: NDArray[np.float64]) -> float:
        """Return the bound that prices prove by the paths at them."""
        return self.nets.constant + relaxed.value - float(prices.sum())
