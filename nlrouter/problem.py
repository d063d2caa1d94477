"""The board: lines to join, vias to share out, and the grid they lie on.

Pure data. Knows neither files (``files``) nor how a board is judged or routed. Cells are
``(z, y, x)`` with every index from 0; the file's layer number is ``z + 1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from numbers import Integral
from typing import NamedTuple

MAX_LAYERS = 8
"""Layers of a board at the most, by the contest's rules."""

MAX_CELLS = 2**20
"""Most cells of a board: a hundred of the contest's largest (36X36X8), in a 4 MiB array."""

Position = tuple[int, int, int]
"""A cell as the files name it: ``(x, y, layer)``, column and row from 0, layer from 1."""


class Cell(NamedTuple):
    """A cell ``(z, y, x)`` of the board, every index from 0."""

    z: int
    y: int
    x: int

    def __str__(self) -> str:
        """Name the cell as a person reads it, with the file's 1-based layer."""
        return f"({self.x},{self.y}) layer {self.z + 1}"


@dataclass(frozen=True)
class Line:
    """Two end cells that carry the same number.

    Parameters
    ----------
    number
        The line's number, from 1.
    ends
        Its two end cells, in the order of the file.
    """

    number: int
    ends: tuple[Cell, Cell]

    @property
    def span(self) -> tuple[int, int]:
        """Lowest and highest layer (from 0) of the ends; equal for a one-layer line."""
        first, second = self.ends
        return min(first.z, second.z), max(first.z, second.z)

    @property
    def crosses_layers(self) -> bool:
        """Whether the ends lie on different layers, so that the line needs a via."""
        return self.ends[0].z != self.ends[1].z

    def end_on(self, z: int) -> Cell:
        """Return the first end that lies on layer ``z``; raise `KeyError` if none does."""
        for end in self.ends:
            if end.z == z:
                return end
        raise KeyError(z)


