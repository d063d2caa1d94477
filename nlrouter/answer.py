"""An answer and what it costs. Pure data, shared by files, checker and engines."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Answer = NDArray[np.int32]
"""An answer: array ``(layers, height, width)`` of line numbers, 0 where a cell is empty."""


def only(answer: Answer, numbers: Collection[int]) -> Answer:
    """Return what is drawn of some lines, 0 elsewhere."""
    return np.where(np.isin(answer, list(numbers)), answer, np.int32(0))


@dataclass(frozen=True)
class Cost:
    """Length (filled cells) and bends of an answer."""

    length: int
    bends: int

    @property
    def total(self) -> int:
        """The contest's cost, ``length + bends``."""
        return self.length + self.bends

    @property
    def quality(self) -> float:
        """The contest's quality, ``1 / cost``."""
        return 1.0 / self.total

    def __str__(self) -> str:
        """Return the cost with its two parts, ``cost 97 = 84 cells + 13 bends``."""
        return f"cost {self.total} = {self.length} cells + {self.bends} bends"
