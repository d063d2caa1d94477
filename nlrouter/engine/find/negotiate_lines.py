"""Negotiated congestion of whole lines, which bid for vias as they bid for cells. Compiled.

`negotiate` routes a layer once its vias are given; which via a line takes, the dual's prices say,
and on a crowded board those know little of who gets in whose way. Here a line that shares a cell
takes its cheapest path on both layers anew, through whatever via that leads to, and what is shared
becomes dearer from round to round, vias as well. So lines that get in each other's way for good
come to trade vias. It is seldom free of overlaps in the end, as the vias go on moving; but the vias
of its best round are better to start from than the dual's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from nlrouter.compiled import njit
from nlrouter.engine.find.lines import Lines, find_via, lines_of
from nlrouter.engine.find.negotiate import NegotiateConfig, half_bid, hold
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.paths.cheapest import search, trace


@dataclass(frozen=True)
class NegotiateLinesConfig:
    """Settings of the negotiation of lines."""

    negotiate: NegotiateConfig = field(
        default_factory=lambda: NegotiateConfig(growth=1.03, noise=0.1)
    )
    """Of cells and vias: pressure grows slowly, as vias take rounds to trade."""
    via_charge: float = 1.0
    """Base cost of a via, which is charged where it is shared."""
    faith: float = 0.5
    """How often a line that shares cells on one layer only keeps its via and its other path."""
    rounds: int = 150
    """Rounds: a second on 36x36x3 with 275 nets; with twice as many the vias are no better."""


def negotiate_lines(
    nets: Nets, prices: NDArray[np.float64], config: NegotiateLinesConfig
) -> Assignment:
    """Return vias for all lines, by a negotiation of lines for cells and vias.

    Parameters
    ----------
    nets
        The part.
    prices
        ``(layers, cells)`` what cells cost beyond 1, to start from.
    config
        Settings.
    """
    lines = lines_of(nets)
    best = np.full(lines.count, -1, np.int32)
    negotiate_vias(
        lines.first, lines.second, lines.open_to, lines.via_cells, nets.layer, nets.source,
        nets.target.copy(), nets.free, prices, nets.stride, config.negotiate.pressure(),
        config.via_charge, config.faith, config.rounds, best,
    )  # fmt: skip
    return shared_out(lines, best)


def shared_out(lines: Lines, via: NDArray[np.int32]) -> Assignment:
    """Return an assignment in which as many lines as can be keep their vias.

    Parameters
    ----------
    lines
        The lines.
    via
        ``(lines,)`` the via of each, which several may share; -1 for none.
    """
    own = via.copy()
    for first, last in zip(lines.ends[:-1], lines.ends[1:], strict=True):
        members = np.flatnonzero((lines.second >= 0) & (lines.open_to[:, 0] == first))
        taken = via[members, None] == np.arange(first, last)
        own[members] = first + linear_sum_assignment(taken, maximize=True)[1]
    return lines.assignment(own)


@njit(cache=True)
def negotiate_vias(first, second, open_to, via_cells, layer, source, target, free, price, stride,
                   pressure, via_charge, faith, rounds, best):  # fmt: skip
    """Negotiate lines; fill the vias of the round with the least overlaps.

    Parameters
    ----------
    first, second, open_to, via_cells
        See `Lines`.
    layer, source, target
        ``(nets,)`` of each net; the targets of nets that lead to vias are changed.
    free, price
        ``(layers, cells)`` where nets may pass, and what a cell costs beyond 1, to start from.
    pressure
        See `NegotiateConfig.pressure`.
    via_charge, faith, rounds
        See `NegotiateLinesConfig`.
    best
        ``(lines,)`` filled with vias; left as it is where a line has no path whatever others do.
    """
    first_present, growth, last_present, gain, noise = pressure
    layers, cells = free.shape
    dist = np.empty((2, 2 * cells))
    pred = np.empty((2, 2 * cells), np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    paths = np.empty((len(layer), cells), np.int32)
    lengths = np.zeros(len(layer), np.int32)
    held = np.zeros((layers, cells), np.int32)
    base = np.empty((layers, cells))
    half = np.empty((layers, cells))
    for z in range(layers):
        for c in range(cells):
            base[z, c] = (1.0 + price[z, c]) * (1.0 + noise * np.random.random())
            half[z, c] = 0.5 * base[z, c]
    via = np.full(len(first), -1, np.int32)
    via_held = np.zeros(len(via_cells), np.int32)
    via_base = np.full(len(via_cells), via_charge)
    via_price = np.zeros(len(via_cells))
    order = np.arange(len(first))
    nets = np.empty(2, np.int32)
    state = np.empty(2, np.int32)
    moves = np.empty(2, np.bool_)
    present = first_present
    least = -1
    for _ in range(rounds):
        np.random.shuffle(order)
        for line in order:
            nets[0], nets[1] = first[line], second[line]
            count = 1 if nets[1] < 0 else 2
            for k in range(count):
                moves[k] = _shares(nets[k], layer, paths, lengths, held)
            lost = count == 2 and via[line] >= 0 and via_held[via[line]] > 1
            if not (moves[0] or (count == 2 and (moves[1] or lost))):
                continue
            anew = count == 2 and (via[line] < 0 or lost or np.random.random() >= faith)
            for k in range(count):
                moves[k] = moves[k] or anew
                if moves[k]:
                    net = nets[k]
                    z = layer[net]
                    hold(paths[net], lengths[net], -1, held[z], base[z], half[z], present)
            if anew:
                if via[line] >= 0:
                    via_held[via[line]] -= 1
                for v in range(open_to[line, 0], open_to[line, 1]):
                    via_price[v] = via_base[v] * (1.0 + present * via_held[v])
                v = find_via(
                    nets, open_to[line], via_cells, via_price, layer, source, free, half, stride,
                    dist, pred, heap_key, heap_state, state,
                )  # fmt: skip
                if v < 0:
                    return
                via[line] = v
                via_held[v] += 1
                target[nets[0]] = target[nets[1]] = via_cells[v]
            for k in range(count):
                if not moves[k]:
                    continue
                net = nets[k]
                z = layer[net]
                if not anew:
                    state[k] = search(
                        source[net], target[net], free[z], half[z], stride, dist[k],
                        pred[k], heap_key, heap_state,
                    )  # fmt: skip
                    if state[k] < 0:
                        return
                lengths[net] = trace(state[k], pred[k], paths[net])
                if anew:  # The search was for any via and stopped before.
                    paths[net, lengths[net]] = target[net]
                    lengths[net] += 1
                hold(paths[net], lengths[net], 1, held[z], base[z], half[z], present)
        overused = 0
        for z in range(layers):
            for c in range(cells):
                if held[z, c] > 1:
                    overused += 1
                    base[z, c] += gain * (held[z, c] - 1)
        for v in range(len(via_cells)):
            if via_held[v] > 1:
                overused += 1
                via_base[v] += gain * via_charge * (via_held[v] - 1)
        if least < 0 or overused < least:
            least = overused
            best[:] = via
        if overused == 0:
            return
        present = min(last_present, present * growth)
        for z in range(layers):
            for c in range(cells):
                half[z, c] = half_bid(base[z, c], held[z, c], present)


@njit(cache=True)
def _shares(net, layer, paths, lengths, held):
    """Return whether a net shares a cell or has no path."""
    for i in range(1, lengths[net] - 1):
        if held[layer[net], paths[net, i]] > 1:
            return True
    return lengths[net] == 0
