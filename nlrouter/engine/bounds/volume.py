"""The volume algorithm: which prices of a dual to try next.

Cells that more than one net holds on average get dearer, those that none holds cheaper, starting
from the best prices so far; the more often that fails, the less (F. Barahona and R. Anbil, The
volume algorithm: producing primal solutions with a subgradient method, 2000). The average of the
paths is that of ``averages``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.averages import Averages
from nlrouter.engine.bounds.via_pairs import Terms


@dataclass(frozen=True)
class VolumeConfig:
    """Settings of the method."""

    step: float = 0.7
    """Polyak step factor to start from; close to 1, as the target is only an estimate."""
    smallest_step: float = 0.004
    """Below this factor the prices no longer move by what a bound shows."""
    steady_step: float = 0.15
    """Below this factor the prices are near the best ones. With 0.2 the gaps of seven layers of
    long lines are 0.1 to 0.4 % larger, with none bounds rise half as fast."""
    patience: int = 3
    """Rounds without a better bound before the step is cut down. With 5 the gaps of seven layers of
    long lines are 0.2 % larger after 8 s."""
    cut_down: float = 0.6
    """Factor on the step when patience ends; milder than halving, as rounds are cheap."""
    progress: float = 1e-3
    """Gain, in shares of the bound's square root, that counts as progress to be patient for."""
    later_step: float = 0.3
    """Step factor to start from where the prices are near their best already."""
    toll_pace: float = 3.0
    """How much faster tolls move than prices: there are few of them, and they grow to tens. With 1
    gaps of seven layers of long lines are 0.1 to 0.3 % of the cost larger, with 8 and 20 too."""
    detour_step: float = 3.0
    """Growth of the logarithm of a weight for each unit that its net pays for detours, at a step
    factor of 1. With 1 and 0.3 the root of one of five boards ends 2 and 5 lower."""
    least_weight: float = 0.02
    """No weight falls below it, so that it can grow again."""


class Volume:
    """The search for better prices of a dual.

    Parameters
    ----------
    free
        ``(layers, cells)`` which cells have a price.
    config
        Settings.
    """

    def __init__(self, free: NDArray[np.bool_], config: VolumeConfig) -> None:
        self._free = free
        self._config = config
        self._step = config.step
        self._waited = 0

    @property
    def converged(self) -> bool:
        """Whether the step is too small to matter."""
        return self._step < self._config.smallest_step

    @property
    def steady(self) -> bool:
        """Whether the step is small."""
        return self._step < self._config.steady_step

    def resume(self) -> None:
        """Start from prices that are nearly the best."""
        self._step = self._config.later_step

    def renew(self) -> None:
        """Take up the search again with other groups."""
        self._step = max(self._step, self._config.later_step)
        self._waited = 0

    def move(
        self,
        prices: NDArray[np.float64],
        terms: Terms,
        averages: Averages,
        distance: float,
    ) -> tuple[NDArray[np.float64], Terms] | None:
        """Return prices and terms a step from some; None where nothing is left to move for.

        Parameters
        ----------
        prices, terms
            The best ones so far; see ``via_pairs`` for terms.
        averages
            What the paths have in common.
        distance
            How far the bound may be from its best, at a guess.
        """
        slope = np.where(self._free, averages.usage - 1.0, 0.0)
        slope[(prices <= 0) & (slope < 0)] = 0.0
        lean = averages.taken[averages.members] - averages.led
        pace = self._config.toll_pace
        norm = float((slope**2).sum() + (lean**2).sum() + pace * (averages.apart**2).sum())
        if norm < 1e-9:
            self._step = 0.0
            return None
        step = self._step * distance / norm
        moved = Terms(
            terms.shares + step * lean,
            self._shifted(terms.weights, averages),
            terms.tolls + pace * step * averages.apart,
        )
        return np.maximum(0.0, prices + step * slope), moved

    def _shifted(self, weights: NDArray[np.float64], averages: Averages) -> NDArray[np.float64]:
        """Return weights that count more where nets make detours; those of a net are 1 in all.

        A step of exponentiated gradient (J. Kivinen, M. Warmuth, 1997).
        """
        config, members = self._config, averages.members
        growth = config.detour_step * self._step * averages.detours
        grown = weights * np.exp(growth / max(1.0, growth.max(initial=0.0)))
        for _ in range(2):
            grown = np.maximum(grown / np.bincount(members, grown)[members], config.least_weight)
        shifted: NDArray[np.float64] = grown / np.bincount(members, grown)[members]
        return shifted

    def learn(self, value: float, gain: float, averages: Averages) -> None:
        """Cut the step down, and let the newest paths weigh less, where it has long gained little.

        Parameters
        ----------
        value, gain
            What the best prices prove, and by how much those tried last are above that.
        averages
            What the paths have in common.
        """
        config = self._config
        if gain <= 1e-9:
            self._waited += 1
        elif gain > config.progress * abs(value) ** 0.5:
            self._waited = 0
        if self._waited > config.patience:
            self._waited = 0
            self._step *= config.cut_down
            averages.refine(config.cut_down)
