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
        bends = sum(int(np.count_nonzero(np.diff(path, 2))) for path in paths)
        return cls(paths, assignment, bends + sum(len(path) - 2 for path in paths if len(path)))

    def rerouted(
        self, nets: NDArray[np.intp], paths: list[NDArray[np.int32]], assignment: Assignment
    ) -> Routing:
        """Return the routing in which some nets have other paths, and lines these vias."""
        changed = self.paths.copy()
        for net, path in zip(nets, paths, strict=True):
            changed[net] = path
        return Routing.along(changed, assignment)
