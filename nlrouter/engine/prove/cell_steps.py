"""Which of two nets leaves a cell to the other: branches where nothing else is left to ask.

No two nets hold one cell, so of any two one does without it, as in conflict-based search
(G. Sharon, R. Stern, A. Felner, N. Sturtevant, Conflict-based search for optimal multi-agent
pathfinding, 2015). A single cell settles little, but sides and covers leave mixtures of paths that
pass each other rightly and share cells all the same, mostly less than 1 below a routing.
"""

from __future__ import annotations

from math import prod

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.averages import cells_of
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.asking import price
from nlrouter.engine.prove.node import CellLeft, Node
from nlrouter.engine.prove.tree import Method, Tree


class Cells(Method):
    """Branches on which of two nets leaves a cell to the other."""

    name = "cells"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Replace the node by two in which the one or the other net does without a cell."""
        dual, config = node.dual, tree.config.ask
        if tree.nets.classes or not dual.converged or dual.value >= INFINITE / 2:
            return False
        found = contested(dual, config.tries)
        if not found:
            return False
        cases = [[dual.leaving(net, cell) for net in nets] for nets, cell in found]
        values = [[price(dual, case) for case in pair] for pair in cases]
        promises = [prod(config.promise(gain) for _, gain in pair) for pair in values]
        best = int(np.argmax(promises))
        below = []
        for answer, (case, (value, _)) in enumerate(zip(cases[best], values[best], strict=True)):
            below.append(node.below(case, CellLeft(*found[best], answer)))
            below[-1].show(value, case)
        tree.replace(node, below)
        return True


def contested(dual: Dual, most: int) -> list[tuple[tuple[int, int], int]]:
    """Return cells that two nets hold in the latest walks, with these; most often held first."""
    nets = dual.nets
    held = np.zeros((nets.count, nets.cells), np.int8)
    for walks in dual.averages.walks:
        for net, walk in enumerate(walks):
            held[net, cells_of(walk, nets.cells, nets.stride)] += 1
    held[:, ~nets.free[0]] = 0  # Ends.
    first = held.argmax(axis=0)
    held[first, np.arange(nets.cells)] = 0
    second, often = held.argmax(axis=0), held.max(axis=0)
    cells = np.argsort(-often, kind="stable")[:most]
    return [((int(first[k]), int(second[k])), int(k)) for k in cells if often[k]]
