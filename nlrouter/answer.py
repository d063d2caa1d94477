"""An answer and what it costs. Pure data, shared by files, checker and engines."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Answer = NDArray[np.int32]
"""An answer: array ``(layers, height, width)`` of line numbers, 0 where a cell is empty."""


def as_answer(
    drawing: ArrayLike, shape: tuple[int, int, int] | None = None, name: str = "answer"
) -> Answer:
    """Return a drawing as an answer, or refuse it.

    Parameters
    ----------
    drawing
        ``(layers, height, width)`` line numbers, 0 where empty.
    shape
        The board's, if the drawing is to have it.
    name
        What messages call the drawing.

    Raises
    ------
    ValueError
        If it holds anything but whole numbers of 32 bits, or has not three dimensions or not the
        board's shape.
    """
    array = np.asarray(drawing)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name}: found {array.dtype}, expected whole numbers")
    if array.ndim != 3 or (shape is not None and array.shape != shape):
        expected = "(layers, height, width)" if shape is None else f"the board's, {shape}"
        raise ValueError(f"{name}: found the shape {array.shape}, expected {expected}")
    limits = np.iinfo(np.int32)
    beyond = array[(array < limits.min) | (array > limits.max)]
    if beyond.size:
        raise ValueError(f"{name}: found {beyond[0]}, expected numbers up to {limits.max}")
    return array.astype(np.int32)


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
