"""The walks that the nets of a dual have taken, weighted so that together they are a routing.

Nets whose walks are chosen together (lines that share vias, nets that are tied) are a *group*; a
*column* is what a group has taken in one round. A dual's value is the least of any column of every
group, as far as columns are known: a model of it that is never too low. How much each column weighs
in the fractional routing that meets the prices is a matter of the proximal bundle method (see
``proximal``): the best prices by the model, less the squared distance from the best ones so far,
are those that the weighted columns ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.column_kernels import weigh, write_rows
from nlrouter.engine.bounds.relaxed import Relaxed
from nlrouter.engine.nets.nets import Nets


@dataclass(frozen=True)
class ColumnsConfig:
    """Settings of the weights."""

    passes: int = 300
    """Passes over all columns to weigh them, at the most. On adc2015 Q17 they take as long as the
    round that comes after."""
    most_entries: int = 100_000_000
    """Entries of columns that passes look at, at the most: 0.2 s. Passes come first up to 330,000
    entries; adc2015 Q17 has 13,000."""
    accuracy: float = 0.02
    """Share of the gain that the last move promised up to which weights may be wrong: a move is a
    guess anyway."""
    idle: int = 20
    """Rounds after which a column that weighs nothing is dropped: some come back, most do not."""
    resting: int = 5
    """The same in a dual that rests, of which there may be many."""


@dataclass(frozen=True, eq=False)
class Walk:
    """What a net has taken.

    Parameters
    ----------
    net
        The net.
    edges
        The edges that its cost counts, ``axis * cells + first cell``.
    cost
        What it costs without prices.
    rows, shares
        The cells of all layers that it pays for, and how often.
    """

    net: int
    edges: NDArray[np.int32]
    cost: float
    rows: NDArray[np.int32]
    shares: NDArray[np.float64]


Column = tuple[Walk, ...]
"""The walks of a group's nets, in order."""


@dataclass(frozen=True)
class Move:
    """Prices to try next.

    Parameters
    ----------
    multipliers
        Those of all cells.
    value
        What they prove at the most, without the constant.
    work
        Entries of columns that were looked at.
    """

    multipliers: NDArray[np.float64]
    value: float
    work: int


class _Flat(NamedTuple):
    """Columns as `weigh` takes them."""

    order: NDArray[np.intp]
    first: NDArray[np.intp]
    rows_from: NDArray[np.int64]
    rows: NDArray[np.int32]
    shares: NDArray[np.float64]
    costs: NDArray[np.float64]


