"""``Frame.csv``, ``Square.csv`` and ``Group.csv``: the parts that a puzzle is made of."""

from __future__ import annotations

from dataclasses import dataclass

from numplace.cell import Cell
from numplace.constraints import House
from numplace.files.csv_table import LoadError, Records, Table
from numplace.shapes import frame, square, without_repeats

LARGEST_SIDE = 100
"""Most cells of a side: grids of 25 and 36 exist, larger ones nobody solves."""


@dataclass(frozen=True)
class Frame:
    """A record of ``Frame.csv``; block sizes are in cells."""

    corner: Cell
    block_width: int
    block_height: int
    diagonals: bool

    def houses(self, part: str) -> list[House]:
        """Return its rows, columns, blocks and diagonals."""
        return frame(
            self.block_width,
            self.block_height,
            self.corner,
            diagonals=self.diagonals,
            part=part,
        )


@dataclass(frozen=True)
class Square:
    """A record of ``Square.csv``."""

    corner: Cell
    size: int
    diagonals: bool

    def houses(self, part: str) -> list[House]:
        """Return its rows, columns and diagonals."""
        return square(self.size, self.corner, diagonals=self.diagonals, part=part)


@dataclass(frozen=True)
class Parts:
    """All records of the three files, in their order."""

    frames: tuple[Frame, ...] = ()
    squares: tuple[Square, ...] = ()
    groups: tuple[tuple[Cell, ...], ...] = ()

    def houses(self) -> list[House]:
        """Return the houses of all: frames, squares, groups; equal ones once."""
        houses: list[House] = []
        several = len(self.frames) + len(self.squares) > 1
        for number, each in enumerate(self.frames, start=1):
            houses += each.houses(f"frame {number}" if several else "")
        for number, one in enumerate(self.squares, start=1):
            houses += one.houses(f"square {number}" if several else "")
        houses += [House(cells, "group", i) for i, cells in enumerate(self.groups, start=1)]
        return without_repeats(houses)


def parse_frames(table: Table) -> tuple[Frame, ...]:
    """Return the frames of ``Frame.csv``."""
    records = Records(table)
    (count,) = records.numbers("the number of frames")
    frames = []
    for _ in range(count):
        corner = records.cell()
        width, height = records.numbers("a block width of 2 or more", "a block height of 2 or more")
        for number, side in ((width, "width"), (height, "height")):
            if number < 2:
                expected = f"a block {side} of 2 or more"
                raise LoadError(table.name, records.line, str(number), expected)
        _check_side(width * height, table, records.line)
        frames.append(Frame(corner, width, height, _diagonals(records)))
    records.finish("frames")
    return tuple(frames)


def parse_squares(table: Table) -> tuple[Square, ...]:
    """Return the squares of ``Square.csv``."""
    records = Records(table)
    (count,) = records.numbers("the number of squares")
    squares = []
    for _ in range(count):
        corner = records.cell()
        (size,) = records.numbers("a size of 1 or more")
        if size < 1:
            raise LoadError(table.name, records.line, str(size), "a size of 1 or more")
        _check_side(size, table, records.line)
        squares.append(Square(corner, size, _diagonals(records)))
    records.finish("squares")
    return tuple(squares)


def parse_groups(table: Table) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of each group of ``Group.csv``."""
    records = Records(table)
    (count,) = records.numbers("the number of groups")
    groups = []
    for _ in range(count):
        (size,) = records.numbers("a number of cells of 1 or more")
        if size < 1:
            expected = "a number of cells of 1 or more"
            raise LoadError(table.name, records.line, str(size), expected)
        groups.append(tuple(records.cell() for _ in range(size)))
    records.finish("groups")
    return tuple(groups)


def _diagonals(records: Records) -> bool:
    return bool(records.choice(range(2), "0 or 1, whether both diagonals are houses"))


def _check_side(size: int, table: Table, line: int) -> None:
    if size > LARGEST_SIDE:
        raise LoadError(table.name, line, f"a side of {size}", f"at most {LARGEST_SIDE}")
