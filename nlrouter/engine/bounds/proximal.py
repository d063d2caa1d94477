"""The proximal bundle method: which prices of a dual to try next.

The walks that nets have taken promise a gain (see ``columns``). Prices near the best ones so
far that gain most by that are tried, and what the nets take at them joins the walks. How near
depends on what came of it before (K. Kiwiel, Proximity control in bundle methods for convex
nondifferentiable minimization, 1990).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.columns import Columns, ColumnsConfig, Walk
from nlrouter.engine.bounds.elimination import Question
from nlrouter.engine.bounds.relaxed import Relaxed
from nlrouter.engine.bounds.sided_paths import left_of_walk
from nlrouter.engine.bounds.sides import Passages
from nlrouter.engine.nets.nets import OPEN, Nets


@dataclass(frozen=True)
class ProximalConfig:
    """Settings of the method."""

    columns: ColumnsConfig = field(default_factory=ColumnsConfig)
    """The walks that are weighed."""
    entry_seconds: float = 2e-9
    """Work of weighing columns, an entry of theirs and pass."""
    longer: float = 1.5
    """Factor on the step where a move has gained more than half of what it promised."""
    shorter: float = 0.7
    """That where some moves in a row have lost."""
    most_lost: int = 4
    """How many do."""
    farther: float = 5.0
    """Factor on the step where a move promises too little, to see whether a longer one does."""
    tries: int = 3
    """Steps that are tried for that."""
    least_gain: float = 0.05
    """Gain that a move has to promise at least; bounds are compared with whole numbers."""


class Proximal:
    """The search for better prices of a dual.

    Parameters
    ----------
    nets
        The board.
    config
        Settings.
    inherited, step
        Walks to begin with, as far as they pass others as is settled, and how far a move goes from
        the best multipliers: 0 if that is not known yet.

    Attributes
    ----------
    columns
        The walks taken since the search was last taken up; None before it has begun.
    gain
        What the last move has promised.
    """

    def __init__(
        self,
        nets: Nets,
        config: ProximalConfig,
        inherited: Columns | None = None,
        step: float = 0.0,
    ) -> None:
        self.config = config
        self.columns: Columns | None = None
        self.gain = np.inf
        self._nets = nets
        self._inherited = inherited
        self._step = step
        self._lost = 0

    def heir(self) -> Proximal:
        """Return the search of a dual with fewer vias or more passages settled, to go on with."""
        return Proximal(self._nets, self.config, self.columns or self._inherited, self._step)

    @property
    def exhausted(self) -> bool:
        """Whether the last move has promised next to nothing."""
        return self.gain < self.config.least_gain

    def renew(self) -> None:
        """Take up the search again with other groups."""
        self.columns = None
        self.gain = np.inf

    def rest(self) -> None:
        """Let go of what takes room and can be found again."""
        if self.columns is not None:
            self.columns.thin()

    def begin(self, label: NDArray[np.int32], bits: Passages) -> Columns:
        """Begin the search, with the inherited walks that pass others as is settled.

        Parameters
        ----------
        label
            ``(nets,)`` the first net of each one's group; see `groups`.
        bits
            The passages.
        """
        self.columns = Columns(self._nets, label, self.config.columns)
        if self._inherited is not None:
            self.columns.inherit(self._inherited, lambda walk: _passes(walk, bits, self._nets))
        self._inherited = None
        return self.columns

    def move(
        self,
        center: NDArray[np.float64],
        value: float,
        best: Relaxed,
        distance: float,
        deadline: Deadline,
    ) -> NDArray[np.float64] | None:
        """Return the multipliers that the columns ask for; None where these promise nothing.

        Parameters
        ----------
        center, value
            The best multipliers so far, and the bound that they prove.
        best
            What the nets take at them.
        distance
            How far the value may be from its best, at a guess: the first step goes by it.
        deadline
            What the work counts on.
        """
        config, columns = self.config, self.columns
        assert columns is not None
        if self._step == 0:
            self._step = distance / columns.excess(best, center)
        columns.prune()
        for step in self._step * config.farther ** np.arange(config.tries):
            move = columns.move(center, step, min(self.gain, 1.0))
            deadline.work(config.entry_seconds * move.work)
            self.gain = self._nets.constant + move.value - value
            if not self.exhausted:
                self._step = step
                return move.multipliers
        return None

    def learn(self, relaxed: Relaxed, multipliers: NDArray[np.float64], gain: float) -> None:
        """Take up what nets have taken at some multipliers, and what these have gained."""
        assert self.columns is not None
        self.columns.add(relaxed, multipliers)
        if gain > 0.5 * self.gain:
            self._step *= self.config.longer
        self._lost = self._lost + 1 if gain < 0 else 0
        if self._lost >= self.config.most_lost:
            self._lost = 0
            self._step *= self.config.shorter


def groups(nets: Nets, target: NDArray[np.int32], bonds: Iterable[Question]) -> NDArray[np.int32]:
    """Return ``(nets,)`` the first one of those whose walks are chosen together.

    Parameters
    ----------
    nets, target
        The board, and ``(nets,)`` the targets, or `OPEN`.
    bonds
        The nets that are tied.
    """
    together = [
        np.concatenate([span.lower, span.upper])[
            np.concatenate([target[span.lower], target[span.upper]]) == OPEN
        ]
        for span in nets.classes
    ]
    label = np.arange(nets.count, dtype=np.int32)
    for group in (*together, *bonds):
        members = np.isin(label, label[list(group)])
        label[members] = label[members].min(initial=nets.count)
    return label


def _passes(walk: Walk, bits: Passages, nets: Nets) -> bool:
    """Return whether a walk passes the others as is settled."""
    row, marks, sheet_of, _, _, want, _, _ = bits
    r = row[walk.net]
    if r < 0:
        return True
    left = left_of_walk(
        walk.edges, len(walk.edges), nets.source[walk.net], marks[r], sheet_of[r], want[r],
        nets.stride,
    )  # fmt: skip
    return bool(left == 0)
