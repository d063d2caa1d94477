"""Lagrangian dual: a price per cell, and what the lines would pay if they never met.

That no free cell holds two lines is relaxed with a price per cell. What is left falls apart
into a cheapest path per net and, per span class, a cheapest matching of lines with vias. Its
value less the prices is a lower bound for any prices. Nets that are tied by bonds (see ``bonds``)
take their cheapest paths that agree on which side they pass each other, and those that are paired
(see ``via_pairs``) the cheapest that do not cross, with any of their vias.

The prices are improved by the volume algorithm (see ``volume``). The average of the paths taken is
a near-optimal fractional flow of every net.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.averages import Averages, AveragesConfig
from nlrouter.engine.bounds.bonds import Agreed, BondConfig, Bonds, Term, fitting, more
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.dual_kernels import Routes, route_nets, widened
from nlrouter.engine.bounds.elimination import Question
from nlrouter.engine.bounds.favourites import favourites, vias_of, within
from nlrouter.engine.bounds.relaxed import Relaxed
from nlrouter.engine.bounds.sided_search import MOST_BITS, SidedSearch, SidedSearchConfig
from nlrouter.engine.bounds.sides import Name, Passage
from nlrouter.engine.bounds.via_matching import ViaMatching, ViaMatchingConfig
from nlrouter.engine.bounds.via_pairs import Forced, Pair, Terms, ViaPairConfig, ViaPairs, undecided
from nlrouter.engine.bounds.volume import Volume, VolumeConfig
from nlrouter.engine.nets.domains import Domains, full_domains
from nlrouter.engine.nets.nets import OPEN, Nets
from nlrouter.engine.paths.cheapest import INFINITE, Board, Ground
from nlrouter.engine.schedule.work import EDGE, PASSAGE, TABLE_STATE, VIA_CELL
from nlrouter.result import ceil_bound

PRICE_UNIT = 2**16
"""Prices are whole multiples of its inverse, so that sums of them are exact in floating point: a
certificate, which is checked in whole numbers, shows just the bound that the search has."""

MOST_PRICE = 1e4
"""Of a cell: where there is no routing prices rise without end."""


FIRST_WIDTH = 64
"""Room for the cells of a path at first; what is longer makes more."""


@dataclass(frozen=True)
class DualConfig:
    """Settings of the dual, and of what it calls."""

    unused: float = 0.05
    """How much of a line takes vias on average that may go without any effect on the prices."""
    overshoot: float = 0.01
    """Share of the bound by which the target lies above it while no answer is known."""
    sure: float = 0.99
    """How much of a line takes a via on average for that to be its favourite."""
    averages: AveragesConfig = field(default_factory=AveragesConfig)
    """Of the paths taken."""
    vias: ViaMatchingConfig = field(default_factory=ViaMatchingConfig)
    """Which via each line takes."""
    searches: SidedSearchConfig = field(default_factory=SidedSearchConfig)
    """Of nets of whose walks something is settled, or that are tied."""
    bonds: BondConfig = field(default_factory=BondConfig)
    """Nets whose sides are decided together."""
    via_pairs: ViaPairConfig = field(default_factory=ViaPairConfig)
    """Nets whose vias are decided together."""
    volume: VolumeConfig = field(default_factory=VolumeConfig)
    """The method that prices are improved by."""


class Dual:
    """Prices of a board's cells, the bound that they prove, and the search for better ones.

    Parameters
    ----------
    nets
        The board.
    domains
        The vias that lines may take; all of their class by default. A line with a single one
        is settled.
    config
        Settings.

    Attributes
    ----------
    prices
        ``(layers, cells)`` the best prices so far.
    terms
        The best terms so far of the nets that are paired; see ``via_pairs``.
    value
        The bound that these prices prove: inner cells and bends of all nets and ``nets.constant``.
    target
        ``(nets,)`` target of the settled nets, else `OPEN`.
    leads
        ``(nets,)`` the same, and the favourite via of open nets that are tied or may be.
    averages
        What the paths of the latest rounds have in common.
    converged
        Whether the prices are as good as the method finds them.
    curves
        Those by which the average sides are told on which nets pass each other; None: they are not.
    left
        The cells of its layer that a net leaves to others, where there are any.
    """

    def __init__(
        self, nets: Nets, domains: Domains | None = None, config: DualConfig | None = None
    ) -> None:
        self.nets = nets
        self.domains = full_domains(nets) if domains is None else domains
        self.config = config or DualConfig()
        self.target = nets.target.copy()
        for span, allowed in zip(nets.classes, self.domains, strict=True):
            for row in np.flatnonzero(allowed.sum(axis=1) == 1):
                cell = span.via_cells[np.argmax(allowed[row])]
                self.target[span.lower[row]] = self.target[span.upper[row]] = cell
        self.leads = self.target.copy()
        self.prices = np.zeros(nets.free.shape)
        self.value = -np.inf
        self.averages = Averages(nets, self.config.averages)
        self.terms = Terms(np.zeros((0, self.averages.taken.shape[1])), np.zeros(0))
        self.passages: list[tuple[Passage, ...]] = [()] * nets.count
        self.left: dict[int, tuple[int, ...]] = {}
        self.bonds: tuple[Question, ...] = ()
        self._known_bonds: Bonds | None = None
        self.via_pairs: tuple[Pair, ...] = ()
        self._known_pairs: ViaPairs | None = None
        self._reach = np.full(nets.count, self.config.searches.radius)
        self._room = np.full(nets.count, self.config.bonds.most_bonds)
        self._heeded: list[frozenset[Name]] = [frozenset()] * nets.count
        self._known_searches: dict[int, SidedSearch] | None = None
        self.curves: Curves | None = None
        self._width = FIRST_WIDTH
        self._vias = ViaMatching(nets, self.domains, self.target, self.config.vias)
        self._found: tuple[NDArray[np.float64], Relaxed] | None = None
        self._volume = Volume(nets.free, self.config.volume)

    @property
    def _searches(self) -> dict[int, SidedSearch]:
        """The searches of the nets that are tied, or of whose walks something is settled.

        Dropped by `rest`.
        """
        if self._known_searches is None:
            free: dict[int, list[NDArray[np.bool_]]] = {net: [] for net in range(self.nets.count)}
            for i, j in self.bonds:
                assert self.curves is not None
                free[i].append(self.curves.crossed[j])
                free[j].append(self.curves.crossed[i])
            self._known_searches = {
                net: SidedSearch(
                    int(self.nets.source[net]), own, self._heeded[net], self._reach[net],
                    tuple(free[net]), self.nets.cells, self.config.searches,
                )
                for net, own in enumerate(self.passages)
                if own or free[net]
            }  # fmt: skip
        return self._known_searches

    def _note_searches(self) -> None:
        """Take note of what searches have come to heed, and how far they look."""
        if self._known_searches:
            self._heeded = self._heeded.copy()
            for net, search in self._known_searches.items():
                self._heeded[net] = search.heeded
                self._reach[net] = search.radius

    def rest(self) -> None:
        """Let go of what takes room and can be made again."""
        self._note_searches()
        self._known_searches = None
        self._known_bonds = None
        self._known_pairs = None
        self._found = None

    @property
    def _paired(self) -> ViaPairs | None:
        """The pairs, ready to be priced; None where there are none."""
        if self.via_pairs and self._known_pairs is None:
            self._known_pairs = ViaPairs(
                self.nets, self.domains, self.target, self.via_pairs, self.config.via_pairs
            )
        return self._known_pairs

    @property
    def _tied(self) -> Bonds | None:
        """The bonds, ready to be priced; None where there are none."""
        if self.bonds and self._known_bonds is None:
            assert self.curves is not None
            vias = vias_of(self.nets, self.leads, self.domains, self._partly)
            self._known_bonds = Bonds(
                self.nets, self.leads, vias, self.bonds, self.curves, self._searches,
                self._room, self.config.bonds, self.free_for,
            )  # fmt: skip
        return self._known_bonds

    @property
    def _partly(self) -> list[int]:
        """The tied nets of which bonds count a part: their vias are open, or they are paired."""
        tied, paired = {net for bond in self.bonds for net in bond}, self.paired
        return sorted(net for net in tied if self.target[net] == OPEN or paired[net])

    def _of_bonds(self, terms: Terms) -> dict[int, Term]:
        """Return the terms of these."""
        count = 2 * len(self.via_pairs)
        own = zip(terms.shares[count:], terms.weights[count:].tolist(), strict=True)
        return {net: Term(*each) for net, each in zip(self._partly, own, strict=True)}

    @property
    def converged(self) -> bool:
        """Whether the prices are as good as the method finds them."""
        return self._volume.converged

    def route(self, prices: NDArray[np.float64], terms: Terms | None = None) -> Relaxed:
        """Route every net as cheaply as the prices have it, and the terms: the best by default."""
        nets = self.nets
        terms = self.terms if terms is None else terms
        half = half_charges(nets.free, prices)
        shares = self._by_net(terms)
        target, assignment = self._vias.match(half, shares)
        tied = self._tied
        members = np.arange(nets.count, dtype=np.int32)
        if tied is not None:
            apart = set(tied.asked).difference(self._partly)
            members = np.setdiff1d(members, list(apart)).astype(np.int32)
        paths, lengths, edges, counts, costs = self._route(members, target, half)
        relaxed = Relaxed(
            float(costs.sum()), paths, lengths, edges, counts, assignment, costs, {}, 0
        )
        if tied is not None:
            self._agree(relaxed, tied.route(half, self._of_bonds(terms)))
        if self._paired is not None:
            relaxed.decided = self._paired.decide(half, self._of_pairs(terms))
            relaxed.work += relaxed.decided.states
            relaxed.value += relaxed.decided.value
        if len(terms.weights):
            for i, chosen in enumerate(assignment):
                taken = np.arange(len(chosen)), chosen
                relaxed.value += float(self.of_class(i, shares)[taken].sum())
        return relaxed

    def _by_net(self, terms: Terms) -> NDArray[np.float64]:
        """Return ``(nets, vias)`` what all members of a net are paid together."""
        shares = np.zeros(self.averages.taken.shape)
        np.add.at(shares, self.averages.members, terms.shares)
        return shares

    def _of_pairs(self, terms: Terms) -> Terms:
        """Return the terms of pairs alone."""
        count = 2 * len(self.via_pairs)
        return Terms(terms.shares[:count], terms.weights[:count])

    def _agree(self, relaxed: Relaxed, agreed: Agreed) -> None:
        """Add the tied nets' walks; they have no paths, as they may come to a cell twice."""
        for net, edges in agreed.edges.items():
            relaxed.edges = with_row(relaxed.edges, net, edges)
            relaxed.counts[net] = len(edges)
        for net, cost in agreed.costs.items():
            relaxed.costs[net] = cost
        relaxed.partly = dict(sorted(agreed.partly.items()))
        relaxed.agreed = agreed.value
        relaxed.value += agreed.value
        relaxed.tables = agreed.tables
        relaxed.work = agreed.work

    def _route(
        self, members: NDArray[np.int32], target: NDArray[np.int32], half: NDArray[np.float64]
    ) -> Routes:
        """Route some nets as cheaply as half of the cells' costs have it."""
        count = self.nets.count
        # With room for what is no longer than the longest so far.
        paths, edges = (np.empty((count, self._width), np.int32) for _ in range(2))
        lengths, counts = (np.zeros(count, np.int32) for _ in range(2))
        empty = Routes(paths, lengths, edges, counts, np.zeros(count))
        board = Board(self.nets.layer, self.nets.source, self.nets.free, self.nets.stride)
        wanted = set(members.tolist())
        searches = {net: search for net, search in self._searches.items() if net in wanted}
        sided = [net for net, search in searches.items() if search.heeded]
        plain = np.setdiff1d(members, [*sided, *self.left])
        routes: Routes = route_nets(plain, target, board, half, empty)
        for net in wanted.intersection(self.left).difference(sided):
            own = board._replace(free=self.free_for(net))
            routes = route_nets(np.array([net], np.int32), target, own, half, routes)
        self._width = routes.paths.shape[1]
        for net, search in searches.items():
            taken = routes.edges[net, : routes.counts[net]]
            if net not in sided and (not len(taken) or search.allows(taken, board.stride)):
                continue
            z = board.layer[net]
            ground = Ground(self.free_for(net)[z], half[z], board.stride)
            routes.costs[net], walk = search.walk(int(target[net]), ground)
            routes = routes._replace(edges=with_row(routes.edges, net, walk))
            routes.lengths[net], routes.counts[net] = 0, len(walk)
        return routes

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

    def of_class(self, i: int, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ``(lines, vias)`` what both nets of each line of a class have together."""
        span = self.nets.classes[i]
        return (shares[span.lower] + shares[span.upper])[:, : len(span.vias)]

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
                terms = moved[1]
            relaxed = self.route(prices, terms)
            deadline.work(self._work_of(relaxed))
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

    def _work_of(self, relaxed: Relaxed) -> float:
        """Return the work of a round, in seconds of a typical machine."""
        vias = sum(len(span.vias) for span in self.nets.classes)
        searches = 1 + PASSAGE * np.array([len(own) for own in self.passages])
        return (
            EDGE * float(relaxed.counts @ searches)
            + VIA_CELL * vias * self.nets.cells
            + TABLE_STATE * relaxed.work
        )

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
        if np.isfinite(self.value):  # They have been improved before.
            dual._volume.resume()
        self._note_searches()
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
        dual.curves = self.curves
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
        tied = {net for bond in self.bonds for net in bond}
        for net, passage in settled:
            if len(dual.passages[net]) < MOST_BITS:
                dual.passages[net] = (*dual.passages[net], passage)
                if net in tied and passage.turn is None:
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

    def free_for(self, net: int) -> NDArray[np.bool_]:
        """Return ``(layers, cells)`` where a net may be, of the cells of its layer."""
        free = self.nets.free
        if net in self.left:
            free = free.copy()
            free[self.nets.layer[net], list(self.left[net])] = False
        return free

    def tie(self, found: list[tuple[float, Question]]) -> bool:
        """Tie more nets, which take up the search again; return whether there was room for any.

        Parameters
        ----------
        found
            Pairs of settled nets, and how doubtful the side is on which they pass each other.
        """
        bonds = more(found, self.bonds, self.passages, self._room, self.config.bonds)
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
        self, before: Dual, pairs: tuple[Pair, ...], terms: Terms, bonds: tuple[Question, ...]
    ) -> None:
        """Let pairs and bonds decide on vias, of a dual before this one or of more nets."""
        known = before._of_bonds(before.terms)
        self.via_pairs, self.bonds = pairs, bonds
        fresh = Term(np.zeros(terms.shares.shape[1]), 1.0)
        own = [known.get(net, fresh) for net in self._partly]
        members = np.array([*np.ravel(pairs), *self._partly], np.intp)
        weights = np.concatenate([terms.weights, [term.weight for term in own]])
        weights /= np.bincount(members, weights)[members]
        self.terms = Terms(np.vstack([terms.shares, *(term.shares for term in own)]), weights)
        self.averages.follow(members)

    def value_of(self, below: Dual) -> tuple[float, float]:
        """Price a dual with more settled passages at the best prices.

        Returns
        -------
        tuple of float
            The bound that it proves, and by how much that is above the bound of this one.
        """
        known = self._best()
        if known is None:
            known = self.route(self.prices)
            self._found = self.prices, known
        mine = {} if self._tied is None else self._tied.asked
        theirs = {} if below._tied is None else below._tied.asked
        changed = [
            net
            for net in range(self.nets.count)
            if below.passages[net] is not self.passages[net]
            or below.left.get(net) is not self.left.get(net)
            or mine.get(net) != theirs.get(net)
        ]
        whole = (self.target != OPEN) & ~self.paired
        single = [net for net in changed if net not in theirs and whole[net]]
        gain = (below.probe(single) if single else 0.0) - float(known.alone[changed].sum())
        if any(net in mine or net in theirs for net in changed):
            gain -= known.agreed
            if below._tied is not None:
                half = half_charges(self.nets.free, self.prices)
                terms = below._of_bonds(below.terms)
                again = {
                    net: below._tied.table(net, half, terms) for net in changed if net in theirs
                }
                kept = {net: known.tables[net] for net in theirs if net not in again}
                gain += below._tied.value({**kept, **again})
        value = self._proven(known, self.prices)
        return value + gain, gain

    def _proven(self, relaxed: Relaxed, prices: NDArray[np.float64]) -> float:
        """Return the bound that prices prove by the paths at them."""
        return self.nets.constant + relaxed.value - float(prices.sum())

    @property
    def engaged(self) -> NDArray[np.bool_]:
        """``(nets,)`` which nets have settled passages, or are tied."""
        engaged = np.array([bool(own) for own in self.passages], np.bool_)
        engaged[[net for bond in self.bonds for net in bond]] = True
        return engaged

    @property
    def paired(self) -> NDArray[np.bool_]:
        """``(nets,)`` which nets are paired."""
        paired = np.zeros(self.nets.count, np.bool_)
        paired[[net for pair in self.via_pairs for net in pair]] = True
        return paired

    def passed(self, net: int, name: Name) -> int | None:
        """Return the settled parity of a net's passage, or None if it is open."""
        for passage in self.passages[net]:
            if passage.name == name:
                return passage.parity
        return None


def with_row(rows: NDArray[np.int32], k: int, row: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows in which one starts with another: these, or wider ones where it is too long."""
    wide: NDArray[np.int32] = widened(rows, len(row))
    wide[k, : len(row)] = row
    return wide
