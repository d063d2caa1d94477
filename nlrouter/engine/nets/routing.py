"""A valid routing of a part: what all searches look for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import Assignment

NO_ANSWER = 10**9
"""Bound of what has no answer."""


@dataclass(frozen=True)
class Routing:
    """A valid routing of a part.

    Parameters
    ----------
    paths
        The cells of each net's path, ends included.
    assignment
        The vias taken.
    cost
        Inner cells plus bends.
    """

    paths: list[NDArray[np.int32]]
    assignment: Assignment
    cost: int

    @classmethod
    def along(cls, paths: list[NDArray[np.int32]], assignment: Assignment) -> Routing:
        """Return the routing along some paths, its cost measured; those of no cells are free."""
        lengths = np.array([len(path) for path in paths], np.int64)
        cells = np.concatenate([np.zeros(0, np.int32), *paths])
        path = np.repeat(np.arange(len(paths)), lengths)
        bends = (np.diff(cells, 2) != 0) & (path[2:] == path[:-2])
        return cls(paths, assignment, int(np.maximum(lengths - 2, 0).sum() + bends.sum()))
