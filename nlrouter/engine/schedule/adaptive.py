"""Adaptive choice among neighbourhoods: those that have paid lately get more turns.

The roulette wheel of S. Ropke and D. Pisinger, An adaptive large neighborhood search heuristic
for the pickup and delivery problem with time windows, 2006. All turns are taken to last about
as long.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar


@dataclass(frozen=True)
class AdaptiveConfig:
    """Settings of the choice."""

    memory: float = 0.97
    """Weight of the past against the newest turn: some thirty turns are remembered."""
    least: float = 0.15
    """Share of turns that every neighbourhood has: one that does not pay may do so later, and
    some only move the walls for others."""


N = TypeVar("N")


class AdaptiveChoice(Generic[N]):
    """The choice among some neighbourhoods.

    Parameters
    ----------
    neighbourhoods
        What to choose from.
    rng
        Makes the choice.
    config
        Settings.
    """

    def __init__(
        self,
        neighbourhoods: Sequence[N],
        rng: random.Random,
        config: AdaptiveConfig | None = None,
    ) -> None:
        self.config = config or AdaptiveConfig()
        self._rng = rng
        self._gain = {neighbourhood: 0.0 for neighbourhood in neighbourhoods}

    def __len__(self) -> int:
        """Return how many neighbourhoods there are."""
        return len(self._gain)

    def pick(self) -> N:
        """Return the neighbourhood whose turn it is."""
        neighbourhoods = list(self._gain)
        total = sum(self._gain.values())
        if total <= 0:
            return self._rng.choice(neighbourhoods)
        rest = 1 - self.config.least * len(neighbourhoods)
        shares = [self.config.least + rest * gain / total for gain in self._gain.values()]
        return self._rng.choices(neighbourhoods, shares)[0]

    def credit(self, neighbourhood: N, gain: float) -> None:
        """Take note of what a turn has gained; less than nothing counts as nothing."""
        memory = self.config.memory
        past = self._gain[neighbourhood]
        self._gain[neighbourhood] = memory * past + (1 - memory) * max(0.0, gain)
