"""What a process sends another of a side tree: a node to work on, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.cuts import Cuts
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.proximal import Proximal
from nlrouter.engine.bounds.sides import Passage


@dataclass(frozen=True)
class SideNode:
    """An open node without what can be made anew: its average flow, and what each net may cross.

    Parameters
    ----------
    passages, bonds
        What is settled of each net's path, and the nets that are tied.
    bound
        No routing of the node costs less.
    fresh, stuck
        Whether its prices are those of its parent, and whether nothing more can be done for it.
    prices, cuts, value
        Those of its dual.
    sides, turns
        ``(nets, nets)`` and ``(nets, ends)`` average sides and turns.
    refining
        Whether its dual goes on with the proximal bundle method.
    """

    passages: list[tuple[Passage, ...]]
    bonds: tuple[tuple[int, int], ...]
    bound: float
    fresh: bool
    stuck: bool
    prices: NDArray[np.float64]
    cuts: Cuts
    value: float
    sides: NDArray[np.float64]
    turns: NDArray[np.float64]
    refining: bool


@dataclass(frozen=True)
class SideShare:
    """A node that is lent.

    Parameters
    ----------
    node
        The node.
    limit
        Greatest cost that is of interest, or None.
    """

    node: SideNode
    limit: int | None


def pack(dual: Dual, bound: float, *, fresh: bool, stuck: bool) -> SideNode:
    """Return what another process needs of a node."""
    return SideNode(
        dual.passages, dual.bonds, bound, fresh, stuck, dual.prices, dual.cuts, dual.value,
        dual.averages.sides, dual.averages.turns, dual.proximal is not None,
    )  # fmt: skip


def unpack(root: Dual, node: SideNode) -> Dual:
    """Return the dual of a node, made from the root's, whose curves are those of the sender."""
    dual = root.sided([(net, each) for net, own in enumerate(node.passages) for each in own])
    dual.bonds = node.bonds
    dual.prices, dual.cuts, dual.value = node.prices, node.cuts, node.value
    dual.averages.sides, dual.averages.turns = node.sides.copy(), node.turns.copy()
    dual.proximal = Proximal(dual.nets, dual.config.proximal) if node.refining else None
    return dual
