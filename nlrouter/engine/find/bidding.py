"""Negotiated congestion of whole lines, which bid for vias as they bid for cells.

`negotiate` routes a layer once its vias are given; which via a line takes, the dual's prices say,
and on a crowded board those know little of who gets in whose way. Here a line that shares a cell or
a via takes its cheapest path on both layers anew, through whatever via that leads to, and what is
shared becomes dearer from round to round. It settles if that goes slowly: with vias
from 12 such negotiations each on four boards of 81 to 144 lines, which take as many vias of a span
or of three, all layers could be negotiated in 2 with 80 rounds, 4 with 150, 14 with 300 and 29 of
48 with 600.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.find.bidding_kernel import Bids, Schedule, Stand, bid
from nlrouter.engine.find.drawn import Drawn
from nlrouter.engine.find.lines import lines_of
from nlrouter.engine.find.negotiate import Paths
from nlrouter.engine.nets.nets import OPEN, Nets
from nlrouter.engine.paths.cheapest import Board


@dataclass(frozen=True)
class BiddingConfig:
    """Settings of the negotiation of lines."""

    rounds: int = 600
    """Rounds of the first negotiation; each has twice as many as the one before."""
    most_rounds: int = 2400
    """The most that any has."""
    first_present: float = 0.6
    """Present factor of the first round."""
    last_present: float = 70.0
    """That of the last one; it grows by the same factor from round to round."""
    history: float = 0.7
    """What a cell's or via's history gains for every line too many, each round."""
    noise: float = 0.1
    """Random share of a cell's base cost, so that negotiations differ."""
    faith: float = 0.5
    """How often a line that shares cells on one layer only keeps its via and its other path."""
    step: int = 40
    """Rounds per step of the finder: some hundredths of a second."""
    least_share: float = 0.3
    """Share of the nets that lead to open vias from which on it is tried: where a few lines change
    layer it routes all layers anew for them, and settles no sooner."""
    most_cells: int = 3_000_000
    """Nets times cells of a layer up to which it is tried: 12 MB, twice. 36x36x8 with 400 nets has
    580,000."""

    def share(self, nets: Nets) -> float:
        """Return how often to start so: the more nets lead to open vias, the more."""
        fits = nets.count * nets.cells <= self.most_cells
        return nets.open_share if fits and nets.open_share >= self.least_share else 0.0


class Bidding:
    """A negotiation of all lines of a part.

    Parameters
    ----------
    nets
        The part.
    prices
        ``(layers, cells)`` what cells cost beyond 1, to start from.
    rounds
        How many it has.
    rng
        Draws the noise.
    config
        Settings.
    """

    def __init__(
        self,
        nets: Nets,
        prices: NDArray[np.float64],
        rounds: int,
        rng: np.random.Generator,
        config: BiddingConfig,
    ) -> None:
        self.nets = nets
        self.config = config
        self._lines = lines_of(nets)
        count, vias = len(self._lines.first), len(self._lines.via_cells)
        base = (1.0 + prices) * (1.0 + config.noise * rng.random(prices.shape))
        self._bids = Bids(
            base,
            0.5 * base,
            np.zeros(prices.shape, np.int32),
            np.ones(vias),
            np.zeros(vias, np.int32),
        )
        self._now, self._best = (
            Stand(
                np.full(count, -1, np.int32),
                Paths(np.zeros((nets.count, nets.cells), np.int32), np.zeros(nets.count, np.int32)),
            )
            for _ in range(2)
        )
        self._target = nets.target.copy()
        self._left = rounds
        self._overused = -1
        self._schedule = Schedule(
            config.first_present,
            (config.last_present / config.first_present) ** (1 / rounds),
            config.history,
            config.faith,
        )

    def step(self) -> bool:
        """Go on for some rounds; return whether it has ended."""
        rounds = min(self._left, self.config.step)
        self._left -= rounds
        board = Board(self.nets.layer, self.nets.source, self.nets.free, self.nets.stride)
        self._overused, present = bid(
            rounds, self._overused, self._lines, board, self._target, self._bids, self._schedule,
            self._now, self._best,
        )  # fmt: skip
        self._schedule = self._schedule._replace(present=present)
        return self._left == 0 or self._overused <= 0

    def drawn(self) -> Drawn:
        """Return the round with the least overlaps, without the lines whose via another has."""
        via, lines = self._best.via, self._lines
        kept = np.zeros(len(via), np.bool_)
        kept[np.unique(via, return_index=True)[1]] = True
        lost = (lines.second >= 0) & ~(kept & (via >= 0))
        without = {*lines.first[lost].tolist(), *lines.second[lost].tolist()}
        cells, lengths = self._best.paths
        paths = [
            None if net in without or not length else cells[net, :length].copy()
            for net, length in enumerate(lengths)
        ]
        chosen = lines.assignment(np.where(lost, OPEN, via))
        return Drawn(paths, tuple(np.where(own < 0, OPEN, own) for own in chosen))
