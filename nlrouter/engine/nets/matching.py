"""The lines and vias of each span class that are still to be matched with each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import OPEN, Nets


@dataclass(frozen=True)
class Matching:
    """Lines and vias of a span class that are still to be matched with each other.

    Parameters
    ----------
    sides
        ``(n,)`` each, the lines' members on the lowest and on the highest layer.
    lines, vias
        ``(n,)`` their indices in the class.
    cells
        ``(n,)`` framed cells of the vias.
    """

    sides: tuple[NDArray[np.intp], NDArray[np.intp]]
    lines: NDArray[np.intp]
    vias: NDArray[np.intp]
    cells: NDArray[np.int32]


def matchings_of(
    nets: Nets, members: NDArray[np.int32], target: NDArray[np.int32]
) -> list[Matching]:
    """Return, per span class, what is to be matched: often nothing.

    Parameters
    ----------
    nets
        The board.
    members
        The nets to route.
    target
        ``(nets,)`` where each net leads to, `OPEN` where that is to be chosen.
    """
    member = np.full(nets.count, -1)
    member[members] = np.arange(len(members))
    found = []
    for span in nets.classes:
        lines = np.flatnonzero((target[span.lower] == OPEN) & (member[span.lower] >= 0))
        vias = np.flatnonzero(~np.isin(span.via_cells, target[span.lower]))
        sides = (member[span.lower[lines]], member[span.upper[lines]])
        found.append(Matching(sides, lines, vias, span.via_cells[vias]))
    return found
