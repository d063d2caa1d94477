"""A board as a picture: SVG, PNG and PDF, drawn by matplotlib without any display.

The same board gives the same bytes: no dates, no random names.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache

import matplotlib
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.text import Text

from nlrouter.drawing.layout import POINTS, Layout, PictureConfig, lay_out
from nlrouter.drawing.palette import MUTED, colour_lines
from nlrouter.drawing.scene import Scene, single_cells, strokes
from nlrouter.problem import Cell

_Point = tuple[float, float]

_FONT = "DejaVu Sans"  # Comes with matplotlib.
_INK = "#222222"
_PALE = "#777777"
_GRID = "#e4e4e4"
_STRANGER = "#000000"  # For numbers that no line has.
_WRONG = "#e00000"

_TOP = 4  # Matplotlib's order of drawing: lines are at 2 and vias and ends at 3.

_RESOLUTION = 110
"""Pixels per inch of a PNG: digits in the smallest cells are eight pixels high."""

_METADATA = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}

FORMATS = tuple(_METADATA)
"""The formats of `render`."""


def render(figure: Figure, form: str) -> bytes:
    """Return a figure as a file of one of `FORMATS`."""
    buffer = io.BytesIO()
    # Glyphs as paths: the picture looks the same where the font is missing.
    with matplotlib.rc_context({"svg.hashsalt": "nlrouter", "svg.fonttype": "path"}):
        figure.savefig(buffer, format=form, dpi=_RESOLUTION, metadata=_METADATA[form])
    return buffer.getvalue()


def draw(
    scene: Scene,
    layers: Sequence[int] | None = None,
    *,
    colours: Sequence[int] | None = None,
    config: PictureConfig | None = None,
) -> Figure:
    """Draw a scene.

    Parameters
    ----------
    scene
        What to draw.
    layers
        The layers to show, from 0; all by default.
    colours
        For each line, its index in the palette; chosen for this answer by default.
    config
        The sizes.

    Returns
    -------
    matplotlib.figure.Figure
        For `render`, or any other use of matplotlib.
    """
    config = config or PictureConfig()
    problem = scene.problem
    if layers is None:
        layers = range(problem.layers)
    if colours is None:
        colours = colour_lines(problem, scene.answer, len(MUTED))
    layout = lay_out((problem.width, problem.height), len(layers), scene.caption, config)
    return _Painter(scene, layers, colours, layout, config).paint()


class _Painter:
    """One figure in the making; its coordinates are inches from the upper left corner."""

    def __init__(
        self,
        scene: Scene,
        layers: Sequence[int],
        colours: Sequence[int],
        layout: Layout,
        config: PictureConfig,
    ) -> None:
        self.scene = scene
        self.origins = dict(zip(layers, layout.origins, strict=True))
        ends = [end for line in scene.problem.lines for end in line.ends]
        self.named = {*ends, *(cell for via in scene.problem.vias for cell in via.cells)}
        self.colours = colours
        self.layout = layout
        self.config = config
        self.figure = Figure(figsize=(layout.width, layout.height), facecolor="white")
        self.axes: Axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.axes.set(xlim=(0.0, layout.width), ylim=(layout.height, 0.0))

    def paint(self) -> Figure:
        """Draw everything, from the back to the front."""
        for z in self.origins:
            self._paint_frame(z)
        self._paint_lines()
        self._paint_vias()
        self._paint_ends()
        self._paint_marks()
        self._paint_caption()
        return self.figure

    def _paint_frame(self, z: int) -> None:
        """Draw the empty board of a layer, its coordinates and its name."""
        left, top = self.origins[z]
        cell, problem, config = self.layout.cell, self.scene.problem, self.config
        right, bottom = left + problem.width * cell, top + problem.height * cell
        across = [top + y * cell for y in range(problem.height + 1)]
        down = [left + x * cell for x in range(problem.width + 1)]
        self._add_segments(
            [((left, y), (right, y)) for y in across] + [((x, top), (x, bottom)) for x in down],
            _GRID,
            0.02,
        )
        near = 0.05
        step = _ruler_step(cell, max(problem.width, problem.height), config)
        for x in range(0, problem.width, step):
            self._text(left + (x + 0.5) * cell, top - near, str(x), config.small, va="bottom")
        for y in range(0, problem.height, step):
            place = left - near, top + (y + 0.5) * cell
            self._text(*place, str(y), config.small, ha="right")
        self._text(
            left,
            top - config.ruler,
            f"layer {z + 1}",
            config.text,
            colour=_INK,
            ha="left",
            va="bottom",
        )

    def _paint_lines(self) -> None:
        """Draw the pieces of all lines, and cells on their own with their number."""
        answer = self.scene.answer
        shown = [stroke for stroke in strokes(answer) if stroke.start.z in self.origins]
        segments = [(self._centre(stroke.start), self._centre(stroke.stop)) for stroke in shown]
        self._add_segments(segments, [self._colour(stroke.number) for stroke in shown], 0.36)
        dots, fills = [], []
        for cell in self._shown(single_cells(answer)):
            if cell not in self.named:
                fill = self._colour(int(answer[cell]))
                dots.append(Circle(self._centre(cell), 0.3 * self.layout.cell))
                fills.append(fill)
                self._label(cell, str(answer[cell]), _contrast(fill), share=0.7)
        self._add_patches(dots, fills)

    def _paint_vias(self) -> None:
        """Draw each via on every layer that it passes, in the colour of its line."""
        size = 0.8 * self.layout.cell
        boxes, fills = [], []
        for via in self.scene.problem.vias:
            for cell in self._shown(via.cells):
                x, y = self._centre(cell)
                number = int(self.scene.answer[cell])
                fill = self._colour(number) if number else "#ffffff"
                boxes.append(Rectangle((x - size / 2, y - size / 2), size, size))
                fills.append(fill)
                self._label(cell, via.name, _contrast(fill))
        self._add_patches(boxes, fills)

    def _paint_ends(self) -> None:
        """Draw each end of a line, in its colour and with its number."""
        discs, fills = [], []
        for line in self.scene.problem.lines:
            fill = self._colour(line.number)
            for end in self._shown(line.ends):
                discs.append(Circle(self._centre(end), 0.42 * self.layout.cell))
                fills.append(fill)
                self._label(end, str(line.number), _contrast(fill))
        self._add_patches(discs, fills)

    def _paint_marks(self) -> None:
        """Mark the violations with a frame, and their numbers at its corner."""
        cell = self.layout.cell
        size = max(self.config.small, 0.3 * cell * POINTS)
        frames = []
        for place in self._shown(self.scene.marks):
            x, y = self._centre(place)
            frames.append(Rectangle((x - cell / 2, y - cell / 2), cell, cell))
            first, *others = self.scene.marks[place]
            name = f"{first}+" if others else str(first)
            text = self._text(x + cell / 2, y - cell / 2, name, size, "white", va="center")
            text.set_bbox({"boxstyle": "round,pad=0.15", "facecolor": _WRONG, "linewidth": 0})
        marks = PatchCollection(
            frames, facecolors="none", edgecolors=_WRONG, linewidths=0.06 * cell * POINTS, zorder=3
        )
        self.axes.add_collection(marks, autolim=False)

    def _paint_caption(self) -> None:
        """Write what there is to say below the layers."""
        size = self.layout.caption_size
        for index, row in enumerate(self.layout.rows):
            y = self.layout.caption_top + index * size * self.config.spacing / POINTS
            self._text(self.config.margin, y, row, size, _INK, ha="left", va="top")

    def _shown(self, cells: Iterable[Cell]) -> list[Cell]:
        return [cell for cell in cells if cell.z in self.origins]

    def _centre(self, cell: Cell) -> _Point:
        left, top = self.origins[cell.z]
        return left + (cell.x + 0.5) * self.layout.cell, top + (cell.y + 0.5) * self.layout.cell

    def _colour(self, number: int) -> str:
        if 1 <= number <= len(self.colours):
            return MUTED[self.colours[number - 1]]
        return _STRANGER

    def _label(self, cell: Cell, text: str, colour: str, share: float = 1.0) -> None:
        """Write into a cell, or into a share of it, as large as fits."""
        size = share * self.layout.cell * POINTS * min(0.5, 1.1 / len(text))
        self._text(*self._centre(cell), text, size, colour)

    def _text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = _PALE,
        ha: str = "center",
        va: str = "center_baseline",
    ) -> Text:
        """Write a text as it is: a file's name may hold what a formula starts with."""
        return self.axes.text(
            x,
            y,
            "".join(char if ord(char) in _glyphs() else "?" for char in text),
            family=_FONT,
            fontsize=size,
            color=colour,
            ha=ha,
            va=va,
            parse_math=False,
            zorder=_TOP,
        )

    def _add_segments(
        self, segments: list[tuple[_Point, _Point]], colours: str | list[str], share: float
    ) -> None:
        """Add segments whose width is a share of a cell."""
        width = share * self.layout.cell * POINTS
        lines = LineCollection(segments, colors=colours, linewidths=width, capstyle="round")
        self.axes.add_collection(lines, autolim=False)

    def _add_patches(self, patches: Sequence[Patch], fills: list[str]) -> None:
        width = 0.04 * self.layout.cell * POINTS
        collection = PatchCollection(
            patches, facecolors=fills, edgecolors=_INK, linewidths=width, zorder=3
        )
        self.axes.add_collection(collection, autolim=False)


@cache
def _glyphs() -> frozenset[int]:
    """Return the characters that the font has."""
    return frozenset(get_font(findfont(_FONT)).get_charmap())


def _ruler_step(cell: float, side: int, config: PictureConfig) -> int:
    """Return the distance of the coordinates to show, so that they do not run together."""
    needed = (len(str(side - 1)) + 0.5) * config.small * config.character / POINTS
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
        if step * cell >= needed:
            return step
    return side


def _contrast(fill: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    red, green, blue = to_rgb(fill)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "white"
