"""The cheapest walks of nets that pass others as is settled, or that are tied, as prices change.

One compiled call searches for all nets that are due. Most are content with what it finds; the
others look farther or heed one more parity, and are due again (see `SidedSearch`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.sided_guide import GROUP_BITS
from nlrouter.engine.bounds.sided_paths import made_by
from nlrouter.engine.bounds.sided_search import SidedSearch, SidedSearchConfig
from nlrouter.engine.bounds.sided_walks import AllSought, Walks, search_each
from nlrouter.engine.paths.cheapest import INFINITE, Board

FIRST_WIDTH = 64
"""Room for the cells or edges of a path at first; what is longer makes more."""


class Interest(NamedTuple):
    """Which walks are of interest."""

    least: NDArray[np.float64]
    """``(members,)`` what the cheapest of all costs, without tolls."""
    more: NDArray[np.float64]
    """``(members,)`` those that cost less than so much more."""
    margin: float
    """How much farther than that they are looked for."""


class SidedSearches:
    """The searches of some nets of a board.

    Parameters
    ----------
    searches
        Those of each net, by their numbers.
    board
        The nets of the board.
    free_for
        Returns ``(layers, cells)`` where a net may be: those of the board, if it is not its own.
    config
        Settings.

    Attributes
    ----------
    searches
        As given: a net's place among these is its place as a member.
    place
        The places.
    rows, bits
        ``(ties,)`` for each tie of each member its place, and the bit of the curve.
    """

    def __init__(
        self,
        searches: dict[int, SidedSearch],
        board: Board,
        free_for: Callable[[int], NDArray[np.bool_]],
        config: SidedSearchConfig,
    ) -> None:
        self.searches = searches
        self.place = {net: k for k, net in enumerate(searches)}
        every = list(searches.values())
        self.rows = np.repeat(np.arange(len(every)), [len(own.bits) for own in every])
        self.bits = np.concatenate([np.zeros(0, np.int64), *(own.bits for own in every)])
        self._board, self._free_for, self._guided = board, free_for, config.guided
        self._nets = np.array(list(searches), np.int32)
        self._want = np.array([own.want for own in every], np.int64)
        most = max((len(own.sheet_of) for own in every), default=0)
        self._sheet_of = np.zeros((len(every), most), np.int64)
        for row, own in zip(self._sheet_of, every, strict=True):
            row[: len(own.sheet_of)] = own.sheet_of
        self._marks = np.empty((len(every), 2, 2, board.free.shape[1]), np.int64)
        self._marked = np.zeros(len(every), np.bool_)

    def begin(self, nets: Sequence[int]) -> None:
        """Let some nets search at other prices from now on."""
        for net in nets:
            self.searches[net].begin()

    def walk(
        self,
        nets: Sequence[int],
        target: NDArray[np.int32],
        half: NDArray[np.float64],
        tolls: NDArray[np.float64] | None = None,
        interest: Interest | None = None,
    ) -> Walks:
        """Find the cheapest walks of some nets.

        Parameters
        ----------
        nets, target
            The nets, and ``(nets,)`` where each of the board leads.
        half
            ``(layers, cells)`` half of what each cell costs.
        tolls
            ``(ties,)`` what a walk pays for an odd number of crossings with each curve; less than 0
            where it is paid. None: no tolls.
        interest
            Which walks are.

        Returns
        -------
        Walks
            By the places of the members. The cost is `INFINITE` where there is no walk. A search
            that comes to `MOST_STATES` returns what every walk costs at least, and the start of
            one.
        """
        count = len(self._nets)
        walks = Walks(
            np.zeros(count), np.zeros(count, np.bool_), np.zeros(count, np.int64),
            np.zeros(count, np.int64), np.empty((count, FIRST_WIDTH), np.int32),
            np.zeros(count, np.int32),
        )  # fmt: skip
        if not nets:
            return walks
        tolls = np.zeros(len(self.rows)) if tolls is None else tolls
        limits = np.full(self._sheet_of.shape, INFINITE)
        limits[self.rows, self.bits] = np.abs(tolls)
        known = toll_bits(tolls, self.rows, self.bits, count, self._guided)
        every = AllSought(self._marks, self._sheet_of, *known[:2], self._want | known.paid, limits)
        due = [self.place[net] for net in nets]
        while due:
            walks = self._look(due, target, half, every, interest, walks)
            due = [k for k in due if not self._content(k, walks, interest)]
        return walks

    def _look(
        self,
        due: list[int],
        target: NDArray[np.int32],
        half: NDArray[np.float64],
        every: AllSought,
        interest: Interest | None,
        walks: Walks,
    ) -> Walks:
        """Search for all that are due; those with cells of their own each by itself."""
        heeded, guided = every.heeded.copy(), every.guided.copy()
        radius = np.zeros(len(self._nets))
        apart: list[int] = []
        for k in due:
            net = int(self._nets[k])
            search = self.searches[net]
            heeded[k] |= search.active
            guided[k] |= search.active & search.plain
            if not exact(int(heeded[k]), int(guided[k])):
                radius[k] = search.radius
            self._mark(k)
            if self._free_for(net) is not self._board.free:
                apart.append(k)
        if interest is not None:
            radius = np.minimum(radius, np.maximum(0.0, interest.more) + interest.margin)
        every = every._replace(heeded=heeded, guided=guided)
        calls = [([k for k in due if k not in apart], self._board)]
        calls += [
            ([k], self._board._replace(free=self._free_for(int(self._nets[k])))) for k in apart
        ]
        for members, board in calls:
            rows = np.array(members, np.int64)
            walks = search_each(rows, self._nets, target, every, radius, board, half, walks)
        return walks

    def _content(self, k: int, walks: Walks, interest: Interest | None) -> bool:
        """Return whether what a member's search has found is what it is to find."""
        cost = float(walks.costs[k])
        if interest is not None and cost - interest.least[k] >= interest.more[k]:
            return True
        search = self.searches[int(self._nets[k])]
        return search.accepts(cost, bool(walks.ended[k]), int(walks.made[k]))

    def allows(self, net: int, edges: NDArray[np.int32]) -> bool:
        """Return whether a walk passes others as is settled; if not, more is heeded from now on.

        Parameters
        ----------
        net, edges
            The net, and the walk's edges in order, ``axis * cells + first cell``.
        """
        k = self.place[net]
        self._mark(k)
        source, stride = self._board.source[net], self._board.stride
        made = made_by(edges, source, self._marks[k], self._sheet_of[k], stride)
        return self.searches[net].allows(int(made))

    def _mark(self, k: int) -> None:
        """Draw a member's curves, once it needs them."""
        if not self._marked[k]:
            self.searches[int(self._nets[k])].mark(self._marks[k])
            self._marked[k] = True


