"""What the nets of a board do at some prices, as if they never met."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.bonds import Partly, Table
from nlrouter.engine.bounds.via_pairs import Decided
from nlrouter.engine.nets.nets import Assignment


@dataclass
class Relaxed:
    """The nets' cheapest paths at some prices.

    Parameters
    ----------
    value
        Sum of the costs of the paths, prices included; `INFINITE` or more if some
        net cannot reach its target.
    paths, lengths
        ``(nets, longest)`` cells of each path, ends included, and ``(nets,)`` how many.
    edges, counts
        ``(nets, most)`` edges that the value counts, ``axis * cells + first cell``, and
        ``(nets,)`` how many.
    assignment
        The vias taken.
    costs
        ``(nets,)`` what each net pays.
    tables
        What the tied nets pay for each combination of their sides.
    work
        States that were looked at for the nets that are tied or paired.
    agreed
        What the tied nets pay together.
    partly
        What tied nets do of which bonds count a part, by their numbers.
    decided
        What pairs have decided on, where there are any.
    """

    value: float
    paths: NDArray[np.int32]
    lengths: NDArray[np.int32]
    edges: NDArray[np.int32]
    counts: NDArray[np.int32]
    assignment: Assignment
    costs: NDArray[np.float64]
    tables: dict[int, Table]
    work: int
    agreed: float = 0.0
    partly: dict[int, Partly] = field(default_factory=dict)
    decided: Decided | None = None

    @property
    def walks(self) -> list[NDArray[np.int32]]:
        """The edges of each net that the value counts."""
        return [own[:count] for own, count in zip(self.edges, self.counts, strict=True)]

    @property
    def alone(self) -> NDArray[np.float64]:
        """``(nets,)`` what each net pays that is not tied; 0 for the others."""
        alone = self.costs.copy()
        alone[list(self.tables)] = 0.0
        return alone