class Columns:
    """The columns of a dual.

    Parameters
    ----------
    nets
        The board.
    label
        ``(nets,)`` the first net of each one's group.
    config
        Settings.

    Attributes
    ----------
    columns, weights
        All columns, and what each weighs; those of a group together weigh 1.
    """

    def __init__(self, nets: Nets, label: NDArray[np.int32], config: ColumnsConfig) -> None:
        self.config = config
        self.columns: list[Column] = []
        self.weights = np.zeros(0)
        self._nets = nets
        self._label = label
        self._idle = np.zeros(0, np.int64)
        self._known: dict[tuple[int, bytes], int] = {}
        self._flat: _Flat | None = None
        order = np.argsort(label, kind="stable")
        self._groups = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)

    def inherit(self, before: Columns, fits: Callable[[Walk], bool]) -> None:
        """Take up what another dual has of the nets that choose their walks alone, if it fits."""
        alone = {int(group[0]) for group in self._groups if len(group) == 1}
        kept = [
            i
            for i, column in enumerate(before.columns)
            if len(column) == 1 and column[0].net in alone and fits(column[0])
        ]
        columns = [before.columns[i] for i in kept]
        self._hold(columns, before.weights[kept], np.zeros(len(kept), np.int64))
        self._known = {
            (walk.net, walk.edges.tobytes()): i for i, (walk,) in enumerate(self.columns)
        }

    def excess(self, relaxed: Relaxed, multipliers: NDArray[np.float64]) -> float:
        """Return the square of what nets take too much and, where it counts, too little."""
        over = np.full(len(multipliers), -1.0)
        for i in self._taken(relaxed):
            for walk in self.columns[i]:
                np.add.at(over, walk.rows, walk.shares)
        over[(multipliers <= 0) & (over < 0)] = 0.0
        return max(1.0, float((over**2).sum()))

    def add(self, relaxed: Relaxed, multipliers: NDArray[np.float64]) -> None:
        """Take up what all nets have taken at some multipliers."""
        fresh: list[NDArray[np.intp]] = []
        for group in self._groups:
            key = self._key(relaxed, group)
            if key not in self._known:
                self._known[key] = len(self.columns) + len(fresh)
                fresh.append(group)
        if not fresh:
            return
        members = [int(net) for group in fresh for net in group]
        edges = [relaxed.edges[net, : relaxed.counts[net]].copy() for net in members]
        walks = {
            net: Walk(
                net, own, float(relaxed.costs[net] - shares @ multipliers[rows]), rows, shares
            )
            for net, own, (rows, shares) in zip(
                members, edges, self._written(members, edges), strict=True
            )
        }
        self._hold(
            [*self.columns, *(tuple(walks[int(net)] for net in group) for group in fresh)],
            np.concatenate([self.weights, np.zeros(len(fresh))]),
            np.concatenate([self._idle, np.zeros(len(fresh), np.int64)]),
        )

    def _hold(
        self, columns: list[Column], weights: NDArray[np.float64], idle: NDArray[np.int64]
    ) -> None:
        """Let these be the columns."""
        self.columns, self.weights, self._idle = columns, weights, idle
        self._flat = None

    def _key(self, relaxed: Relaxed, group: NDArray[np.intp]) -> tuple[int, bytes]:
        """Return what tells a group's walks from others."""
        edges = (relaxed.edges[net, : relaxed.counts[net]].tobytes() for net in group)
        return int(group[0]), b"|".join(edges)

    def _taken(self, relaxed: Relaxed) -> list[int]:
        """Return the columns that nets have taken, all known."""
        return [self._known[self._key(relaxed, group)] for group in self._groups]

    def _written(
        self, members: list[int], edges_of: Sequence[NDArray[np.int32]]
    ) -> list[tuple[NDArray[np.int32], NDArray[np.float64]]]:
        """Return the rows and shares of some walks."""
        nets = self._nets
        edges_from = np.zeros(len(members) + 1, np.int64)
        np.cumsum([len(edges) for edges in edges_of], out=edges_from[1:])
        rows, shares, rows_from = write_rows(
            np.array(members, np.int32), edges_from, np.concatenate(edges_of), nets.layer,
            nets.free, nets.stride,
        )  # fmt: skip
        return [(rows[start:stop], shares[start:stop]) for start, stop in pairwise(rows_from)]

    def move(self, center: NDArray[np.float64], step: float, gain: float) -> Move:
        """Weigh the columns, and return the multipliers that they ask for.

        Parameters
        ----------
        center
            The best multipliers so far.
        step
            How far to go from there: multipliers rise by it for each net too many.
        gain
            What the last move promised.
        """
        if self._flat is None:
            self._flat = self._flattened()
        flat = self._flat
        multipliers = np.empty(len(center))
        accuracy = self.config.accuracy * gain / len(self._groups)
        most = min(self.config.passes, 1 + self.config.most_entries // max(1, len(flat.rows)))
        value, passes = weigh(
            *flat, center, step, most, accuracy, self.weights, multipliers,
        )  # fmt: skip
        self._idle = np.where(self.weights > 0, 0, self._idle + 1)
        return Move(multipliers, value, (passes + 2) * len(flat.rows))

    def _flattened(self) -> _Flat:
        """Return the columns as the kernel takes them."""
        walks = [walk for column in self.columns for walk in column]
        sizes = np.array([sum(len(walk.rows) for walk in column) for column in self.columns])
        rows_from = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=rows_from[1:])
        label = self._label[[column[0].net for column in self.columns]]
        order = np.argsort(label, kind="stable")
        return _Flat(
            order,
            np.flatnonzero(np.diff(label[order], prepend=-1, append=len(self._label))),
            rows_from,
            np.concatenate([walk.rows for walk in walks]),
            np.concatenate([walk.shares for walk in walks]),
            np.array([sum(walk.cost for walk in column) for column in self.columns]),
        )

    def weighted(self) -> Iterator[tuple[Walk, float]]:
        """Yield all walks that weigh something."""
        for column, weight in zip(self.columns, self.weights, strict=True):
            if weight > 0:
                for walk in column:
                    yield walk, float(weight)

    def prune(self) -> None:
        """Drop the columns that have weighed nothing for long."""
        self._keep(self._idle <= self.config.idle)

    def thin(self) -> None:
        """Drop the columns that weigh nothing."""
        self._flat = None
        self._keep(self._idle <= self.config.resting)

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        if kept.all():
            return
        place = np.cumsum(kept) - 1
        self._known = {key: int(place[i]) for key, i in self._known.items() if kept[i]}
        columns = [column for column, keep in zip(self.columns, kept, strict=True) if keep]
        self._hold(columns, self.weights[kept], self._idle[kept])
