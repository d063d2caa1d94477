"""The searches of all tied nets, which begin in one call: most end with what is wanted."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.sided_search import SidedSearch, exact, toll_bits
from nlrouter.engine.bounds.sided_walks import AllSought, Walks, search_each
from nlrouter.engine.paths.cheapest import INFINITE, Board


class TiedSearches:
    """The searches of tied nets.

    Parameters
    ----------
    searches
        Those of the nets, by their numbers.

    Attributes
    ----------
    nets, rows, bits
        ``(members,)`` the nets, and ``(ties,)`` for each tie of each the place of the net among
        these, and the bit of the curve.
    """

    def __init__(self, searches: dict[int, SidedSearch]) -> None:
        self._searches = list(searches.values())
        self._guided = self._searches[0].config.guided
        self.nets = np.array(list(searches), np.int32)
        self.rows = np.repeat(np.arange(len(searches)), [len(own.bits) for own in self._searches])
        self.bits = np.concatenate([own.bits for own in self._searches])
        self._want = np.array([own.want for own in self._searches])

    @cached_property
    def _marks(self) -> NDArray[np.int64]:
        return np.stack([own.marks for own in self._searches])

    @cached_property
    def _sheet_of(self) -> NDArray[np.int64]:
        most = max(
            len(own.sheet_of) for own in self._searches
        )  # Those beyond a net's own are of no use.
        return np.stack([np.resize(own.sheet_of, most) for own in self._searches])

    def begin(
        self,
        members: list[int],
        target: NDArray[np.int32],
        tolls: NDArray[np.float64],
        board: Board,
        half: NDArray[np.float64],
    ) -> Walks:
        """Search some members' walks.

        Parameters
        ----------
        members
            The places of the members that begin.
        target
            ``(nets,)`` where nets lead.
        tolls
            ``(ties,)`` what is paid for an odd number of crossings.
        board, half
            The board, and ``(layers, cells)`` half of what cells cost.

        Returns
        -------
        Walks
            By the places of the members. What is found may not be a walk that is wanted; see
            `SidedSearch.accepts`.
        """
        count = len(self.nets)
        own = toll_bits(tolls, self.rows, self.bits, count, self._guided)
        limits = np.full(self._sheet_of.shape, INFINITE)
        limits[self.rows, self.bits] = np.abs(tolls)
        radius = np.zeros(count)
        for k in members:
            search = self._searches[k]
            search.begin()
            own.heeded[k] |= search.active
            own.guided[k] |= search.active & search.plain
            if not exact(int(own.heeded[k]), int(own.guided[k])):
                radius[k] = search.radius
        every = AllSought(
            self._marks, self._sheet_of, own.heeded, own.guided, self._want | own.paid, limits
        )
        rows = np.array(members, np.int64)
        walks: Walks = search_each(rows, self.nets, target, every, radius, board, half)
        return walks
