"""Routing as a satisfiability problem: its clauses, and how a solution of them is read.

A Boolean per pair of neighbouring cells says whether a line joins them, and a few bits per cell
name the line that it belongs to. Ends and vias have one neighbour, other cells two or, where
cells may stay empty, none. Joined cells have one label; neighbours that are not joined have
different ones, so that no line touches itself. That loses no routing worth having, as one that
touches itself can be cut short. A solution may hold loose loops beside its paths.

The variables of the edges come first, in the order of a front that moves across the layer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import OPEN, Assignment, Nets
from nlrouter.puzzle.laying import Front

MOST_CELLS = 8000
"""Free cells of the most that is to be written as clauses: that takes 0.1 s for each 1000."""

MOST_PAIRS = 1_000_000
"""Pairs of vias of all lines of the most that is to be written: a span of 100. One of 300 took two
minutes, which no time limit ends."""

TRUE = 1
"""Literal that always holds; ``-TRUE`` stands for what is not there."""

Literals = NDArray[np.int32]
"""Literals: a variable's number, negative where it is negated."""


def writable(nets: Nets, most_cells: int = MOST_CELLS) -> bool:
    """Return whether the clauses of some nets are written in a second or two."""
    pairs = sum(len(span.vias) ** 3 for span in nets.classes)
    return int(nets.free.sum()) <= most_cells and pairs <= MOST_PAIRS


