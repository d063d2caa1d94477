"""Nets that pay for the side on which they pass each other, so that they agree on it.

On which side net i passes net j follows from the side on which j passes i (see ``sides``). Priced
each for itself, both pass straight, and where one of the two has to go round, the average of the
paths has half of each go round, or none.

A *bond* ties two nets by a *toll*: the one pays it if it passes on the side 1, and the other is
paid it if that follows from its own side. Walks that agree pay nothing in all, so any tolls leave
the bound valid (Lagrangian relaxation, as with the prices of cells), and the best ones make walks
agree on average. Each net still finds its cheapest walk by itself, in one search that knows all
its tolls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.sided_searches import Interest, SidedSearches
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.paths.cheapest import INFINITE


@dataclass(frozen=True)
class BondConfig:
    """Settings of bonds."""

    most_bonds: int = 12
    """Bonds of a net: each may double what its search looks at. With 10 or 16 the gaps of seven
    layers of long lines are 0.1 % of the cost larger after 12 s."""
    most_states: int = 8000
    """States beyond which a search is dear: once something is settled of a net, it has a bond less
    in the nodes below. With 2000 these gaps are 0.15 % larger, with 20,000 the same."""
    root_states: int = 20000
    """The same of a net of which nothing is settled: it has a bond less when nets are tied again.
    Without that adc2015 Q10 takes 35 s instead of 26, and with 10,000 gaps are 0.2 % larger."""
    doubt: float = 0.1
    """Least doubt about a side for which two nets are tied. With 0.3 bounds are up to 1 lower."""
    margin: float = 0.1
    """How much farther than of interest walks to a favourite via are looked for, so that what is
    not found is certain to be of none."""


Bond = tuple[int, int]
"""The two nets that it ties, the lower first."""

Tolls = tuple[tuple[Bond, float], ...]
"""Bonds with what the lower net of each pays for the side 1, and the other is paid."""


@dataclass(frozen=True)
class Agreed:
    """The cheapest walks of tied nets at their tolls.

    Parameters
    ----------
    costs
        What each tied net pays, tolls included; of one that is counted in part (see ``partly``),
        what bonds count of it.
    edges
        The edges of each tied net's walk; none of one that goes elsewhere.
    partly
        What each tied net does whose via is open, or that is paired besides.
    apart
        ``(bonds,)`` the side of the one net less what the side of the other makes it.
    looked
        States that were looked at for each.
    """

    costs: dict[int, float]
    edges: dict[int, NDArray[np.int32]]
    partly: dict[int, Partly]
    apart: NDArray[np.float64]
    looked: dict[int, int]


def fitting(
    pairs: tuple[Bond, ...], passages: list[tuple[Passage, ...]], room: NDArray[np.int_]
) -> tuple[Bond, ...]:
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
    found: list[tuple[float, Bond]],
    pairs: tuple[Bond, ...],
    passages: list[tuple[Passage, ...]],
    room: NDArray[np.int_],
) -> tuple[Bond, ...]:
    """Return bonds with more of them, as far as nets have room.

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
    """
    known = set(pairs)
    due = sorted(
        (entry for entry in found if entry[1] not in known),
        key=lambda entry: (-entry[0], entry[1]),
    )
    return fitting((*pairs, *(pair for _, pair in due)), passages, room)


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
    target
        ``(nets,)`` the targets of the tied nets.
    vias
        The vias of those nets that lead to one and of which bonds count a part.
    pairs
        The nets that are tied, the lower of a pair first.
    curves
        The curves that sides refer to.
    searches
        Those of the tied nets among them, whose ties are the bonds, in their order.
    room
        ``(nets,)`` how many bonds each may have; shrinks where a search is dear.
    config
        Settings.

    Attributes
    ----------
    asked
        The tied nets, and the bonds of each.
    """

    def __init__(
        self,
        target: NDArray[np.int32],
        vias: dict[int, Vias],
        pairs: tuple[Bond, ...],
        curves: Curves,
        searches: SidedSearches,
        room: NDArray[np.int_],
        config: BondConfig,
    ) -> None:
        self._target = target
        self._vias = vias
        self._searches = searches
        self._config = config
        self._room = room
        self.asked: dict[int, tuple[Bond, ...]] = {}
        for pair in pairs:
            for net in pair:
                self.asked[net] = (*self.asked.get(net, ()), pair)
        number = {pair: k for k, pair in enumerate(pairs)}
        ties = [
            (net, number[bond], bond) for net in searches.place for bond in self.asked.get(net, ())
        ]
        # Of each tie: its bond, 1 for the net that pays the toll and -1 for the one that is paid
        # it, and whether an even number of crossings is what that is for.
        self._bond = np.array([bond for _, bond, _ in ties])
        self._sign = np.array([1.0 if net == i else -1.0 for net, _, (i, _) in ties])
        self._flip = np.array([bool(net == j and curves.parity[i, j]) for net, _, (i, j) in ties])

    def route(
        self, half: NDArray[np.float64], tolls: NDArray[np.float64], terms: dict[int, Term]
    ) -> Agreed:
        """Find the cheapest walks at these tolls.

        Parameters
        ----------
        half
            ``(layers, cells)`` half of what each cell costs.
        tolls
            ``(bonds,)`` what the lower net of each bond pays for the side 1, and the other is paid.
        terms
            Of the nets that bonds count a part of; their cheapest paths are left out.
        """
        agreed = self._agreed(list(self.asked), half, tolls, terms)
        config = self._config
        for net, bonds in self.asked.items():
            passed = self._searches.searches[net].passed
            if agreed.looked[net] > (config.most_states if passed else config.root_states):
                self._room[net] = len(bonds) - 1
        return agreed

    def cost(self, nets: list[int], half: NDArray[np.float64], tolls: NDArray[np.float64]) -> float:
        """Return what some of the nets pay together, none of them in part; see `route`."""
        return sum(self._agreed(nets, half, tolls, {}).costs.values())

    def _agreed(
        self,
        nets: list[int],
        half: NDArray[np.float64],
        tolls: NDArray[np.float64],
        terms: dict[int, Term],
    ) -> Agreed:
        """Return what some of the nets do at these tolls."""
        many, target, config = self._searches, self._target, self._config
        count = len(many.place)
        # What odd crossings cost more than even ones, and what each member pays anyhow.
        toll = self._sign * tolls[self._bond]
        own = np.where(self._flip, -toll, toll)
        anyhow = np.zeros(count)
        np.add.at(anyhow, many.rows, np.where(self._flip, toll, 0.0) + np.minimum(own, 0.0))
        many.begin(nets)
        some = [net for net in nets if net in terms]
        least = many.walk(some, target, half)
        weights, more = np.ones(count), np.full(count, np.inf)
        ways = {net: self._ways(net, terms[net]) for net in some}
        for net, (_, here, _, elsewhere) in ways.items():
            k = many.place[net]
            weights[k] = terms[net].weight
            more[k] = (here - elsewhere) / weights[k]
        scaled = own / weights[many.rows]
        interest = Interest(least.costs, more, config.margin)
        walks = many.walk(nets, target, half, scaled, interest)
        odd = (walks.made[many.rows] >> many.bits & 1).astype(np.bool_)
        gone = walks.costs - least.costs >= more
        odd = np.where(gone[many.rows], own < 0, odd)
        paid = np.zeros(count)
        np.add.at(paid, many.rows, np.where(odd != (own < 0), np.abs(scaled), 0.0))
        agreed = Agreed({}, {}, {}, np.zeros(len(tolls)), {})
        np.add.at(agreed.apart, self._bond, self._sign * (odd ^ self._flip))
        for net in nets:
            k = many.place[net]
            cost = float(walks.costs[k])
            agreed.looked[net] = int(least.looked[k] + walks.looked[k])
            if net in ways:
                via, here, other, elsewhere = ways[net]
                detour, weight = cost - float(least.costs[k]), terms[net].weight
                agreed.partly[net] = Partly(via, detour - float(paid[k]), weight)
                cost = weight * detour - here
                if gone[k]:
                    agreed.partly[net] = Partly(other, 0.0, weight)
                    cost = -elsewhere
            if walks.counts[k] and not gone[k]:
                agreed.edges[net] = walks.edges[k, : walks.counts[k]]
            agreed.costs[net] = cost + float(anyhow[k])
        return agreed

    def _ways(self, net: int, term: Term) -> tuple[int, float, int, float]:
        """Return the via that a net leads to and what it is paid for it, and the best other one."""
        via, others = self._vias.get(net, NO_VIAS)
        here = float(term.shares[via]) if via >= 0 else 0.0
        if not len(others):
            return via, here, -1, -INFINITE
        other = int(others[term.shares[others].argmax()])
        return via, here, other, float(term.shares[other])
