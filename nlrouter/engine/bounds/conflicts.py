"""Pairs of vias that two lines cannot both take in an answer within a given cost.

Where two lines take given vias, a pair of choices has a price beyond what the lines pay alone: what
their not crossing takes (see ``pair_prices``). Where the bound with this price is above the cost of
interest, the choices exclude each other, and a choice that all choices of another line exclude is
none at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from minilsap import linear_sum_assignment
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.bonds import Tolls
from nlrouter.engine.bounds.charges import TOLERANCE, half_charges
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.pair_prices import Options, pair_prices
from nlrouter.engine.bounds.via_pairs import Forced
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import OPEN
from nlrouter.engine.paths.cheapest import INFINITE, Ground

MOST_WORK = 3e7
"""Searches times cells above which branching does more in the time; where all are needed, they take
8 seconds."""


@dataclass(frozen=True)
class Conflicts:
    """Choices that exclude each other in answers within some cost.

    Parameters
    ----------
    choices
        ``(choices, 3)`` class, line and via of each, the latter two as places in the class.
    excluded
        ``(choices, choices)`` bool, symmetric; choices of one via exclude each other as well, and
        a choice that excludes itself cannot be at all.
    beside
        ``(choices,)`` of one that excludes itself the net with which it does; -1 where that is
        none: it is too dear alone.
    prices, tolls
        ``(layers, cells)`` the prices at which they do, and the tolls.
    """

    choices: NDArray[np.intp]
    excluded: NDArray[np.bool_]
    beside: NDArray[np.intp]
    prices: NDArray[np.float64]
    tolls: Tolls

    @cached_property
    def _lines(self) -> NDArray[np.bool_]:
        """``(lines, choices)`` which choices each line has."""
        _, line = np.unique(self.choices[:, :2], axis=0, return_inverse=True)
        return np.arange(int(line.max(initial=-1)) + 1)[:, None] == line

    def narrow(self, domains: Domains) -> Domains:
        """Take out of domains what all choices of some line exclude."""
        left = np.array([domains[c][r, v] for c, r, v in self.choices], np.bool_)
        left &= ~np.diagonal(self.excluded)
        while True:
            before = int(left.sum())
            for mine in self._lines:
                left &= mine | ~self.excluded[left & mine].all(axis=0)
            if int(left.sum()) == before:
                break
        narrowed = tuple(np.zeros_like(allowed) for allowed in domains)
        for c, r, v in self.choices[left]:
            narrowed[c][r, v] = True
        return narrowed


def find_conflicts(dual: Dual, upper: int, deadline: Deadline) -> Conflicts | None:
    """Find the pairs of choices that no answer up to ``upper`` has.

    Parameters
    ----------
    dual
        A converged dual of the part. Nets whose sides are settled, or that are tied, are left out:
        what they pay for that is in its bound, and would be counted twice.
    upper
        Greatest cost that is of interest.
    deadline
        When to give up.

    Returns
    -------
    Conflicts or None
        None if it would take too long, or was stopped.
    """
    nets = dual.nets
    choices = np.array(
        [(i, *place) for i, allowed in enumerate(dual.domains) for place in np.argwhere(allowed)],
        np.intp,
    ).reshape(-1, 3)
    layers = [options_of(dual, z, choices, dual.engaged) for z in range(nets.layers)]
    if sum(map(work_of, layers)) > MOST_WORK:
        return None
    reduced = np.concatenate(
        [
            _reduced_costs(dual.via_costs(i), allowed)[allowed]
            for i, allowed in enumerate(dual.domains)
        ]
    )
    gap = upper - dual.value + TOLERANCE
    forced, ceiling = dual.forced(deadline, gap), dual.config.via_pairs.most
    extra = np.zeros((len(choices), len(choices)))
    beside = np.full(len(choices), -1, np.intp)
    for options, choice, ground in layers:
        net, open_to = options.net, choice >= 0
        dearer = np.where(open_to, reduced[choice], 0.0)
        via = np.where(open_to, choices[choice, 2], 0)
        prices = _with_pairs(options, via, ground, dearer, forced, gap, ceiling, deadline)
        if prices is None:
            return None
        extra[np.ix_(choice[open_to], choice[open_to])] += prices[np.ix_(open_to, open_to)]
        itself = choice[open_to]
        others = prices[np.ix_(open_to, ~open_to)]
        if others.size:
            dearest = others.argmax(axis=1)
            most = others[np.arange(len(others)), dearest]
            more = most > extra[itself, itself]
            beside[itself[more]] = net[~open_to][dearest[more]]
            extra[itself, itself] = np.maximum(extra[itself, itself], most)
    alone = np.eye(len(choices), dtype=np.bool_)
    together = reduced[:, None] + np.where(alone, 0.0, reduced) + extra
    via = choices[:, [0, 2]]
    same = (via[:, None] == via).all(axis=2) & ~alone
    excluded = together > gap
    return Conflicts(choices, excluded | same, beside, dual.prices, dual.tolls)


def _with_pairs(
    options: Options,
    via: NDArray[np.intp],
    ground: Ground,
    dearer: NDArray[np.float64],
    forced: Forced,
    gap: float,
    ceiling: float,
    deadline: Deadline,
) -> NDArray[np.float64] | None:
    """Return what two nets pay for not crossing, and more than at best to the pairs they are in.

    A pair cannot count what its nets pay for not crossing each other where one of them pays for not
    crossing another net. What is paid is that, or else what both pairs pay at least.
    """
    net = options.net
    missing = gap - dearer[:, None] - dearer
    if not forced.together:
        return pair_prices(options, ground, missing, deadline)
    loose, own = forced.loose[net, via], forced.extra[net, via]
    crossed, straight = loose[:, None] + loose, own[:, None] + own
    for (one, other), more in forced.together.items():
        for block in (np.ix_(net == one, net == other), np.ix_(net == other, net == one)):
            crossed[block] += more
            straight[block] = np.maximum(own[block[0]], own[block[1]])
    missing -= crossed
    # What pairs pay is left out, so that nearly all prices would be searched for: dearer ones stay.
    # Without pairs adc2016 Q12 needs all.
    missing[missing > ceiling] = -1.0
    prices = pair_prices(options, ground, missing, deadline)
    if prices is None:
        return None
    both = np.maximum(prices + crossed, straight)
    both[np.diag_indices(len(net))] = own
    return both


LayerOptions = tuple[Options, NDArray[np.intp], Ground]
"""All options of a layer, ``(options,)`` the number of the choice that each is of, -1 for a net
between two ends, and where they run."""


def options_of(
    dual: Dual, z: int, choices: NDArray[np.intp], left_out: NDArray[np.bool_]
) -> LayerOptions:
    """Return the options on a layer of all nets but some: ``(nets,)`` those that are left out."""
    nets = dual.nets
    net, choice, target = [], [], []
    for k in np.flatnonzero((nets.layer == z) & (nets.target != OPEN) & ~left_out):
        net.append(k)
        choice.append(-1)
        target.append(nets.target[k])
    for number, (i, row, column) in enumerate(choices):
        span = nets.classes[i]
        for members in (span.lower, span.upper):
            if nets.layer[members[row]] == z and not left_out[members[row]]:
                net.append(members[row])
                choice.append(number)
                target.append(span.via_cells[column])
    order = np.argsort(net, kind="stable")
    ordered = np.array(net, np.int32)[order]
    options = Options(ordered, np.array(target, np.int32)[order], nets.source[ordered])
    ground = Ground(nets.free[z], half_charges(nets.free[z], dual.prices[z]), nets.stride)
    return options, np.array(choice, np.intp)[order], ground


def work_of(layer: LayerOptions) -> int:
    """Return how many cells searches for the prices of a layer's pairs look at, at the most."""
    options, _, ground = layer
    return len(options.net) * len(np.unique(options.net)) * len(ground.free)


def _reduced_costs(costs: NDArray[np.float64], allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return by how much each pair of a matching problem is dearer than its potentials."""
    costs = np.where(allowed, np.minimum(costs, INFINITE), INFINITE)
    matched = linear_sum_assignment(costs)[1]
    own = costs[np.arange(len(costs)), matched]
    columns = np.zeros(len(costs))
    for _ in range(len(costs)):
        columns = np.minimum(columns, ((columns[matched] - own)[:, None] + costs).min(axis=0))
    rows = own - columns[matched]
    return np.maximum(costs - rows[:, None] - columns, 0.0)
