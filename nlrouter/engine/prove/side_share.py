"""What a process sends another of a side tree: a node to work on, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.cuts import Cuts
from nlrouter.engine.bounds.dual import Dual

Decision = tuple[int, int, int]
"""A net, another net, and the side on which the first passes it."""


@dataclass(frozen=True)
class SideNode:
    """An open node without what can be made anew: its average flow, and what each net may cross.

    Parameters
    ----------
    decisions
        The settled sides, from the root on.
    bound
        No routing of the node costs less.
    fresh, stuck
        Whether its prices are those of its parent, and whether nothing more can be done for it.
    prices, cuts, value
        Those of its dual.
    sides
        ``(nets, nets)`` average sides on which nets pass each other.
    """

    decisions: tuple[Decision, ...]
    bound: float
    fresh: bool
    stuck: bool
    prices: NDArray[np.float64]
    cuts: Cuts
    value: float
    sides: NDArray[np.float64]


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


def pack(
    dual: Dual, decisions: tuple[Decision, ...], bound: float, *, fresh: bool, stuck: bool
) -> SideNode:
    """Return what another process needs of a node."""
    return SideNode(decisions, bound, fresh, stuck, dual.prices, dual.cuts, dual.value, dual.sides)


def unpack(root: Dual, node: SideNode) -> Dual:
    """Return the dual of a node, made from the root's, whose curves are those of the sender."""
    curves = root.curves
    assert curves is not None
    sides = []
    for i, j, side in node.decisions:
        other = (int(curves.parity[i, j]) - side) % 2
        sides += [(i, curves.crossed[j], side), (j, curves.crossed[i], other)]
    dual = root.sided(sides)
    dual.prices, dual.cuts, dual.value = node.prices, node.cuts, node.value
    dual.sides = node.sides.copy()
    return dual
