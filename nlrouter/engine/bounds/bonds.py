"""Nets whose sides are decided together, at the same prices.

On which side net i passes net j follows from the side on which j passes i (see ``sides``). Priced
each for itself, both pass straight, and where one of the two has to go round, the average of the
paths has half of each go round. Of n nets that are in each other's way, half of each satisfies all
what the plane asks of each pair, where all but one have to go round as a whole.

A *bond* ties two nets: their walks are the cheapest ones that agree on the side. A net pays what
its table says for each combination of its sides, which one search finds (`search_table`); the
combinations of all nets that agree and cost least are found by `elimination`. So a bond does for
all combinations of sides at once what a branch does for one side at a time, but with the same
prices for all of them. A bound never falls by a bond: walks that agree are some of all walks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.bond_kernel import CurveBits, Found, edges_back, search_table
from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.elimination import Elimination, Question
from nlrouter.engine.bounds.sided_search import SidedSearch
from nlrouter.engine.bounds.sides import Name, Passage
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE, Ground


@dataclass(frozen=True)
class BondConfig:
    """Settings of bonds."""

    most_bonds: int = 6
    """Bonds of a net: each doubles what its search finds. On 18 boards 4 leave gaps of 0.3 % more
    after 5 s. With 8 the bounds of some are higher, but rounds on large boards take too long, and
    adc2015 Q10 takes 38 s instead of 21."""
    most_bits: int = 7
    """Parities of a net that a search carries, of bonds and of settled sides, most of which come
    out right by themselves. With 9 bounds of three layers of long lines are up to 7 higher after
    15 s, but adc2015 Q10 is open after 60."""
    most_states: int = 4000
    """States beyond which a search is dear: a settled side then takes the place of a bond."""
    doubt: float = 0.3
    """Least doubt about a side for which two nets are tied. With 0.8 where all vias are settled the
    bounds of full layers of 30 long lines are 1 to 5 % lower after 10 s."""
    most_width: int = 18
    """Questions of two parties put together, at the most: tables of 260,000 entries."""
    radius: float = 4.0
    """How much more than the cheapest walk others are looked for at first that cost more."""
    farther: float = 1.4
    """How many times as far they are looked for where that was too little: each step is dear."""
    farthest: float = 500.0
    """From here on all walks are looked for."""


Table = NDArray[np.float64]
"""``(2, ..., 2)``, an axis for each bond of a net: what it pays for these sides, or at least so."""


@dataclass(frozen=True)
class _Searched:
    """What a net's search has found.

    Parameters
    ----------
    table
        The costs.
    states
        Of the same shape: where the walk of a combination ends, -1 where the cost is no walk's.
    pred
        The state before each one.
    looked
        States that were looked at.
    """

    table: Table
    states: NDArray[np.int64]
    pred: NDArray[np.int32]
    looked: int


@dataclass(frozen=True)
class Agreed:
    """The cheapest walks that agree.

    Parameters
    ----------
    value
        What they cost together.
    edges
        The edges of each tied net's walk.
    costs
        What each tied net pays.
    tables
        The tables of the nets, to price other bonds with.
    work
        States that were looked at.
    """

    value: float
    edges: dict[int, NDArray[np.int32]]
    costs: dict[int, float]
    tables: dict[int, Table]
    work: int


def fitting(
    pairs: tuple[Question, ...],
    passages: list[tuple[Passage, ...]],
    dear: NDArray[np.bool_],
    config: BondConfig,
) -> tuple[Question, ...]:
    """Return the bonds that say more of nets than what is settled of their walks, if there is room.

    The first have precedence. A settled side needs no bond, and a net with a settled side in a
    cover has none.
    """
    room = [
        0
        if any(passage.turn is not None for passage in own)
        else config.most_bonds - (len(own) if many else 0)
        for own, many in zip(passages, dear, strict=True)
    ]
    names = [{passage.name for passage in own} for own in passages]
    kept = []
    for i, j in pairs:
        if room[i] > 0 and room[j] > 0 and (j, -1) not in names[i] and (i, -1) not in names[j]:
            kept.append((i, j))
            room[i] -= 1
            room[j] -= 1
    return tuple(kept)


def more(
    found: list[tuple[float, Question]],
    pairs: tuple[Question, ...],
    passages: list[tuple[Passage, ...]],
    dear: NDArray[np.bool_],
    config: BondConfig,
) -> tuple[Question, ...]:
    """Return bonds with more of them, as far as nets have room and the width allows.

    Parameters
    ----------
    found
        Pairs of nets, the lower first, and how doubtful the side is on which they pass.
    pairs
        The bonds so far.
    passages
        What is settled of each net's walk.
    dear
        ``(nets,)`` whose searches have come to many states.
    config
        Settings.
    """
    known = set(pairs)
    due = sorted(
        (entry for entry in found if entry[1] not in known),
        key=lambda entry: (-entry[0], entry[1]),
    )
    fresh = fitting((*pairs, *(pair for _, pair in due)), passages, dear, config)[len(pairs) :]
    while fresh and Elimination((*pairs, *fresh)).width > config.most_width:
        fresh = fresh[: len(fresh) - max(1, len(fresh) // 5)]
    return (*pairs, *fresh)


class Bonds:
    """Bonds between the settled nets of a board.

    Parameters
    ----------
    nets, target
        The board, and ``(nets,)`` the targets of the tied nets.
    pairs
        The nets that are tied, the lower of a pair first.
    curves
        The curves that sides refer to.
    searches
        Those of nets of whose walks something is settled: they know what is to be heeded.
    radius
        ``(nets,)`` how much more than its cheapest walk a net looks for others that cost more;
        grows where that is too little.
    dear
        ``(nets,)`` whose searches have come to many states; noted here.
    config
        Settings.
    free_for
        Returns ``(layers, cells)`` where a net may be.
    """

    def __init__(
        self,
        nets: Nets,
        target: NDArray[np.int32],
        pairs: tuple[Question, ...],
        curves: Curves,
        searches: dict[int, SidedSearch],
        radius: NDArray[np.float64],
        dear: NDArray[np.bool_],
        config: BondConfig,
        free_for: Callable[[int], NDArray[np.bool_]],
    ) -> None:
        self._nets = nets
        self._target = target
        self._curves = curves
        self._searches = searches
        self._config = config
        self._free_for = free_for
        self._elimination = Elimination(pairs)
        self._radius = radius
        self._dear = dear
        self._known: dict[tuple[int, tuple[Name, ...]], tuple[CurveBits, NDArray[np.intp]]] = {}

    @property
    def asked(self) -> dict[int, tuple[Question, ...]]:
        """The tied nets, and the bonds of each."""
        return self._elimination.asked

    def _marks(self, net: int) -> tuple[CurveBits, NDArray[np.intp]]:
        """Return the curves of a net, and of which combination each entry of its table is.

        A bit for each curve, the bonds' below those of what is settled, of which the parities are
        wanted. In the table, an answer is the side of the lower net of a bond.
        """
        heeded = self._heeded(net)
        key = net, tuple(passage.name for passage in heeded)
        if key in self._known:
            return self._known[key]
        bonds = self.asked[net]
        crossed = np.zeros((2, self._nets.cells), np.int64)
        flipped = 0
        for bit, (i, j) in enumerate(reversed(bonds)):
            crossed |= self._curves.crossed[j if i == net else i].astype(np.int64) << bit
            if j == net and self._curves.parity[i, j]:
                flipped |= 1 << bit
        want = 0
        for bit, passage in enumerate(heeded):
            crossed |= passage.crossed[0].astype(np.int64) << len(bonds) + bit
            want |= passage.parity << bit
        curves = CurveBits(crossed, len(bonds) + len(heeded), len(bonds), want)
        table = (np.arange(1 << len(bonds)) ^ flipped).reshape((2,) * len(bonds))
        self._known[key] = curves, table
        return curves, table

    def table(self, net: int, half: NDArray[np.float64]) -> Table:
        """Return what a net pays for each combination of its sides; see `route`."""
        return self._search(net, half).table

    def _search(self, net: int, half: NDArray[np.float64]) -> _Searched:
        """Search a net's walks for each combination of its sides."""
        nets, z = self._nets, self._nets.layer[net]
        curves, table = self._marks(net)
        costs, states = np.empty(table.size), np.empty(table.size, np.int64)
        pred = np.empty((2 * nets.cells) << curves.bits, np.int32)
        looked = search_table(
            nets.source[net], self._target[net], curves, self._radius[net],
            Ground(self._free_for(net)[z], half[z], nets.stride), Found(costs, states, pred),
        )  # fmt: skip
        self._dear[net] |= looked > self._config.most_states
        return _Searched(costs[table], states[table], pred, looked)

    def value(self, tables: dict[int, Table]) -> float:
        """Return what the nets with these tables pay at least."""
        return self._elimination.solve(tables)[0]

    def route(self, half: NDArray[np.float64]) -> Agreed:
        """Find the cheapest walks that agree.

        Parameters
        ----------
        half
            ``(layers, cells)`` half of what each cell costs.
        """
        for net in self.asked:
            if net in self._searches:
                self._searches[net].begin()
        searched = {net: self._search(net, half) for net in self.asked}
        work = sum(each.looked for each in searched.values())
        while True:
            tables = {net: each.table for net, each in searched.items()}
            value, answers = self._elimination.solve(tables)
            places = {
                net: tuple(answers[bond] for bond in bonds) for net, bonds in self.asked.items()
            }
            states = {net: int(searched[net].states[place]) for net, place in places.items()}
            beyond = [
                net for net, state in states.items() if state < 0 and self._radius[net] < INFINITE
            ]
            for net in beyond:
                radius = self._config.farther * self._radius[net]
                self._radius[net] = radius if radius <= self._config.farthest else INFINITE
            edges = {
                net: self._edges(net, searched[net].pred, state) for net, state in states.items()
            }
            again = [*beyond, *(net for net in edges if not self._allows(net, edges[net]))]
            if not again:
                break
            for net in again:
                searched[net] = self._search(net, half)
                work += searched[net].looked
        costs = {net: float(tables[net][place]) for net, place in places.items()}
        return Agreed(value, edges, costs, tables, work)

    def _heeded(self, net: int) -> tuple[Passage, ...]:
        """Return what is settled of a net's walk, as far as it is heeded and there is room."""
        if net not in self._searches:
            return ()
        return self._searches[net].heeding[: self._config.most_bits - len(self.asked[net])]

    def _allows(self, net: int, edges: NDArray[np.int32]) -> bool:
        """Return whether a walk passes others as is settled, as far as there is room to heed it."""
        full = self._marks(net)[0].bits >= self._config.most_bits
        if net not in self._searches or not len(edges) or full:
            return True
        return self._searches[net].allows(edges, self._nets.stride)

    def _edges(self, net: int, pred: NDArray[np.int32], state: int) -> NDArray[np.int32]:
        """Return the edges of a walk; none where there is no walk."""
        if state < 0:
            return np.empty(0, np.int32)
        edges = np.empty(len(pred), np.int32)
        bits = self._marks(net)[0].bits
        count = edges_back(state, bits, pred, self._nets.cells, edges)
        return edges[:count].copy()
