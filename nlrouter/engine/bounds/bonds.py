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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.elimination import Elimination, Question
from nlrouter.engine.bounds.sided_paths import Found
from nlrouter.engine.bounds.sided_search import SidedSearch
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE, Ground


@dataclass(frozen=True)
class BondConfig:
    """Settings of bonds."""

    most_bonds: int = 6
    """Bonds of a net: each doubles what its search finds. On 18 boards 4 leave gaps of 0.3 % more
    after 5 s. With 8 the bounds of some are higher, but rounds on large boards take too long, and
    adc2015 Q10 takes 38 s instead of 21."""
    most_states: int = 8000
    """States beyond which a search is dear: once something is settled of a net, it has a bond
    less in the nodes below. Without that adc2015 Q10 takes more than 60 s instead of 30."""
    doubt: float = 0.3
    """Least doubt about a side for which two nets are tied. With 0.8 where all vias are settled the
    bounds of full layers of 30 long lines are 1 to 5 % lower after 10 s."""
    most_width: int = 18
    """Questions of two parties put together, at the most: tables of 260,000 entries."""
    margin: float = 0.1
    """How much farther than of interest walks to a favourite via are looked for, so that what is
    not found is certain to be of none."""


Table = NDArray[np.float64]
"""``(2, ..., 2)``, an axis for each bond of a net: what it pays for these sides, or at least so."""


@dataclass(frozen=True)
class Agreed:
    """The cheapest walks that agree.

    Parameters
    ----------
    value
        What they cost together; of some nets, only what they pay for detours (see ``partly``).
    edges
        The edges of each tied net's walk; none of one that goes elsewhere.
    costs
        What each tied net pays that is counted whole.
    partly
        What each other tied net does: one whose via is open, or that is paired besides.
    tables
        The tables of the nets, to price other bonds with.
    work
        States that were looked at.
    """

    value: float
    edges: dict[int, NDArray[np.int32]]
    costs: dict[int, float]
    partly: dict[int, Partly]
    tables: dict[int, Table]
    work: int


