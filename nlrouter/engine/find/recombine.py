"""Puts routings together: of each net the path of one or of the other, as cheaply as can be.

Two good routings mostly differ in several places that have nothing to do with each other, and
neither is the better one in all of them. What goes together is decided exactly: a net that takes
its path of the other routing needs that all do whose paths of the first are in its way. The nets
that save most and need no others are a closure of greatest weight (J.-C. Picard, Maximal closure
of a graph and applications to combinatorial problems, 1976), which is found by a minimum cut. For
tours, mixtures of such places are known as partition crossover (D. Whitley, D. Hains, A. Howe, A
hybrid genetic algorithm for the traveling salesman problem using generalized partition crossover,
2010).
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing, path_costs

NOBODY = -1
"""Holds a cell that no path goes through."""


KEPT = 30
"""Routings that are kept, the cheapest ones: to put 30 of 56 nets together takes 25 ms. In a
minute, a search mostly turns elsewhere less often than that."""


class Pool:
    """The cheapest of some routings, each of them once.

    They had better be far from each other: of variants of the best one there is no end, and little
    is gained by them.

    Parameters
    ----------
    nets
        What they are routings of.

    Attributes
    ----------
    kept
        The routings, the cheapest first.
    """

    def __init__(self, nets: Nets) -> None:
        self._nets = nets
        self.kept: tuple[Routing, ...] = ()

    def add(self, routing: Routing) -> None:
        """Keep a routing, if it is new and one of the cheapest."""
        if any(_alike(routing, kept) for kept in self.kept):
            return
        # Of equal ones the newest stay.
        ranked = sorted((routing, *self.kept), key=lambda kept: kept.cost)
        self.kept = tuple(ranked[:KEPT])

    def improved(self, routing: Routing, rng: random.Random) -> Routing:
        """Return a routing put together with each of the pool's, one after the other."""
        for other in rng.sample(self.kept, len(self.kept)):
            routing = recombined(self._nets, routing, other)
        return routing


def recombined(nets: Nets, one: Routing, other: Routing) -> Routing:
    """Return a cheapest routing in which each net has its path of one of two routings.

    Parameters
    ----------
    nets
        What they are routings of.
    one
        Returned itself if no mixture is cheaper.
    other
        The other one.
    """
    saved = path_costs(one.paths) - path_costs(other.paths)
    taken = _closure(saved, _needs(nets, one, other))
    if not saved[taken].sum():
        return one
    paths = [
        theirs if take else own
        for own, theirs, take in zip(one.paths, other.paths, taken, strict=True)
    ]
    assignment = tuple(
        np.where(taken[span.lower], theirs, own)
        for span, own, theirs in zip(nets.classes, one.assignment, other.assignment, strict=True)
    )
    return Routing.along(paths, assignment)


def _alike(one: Routing, other: Routing) -> bool:
    """Whether two routings are the same."""
    return one.cost == other.cost and all(map(np.array_equal, one.paths, other.paths))


def _needs(nets: Nets, one: Routing, other: Routing) -> NDArray[np.intp]:
    """Return ``(pairs, 2)``: who takes the other routing's path, and who has to do so as well."""
    holders = [_holders(nets, routing) for routing in (one, other)]
    in_the_way, taking = (
        held[(holders[0] != holders[1]) & (holders[0] >= 0) & (holders[1] >= 0)] for held in holders
    )
    pairs = [np.stack([taking, in_the_way], 1)]
    for span, own, theirs in zip(nets.classes, one.assignment, other.assignment, strict=True):
        both = np.stack([span.lower, span.upper], 1)[own != theirs]
        pairs += [both, both[:, ::-1]]
    return np.unique(np.concatenate(pairs), axis=0)


def _holders(nets: Nets, routing: Routing) -> NDArray[np.intp]:
    """Return ``(layers * cells,)`` the net that goes through each cell, or `NOBODY`."""
    lengths = np.array([len(path) for path in routing.paths], np.intp)
    net = np.repeat(np.arange(nets.count), lengths)
    held = np.full(nets.free.size, NOBODY, np.intp)
    held[nets.layer[net] * nets.cells + np.concatenate(routing.paths)] = net
    return held


def _closure(weight: NDArray[np.int64], needs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return ``(n,)`` bool, a set of greatest weight that holds all that its members need."""
    count = len(weight)
    source, sink = count, count + 1
    gains, losses = np.flatnonzero(weight > 0), np.flatnonzero(weight < 0)
    tail = np.concatenate([np.full(len(gains), source), losses, needs[:, 0]])
    head = np.concatenate([gains, np.full(len(losses), sink), needs[:, 1]])
    never_cut = np.full(len(needs), weight[gains].sum() + 1)
    room = np.concatenate([weight[gains], -weight[losses], never_cut]).astype(np.int32)
    arcs = csr_array((room, (tail, head)), shape=(count + 2, count + 2))
    left = arcs - maximum_flow(arcs, source, sink).flow
    left.eliminate_zeros()
    taken = np.zeros(count + 2, np.bool_)
    taken[breadth_first_order(left, source, return_predecessors=False)] = True
    return taken[:count]
