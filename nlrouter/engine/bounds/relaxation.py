"""What nets pay at prices of the cells, as if they never met, with what is settled of their paths.

That no free cell holds two lines is relaxed with a price per cell. What is left falls apart
into a cheapest path per net and, per span class, a cheapest matching of lines with vias. Nets that
are tied by bonds (see ``bonds``) take their cheapest paths that agree on which side they pass each
other, and those that are paired (see ``via_pairs``) the cheapest that do not cross, with any of
their vias.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.bonds import Agreed, Bond, BondConfig, Bonds, Partly, Term
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.dual_kernels import Routes, route_nets, widened
from nlrouter.engine.bounds.favourites import vias_of
from nlrouter.engine.bounds.sided_search import SidedSearch, SidedSearchConfig
from nlrouter.engine.bounds.sided_searches import FIRST_WIDTH, SidedSearches
from nlrouter.engine.bounds.sides import Name, Passage
from nlrouter.engine.bounds.via_matching import ViaMatching, ViaMatchingConfig
from nlrouter.engine.bounds.via_pairs import Decided, Pair, Terms, ViaPairConfig, ViaPairs
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import OPEN, Assignment, Nets
from nlrouter.engine.paths.cheapest import Board
from nlrouter.engine.schedule.work import EDGE, PASSAGE, TIED_STATE, VIA_CELL


@dataclass(frozen=True)
class RelaxationConfig:
    """Settings of all that routes nets at prices."""

    vias: ViaMatchingConfig = field(default_factory=ViaMatchingConfig)
    """Which via each line takes."""
    searches: SidedSearchConfig = field(default_factory=SidedSearchConfig)
    """Of nets of whose walks something is settled, or that are tied."""
    bonds: BondConfig = field(default_factory=BondConfig)
    """Nets whose sides are decided together."""
    via_pairs: ViaPairConfig = field(default_factory=ViaPairConfig)
    """Nets whose vias are decided together."""


@dataclass
class Relaxed:
    """The nets' cheapest paths at some prices.

    Parameters
    ----------
    value
        Sum of the costs of the paths, prices included; `INFINITE` or more if some
        net cannot reach its target.
    paths, lengths
        ``(nets, longest)`` cells of each path, ends included, and ``(nets,)`` how many.
    edges, counts
        ``(nets, most)`` edges that the value counts, ``axis * cells + first cell``, and
        ``(nets,)`` how many.
    assignment
        The vias taken.
    costs
        ``(nets,)`` what each net pays.
    tied
        What the tied nets pay, or what bonds count of it.
    apart
        ``(bonds,)`` by how much the sides of tied nets do not agree.
    work
        States that were looked at for the nets that are tied or paired.
    partly
        What tied nets do of which bonds count a part, by their numbers.
    decided
        What pairs have decided on, where there are any.
    """

    value: float
    paths: NDArray[np.int32]
    lengths: NDArray[np.int32]
    edges: NDArray[np.int32]
    counts: NDArray[np.int32]
    assignment: Assignment
    costs: NDArray[np.float64]
    tied: dict[int, float]
    apart: NDArray[np.float64]
    work: int
    partly: dict[int, Partly] = field(default_factory=dict)
    decided: Decided | None = None

    @property
    def walks(self) -> list[NDArray[np.int32]]:
        """The edges of each net that the value counts."""
        return [own[:count] for own, count in zip(self.edges, self.counts, strict=True)]

    @property
    def alone(self) -> NDArray[np.float64]:
        """``(nets,)`` what each net pays that is not tied; 0 for the others."""
        alone = self.costs.copy()
        alone[list(self.tied)] = 0.0
        return alone


class Relaxation:
    """Nets, and what is settled of how they are routed.

    Parameters
    ----------
    nets
        The board.
    domains
        The vias that lines may take. A line with a single one is settled.
    config
        Settings.

    Attributes
    ----------
    target
        ``(nets,)`` target of the settled nets, else `OPEN`.
    leads
        ``(nets,)`` the same, and the favourite via of open nets that are tied or may be.
    passages
        Per net, what is settled of its passages by others.
    left
        The cells of its layer that a net leaves to others, where there are any.
    bonds
        The nets that are tied.
    via_pairs
        The nets that are paired.
    terms
        The best terms so far of the nets that are paired or tied in part; see ``via_pairs``.
    curves
        Those by which the average sides are told on which nets pass each other; None: they are not.
    """

    def __init__(self, nets: Nets, domains: Domains, config: RelaxationConfig) -> None:
        self.nets = nets
        self.domains = domains
        self.config = config
        self.target = nets.target.copy()
        for span, allowed in zip(nets.classes, self.domains, strict=True):
            for row in np.flatnonzero(allowed.sum(axis=1) == 1):
                cell = span.via_cells[np.argmax(allowed[row])]
                self.target[span.lower[row]] = self.target[span.upper[row]] = cell
        self.leads = self.target.copy()
        self.passages: list[tuple[Passage, ...]] = [()] * nets.count
        self.left: dict[int, tuple[int, ...]] = {}
        self.bonds: tuple[Bond, ...] = ()
        self.via_pairs: tuple[Pair, ...] = ()
        most = max((len(span.vias) for span in nets.classes), default=0)
        self.terms = Terms(np.zeros((0, most)), np.zeros(0), np.zeros(0))
        self.curves: Curves | None = None
        self._vias = ViaMatching(nets, self.domains, self.target, config.vias)
        self._known_bonds: Bonds | None = None
        self._known_pairs: ViaPairs | None = None
        self._known_searches: SidedSearches | None = None
        self._reach = np.full(nets.count, config.searches.radius)
        self._room = np.full(nets.count, config.bonds.most_bonds)
        self._heeded: list[frozenset[Name]] = [frozenset()] * nets.count
        self._width = FIRST_WIDTH

    @property
    def _searches(self) -> SidedSearches:
        """The searches of the nets that are tied, or of whose walks something is settled.

        Dropped by `rest`.
        """
        if self._known_searches is None:
            tied: dict[int, list[NDArray[np.bool_]]] = {net: [] for net in range(self.nets.count)}
            for i, j in self.bonds:
                assert self.curves is not None
                tied[i].append(self.curves.crossed[j])
                tied[j].append(self.curves.crossed[i])
            config = self.config.searches
            searches = {
                net: SidedSearch(own, self._heeded[net], self._reach[net], tuple(tied[net]), config)
                for net, own in enumerate(self.passages)
                if own or tied[net]
            }
            self._known_searches = SidedSearches(searches, self._board, self.free_for, config)
        return self._known_searches

    @property
    def _board(self) -> Board:
        """The nets, and where paths may pass."""
        return Board(self.nets.layer, self.nets.source, self.nets.free, self.nets.stride)

    def note_searches(self) -> None:
        """Take note of what searches have come to heed, and how far they look."""
        if self._known_searches is not None:
            self._heeded = self._heeded.copy()
            for net, search in self._known_searches.searches.items():
                self._heeded[net] = search.heeded
                self._reach[net] = search.radius

    def rest(self) -> None:
        """Let go of what takes room and can be made again."""
        self.note_searches()
        self._known_searches = None
        self._known_bonds = None
        self._known_pairs = None

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
                self.leads, vias, self.bonds, self.curves, self._searches, self._room,
                self.config.bonds,
            )  # fmt: skip
        return self._known_bonds

    @property
    def _partly(self) -> list[int]:
        """The tied nets of which bonds count a part: their vias are open, or they are paired."""
        partly: list[int] = np.flatnonzero(
            self.tied & ((self.target == OPEN) | self.paired)
        ).tolist()
        return partly

    @property
    def members(self) -> NDArray[np.intp]:
        """``(members,)`` those that have terms: the paired nets, and the tied counted in part."""
        return np.array([*np.ravel(self.via_pairs), *self._partly], np.intp)

    def _of_bonds(self, terms: Terms) -> dict[int, Term]:
        """Return the terms of these."""
        count = 2 * len(self.via_pairs)
        own = zip(terms.shares[count:], terms.weights[count:].tolist(), strict=True)
        return {net: Term(*each) for net, each in zip(self._partly, own, strict=True)}

    def _of_pairs(self, terms: Terms) -> Terms:
        """Return the terms of pairs alone."""
        count = 2 * len(self.via_pairs)
        return Terms(terms.shares[:count], terms.weights[:count], terms.tolls)

    def _by_net(self, terms: Terms) -> NDArray[np.float64]:
        """Return ``(nets, vias)`` what all members of a net are paid together."""
        shares = np.zeros((self.nets.count, terms.shares.shape[1]))
        np.add.at(shares, self.members, terms.shares)
        return shares

    def of_class(self, i: int, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ``(lines, vias)`` what both nets of each line of a class have together."""
        span = self.nets.classes[i]
        return (shares[span.lower] + shares[span.upper])[:, : len(span.vias)]

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
            float(costs.sum()), paths, lengths, edges, counts, assignment, costs, {}, np.zeros(0), 0
        )
        if tied is not None:
            self._agree(relaxed, tied.route(half, terms.tolls, self._of_bonds(terms)))
        if self._paired is not None:
            relaxed.decided = self._paired.decide(half, self._of_pairs(terms))
            relaxed.work += relaxed.decided.states
            relaxed.value += relaxed.decided.value
        if len(terms.weights):
            for i, chosen in enumerate(assignment):
                taken = np.arange(len(chosen)), chosen
                relaxed.value += float(self.of_class(i, shares)[taken].sum())
        return relaxed

    def _agree(self, relaxed: Relaxed, agreed: Agreed) -> None:
        """Add the tied nets' walks; they have no paths, as they may come to a cell twice."""
        for net, edges in agreed.edges.items():
            relaxed.edges = with_row(relaxed.edges, net, edges)
            relaxed.counts[net] = len(edges)
        relaxed.partly = dict(sorted(agreed.partly.items()))
        relaxed.value += sum(agreed.costs.values())
        relaxed.tied = agreed.costs
        relaxed.apart = agreed.apart
        relaxed.work = sum(agreed.looked.values())

    def _route(
        self, members: NDArray[np.int32], target: NDArray[np.int32], half: NDArray[np.float64]
    ) -> Routes:
        """Route some nets as cheaply as half of the cells' costs have it."""
        count = self.nets.count
        # With room for what is no longer than the longest so far.
        paths, edges = (np.empty((count, self._width), np.int32) for _ in range(2))
        lengths, counts = (np.zeros(count, np.int32) for _ in range(2))
        empty = Routes(paths, lengths, edges, counts, np.zeros(count))
        board, many = self._board, self._searches
        wanted = set(members.tolist())
        sided = [net for net, own in many.searches.items() if own.heeded and net in wanted]
        plain = np.setdiff1d(members, [*sided, *self.left])
        routes: Routes = route_nets(plain, target, board, half, empty)
        for net in wanted.intersection(self.left).difference(sided):
            own = board._replace(free=self.free_for(net))
            routes = route_nets(np.array([net], np.int32), target, own, half, routes)
        self._width = routes.paths.shape[1]
        for net in [net for net, own in many.searches.items() if own.passed and net in wanted]:
            taken = routes.edges[net, : routes.counts[net]]
            if net not in sided and len(taken) and not many.allows(net, taken):
                sided.append(net)
        many.begin(sided)
        walks = many.walk(sided, target, half)
        for net in sided:
            k = many.place[net]
            routes.costs[net] = walks.costs[k]
            walk = walks.edges[k, : walks.counts[k]]
            routes = routes._replace(edges=with_row(routes.edges, net, walk))
            routes.lengths[net], routes.counts[net] = 0, len(walk)
        return routes

    def work_of(self, relaxed: Relaxed) -> float:
        """Return the work of a round, in seconds of a typical machine."""
        vias = sum(len(span.vias) for span in self.nets.classes)
        searches = 1 + PASSAGE * np.array([len(own) for own in self.passages])
        return (
            EDGE * float(relaxed.counts @ searches)
            + VIA_CELL * vias * self.nets.cells
            + TIED_STATE * relaxed.work
        )

    def free_for(self, net: int) -> NDArray[np.bool_]:
        """Return ``(layers, cells)`` where a net may be, of the cells of its layer."""
        free = self.nets.free
        if net in self.left:
            free = free.copy()
            free[self.nets.layer[net], list(self.left[net])] = False
        return free

    @property
    def engaged(self) -> NDArray[np.bool_]:
        """``(nets,)`` which nets have settled passages, or are tied."""
        return self.tied | np.array([bool(own) for own in self.passages], np.bool_)

    @property
    def tied(self) -> NDArray[np.bool_]:
        """``(nets,)`` which nets are tied."""
        return self._among(self.bonds)

    @property
    def paired(self) -> NDArray[np.bool_]:
        """``(nets,)`` which nets are paired."""
        return self._among(self.via_pairs)

    def _among(self, pairs: tuple[tuple[int, int], ...]) -> NDArray[np.bool_]:
        """Return ``(nets,)`` which nets are in any pair."""
        among = np.zeros(self.nets.count, np.bool_)
        among[[net for pair in pairs for net in pair]] = True
        return among

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
