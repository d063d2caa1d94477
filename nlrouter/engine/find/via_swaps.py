"""Lines that trade vias by the dual's prices: two at a time, or several at random.

A *kick* lets several lines share out their vias anew, at random but by the dual's prices. It is
taken whatever it costs, as a start for a search that is to leave a local optimum behind (H.
Lourenço, O. Martin, T. Stützle, Iterated local search, 2003).
"""

from __future__ import annotations

import random

import numpy as np
from minilsap import linear_sum_assignment
from numpy.typing import NDArray

from nlrouter.engine.find.config import ViaMoveConfig
from nlrouter.engine.find.working import Neighbourhood, Working
from nlrouter.engine.paths.cheapest import INFINITE


class ViaSwaps(Neighbourhood):
    """Lets lines swap vias, a few times."""

    name = "via swaps"
    needs_vias = True

    def change(self, working: Working) -> None:
        """Try some swaps, each of which is taken if it makes nothing worse, or hardly."""
        for _ in range(working.vias.tries):
            i, first = working.vias.pick_line()
            chosen, settings = working.assignment[i], working.config.via_move
            swap = draw_swap(working.vias.costs(i), chosen, first, working.random, settings)
            working.vias.change(i, *swap)


def kick(working: Working) -> None:
    """Let several lines take other vias, whatever it costs."""
    i, first = working.vias.pick_line()
    chosen, settings = working.assignment[i], working.config.via_move
    drawn = draw_kick(working.vias.costs(i), chosen, first, working.random, settings)
    working.vias.change(i, *drawn, kicked=True)


def draw_swap(
    costs: NDArray[np.float64],
    chosen: NDArray[np.intp],
    first: int,
    rng: random.Random,
    config: ViaMoveConfig,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw two lines that trade vias, rather such as would not pay much for it.

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
    lines = _draw_partners(costs, chosen, [first], 2, rng, config)
    return lines, chosen[np.roll(lines, -1)]


def draw_kick(
    costs: NDArray[np.float64],
    chosen: NDArray[np.intp],
    first: int,
    rng: random.Random,
    config: ViaMoveConfig,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw several lines and a new matching of them with their vias; see `draw_swap`."""
    size = min(len(chosen), rng.randint(3, config.most_kick))
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
