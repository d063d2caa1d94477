"""What a path needs not: the rules let no line touch itself."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def cut_short(path: list[int], steps: Iterable[int]) -> NDArray[np.int32]:
    """Return a part of a path that does not touch itself: each step leads as far as it can.

    What it leaves out has at least two cells more than its ends, and costs more than the two
    bends that may be new at these.

    Parameters
    ----------
    path
        The cells, ends included.
    steps
        Differences between a cell and its four neighbours.
    """
    position = {cell: i for i, cell in enumerate(path)}
    short = path[:1]
    while short[-1] != path[-1]:
        short.append(path[max(position.get(short[-1] + step, 0) for step in steps)])
    return np.array(short, np.int32)
