"""Fewer vias for the lines of a node: by reduced costs, by conflicts, and by a branch."""

from __future__ import annotations

from math import inf

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.choices import possible, probed, propagate, with_via
from nlrouter.engine.bounds.conflicts import find_conflicts
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.fixing import allowed_vias, extra_costs
from nlrouter.engine.bounds.via_matching import least_costs
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.node import Node, ViasLeft, ViaTaken
from nlrouter.engine.prove.tree import Method, Tree


class FewVias(Method):
    """Branches on vias at once where there are few ways to settle them."""

    name = "via branching"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Replace the node: to prove the layers of each way takes less than to make them fewer."""
        if node.settled or node.sided or upper is None or not tree.branched:
            return False
        return node.has_few(tree.config.few_ways) and _branch(tree, node, deadline, upper)


class ReducedCosts(Method):
    """Takes out vias that cost too much at the node's prices."""

    name = "reduced costs"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Leave the node fewer vias."""
        if node.settled or upper is None:
            return False
        dear = allowed_vias(node.dual, upper - 1, deadline)
        return _narrow(node, dear, propagate(dear, node.conflicts), upper)


class Conflicts(Method):
    """Takes out vias by what two lines pay for not crossing each other."""

    name = "conflicts"

    def __init__(self) -> None:
        self._searched = 0.0
        self._start: float | None = None

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Leave the node fewer vias, if its bound has risen enough since they were looked for."""
        if node.settled or upper is None:
            return False
        start = deadline.elapsed()
        if self._start is None:
            self._start = start
        config, gap = tree.config, upper - node.bound
        left = config.conflict_share * (start - self._start) - self._searched
        if gap > config.again * node.sought or (tree.branched and left <= 0):
            return False
        node.sought = gap
        within = deadline.within(max(left, config.conflict_seconds))
        found = find_conflicts(node.dual, upper - 1, within)
        self._searched += deadline.elapsed() - start
        if found is None:
            return False
        node.conflicts = found
        sided, domains = node.sided, node.dual.domains
        fewer = _narrow(node, domains, probed(domains, node.conflicts), upper)
        if fewer and not sided:
            node.sought = inf
        return fewer


class ViaBranch(Method):
    """Branches on the via of the line about which there is most doubt."""

    name = "via branching"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Replace the node by one for each via."""
        return not node.settled and _branch(tree, node, deadline, upper)


def _narrow(node: Node, dear: Domains, left: Domains, upper: int) -> bool:
    """Leave a node fewer vias; return whether they are fewer. See `ViasLeft`."""
    if all((a == b).all() for a, b in zip(left, node.dual.domains, strict=True)):
        return False
    prices, tolls = node.dual.prices, node.dual.tolls
    node.decisions = (*node.decisions, ViasLeft(prices, tolls, dear, left, node.conflicts))
    if possible(left):
        node.dual = node.dual.narrowed(left)
    else:
        node.bound = upper
    return True


def _branch(tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
    """Replace a node by one for each via that a line may take."""
    dual, domains = node.dual, node.dual.domains
    i, row = _most_doubtful(dual, tree.config.least_doubt)
    gap = INFINITE if upper is None else max(0.0, upper - dual.value)
    extra = extra_costs(dual, i, dual.forced(deadline, gap), deadline)[row]
    below = []
    for via in np.flatnonzero(domains[i][row]).tolist():
        left = propagate(with_via(domains, i, row, via), node.conflicts)
        taken = ViaTaken((i, row), via, node.conflicts)
        if possible(left):
            below.append(node.below(dual.narrowed(left), taken))
            below[-1].show(dual.value + float(extra[via]), below[-1].dual)
        else:
            below.append(node.below(dual, taken))
            below[-1].bound = inf
    tree.replace(node, below)
    return True


def _most_doubtful(dual: Dual, least: float) -> tuple[int, int]:
    """Return the line to settle, by its class and its place in it.

    It is the one that takes vias far apart on average, more so if many nets are paired with its
    own: whichever it is given, the bound rises. If there is none it has the fewest vias left.
    """
    pairs = np.bincount(dual.members, minlength=dual.nets.count)
    lines: list[tuple[float, int, int, int]] = []
    for i, (span, allowed) in enumerate(zip(dual.nets.classes, dual.domains, strict=True)):
        taken = dual.averages.taken[span.lower, : len(span.vias)]
        apart = least_costs(span.via_cells, span.via_cells, dual.nets.stride) + 1.0
        doubt = ((taken @ apart) * taken).sum(axis=1)
        doubt *= 1.0 + pairs[span.lower] + pairs[span.upper]
        doubt[doubt < least] = 0.0
        vias = allowed.sum(axis=1)
        lines += [
            (-float(doubt[row]), int(vias[row]), i, row)
            for row in np.flatnonzero(vias > 1).tolist()
        ]
    return min(lines)[2:]
