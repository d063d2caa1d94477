"""Chains of lines that take each other's vias. Compiled in part.

A line takes some other via, and the line that had it another one, and so on. Which, says a
matching priced by the paths as they stand: passing through what others hold is charged. An ejection
chain after F. Glover, Ejection chains, reference structures and alternating path methods for
traveling salesman problems, 1996, except that a matching finds the whole chain.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from minilsap import linear_sum_assignment
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.find.config import ViaMoveConfig
from nlrouter.engine.find.working import Neighbourhood, Working
from nlrouter.engine.nets.nets import Nets, SpanClass
from nlrouter.engine.paths.cheapest import (
    INFINITE,
    Board,
    Ground,
    arrive,
    no_marks,
    scratch,
    search_parities,
)
from nlrouter.engine.paths.cost import path_cost


class ViaChains(Neighbourhood):
    """Lets chains of lines take each other's vias, a few times."""

    name = "via chains"
    of_vias = True

    def change(self, working: Working) -> None:
        """Try some chains, each of which is taken if it makes nothing worse, or hardly."""
        i, first = working.vias.pick_line()
        chosen, settings = working.assignment[i], working.config.via_move
        present = present_prices(
            working.nets, working.nets.classes[i], working.vias.costs(i), chosen, first,
            working.paths, working.lengths, working.random, settings,
        )  # fmt: skip
        troubled = bool(working.overlaps.any())
        for _ in range(working.vias.tries):
            chain = draw_chain(present, chosen, working.random, settings, focused=troubled)
            working.vias.change(i, *chain)


@dataclass(frozen=True)
class PresentPrices:
    """What some lines of a class would pay for each other's vias as the paths stand.

    Parameters
    ----------
    lines
        The lines; that for which the prices were taken comes first.
    vias
        Their vias when the prices were taken; they trade only these.
    costs
        ``(lines, vias)`` the prices.
    """

    lines: NDArray[np.intp]
    vias: NDArray[np.intp]
    costs: NDArray[np.float64]


def present_prices(
    nets: Nets,
    span: SpanClass,
    costs: NDArray[np.float64],
    chosen: NDArray[np.intp],
    first: int,
    paths: NDArray[np.int32],
    lengths: NDArray[np.int32],
    rng: random.Random,
    config: ViaMoveConfig,
) -> PresentPrices:
    """Price vias by the paths as they stand, for a line of a class and others that are near.

    Parameters
    ----------
    nets, span
        The part and the class.
    costs, chosen
        See `draw_swap`.
    first
        The line, which comes first in what is returned.
    paths, lengths
        The routing.
    rng
        Draws the charge.
    config
        Settings.
    """
    own = costs[np.arange(len(chosen)), chosen]
    dearer = costs[first, chosen] - own[first] + costs[:, chosen[first]] - own
    dearer[first] = -np.inf
    lines = np.argsort(dearer, kind="stable")[: config.chain_lines].astype(np.intp)
    vias = chosen[lines]
    charge = rng.uniform(1.0, config.most_charge)
    total = np.zeros((len(lines), len(lines)))
    for members in (span.lower, span.upper):
        prices = np.empty(total.shape)
        board = Board(nets.layer, nets.source, nets.free, nets.stride)
        _price_vias(
            members[lines], span.via_cells[vias], board, charge, config.far, paths, lengths, prices
        )
        total += prices
    return PresentPrices(lines, vias, np.minimum(total, INFINITE))


@njit(cache=True)
def _price_vias(members, via_cells, board, charge, far, paths, lengths, prices):
    """Fill ``(members, vias)`` costs of the nets' cheapest paths past all others.

    What is dearer by more than ``far`` than the path that a net has is priced as if it were not.
    """
    layer, source, free, stride = board
    layers, cells = free.shape
    held = np.zeros((layers, cells), np.int32)
    for net in range(len(layer)):
        for i in range(1, lengths[net] - 1):
            held[layer[net], paths[net, i]] += 1
    room = scratch(cells, 0)
    half = np.empty(cells)
    for m in range(len(members)):
        net = members[m]
        z = layer[net]
        for c in range(cells):
            half[c] = 0.5 * (1.0 + charge) if held[z, c] > 0 else 0.5
        most = far + path_cost(paths[net], lengths[net])
        for i in range(1, lengths[net] - 1):
            c = paths[net, i]
            half[c] = 0.5 * (1.0 + charge) if held[z, c] > 1 else 0.5
            most += charge if held[z, c] > 1 else 0.0
        ground = Ground(free[z], half, stride)
        search_parities(source[net], -1, no_marks(), 0, most, ground, room)
        for v in range(len(via_cells)):
            price, _ = arrive(via_cells[v], source[net], ground, room.dist)
            prices[m, v] = min(price, most)


def draw_chain(
    present: PresentPrices,
    chosen: NDArray[np.intp],
    rng: random.Random,
    config: ViaMoveConfig,
    *,
    focused: bool = False,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw a line and another via for it, and find who else moves so that each has one.

    Parameters
    ----------
    present
        Prices of the lines that may move.
    chosen
        ``(n,)`` via of each line of the class; ``present.vias`` in some order for those lines.
    rng
        Draws the line, the via and noise.
    config
        Settings.
    focused
        Whether the first of the priced lines is to be drawn rather than any other.

    Returns
    -------
    tuple
        The lines, and the via that each of them is to take.
    """
    size = len(present.lines)
    column = {int(via): k for k, via in enumerate(present.vias)}
    own = np.array([column[int(chosen[line])] for line in present.lines])
    places = np.arange(size)
    noise = np.random.default_rng(rng.getrandbits(32)).exponential(config.chain_noise, (size, size))
    dearer = present.costs - present.costs[places, own][:, None] + noise
    # Who need not move stays: what comes out is the cheapest chain, not the cheapest matching.
    dearer[places, own] = 0.0
    first = 0 if focused and rng.random() < 0.5 else rng.randrange(size)
    open_to = places[places != own[first]]
    weights = np.exp(-(dearer[first, open_to] - dearer[first, open_to].min()) / config.heat)
    taken = rng.choices(open_to.tolist(), weights.tolist())[0]
    dearer[first, places != taken] = INFINITE
    matched = linear_sum_assignment(np.minimum(dearer, INFINITE))[1]
    holder = np.argsort(own)
    chain = [first]
    while (after := int(holder[matched[chain[-1]]])) != first:
        chain.append(after)
    return present.lines[chain], present.vias[matched[chain]]
