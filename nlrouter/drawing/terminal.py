"""A board in the characters of a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from nlrouter.drawing.palette import terminal_colours
from nlrouter.drawing.scene import Scene, links
from nlrouter.drawing.words import columns, wrap
from nlrouter.problem import Cell, Problem


class Glyphs(NamedTuple):
    """What lines are made of.

    ``joints`` is indexed by the sides at which a cell is joined: up 1, right 2, down 4, left 8.
    """

    joints: str
    dash: str
    empty: str


BOX = Glyphs("•╵╶└╷│┌├╴┘─┴┐┤┬┼", "─", "·")
ASCII = Glyphs("o|-+||++-+-++++++", "-", ".")

_GAP = 4  # Blanks between layers side by side.
_RULER_STEP = 5  # Every column's coordinate would run into the next one.
_PALE, _BOLD, _WRONG = "2", "1", "1;31"
_PLAIN = "0"


class _Piece(NamedTuple):
    """Some text, and the numbers of the escape sequence that styles it."""

    text: str
    style: str = _PLAIN


_Row = list[_Piece]


def render(scene: Scene, width: int, glyphs: Glyphs, *, colour: bool) -> str:
    """Draw a scene as text.

    Parameters
    ----------
    scene
        What to draw. Violations are marked by a ``!`` behind the cell.
    width
        Columns of the terminal. Layers that do not fit side by side come below each other; a
        layer is not broken, even if it is wider (see `layer_width`).
    glyphs
        `BOX` or `ASCII`.
    colour
        Whether to style the text by escape sequences.

    Returns
    -------
    str
        Lines of text, each with its line feed.
    """
    blocks = _Blocks(scene, glyphs, width)
    layers = range(scene.problem.layers)
    beside = max(1, (width + _GAP) // (blocks.width + _GAP))
    rows: list[_Row] = []
    for first in layers[::beside]:
        shown = [blocks.rows(z) for z in layers[first : first + beside]]
        rows += [_beside(parts, blocks.width) for parts in zip(*shown, strict=True)]
        rows.append([])
    for line in (*scene.caption, *_via_list(scene)):
        rows += [[_Piece(row)] for row in wrap(line, width)]
    return "".join(_format(row, colour) + "\n" for row in rows)


def layer_width(problem: Problem, width: int) -> int:
    """Return the columns that a layer takes in a terminal of a width, or wants if it is wider."""
    return _margin(problem) + problem.width * _pitch(problem, width)


def _margin(problem: Problem) -> int:
    """Return the columns before a layer's first cell."""
    return len(str(problem.height - 1)) + 1


def _pitch(problem: Problem, width: int) -> int:
    """Return the columns from a cell to the next one: enough for each name and number.

    Between them is a blank, unless they are of at most two characters and there is no room.
    """
    widest = max((len(via.name) for via in problem.vias), default=1)
    widest = max(widest, len(str(len(problem.lines))))
    fits = _margin(problem) + problem.width * (widest + 1) <= width
    return widest + 1 if fits or widest > 2 else 2


def _via_list(scene: Scene) -> list[str]:
    """Tell, if there are vias, the layers of each and the line that it carries."""
    parts = []
    for via in scene.problem.vias:
        numbers = {int(scene.answer[cell]) for cell in via.cells}
        number = numbers.pop() if len(numbers) == 1 else 0
        taker = f"\u00a0LINE#{number}" if number else ""
        parts.append(f"{via.name}\u00a0{via.bottom + 1}-{via.top + 1}{taker}")
    return [f"{scene.words.vias} {', '.join(parts)}"] if parts else []


class _Blocks:
    """The rows of each layer: its name, its columns' coordinates, and its cells."""

    def __init__(self, scene: Scene, glyphs: Glyphs, width: int) -> None:
        problem = scene.problem
        self.scene = scene
        self.glyphs = glyphs
        self.right, self.down = links(scene.answer)
        self.styles = [f"38;5;{colour}" for colour in terminal_colours(problem)]
        # What stands in ends and vias, and the line that it belongs to.
        self.labels = {
            end: (str(line.number), line.number) for line in problem.lines for end in line.ends
        }
        for via in problem.vias:
            self.labels |= {cell: (via.name, int(scene.answer[cell])) for cell in via.cells}
        self.passed = {cell for via in problem.vias for cell in via.cells[1:-1]}
        self.pitch = _pitch(problem, width)
        self.margin = _margin(problem)
        self.width = layer_width(problem, width)

    def rows(self, z: int) -> list[_Row]:
        """Return the rows of a layer."""
        problem = self.scene.problem
        step = _RULER_STEP * self.pitch
        marks = (str(x).ljust(step) for x in range(0, problem.width, _RULER_STEP))
        ruler = (" " * self.margin + "".join(marks)).rstrip()
        name = self.scene.words.layer(z + 1)
        rows = [[_Piece(name)], [_Piece(ruler, _PALE)]]
        for y in range(problem.height):
            row = [_Piece(str(y).rjust(self.margin - 1) + " ", _PALE)]
            for x in range(problem.width):
                row += self._cell(Cell(z, y, x))
            rows.append(row)
        return rows

    def _cell(self, cell: Cell) -> _Row:
        """Return a cell's text, filled up to the next one."""
        number = int(self.scene.answer[cell])
        plain = self._style(number) if number else _PALE
        if cell in self.labels:
            text, owner = self.labels[cell]
            weight = _PALE if cell in self.passed else _BOLD
            style = f"{weight};{self._style(owner)}"
        else:
            text, style = self._joint(cell) if number else self.glyphs.empty, plain
        rest = (self.glyphs.dash if self.right[cell] else " ") * (self.pitch - len(text))
        if cell in self.scene.marks:
            if not rest:  # No room but its own.
                return [_Piece(text[:-1], style), _Piece("!", _WRONG)]
            return [_Piece(text, style), _Piece("!", _WRONG), _Piece(rest[1:], plain)]
        return [_Piece(text, style), _Piece(rest, plain)]

    def _joint(self, cell: Cell) -> str:
        """Return the glyph that is open to the sides where a cell is joined."""
        z, y, x = cell
        up = y > 0 and self.down[z, y - 1, x]
        left = x > 0 and self.right[z, y, x - 1]
        return self.glyphs.joints[up + 2 * self.right[cell] + 4 * self.down[cell] + 8 * left]

    def _style(self, number: int) -> str:
        """Return the style of a line; numbers that no line has look like text."""
        return self.styles[number - 1] if 1 <= number <= len(self.styles) else _PLAIN


def _beside(parts: Iterable[_Row], width: int) -> _Row:
    """Put rows side by side, each at its width and a gap from the next."""
    row: _Row = []
    missing = 0
    for part in parts:
        row += [_Piece(" " * missing), *part]
        missing = width - sum(columns(piece.text) for piece in part) + _GAP
    return row


def _format(row: _Row, colour: bool) -> str:
    """Return a row without blanks at its end."""
    if not colour:
        return "".join(piece.text for piece in row).rstrip()
    text = ""
    for style, pieces in groupby(row, key=lambda piece: piece.style):
        run = "".join(piece.text for piece in pieces)
        text += f"\x1b[{style}m{run}\x1b[0m" if style != _PLAIN and run.strip() else run
    return text.rstrip()
