"""The board: lines to join, vias to share out, and the grid they lie on.

Pure data. Knows neither files (``files``) nor how a board is judged or routed. Cells are
``(z, y, x)`` with every index from 0; the file's layer number is ``z + 1``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


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


@dataclass(frozen=True)
class Problem:
    """A board of ``layers`` grids of ``height`` rows and ``width`` columns.

    Whoever builds one by hand keeps the rules that the reader enforces on a file: line
    numbers 1..n in order, no cell named twice, as many vias as layer-crossing lines.

    Parameters
    ----------
    width, height, layers
        The size, X, Y and Z of the file.
    lines
        The lines; ``lines[n - 1]`` carries number ``n``.
    vias
        The vias, in the order of the file.
    """

    width: int
    height: int
    layers: int
    lines: tuple[Line, ...]
    vias: tuple[Via, ...] = ()

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape ``(layers, height, width)`` of the board's arrays."""
        return self.layers, self.height, self.width