def fitting(
    pairs: tuple[Question, ...], passages: list[tuple[Passage, ...]], room: NDArray[np.int_]
) -> tuple[Question, ...]:
    """Return the bonds for which nets have room, and whose sides are not settled.

    The first have precedence.
    """
    room = room.copy()
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
    room: NDArray[np.int_],
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
    room
        ``(nets,)`` how many bonds each may have.
    config
        Settings.
    """
    known = set(pairs)
    due = sorted(
        (entry for entry in found if entry[1] not in known),
        key=lambda entry: (-entry[0], entry[1]),
    )
    fresh = fitting((*pairs, *(pair for _, pair in due)), passages, room)[len(pairs) :]
    while fresh and Elimination((*pairs, *fresh)).width > config.most_width:
        fresh = fresh[: len(fresh) - max(1, len(fresh) // 5)]
    return (*pairs, *fresh)


class Vias(NamedTuple):
    """Of a tied net that leads to a via: its place in the class, and those of others left to it."""

    via: int
    others: NDArray[np.intp]


NO_VIAS = Vias(-1, np.empty(0, np.intp))
"""Of a net between two ends."""


class Term(NamedTuple):
    """By what a tied net decides of which bonds count a part."""

    shares: NDArray[np.float64]
    """``(vias,)`` what it is paid for each via of its class."""
    weight: float
    """How much of what it pays for a detour is counted."""


class Partly(NamedTuple):
    """What such a net does."""

    via: int
    """The place in its class of the via that it takes; -1 where it has an end."""
    detour: float
    """How much more its walk costs than its cheapest one."""
    weight: float
    """How much of that is counted."""


class Bonds:
    """Bonds between nets of a board.

    Parameters
    ----------
    nets, target
        The board, and ``(nets,)`` the targets of the tied nets.
    vias
        The vias of those nets that lead to one and of which bonds count a part.
    pairs
        The nets that are tied, the lower of a pair first.
    curves
        The curves that sides refer to.
    searches
        Those of the tied nets, their bonds' curves free.
    room
        ``(nets,)`` how many bonds each may have; shrinks where a search is dear.
    config
        Settings.
    free_for
        Returns ``(layers, cells)`` where a net may be.
    """

    def __init__(
        self,
        nets: Nets,
        target: NDArray[np.int32],
        vias: dict[int, Vias],
        pairs: tuple[Question, ...],
        curves: Curves,
        searches: dict[int, SidedSearch],
        room: NDArray[np.int_],
        config: BondConfig,
        free_for: Callable[[int], NDArray[np.bool_]],
    ) -> None:
        self._nets = nets
        self._target = target
        self._vias = vias
        self._searches = searches
        self._config = config
        self._free_for = free_for
        self._elimination = Elimination(pairs)
        self._room = room
        # Of which combination each entry of a net's table is: in it, an answer is the side of the
        # lower net of a bond.
        self._combinations = {}
        for net, bonds in self.asked.items():
            flipped = sum(
                1 << bit
                for bit, (i, j) in enumerate(reversed(bonds))
                if j == net and curves.parity[i, j]
            )
            places = np.arange(1 << len(bonds)) ^ flipped
            self._combinations[net] = places.reshape((2,) * len(bonds))

    @property
    def asked(self) -> dict[int, tuple[Question, ...]]:
        """The tied nets, and the bonds of each."""
        return self._elimination.asked

    def table(self, net: int, half: NDArray[np.float64], terms: dict[int, Term]) -> Table:
        """Return what a net pays for each combination of its sides; see `route`."""
        return self._table(net, self._search(net, half, terms), terms)

    def _table(self, net: int, found: Found, terms: dict[int, Term]) -> Table:
        """Return the table of what a search has found."""
        table: Table = found.costs[self._combinations[net]]
        if net in terms:
            table = terms[net].weight * (table - table.min())
        if net in self._vias:
            here, elsewhere = self._paid(net, terms)
            table = np.minimum(table - here, -elsewhere)
        return table

    def _paid(self, net: int, terms: dict[int, Term]) -> tuple[float, float]:
        """Return what a net is paid for the via that it leads to, and for another at the most."""
        via, others = self._vias[net]
        shares = terms[net].shares
        return float(shares[via]), float(shares[others].max(initial=-INFINITE))

    def _search(self, net: int, half: NDArray[np.float64], terms: dict[int, Term]) -> Found:
        """Search a net's walks for each combination of its sides."""
        z = self._nets.layer[net]
        ground = Ground(self._free_for(net)[z], half[z], self._nets.stride)
        most = INFINITE
        if net in self._vias:  # What is dearer goes elsewhere.
            here, elsewhere = self._paid(net, terms)
            most = max(0.0, here - elsewhere) / terms[net].weight + self._config.margin
        found = self._searches[net].search(self._target[net], ground, most)
        if found.looked > self._config.most_states and self._searches[net].passed:
            self._room[net] = len(self.asked[net]) - 1
        return found

    def value(self, tables: dict[int, Table]) -> float:
        """Return what the nets with these tables pay at least."""
        return self._elimination.solve(tables)[0]

    def route(self, half: NDArray[np.float64], terms: dict[int, Term]) -> Agreed:
        """Find the cheapest walks that agree.

        Parameters
        ----------
        half
            ``(layers, cells)`` half of what each cell costs.
        terms
            Of the nets that bonds count a part of; their cheapest paths are left out.
        """
        again = list(self.asked)
        found: dict[int, Found] = {}
        work = 0
        for net in again:
            self._searches[net].begin()
        while again:
            for net in again:
                found[net] = self._search(net, half, terms)
                work += found[net].looked
            tables = {net: self._table(net, each, terms) for net, each in found.items()}
            value, answers = self._elimination.solve(tables)
            again, costs, edges, partly = [], {}, {}, {}
            for net, bonds in self.asked.items():
                chosen = tuple(answers[bond] for bond in bonds)
                via, others = self._vias.get(net, NO_VIAS)
                if len(others) and tables[net][chosen] >= -self._paid(net, terms)[1]:
                    shares, weight = terms[net]
                    partly[net] = Partly(int(others[shares[others].argmax()]), 0.0, weight)
                    continue
                combination = self._combinations[net][chosen]
                cost = float(found[net].costs[combination])
                if net in terms:
                    detour = cost - float(found[net].costs.min())
                    partly[net] = Partly(via, detour, terms[net].weight)
                else:
                    costs[net] = cost
                taken = self._searches[net].taken(found[net], combination, self._nets.stride)
                if taken is None:
                    again.append(net)
                else:
                    edges[net] = taken
        return Agreed(value, edges, costs, partly, tables, work)