@dataclass(frozen=True)
class Via:
    """A vertical column of at least two cells on consecutive layers.

    Parameters
    ----------
    name
        One or two lower-case letters.
    y, x
        Its row and column.
    bottom, top
        Its lowest and highest layer, from 0.
    """

    name: str
    y: int
    x: int
    bottom: int
    top: int

    @property
    def span(self) -> tuple[int, int]:
        """Lowest and highest layer (from 0)."""
        return self.bottom, self.top

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All its cells, lowest layer first."""
        return tuple(Cell(z, self.y, self.x) for z in range(self.bottom, self.top + 1))


@dataclass(frozen=True, init=False)
class Problem:
    """A board of ``layers`` grids of ``height`` rows and ``width`` columns.

    Parameters
    ----------
    width, height, layers
        The size, X, Y and Z of the file; 1 to 8 layers.
    lines
        The lines in the order of their numbers, which count from 1: each a `Line`, or its two
        ends ``(x, y, layer)`` as a problem file has them, the layer from 1.
    vias
        The vias: `Via`, or from each name of one or two letters to the cells ``(x, y, layer)``
        of its column, in any order.

    Raises
    ------
    ValueError
        If the board breaks a rule that a problem file has to keep: a size out of range, no line,
        a number that is not whole, a cell off the board or named twice, line numbers with gaps, a
        via that is no column of two or more cells, other than one via for each line whose ends
        lie on different layers.

    Examples
    --------
    >>> board = Problem(
    ...     4, 4, 3,
    ...     lines=[((0, 0, 1), (3, 3, 3)), ((3, 2, 1), (1, 0, 2))],
    ...     vias={"a": [(2, 2, 1), (2, 2, 2), (2, 2, 3)], "b": [(2, 0, 1), (2, 0, 2)]},
    ... )
    >>> board.shape
    (3, 4, 4)
    >>> Problem(4, 4, 1, lines=[((0, 0, 1), (4, 0, 1))])
    Traceback (most recent call last):
        ...
    ValueError: LINE#1: (4,0,1) is not on the board of 4X4X1
    """

    width: int
    height: int
    layers: int
    lines: tuple[Line, ...]
    vias: tuple[Via, ...]

    def __init__(
        self,
        width: int,
        height: int,
        layers: int,
        lines: Iterable[Line | tuple[Position, Position]],
        vias: Iterable[Via] | Mapping[str, Iterable[Position]] = (),
    ) -> None:
        columns = vias.items() if isinstance(vias, Mapping) else None
        fields = {
            "width": width,
            "height": height,
            "layers": layers,
            "lines": tuple(
                line if isinstance(line, Line) else _line(number, line)
                for number, line in enumerate(lines, start=1)
            ),
            "vias": tuple(vias) if columns is None else tuple(_via(*item) for item in columns),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        if fault := _fault(self):
            raise ValueError(fault)
        self._forget_numpy()

    def _forget_numpy(self) -> None:
        """Make plain numbers of all: those of numpy overflow, and no certificate can be checked."""
        lines = tuple(
            Line(int(line.number), (Cell(*map(int, line.ends[0])), Cell(*map(int, line.ends[1]))))
            for line in self.lines
        )
        vias = tuple(
            Via(via.name, int(via.y), int(via.x), int(via.bottom), int(via.top))
            for via in self.vias
        )
        size = {name: int(getattr(self, name)) for name in ("width", "height", "layers")}
        for name, value in {**size, "lines": lines, "vias": vias}.items():
            object.__setattr__(self, name, value)

    @property
    def size(self) -> str:
        """The size as files and messages have it, ``10X8X2``."""
        return size_text(self.shape)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape ``(layers, height, width)`` of the board's arrays."""
        return self.layers, self.height, self.width

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows."""
        from nlrouter.notebook import svg_of  # Whoever only judges needs no picture.

        return svg_of(self)


def size_text(shape: tuple[int, ...]) -> str:
    """Return the shape ``(layers, height, width)`` of an array as a size, ``10X8X2``."""
    return "X".join(map(str, shape[::-1]))


def _line(number: int, ends: tuple[Position, Position]) -> Line:
    """Return a line from its ends ``(x, y, layer)``."""
    if len(ends) != 2:
        raise ValueError(f"LINE#{number}: {len(ends)} ends, expected 2")
    first, second = (_cell(f"LINE#{number}", place) for place in ends)
    return Line(number, (first, second))


def _cell(name: str, position: Position) -> Cell:
    """Return the cell at a place ``(x, y, layer)``."""
    if len(position) != 3 or not _whole(position):
        raise ValueError(f"{name}: {position}: expected whole numbers (x, y, layer)")
    x, y, z = position
    return Cell(z - 1, y, x)


def _via(name: str, positions: Iterable[Position]) -> Via:
    """Return a via from the cells ``(x, y, layer)`` of its column."""
    cells = sorted(_cell(f"VIA#{name}", place) for place in positions)
    if len({(cell.y, cell.x) for cell in cells}) != 1:
        raise ValueError(f"VIA#{name}: cells of one column are expected, the same x and y")
    via = Via(name.lower(), cells[0].y, cells[0].x, cells[0].z, cells[-1].z)
    if list(via.cells) != cells:
        raise ValueError(f"VIA#{name}: cells on consecutive layers are expected, each once")
    return via


def _fault(problem: Problem) -> str:
    """Return the first rule that a board breaks, in words; empty if it keeps all."""
    return _fault_of_numbers(problem) or _fault_of_places(problem) or _fault_of_names(problem)


def _fault_of_numbers(problem: Problem) -> str:
    """Return what is wrong with the size, or which number is no whole one."""
    size = problem.size
    if not _whole(problem.shape):
        return f"SIZE {size}: expected whole numbers"
    if min(problem.shape) < 1 or problem.layers > MAX_LAYERS:
        return f"SIZE {size}: expected at least 1X1X1, and at most {MAX_LAYERS} layers"
    if prod(problem.shape) > MAX_CELLS:
        return f"SIZE {size}: expected at most {MAX_CELLS} cells"
    if not problem.lines:
        return "LINE_NUM 0: expected a line"
    for line in problem.lines:
        if not _whole((line.number, *line.ends[0], *line.ends[1])):
            return f"LINE#{line.number}: expected whole numbers"
    for via in problem.vias:
        if not _whole((via.y, via.x, via.bottom, via.top)):
            return f"VIA#{via.name}: expected whole numbers"
    return ""


def _fault_of_places(problem: Problem) -> str:
    """Return which end or via is off the board, or in a cell of another."""
    owners: dict[Cell, str] = {}
    names = [f"LINE#{line.number}" for line in problem.lines]
    names += [f"VIA#{via.name}" for via in problem.vias]
    cells = [line.ends for line in problem.lines] + [via.cells for via in problem.vias]
    for name, own in zip(names, cells, strict=True):
        for cell in own:
            place = f"({cell.x},{cell.y},{cell.z + 1})"
            if not all(0 <= k < n for k, n in zip(cell, problem.shape, strict=True)):
                return f"{name}: {place} is not on the board of {problem.size}"
            if cell in owners:
                return f"{name}: {place} belongs to {owners[cell]} already"
            owners[cell] = name
    return ""


def _fault_of_names(problem: Problem) -> str:
    """Return what is wrong with the names of lines and vias, or their numbers."""
    numbers = [line.number for line in problem.lines]
    if numbers != list(range(1, len(numbers) + 1)):
        return f"lines {numbers[:5]}: expected the numbers 1 to {len(numbers)} in order"
    for via in problem.vias:
        if via.top <= via.bottom:
            return f"VIA#{via.name}: one cell, expected two or more"
        if re.fullmatch("[a-z]{1,2}", via.name) is None:
            return f"VIA#{via.name}: expected a name of one or two letters a-z"
    if len({via.name for via in problem.vias}) < len(problem.vias):
        return "two vias have the same name"
    crossing = sum(line.crosses_layers for line in problem.lines)
    if len(problem.vias) != crossing:
        return f"{len(problem.vias)} vias for {crossing} lines with ends on different layers"
    return ""


def _whole(numbers: Iterable[object]) -> bool:
    """Whether all of some numbers are whole ones."""
    return all(isinstance(number, Integral) for number in numbers)
