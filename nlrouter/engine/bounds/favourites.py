"""The vias that lines take nearly always, by which nets are tied while others are left to them.

A *lead* is where a net leads: its target where that is settled, else its line's favourite via, if
it has one; ``(nets,)`` of them, `OPEN` without.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.bonds import Vias
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import OPEN, Nets

Leads = NDArray[np.int32]


def favourites(nets: Nets, leads: Leads, taken: NDArray[np.float64], sure: float) -> Leads:
    """Return leads with the favourites of more lines, no via twice.

    Parameters
    ----------
    nets, leads
        The board, and the leads so far.
    taken
        ``(nets, vias)`` how much of each net's line takes each via of its class on average.
    sure
        What share of it has to take a via for that to be its favourite.
    """
    leads = leads.copy()
    for span in nets.classes:
        own = taken[span.lower, : len(span.vias)]
        for row in np.flatnonzero(own.max(axis=1) > sure * own.sum(axis=1)):
            members, cell = [span.lower[row], span.upper[row]], span.via_cells[own[row].argmax()]
            if (leads[members] == OPEN).all() and cell not in leads[span.lower]:
                leads[members] = cell
    return leads


def within(nets: Nets, leads: Leads, domains: Domains) -> Leads:
    """Return leads as far as these vias are left to the lines."""
    leads = leads.copy()
    for span, allowed in zip(nets.classes, domains, strict=True):
        left = (allowed & _led(span.via_cells, leads[span.lower])).any(axis=1)
        leads[span.lower[~left]] = leads[span.upper[~left]] = OPEN
    return leads


def led(nets: Nets, leads: Leads, domains: Domains) -> Domains:
    """Return the vias that lines may take if those with favourites take these."""
    found = []
    for span, allowed in zip(nets.classes, domains, strict=True):
        own = allowed & _led(span.via_cells, leads[span.lower])
        some = np.any(own, axis=1, keepdims=True)
        found.append(np.where(some, own, allowed))
    return tuple(found)


def vias_of(
    nets: Nets, leads: Leads, domains: Domains, members: Collection[int]
) -> dict[int, Vias]:
    """Return the via that each of some nets leads to, if any, and the others left to it."""
    found = {}
    for span, allowed in zip(nets.classes, domains, strict=True):
        for own in (span.lower, span.upper):
            for row, net in enumerate(own.tolist()):
                if net in members:
                    here = span.via_cells == leads[net]
                    found[net] = Vias(int(here.argmax()), np.flatnonzero(allowed[row] & ~here))
    return found


def _led(via_cells: NDArray[np.int32], leads: Leads) -> NDArray[np.bool_]:
    """Return ``(lines, vias)`` which via each line leads to."""
    return via_cells == leads[:, None]
