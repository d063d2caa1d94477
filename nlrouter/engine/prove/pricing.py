"""Better prices for a node, and the routings that their walks make up."""

from __future__ import annotations

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.rounding import cheapest_routing
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.node import Node
from nlrouter.engine.prove.tree import Method, Tree
from nlrouter.engine.schedule.work import WALK

MOST_SIZE = 3_000_000
"""Nets times cells up to which sides are asked about: a node keeps the average sides of all
pairs of nets. 36x36x8 with 400 nets has 540,000."""


class MorePrices(Method):
    """Improves the prices of a node about which there is nothing to ask."""

    name = "prices"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Improve the prices by some rounds, until they are the best."""
        if node.dual.converged:
            return False
        dual, config = node.dual, tree.config
        if tree.nets.count * tree.nets.cells <= MOST_SIZE:
            dual.curves = tree.questions(dual).curves
        rounds = config.rounds
        if node.sided:
            near = upper is not None and node.bound >= upper * (1 - config.near)
            rounds = config.near_rounds if near or not node.settled else config.rounds
        relaxed = dual.improve(deadline.after(config.dual_seconds), rounds, upper)
        node.show(dual.value, dual)
        if tree.nets.layers > 1 or not node.settled or "rounding" in tree.tallies.without:
            return True
        walks = [walk for own in (relaxed.walks, *dual.averages.walks) for walk in enumerate(own)]
        below = NO_ANSWER if upper is None else upper
        if tree.routing is not None:
            below = min(below, tree.routing.cost)
        deadline.work(WALK * len(walks))
        with tree.tallies.at_work("rounding") as tally:
            routing = cheapest_routing(tree.nets, walks, below)
            tally.better += routing is not None
        tree.keep(routing)
        return True


class Prices(MorePrices):
    """Improves the prices of a node about which nothing can be asked yet."""

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Improve the prices until they are near the best, below a branch until there are walks."""
        if node.settled and node.dual.steady:
            return False
        if tree.branched and node.sided and node.dual.averages.walks:
            return False
        return super().work(tree, node, deadline, upper)