class SatClauses:
    """The clauses of a routing of some nets.

    Parameters
    ----------
    nets
        The nets to route: all of a layer, say, or of layers that vias tie. Those of classes are
        open.
    front
        Order of the edges.

    Attributes
    ----------
    blocks
        The clauses: arrays ``(clauses, literals)``.
    cells, inner
        ``(cells,)`` the cells that nets may use, those of all layers numbered on, and which of them
        are free.
    edges, ends
        ``(edges,)`` variables of the edges, and ``(edges, 2)`` the places of their two cells in
        ``cells``.
    used, labels, differs
        ``(cells,)`` whether a cell is used, ``(cells, bits)`` its label, and ``(edges, bits)``
        whether the labels of its cells differ: variables, or ``TRUE`` of either sign.
    takes
        Of each span class, ``(lines, vias)`` whether a line takes a via.
    """

    def __init__(self, nets: Nets, front: Front) -> None:
        self.nets = nets
        self.blocks: list[Literals] = []
        self.takes: list[Literals] = []
        self.variables = 0
        self._add(self._new(1))
        self._place_cells()
        self._place_edges(front)
        self.used = np.full(len(self.cells), TRUE, np.int32)
        self.used[self.inner] = self._new(int(self.inner.sum()))
        self._add_degrees()
        self._add_squares()
        self._add_labels()
        self._add_vias()

    def read(self, model: list[int]) -> tuple[list[NDArray[np.int32]], Assignment]:
        """Read a solution, without loose loops.

        Parameters
        ----------
        model
            Literals that hold, variable by variable.

        Returns
        -------
        tuple of list and Assignment
            Path of each net, and the vias taken.
        """
        joined: dict[int, list[int]] = {}
        taken = np.array(model)[self.edges - 1] > 0
        for a, b in self.cells[self.ends[taken]].tolist():
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
        paths = []
        for net, source in enumerate(self.nets.source):
            path = [self._place(net, source)]
            while near := joined[path[-1]]:
                joined[near[0]].remove(path[-1])
                path.append(near[0])
            paths.append(np.array(path, np.int32) % self.nets.cells)
        last = np.array([path[-1] for path in paths], np.int32)
        assignment = tuple(
            np.argmax(last[span.lower][:, None] == span.via_cells, axis=1)
            for span in self.nets.classes
        )
        return paths, assignment

    def add_costs(self) -> tuple[Literals, NDArray[np.int64]]:
        """Add a variable for each bend; return all variables of which each costs 1.

        Returns
        -------
        tuple of numpy.ndarray
            The variables, used cells before bends, and the cell of each, those of all layers
            numbered on.
        """
        sides = self._incident[self.inner]
        self.bends = bends = self._new(len(sides))
        for along_x in (0, 2):
            for along_y in (1, 3):
                self._add(-sides[:, along_x], -sides[:, along_y], bends)
        cells = self.cells[self.inner]
        return np.concatenate([self.used[self.inner], bends]), np.concatenate([cells, cells])

    def not_all(self, paths: list[NDArray[np.int32]]) -> list[int]:
        """Return the clause that not all steps of each net's path, ends included, are taken."""
        steps = []
        for net, path in enumerate(paths):
            cells = np.sort([path[:-1], path[1:]], axis=0) + self._place(net, 0)
            first, second = self._number[cells]
            along = (cells[1] - cells[0] != 1).astype(np.intp)
            assert (self.cells[second] == cells[1]).all()
            steps.append(self._incident[first, along])
        return [int(-step) for step in np.concatenate(steps)]

    def _new(self, *shape: int) -> Literals:
        """Return new variables."""
        first = self.variables + 1
        self.variables += int(np.prod(shape))
        return np.arange(first, self.variables + 1, dtype=np.int32).reshape(shape)

    def _add(self, *columns: Literals) -> None:
        """Add a clause per row: at least one of its literals holds."""
        literals = np.stack(np.broadcast_arrays(*columns), axis=-1)
        self.blocks.append(literals.reshape(-1, len(columns)))

    def _add_exactly_one(self, literals: Literals) -> None:
        """In each row exactly one literal holds."""
        self._add(*literals.T)
        for i in range(1, literals.shape[1]):
            self._add(-literals[:, :i], -literals[:, i : i + 1])

    def _place(self, net: int, cell: int) -> int:
        """Return the number of a net's cell among those of all layers."""
        return int(self.nets.layer[net]) * self.nets.cells + int(cell)

    def _place_cells(self) -> None:
        """Number the cells that nets may use: free ones, ends, and vias to end in."""
        nets = self.nets
        usable = nets.free.copy()
        usable[np.setdiff1d(np.arange(nets.layers), nets.layer)] = False
        usable[nets.layer, nets.source] = True
        settled = np.flatnonzero(nets.target != OPEN)
        usable[nets.layer[settled], nets.target[settled]] = True
        for span in nets.classes:
            for side in (span.lower, span.upper):
                usable[np.ix_(nets.layer[side[:1]], span.via_cells)] = True
        self.cells = np.flatnonzero(usable)
        self.inner = nets.free.ravel()[self.cells]
        self._number = np.full(usable.size, -1)
        self._number[self.cells] = np.arange(len(self.cells))

    def _place_edges(self, front: Front) -> None:
        """Make the edges, in the order of the front."""
        steps = (1, self.nets.stride)
        ends = []
        for step in steps:
            other = self._number[(self.cells + step) % len(self._number)]
            here = np.flatnonzero(other >= 0)
            ends.append(np.stack([here, other[here]], axis=1))
        self.ends = np.concatenate(ends)
        y, x = np.divmod(self.cells[self.ends] % self.nets.cells, self.nets.stride)
        rank = front.rank(y.mean(axis=1), x.mean(axis=1))
        self.ends = self.ends[np.argsort(rank, kind="stable")]
        self.edges = self._new(len(self.ends))
        # Sides: right, down, left, up.
        self._incident = np.full((len(self.cells), 4), -TRUE, np.int32)
        a, b = self.ends.T
        along = (self.cells[b] - self.cells[a] != 1).astype(np.intp)
        self._incident[a, along] = self.edges
        self._incident[b, along + 2] = self.edges

    def _add_degrees(self) -> None:
        """Ends and vias have one neighbour; other cells have two if they are used, else none."""
        self._add_exactly_one(self._incident[~self.inner])
        sides = self._incident[self.inner]
        used = self.used[self.inner]
        self._add(-used, *sides.T)
        for i in range(4):
            others = np.delete(sides, i, axis=1)
            self._add(*-others.T)
            self._add(-used, *others.T)
            self._add(-sides[:, i], used)

    def _add_squares(self) -> None:
        """No line turns back beside itself: what labels imply, said where it is seen at once."""
        right, below = (
            self._number[(self.cells + step) % len(self._number)] for step in (1, self.nets.stride)
        )
        corner = np.flatnonzero((right >= 0) & (below >= 0))
        square = np.column_stack(
            [self._incident[corner, :2], self._incident[right[corner], 1],
             self._incident[below[corner], 0]]
        )  # fmt: skip
        for i in range(4):
            self._add(*-np.delete(square, i, axis=1).T)

    def _add_labels(self) -> None:
        """Neighbours have one label exactly if they are joined; ends have their net's."""
        nets = self.nets
        order = np.zeros(nets.count, np.int64)
        for z in range(nets.layers):
            order[nets.layer == z] = np.arange((nets.layer == z).sum())
        width = int(order.max(initial=0)).bit_length()
        ones = (order[:, None] >> np.arange(width)) & 1
        self._codes = np.where(ones, TRUE, -TRUE).astype(np.int32)
        self.labels = self._new(len(self.cells), width)
        for net in range(nets.count):
            for cell in (nets.source[net], nets.target[net]):
                if cell != OPEN:
                    self.labels[self._number[self._place(net, cell)]] = self._codes[net]
        first, second = self.labels[self.ends[:, 0]], self.labels[self.ends[:, 1]]
        joined = self.edges[:, None]
        self._add(-joined, -first, second)
        self._add(-joined, first, -second)
        self.differs = differs = self._new(*first.shape)
        self._add(-differs, first, second)
        self._add(-differs, -first, -second)
        self._add(self.edges, *-self.used[self.ends].T, *differs.T)

    def _add_vias(self) -> None:
        """Each line with an open target takes one via, which then has its labels."""
        for span in self.nets.classes:
            takes = self._new(len(span.vias), len(span.vias))
            self.takes.append(takes)
            self._add_exactly_one(takes)
            self._add_exactly_one(takes.T)
            for side in (span.lower, span.upper):
                z = int(self.nets.layer[side[0]])
                labels = self.labels[self._number[z * self.nets.cells + span.via_cells]]
                self._add(-takes[:, :, None], self._codes[side][:, None, :] * labels[None])