class TollBits(NamedTuple):
    """What the tolls of some nets ask of their searches: a set of bits for each net."""

    heeded: NDArray[np.int64]
    """The curves with a toll."""
    guided: NDArray[np.int64]
    """Those of the highest tolls, which the guide knows."""
    paid: NDArray[np.int64]
    """Those for whose crossing a net is paid."""


def toll_bits(
    tolls: NDArray[np.float64],
    rows: NDArray[np.intp],
    bits: NDArray[np.int64],
    nets: int,
    most: int,
) -> TollBits:
    """Return what tolls ask for.

    Parameters
    ----------
    tolls, rows, bits
        ``(ties,)`` what is paid for an odd number of crossings with a curve, by which net, one net
        after the other, and the curve's bit.
    nets, most
        How many nets there are, and how many curves each one's guide knows of these.
    """
    found = TollBits(*(np.zeros(nets, np.int64) for _ in range(3)))
    if not len(tolls):
        return found
    sets = np.where(tolls != 0.0, np.int64(1) << bits, 0)
    order = np.lexsort((-np.abs(tolls), rows))
    starts = np.searchsorted(rows, rows)
    highest = order[np.arange(len(order)) - starts < most]
    np.add.at(found.heeded, rows, sets)
    np.add.at(found.guided, rows[highest], sets[highest])
    np.add.at(found.paid, rows, np.where(tolls < 0.0, sets, 0))
    return found


def exact(heeded: int, guided: int) -> bool:
    """Return whether a guide is exact: for what a single group of parities is wanted of."""
    return heeded == guided and guided.bit_count() <= GROUP_BITS
