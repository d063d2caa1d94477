"""Pairs of nets whose vias are decided together in a node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.conflicts import MOST_WORK, LayerOptions, options_of, work_of
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.pair_prices import pair_prices
from nlrouter.engine.bounds.via_pairs import Pair
from nlrouter.engine.nets.nets import OPEN
from nlrouter.engine.prove.node import Node
from nlrouter.engine.prove.tree import Method, Tree

Paying = list[tuple[float, Pair]]
"""What pairs of nets pay for not crossing, on average, and who they are."""

LITTLE = 1e-6
"""So that pairs that pay nothing have weights as well."""


class Favourites(Method):
    """Ties nets by the via that their line takes nearly always."""

    name = "favourites"
    told = False

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Tie nets in the node that do not agree on which side they pass each other."""
        dual = node.dual
        if node.settled or upper is None or not dual.converged or dual.curves is None:
            return False
        if node.has_few(tree.config.few_ways):  # It is branched on instead.
            return False
        favouring = dual.favouring()
        if favouring is None:
            return False
        questions = tree.questions(favouring)
        favouring.curves = questions.curves
        favouring.averages.sides = dual.averages.sides_by(questions.curves)
        if not favouring.tie(questions.pairs(favouring, dual.config.bonds.doubt)):
            return False
        node.dual = favouring
        return True


class ViaPairs(Method):
    """Pairs nets that cross with the vias that their lines take on average."""

    name = "via pairs"
    told = False

    def __init__(self) -> None:
        self._none: Dual | None = None

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Pair nets of the node."""
        dual = node.dual
        if node.settled or upper is None or not dual.converged or self._none is dual:
            return False
        found = _crossing_pairs(dual, deadline)
        paid = sum(price for price, _ in found)
        if not found or (dual.via_pairs and paid < dual.config.via_pairs.least_more):
            self._none = dual
            return False
        node.dual = dual.paired_with([pair for _, pair in found], _weights(found))
        return True


def _weights(found: Paying) -> NDArray[np.float64]:
    """Return ``(members,)`` weights: shares of what a net pays in all its pairs."""
    paid = np.repeat([price + LITTLE for price, _ in found], 2)
    members = np.array([pair for _, pair in found]).ravel()
    weights: NDArray[np.float64] = paid / np.bincount(members, paid)[members]
    return weights


def _crossing_pairs(dual: Dual, deadline: Deadline) -> Paying:
    """Return the pairs that pay most for not crossing, no more in all than lines have open vias."""
    least, taken = dual.config.via_pairs.least_taken, dual.averages.taken
    choices = np.array(
        [
            (i, row, via)
            for i, (span, allowed) in enumerate(zip(dual.nets.classes, dual.domains, strict=True))
            for row, via in np.argwhere(allowed)
            if taken[span.lower[row], via] > least
        ],
        np.intp,
    ).reshape(-1, 3)
    priced: Paying = []
    for z in range(dual.nets.layers):
        layer = options_of(dual, z, choices, dual.paired)
        if work_of(layer) <= MOST_WORK:
            priced += _priced_pairs(dual, layer, choices, deadline)
    kept: Paying = []
    count = [0] * dual.nets.count
    lines = sum(int((allowed.sum(axis=1) > 1).sum()) for allowed in dual.domains)
    left = lines - len(dual.via_pairs)
    for price, pair in sorted(priced, reverse=True):
        room = max(count[net] for net in pair) < dual.config.via_pairs.most_pairs
        if room and len(kept) < left:
            kept.append((price, pair))
            for net in pair:
                count[net] += 1
    return kept


def _priced_pairs(
    dual: Dual, layer: LayerOptions, choices: NDArray[np.intp], deadline: Deadline
) -> Paying:
    """Return the pairs of a layer that pay for not crossing."""
    options, choice, ground = layer
    config, net = dual.config.via_pairs, options.net
    most = np.full((len(net), len(net)), config.most)
    prices = pair_prices(options, ground, most, deadline)
    if prices is None:
        return []
    share = np.ones(len(net))
    share[choice >= 0] = dual.averages.taken[net, choices[choice, 2]][choice >= 0]
    expected = share[:, None] * share * np.minimum(prices, config.most)
    sure = dual.leads[net] != OPEN  # Two of them are tied (`Bonds`), if at all.
    expected[np.ix_(sure, sure)] = 0.0
    members, place = np.unique(net, return_inverse=True)
    paid = np.zeros((len(members), len(members)))
    np.add.at(paid, (place[:, None], place), expected)
    return [
        (float(paid[i, j]), (int(members[i]), int(members[j])))
        for i, j in np.argwhere(np.triu(paid > config.least_price, 1))
    ]
