"""A grid of cells with walls between them, as text. Knows no puzzle.

Borders have a `Border` weight. Where four borders meet, only walls count, and the character that
joins them is taken from Unicode's box drawings, which have one for all of ours.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from numplace.cell import Cell

WEIGHTS = ("LIGHT", "HEAVY", "DOUBLE")
"""What Unicode calls the weights of lines."""


class Border(IntEnum):
    """What separates two cells."""

    NOTHING = 0
    """Both are outside."""
    INSIDE = 1
    """They belong together."""
    LINE = 2
    """A thin wall."""
    WALL = 3
    """A wall."""


@dataclass(frozen=True)
class Style:
    """The characters of a picture.

    Parameters
    ----------
    across, down
        Of horizontal and vertical borders, one for each `Border`.
    weights
        The Unicode names of the two weights of walls, LINE and WALL; None for ASCII, where walls
        that meet at an angle make a ``+``.
    """

    across: str
    down: str
    weights: tuple[str, str] | None

    def junction(self, up: Border, right: Border, down: Border, left: Border) -> str:
        """Return the character where four borders meet."""
        borders = (up, right, down, left)
        arms = [each if each >= Border.LINE else Border.NOTHING for each in borders]
        if not any(arms):
            return " "
        if self.weights is not None:
            names = ["", "", *self.weights]
            return _box(tuple(names[arm] for arm in arms))
        if not arms[0] and not arms[2]:
            return self.across[max(arms)]
        if not arms[1] and not arms[3]:
            return self.down[max(arms)]
        return "+"


DOUBLE = Style(" ┈─═", " ┊│║", ("LIGHT", "DOUBLE"))
"""Double walls, as the calcudoku document draws them; thin walls do not go with them."""

HEAVY = Style(" ┈─━", " ┊│┃", ("LIGHT", "HEAVY"))
"""Heavy and thin walls."""

ASCII = Style(" .-=", " :||", None)
"""Both in ASCII."""


def draw_grid(
    width: int,
    height: int,
    cell_lines: Callable[[Cell], Sequence[str]],
    border: Callable[[Cell, Cell], Border],
    style: Style,
    sign: Callable[[Cell, Cell], str] = lambda *_: "",
) -> list[str]:
    """Return the lines of a picture.

    Parameters
    ----------
    width, height
        Size of the grid in cells.
    cell_lines
        The text in a cell; all cells have as many lines, all equally long.
    border
        What separates two neighbours; also asked where one of them is off the grid.
    sign
        One character to stand in the middle of a border, or nothing.
    """
    sample = cell_lines(Cell(0, 0))
    wide, high = len(sample[0]), len(sample)
    lines = []
    for y in range(height + 1):
        text = ""
        for x in range(width + 1):
            here, left, above = Cell(x, y), Cell(x - 1, y), Cell(x, y - 1)
            corner = Cell(x - 1, y - 1)
            text += style.junction(
                border(corner, above), border(above, here), border(left, here), border(corner, left)
            )
            if x < width:
                text += _with_sign(style.across[border(above, here)] * wide, sign(above, here))
        lines.append(text)
        if y == height:
            break
        rows = [""] * high
        for x in range(width + 1):
            here, left = Cell(x, y), Cell(x - 1, y)
            edge = _with_sign(style.down[border(left, here)] * high, sign(left, here))
            inside = cell_lines(here) if x < width else [""] * high
            rows = [row + edge[i] + inside[i] for i, row in enumerate(rows)]
        lines += rows
    return lines


def _with_sign(text: str, sign: str) -> str:
    """Put a sign into the middle of a border."""
    middle = len(text) // 2
    return text[:middle] + sign + text[middle + 1 :] if sign else text


@cache
def _boxes() -> dict[tuple[str, str, str, str], str]:
    """Return Unicode's box drawings by the weights of their arms: up, right, down, left."""
    arms = {"UP": "0", "RIGHT": "1", "DOWN": "2", "LEFT": "3", "VERTICAL": "02", "HORIZONTAL": "13"}
    found: dict[tuple[str, str, str, str], str] = {}
    for code in range(0x2500, 0x2580):
        words = unicodedata.name(chr(code)).removeprefix("BOX DRAWINGS ")
        words = re.sub(r"\bSINGLE\b", "LIGHT", words)
        # A weight stands before or behind the arms it is for, and counts until the next one.
        sets: list[tuple[str, list[str]]] = []
        weight = ""
        for group in words.split(" AND "):
            names = group.split()
            weight = next((name for name in names if name in WEIGHTS), weight)
            sets.append((weight, [name for name in names if name not in WEIGHTS]))
        if any(name not in arms for _, names in sets for name in names):
            continue  # Dashes, arcs and diagonals.
        weights = ["", "", "", ""]
        for weight, names in sets:
            for arm in "".join(arms[name] for name in names):
                weights[int(arm)] = weight
        found.setdefault((weights[0], weights[1], weights[2], weights[3]), chr(code))
    return found


def _box(weights: tuple[str, ...]) -> str:
    """Return the box drawing with these arms."""
    return _boxes()[weights[0], weights[1], weights[2], weights[3]]
