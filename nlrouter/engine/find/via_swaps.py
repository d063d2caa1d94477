"""Two lines that trade vias by the dual's prices."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.find.config import ViaMoveConfig
from nlrouter.engine.find.working import Neighbourhood, Working


class ViaSwaps(Neighbourhood):
    """Lets lines swap vias, a few times."""

    name = "via swaps"
    of_vias = True

    def change(self, working: Working) -> None:
        """Try some swaps, each of which is taken if it makes nothing worse, or hardly."""
        for _ in range(working.vias.tries):
            i, first = working.vias.pick_line()
            chosen, settings = working.assignment[i], working.config.via_move
            swap = draw_swap(working.vias.costs(i), chosen, first, working.random, settings)
            working.vias.change(i, *swap)


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
        Draws the other.
    config
        Settings.

    Returns
    -------
    tuple
        The lines, and the via that each of them is to take.
    """
    others = np.setdiff1d(np.arange(len(chosen)), [first])
    dearer = costs[first, chosen[others]] - costs[first, chosen[first]]
    dearer = dearer + costs[others, chosen[first]] - costs[others, chosen[others]]
    weights = np.exp(-np.clip(dearer, 0, 500) / config.heat) + 1e-12
    (second,) = rng.choices(others.tolist(), weights.tolist())
    lines = np.array([first, second], np.intp)
    return lines, chosen[lines[::-1]]
