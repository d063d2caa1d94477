"""Which of two nets leaves a cell to the other: branches where nothing else is left to ask.

No two nets hold one cell, so of any two one does without it, as in conflict-based search
(G. Sharon, R. Stern, A. Felner, N. Sturtevant, Conflict-based search for optimal multi-agent
pathfinding, 2015). A single cell settles little, but sides and covers leave mixtures of paths that
pass each other rightly and share cells all the same, mostly less than 1 below a routing.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.paths.cheapest import INFINITE
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
        asked = [(nets, cell, _priced(dual, nets, cell)) for nets, cell in found]
        promises = [
            prod(0.01 + min(max(gain, 0.0), config.most_gain) for _, _, gain in cases)
            for _, _, cases in asked
        ]
        nets, cell, cases = asked[int(np.argmax(promises))]
        below = []
        for answer, (case, value, _) in enumerate(cases):
            below.append(node.below(case, CellLeft(nets, cell, answer)))
            below[-1].show(value, case)
        tree.replace(node, below)
        return True


def _priced(dual: Dual, nets: tuple[int, int], cell: int) -> list[tuple[Dual, float, float]]:
    """Return the duals in which the one and the other net leaves a cell, and their values."""
    cases = []
    for net in nets:
        case = dual.leaving(net, cell)
        cases.append((case, *dual.value_of(case)))
        case.rest()
    return cases


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


def cells_of(walk: NDArray[np.int32], cells: int, stride: int) -> NDArray[np.int32]:
    """Return the cells of a walk, each once, of its edges ``axis * cells + first cell``."""
    first = walk % cells
    return np.union1d(first, first + np.where(walk < cells, 1, stride))
