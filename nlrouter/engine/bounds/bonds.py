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

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.curves import Curves
from nlrouter.engine.bounds.sided_search import SidedSearch
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.bounds.tied_searches import TiedSearches
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE, Board, Ground


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
    work
        States that were looked at.
    """

    costs: dict[int, float]
    edges: dict[int, NDArray[np.int32]]
    partly: dict[int, Partly]
    apart: NDArray[np.float64]
    work: int


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
    nets, target
        The board, and ``(nets,)`` the targets of the tied nets.
    vias
        The vias of those nets that lead to one and of which bonds count a part.
    pairs
        The nets that are tied, the lower of a pair first.
    curves
        The curves that sides refer to.
    searches
        Those of the tied nets.
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
        pairs: tuple[Bond, ...],
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
        self._room = room
        self.asked: dict[int, tuple[Bond, ...]] = {}
        for pair in pairs:
            for net in pair:
                self.asked[net] = (*self.asked.get(net, ()), pair)
        place = {pair: k for k, pair in enumerate(pairs)}
        ties = [(net, place[bond], bond) for net, bonds in self.asked.items() for bond in bonds]
        self._many = TiedSearches({net: searches[net] for net in self.asked})
        # Of each tie: its bond, 1 for the net that pays the toll and -1 for the one that is paid
        # it, and whether an even number of crossings is what that is for.
        self._bond = np.array([bond for _, bond, _ in ties])
        self._sign = np.array([1.0 if net == i else -1.0 for net, _, (i, _) in ties])
        self._flip = np.array([bool(net == j and curves.parity[i, j]) for net, _, (i, j) in ties])
        self._place = {net: k for k, net in enumerate(self.asked)}

    def _own(self, tolls: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what the members pay for these tolls.

        ``(ties,)`` what odd crossings cost more than even ones, and ``(members,)`` what each of
        them pays at least.
        """
        toll = self._sign * tolls[self._bond]
        own = np.where(self._flip, -toll, toll)
        rest = np.zeros(len(self.asked))
        np.add.at(rest, self._many.rows, np.where(self._flip, toll, 0.0) + np.minimum(own, 0.0))
        return own, rest

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
        nets, config, many = self._nets, self._config, self._many
        own, rest = self._own(tolls)
        board = Board(nets.layer, nets.source, nets.free, nets.stride)
        whole = [
            k
            for net, k in self._place.items()
            if net not in terms and self._free_for(net) is nets.free
        ]
        walks = many.begin(whole, self._target, own, board, half)
        begun = np.zeros(len(self._place), np.bool_)
        begun[whole] = True
        agreed, work = Agreed({}, {}, {}, np.zeros(len(tolls)), 0), int(walks.looked.sum())
        made = walks.made.copy()
        for net, k in self._place.items():
            search = self._searches[net]
            looked = int(walks.looked[k])
            cost, edges = float(walks.costs[k]), walks.edges[k, : walks.counts[k]]
            if not begun[k] or not search.accepts(cost, bool(walks.ended[k]), int(made[k])):
                cost, edges, more = self._walk(net, half, own, terms, agreed.partly, bool(begun[k]))
                if len(edges):
                    made[k] = search.made(edges, nets.stride)
                looked += more
                work += more
            agreed.costs[net] = cost + float(rest[k])
            if len(edges):
                agreed.edges[net] = edges
            if looked > (config.most_states if search.passed else config.root_states):
                self._room[net] = len(search.bits) - 1
        odd = (made[many.rows] >> many.bits & 1).astype(np.bool_)
        np.add.at(agreed.apart, self._bond, self._sign * (odd ^ self._flip))
        return replace(agreed, work=work)

    def cost(
        self,
        net: int,
        half: NDArray[np.float64],
        tolls: NDArray[np.float64],
        terms: dict[int, Term],
    ) -> float:
        """Return what a net pays; see `route`."""
        own, rest = self._own(tolls)
        return self._walk(net, half, own, terms, {})[0] + float(rest[self._place[net]])

    def _walk(
        self,
        net: int,
        half: NDArray[np.float64],
        tolls: NDArray[np.float64],
        terms: dict[int, Term],
        partly: dict[int, Partly],
        begun: bool = False,
    ) -> tuple[float, NDArray[np.int32], int]:
        """Return what a net pays, its walk, and the states looked at; note what is counted in part.

        There is no walk where it goes elsewhere. ``begun``, if its search has begun.
        """
        search, target = self._searches[net], int(self._target[net])
        own = tolls[self._many.rows == self._place[net]]
        z = self._nets.layer[net]
        ground = Ground(self._free_for(net)[z], half[z], self._nets.stride)
        if net not in terms:
            return (search.go_on if begun else search.walk)(target, ground, own)
        shares, weight = terms[net]
        via, others = self._vias.get(net, NO_VIAS)
        here = float(shares[via]) if via >= 0 else 0.0
        other = int(others[shares[others].argmax()]) if len(others) else -1
        elsewhere = float(shares[other]) if len(others) else -INFINITE
        most = max(0.0, here - elsewhere) / weight + self._config.margin
        least, _, looked = search.walk(target, ground)
        while True:
            found = search.search(target, ground, own / weight, most)
            looked += found.looked
            more = float(found.costs[0]) - least
            if weight * more - here >= -elsewhere:
                partly[net] = Partly(other, 0.0, weight)
                return -elsewhere, np.empty(0, np.int32), looked
            taken = search.taken(found, ground.stride)
            if taken is not None:
                odd = search.made(taken, ground.stride) >> search.bits & 1
                toll = float(np.abs(own[odd != (own < 0)]).sum()) / weight
                partly[net] = Partly(via, more - toll, weight)
                return weight * more - here, taken, looked
