"""A board cut into nets: the pieces of its lines that lie on one layer each.

A line on one layer is one net. A line over two layers is two, one on each of its layers, from
its end to the via that it takes; which via that is, is open until an assignment says so.
Each layer has a frame of walls, and a cell is ``row * stride + column`` in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem

OPEN = -1
"""Target of a net whose via is still to be chosen."""


@dataclass(frozen=True)
class SpanClass:
    """The lines and vias of one span of layers, which are matched with each other.

    Parameters
    ----------
    lower, upper
        ``(n,)`` nets of its lines on the lowest and on the highest layer.
    vias
        ``(n,)`` indices of its vias in ``problem.vias``.
    via_cells
        ``(n,)`` framed cell of each, the same on every layer.
    """

    lower: NDArray[np.int32]
    upper: NDArray[np.int32]
    vias: NDArray[np.int32]
    via_cells: NDArray[np.int32]


@dataclass(frozen=True)
class Nets:
    """Nets of some layers: of a part of a board, or of one layer.

    Parameters
    ----------
    stride
        Cells per framed row.
    free
        ``(layers, cells)`` bool, cells that neither an end nor a via occupies.
    layer, line, source
        ``(nets,)`` the net's layer, its line's number and the cell it starts from.
    target
        ``(nets,)`` the cell it leads to; `OPEN` for a net of a layer-crossing line.
    classes
        The span classes of the layer-crossing lines.
    constant
        What every routing costs besides; 0 but for a whole board.
    """

    stride: int
    free: NDArray[np.bool_]
    layer: NDArray[np.int32]
    line: NDArray[np.int32]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    classes: tuple[SpanClass, ...] = ()
    constant: int = 0

    @property
    def count(self) -> int:
        """How many nets there are."""
        return len(self.layer)

    @property
    def cells(self) -> int:
        """How many framed cells a layer has."""
        return self.free.shape[1]

    @property
    def layers(self) -> int:
        """How many layers there are."""
        return self.free.shape[0]

    @property
    def open_share(self) -> float:
        """Share of the nets that lead to vias of which their lines may choose."""
        return 2 * sum(len(span.vias) for span in self.classes) / max(1, self.count)

    def targets(self, assignment: Assignment) -> NDArray[np.int32]:
        """Return ``(nets,)`` the target of every net under an assignment of vias."""
        target = self.target.copy()
        for span, chosen in zip(self.classes, assignment, strict=True):
            target[span.lower] = span.via_cells[chosen]
            target[span.upper] = span.via_cells[chosen]
        return target

    def layer_alone(self, z: int, target: NDArray[np.int32]) -> Nets:
        """Return the nets of layer ``z``, with ``(nets,)`` targets of all nets of all layers."""
        members = np.flatnonzero(self.layer == z)
        return Nets(
            stride=self.stride,
            free=self.free[z : z + 1],
            layer=np.zeros(len(members), np.int32),
            line=self.line[members],
            source=self.source[members],
            target=target[members],
        )


@dataclass(frozen=True, kw_only=True)
class BoardNets(Nets):
    """All nets of a board, and how to draw an answer of their paths.

    Parameters
    ----------
    problem
        The board.
    constant
        What every answer costs besides: cells of ends and vias, and all of the fixed lines.
    fixed
        ``(problem.layers, cells)`` numbers of the fixed lines in their cells, 0 elsewhere; they
        have no nets, and their cells are not free.
    """

    problem: Problem
    fixed: NDArray[np.int32]

    def answer(self, paths: list[NDArray[np.int32]], assignment: Assignment) -> Answer:
        """Draw the answer of which each net's path, ends included, is given."""
        board = self.fixed.copy()
        for net, path in enumerate(paths):
            board[self.layer[net], path] = self.line[net]
        for span, chosen in zip(self.classes, assignment, strict=True):
            for net, i in zip(span.lower, chosen, strict=True):
                via = self.problem.vias[span.vias[i]]
                board[via.bottom : via.top + 1, span.via_cells[i]] = self.line[net]
        return self.unframed(board)

    def unframed(self, board: NDArray[np.int32]) -> Answer:
        """Take the frame off a ``(layers, cells)`` array."""
        framed = board.reshape(self.problem.layers, self.problem.height + 2, self.stride)
        return np.ascontiguousarray(framed[:, 1:-1, 1:-1])


Assignment = tuple[NDArray[np.intp], ...]
"""Per span class, ``(n,)``: for each line, which of the class's vias it takes."""


def nets_of(problem: Problem, fixed: Answer | None = None) -> BoardNets:
    """Cut a board into nets.

    Parameters
    ----------
    problem
        The board.
    fixed
        Lines that stay as they are, complete and correct, drawn as in an answer; none by default.

    Raises
    ------
    ValueError
        If the layer-crossing lines and the vias do not match span by span; see
        ``feasibility`` for the check that comes first.
    """
    stride = problem.width + 2
    kept = np.zeros(problem.shape, np.int32) if fixed is None else fixed
    board = np.full((problem.layers, problem.height + 2, stride), 1, dtype=np.int32)
    board[:, 1:-1, 1:-1] = np.where(kept > 0, kept, occupants(problem))
    layer: list[int] = []
    number: list[int] = []
    source: list[int] = []
    target: list[int] = []
    members: dict[tuple[int, int], list[tuple[int, int]]] = {}
    settled = set(np.unique(kept).tolist())
    for line in problem.lines:
        if line.number in settled:
            continue
        first, second = sorted(line.ends, key=lambda end: end.z)
        cells = [(end.y + 1) * stride + end.x + 1 for end in (first, second)]
        if line.crosses_layers:
            members.setdefault(line.span, []).append((len(layer), len(layer) + 1))
            layer += [first.z, second.z]
            number += [line.number] * 2
            source += cells
            target += [OPEN] * 2
        else:
            layer.append(first.z)
            number.append(line.number)
            source.append(cells[0])
            target.append(cells[1])
    classes = []
    for span, nets in members.items():
        vias = [
            i for i, via in enumerate(problem.vias) if via.span == span and not kept[via.cells[0]]
        ]
        if len(vias) != len(nets):
            raise ValueError(f"{len(nets)} lines but {len(vias)} vias span {span}")
        cells = [(problem.vias[i].y + 1) * stride + problem.vias[i].x + 1 for i in vias]
        lower, upper = np.array(nets, dtype=np.int32).T
        classes.append(SpanClass(lower, upper, np.array(vias, np.int32), np.array(cells, np.int32)))
    filled = (occupants(problem) != FREE) | (kept > 0)
    return BoardNets(
        problem=problem,
        stride=stride,
        free=(board == FREE).reshape(problem.layers, -1),
        layer=np.array(layer, np.int32),
        line=np.array(number, np.int32),
        source=np.array(source, np.int32),
        target=np.array(target, np.int32),
        classes=tuple(classes),
        constant=int(filled.sum()) + _bends(framed(kept), stride),
        fixed=framed(kept),
    )


def framed(board: Answer) -> NDArray[np.int32]:
    """Put a frame of zeros around each layer of an array, and flatten it."""
    return np.pad(board, ((0, 0), (1, 1), (1, 1))).reshape(len(board), -1)


def _bends(board: NDArray[np.int32], stride: int) -> int:
    """Count the filled cells with a neighbour of their number in x and one in y."""
    in_x, in_y = (
        (board == np.roll(board, step, 1)) | (board == np.roll(board, -step, 1))
        for step in (1, stride)
    )
    return int(((board > 0) & in_x & in_y).sum())
