"""Which lines of a span class change their vias next, and which they take. Compiled in part.

Three kinds of moves, each a set of lines with a new via for each; the finder routes them anew:

- A *swap* of two lines, or a cycle of three, by the dual's prices.
- A *chain*: a line takes some other via, and the line that had it another one, and so on. Which,
  says a matching priced by the paths as they stand: passing through what others hold is charged.
  An ejection chain after F. Glover, Ejection chains, reference structures and alternating path
  methods for traveling salesman problems, 1996, except that a matching finds the whole chain.
- A *kick*: several lines share out their vias anew, at random but by the dual's prices. It is
  taken whatever it costs, as a start for a search that is to leave a local optimum behind (H.
  Lourenço, O. Martin, T. Stützle, Iterated local search, 2003).
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from nlrouter.compiled import njit
from nlrouter.engine.nets.nets import Nets, SpanClass
from nlrouter.engine.paths.cheapest import (
    INFINITE,
    NO_MARKS,
    NO_TOLLS,
    arrive,
    search_parities,
)
from nlrouter.engine.paths.cost import path_cost


@dataclass(frozen=True)
class ViaMoveConfig:
    """Settings of the moves."""

    heat: float = 6.0
    """Price difference that makes a swap e times less likely to be tried."""
    cycle: float = 0.2
    """Share of swaps that are cycles of three lines."""
    far: float = 40.0
    """What vias pay more than need be beyond which they are hardly ever taken, so that their
    prices may be too low: on large boards there is no search of whole layers."""
    chain_lines: int = 24
    """Lines of a class from which a chain is drawn: their prices take a search per net."""
    least_charge: float = 1.0
    most_charge: float = 8.0
    """Charge for a cell that another net holds, drawn for each set of prices: in some places a
    net makes way for nothing, in others it cannot at all."""
    chain_heat: float = 4.0
    """Price difference that makes a line's next via e times less likely to be tried."""
    chain_noise: float = 2.0
    """Mean of what is added to the prices at random, so that chains from a line and via differ."""
    focus: float = 0.8
    """How often, while nets overlap, a line that passes near an overlap is the first to move."""
    reach: int = 5
    """How near: rows and columns."""
    chain_focus: float = 0.5
    """How often each of the chains drawn then starts from that line."""
    least_kick: int = 3
    most_kick: int = 10
    """Lines that a kick takes: two swap anyway, and what more than ten do is lost."""


def draw_swap(
    costs: NDArray[np.float64],
    chosen: NDArray[np.intp],
    first: int,
    rng: random.Random,
    config: ViaMoveConfig,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw two or three lines that trade vias, rather such as would not pay much for it.

    Parameters
    ----------
    costs
        ``(n, n)`` what each line (row) of the class pays for each via, of which there are two or
        more.
    chosen
        ``(n,)`` via of each line.
    first
        A line that takes part.
    rng
        Draws the others.
    config
        Settings.

    Returns
    -------
    tuple
        The lines, and the via that each of them is to take.
    """
    size = 3 if len(chosen) > 2 and rng.random() < config.cycle else 2
    lines = _draw_partners(costs, chosen, [first], size, rng, config)
    return lines, chosen[np.roll(lines, -1)]


def draw_kick(
    costs: NDArray[np.float64],
    chosen: NDArray[np.intp],
    first: int,
    rng: random.Random,
    config: ViaMoveConfig,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw several lines and a new matching of them with their vias; see `draw_swap`."""
    size = min(len(chosen), rng.randint(config.least_kick, config.most_kick))
    lines = _draw_partners(costs, chosen, [first], size, rng, config)
    noise = np.random.default_rng(rng.getrandbits(32)).exponential(config.heat, (size, size))
    prices = np.minimum(costs[np.ix_(lines, chosen[lines])], INFINITE) + noise
    prices += 2 * config.heat * np.eye(size)
    return lines, chosen[lines][linear_sum_assignment(prices)[1]]


def _draw_partners(
    costs: NDArray[np.float64],
    chosen: NDArray[np.intp],
    lines: list[int],
    size: int,
    rng: random.Random,
    config: ViaMoveConfig,
) -> NDArray[np.intp]:
    """Draw lines until there are ``size``, each by what the last and the first pay for it."""
    first = lines[0]
    while len(lines) < size:
        last = lines[-1]
        others = np.setdiff1d(np.arange(len(chosen)), lines)
        dearer = costs[last, chosen[others]] - costs[last, chosen[last]]
        dearer = dearer + costs[others, chosen[first]] - costs[others, chosen[others]]
        weights = np.exp(-np.clip(dearer, 0, 500) / config.heat) + 1e-12
        lines = [*lines, int(rng.choices(others.tolist(), weights.tolist())[0])]
    return np.array(lines, np.intp)


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
    charge = rng.uniform(config.least_charge, config.most_charge)
    total = np.zeros((len(lines), len(lines)))
    for members in (span.lower, span.upper):
        prices = np.empty(total.shape)
        _price_vias(
            members[lines], nets.layer, nets.source, span.via_cells[vias], nets.free, charge,
            config.far, nets.stride, paths, lengths, prices,
        )  # fmt: skip
        total += prices
    return PresentPrices(lines, vias, np.minimum(total, INFINITE))


@njit(cache=True)
def _price_vias(members, layer, source, via_cells, free, charge, far, stride, paths, lengths,
                prices):  # fmt: skip
    """Fill ``(members, vias)`` costs of the nets' cheapest paths past all others.

    What is dearer by more than ``far`` than the path that a net has is priced as if it were not.
    """
    layers, cells = free.shape
    held = np.zeros((layers, cells), np.int32)
    for net in range(len(layer)):
        for i in range(1, lengths[net] - 1):
            held[layer[net], paths[net, i]] += 1
    dist = np.empty(2 * cells)
    pred = np.empty(2 * cells, np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
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
        search_parities(
            source[net], -1, NO_MARKS, 0, most, free[z], half, NO_TOLLS, stride, dist, pred,
            heap_key, heap_state,
        )  # fmt: skip
        for v in range(len(via_cells)):
            price, _ = arrive(via_cells[v], source[net], half, NO_TOLLS, stride, dist)
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
    first = 0 if focused and rng.random() < config.chain_focus else rng.randrange(size)
    open_to = places[places != own[first]]
    weights = np.exp(-(dearer[first, open_to] - dearer[first, open_to].min()) / config.chain_heat)
    taken = rng.choices(open_to.tolist(), weights.tolist())[0]
    dearer[first, places != taken] = INFINITE
    matched = linear_sum_assignment(np.minimum(dearer, INFINITE))[1]
    holder = np.argsort(own)
    chain = [first]
    while (after := int(holder[matched[chain[-1]]])) != first:
        chain.append(after)
    return present.lines[chain], present.vias[matched[chain]]
