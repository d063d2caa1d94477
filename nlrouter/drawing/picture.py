"""A board as a picture: SVG, PNG and PDF, drawn by matplotlib without any display.

The same board gives the same bytes: no dates, no random names.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from nlrouter.drawing.fonts import families, printable
from nlrouter.drawing.layout import POINTS, Layout, PictureConfig, TooLargeError, lay_out
from nlrouter.drawing.palette import colours, text_on
from nlrouter.drawing.scene import Scene, single_cells, strokes
from nlrouter.drawing.theme import DARK_THEME, LIGHT_THEME, Theme
from nlrouter.problem import Cell, Via

_Point = tuple[float, float]
_Dashes = str | tuple[float, tuple[float, ...]]

_DISC = Path.circle((0.0, 0.0), 1.0)
_SQUARE = Path([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], closed=True)

_POST, _TOP = 2.5, 4.0  # Matplotlib's order of drawing: lines at 2, vias and ends at 3.

_RESOLUTION = 110
"""Pixels per inch of a PNG: digits in the smallest cells are eight pixels high."""

_METADATA = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}

__all__ = ["TooLargeError", "draw", "render"]


def render(figure: Figure, form: str) -> bytes:
    """Return a figure as a file of one of the formats of a single picture."""
    buffer = io.BytesIO()
    # Glyphs as paths: the picture looks the same where the font is missing.
    with matplotlib.rc_context({"svg.hashsalt": "nlrouter", "svg.fonttype": "path"}):
        figure.savefig(buffer, format=form, dpi=_RESOLUTION, metadata=_METADATA[form])
    return buffer.getvalue()


def draw(
    scene: Scene,
    layers: Sequence[int] | None = None,
    *,
    stack: bool = False,
    dark: bool = False,
    config: PictureConfig | None = None,
) -> Figure:
    """Draw a scene.

    Parameters
    ----------
    scene
        What to draw.
    layers
        The layers to show, from 0; all by default.
    stack
        Whether layers lie above each other at a slant, with vias as posts between them, instead
        of beside each other.
    dark
        Whether the paper is dark.
    config
        The sizes.

    Returns
    -------
    matplotlib.figure.Figure
        For `render`, or any other use of matplotlib.

    Raises
    ------
    TooLargeError
        If the board has more than can be seen on a picture.
    """
    config = config or PictureConfig()
    problem = scene.problem
    if layers is None:
        layers = range(problem.layers)
    board = problem.width, problem.height
    layout = lay_out(board, len(layers), scene.caption, config, stack=stack)
    return _Painter(scene, layers, layout, config, stack=stack, dark=dark).paint()


class _Painter:
    """One figure in the making; its coordinates are inches from the upper left corner."""

    def __init__(
        self,
        scene: Scene,
        layers: Sequence[int],
        layout: Layout,
        config: PictureConfig,
        *,
        stack: bool,
        dark: bool,
    ) -> None:
        self.scene = scene
        self.origins = dict(zip(layers, layout.origins, strict=True))
        ends = [end for line in scene.problem.lines for end in line.ends]
        self.named = {*ends, *(cell for via in scene.problem.vias for cell in via.cells)}
        self.strokes = [s for s in strokes(scene.answer) if s.start.z in self.origins]
        lone = self._shown(single_cells(scene.answer))
        self.lone = [cell for cell in lone if cell not in self.named]
        things = len(self.strokes) + len(self.lone) + len(self._shown(self.named))
        if things > config.most_things:
            found = f"{things} strokes, ends, vias and numbers"
            raise TooLargeError(found, f"at most {config.most_things} for a picture")
        self.colours = colours(scene.problem, dark)
        self.theme: Theme = DARK_THEME if dark else LIGHT_THEME
        self.layout = layout
        self.config = config
        self.stack = stack
        self.figure = Figure(figsize=(layout.width, layout.height), facecolor=self.theme.paper)
        self.axes: Axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.axes.set(xlim=(0.0, layout.width), ylim=(layout.height, 0.0))

    def paint(self) -> Figure:
        """Draw everything, from the back to the front."""
        for z in self.origins:
            self._paint_frame(z)
        self._paint_lines()
        if self.stack:
            self._paint_posts()
        self._paint_vias()
        self._paint_ends()
        self._paint_marks()
        self._paint_caption()
        return self.figure

    def _paint_frame(self, z: int) -> None:
        """Draw the empty board of a layer, its coordinates and its name."""
        problem, config = self.scene.problem, self.config
        right, bottom = problem.width, problem.height
        rows = [(self._point(z, y, 0), self._point(z, y, right)) for y in range(bottom + 1)]
        columns = [(self._point(z, 0, x), self._point(z, bottom, x)) for x in range(right + 1)]
        self._add_segments(rows + columns, self.theme.grid, 0.02)
        if self.stack:
            edges = [rows[0], rows[-1], columns[0], columns[-1]]
            self._add_segments(edges, self.theme.pale, 0.03)
        near = 0.05
        for x in range(0, right, _ruler_step(self.layout.across[0], right, config)):
            place_x, place_y = self._point(z, 0, x + 0.5)
            self._text(place_x, place_y - near, str(x), config.small, va="bottom")
        for y in range(0, bottom, _ruler_step(self.layout.down[1], bottom, config)):
            place_x, place_y = self._point(z, y + 0.5, 0)
            self._text(place_x - near, place_y, str(y), config.small, ha="right")
        left, top = self.origins[z]
        place = (
            (left - config.ruler - config.stack_title, top + near)
            if self.stack
            else (left, top - config.ruler)
        )
        name = self.scene.words.layer(z + 1)
        self._text(*place, name, config.text, self.theme.ink, ha="left", va="bottom")

    def _paint_lines(self) -> None:
        """Draw the pieces of all lines, and cells on their own with their number."""
        answer = self.scene.answer
        segments = [
            (self._centre(stroke.start), self._centre(stroke.stop)) for stroke in self.strokes
        ]
        self._add_segments(segments, [self._colour(stroke.number) for stroke in self.strokes], 0.36)
        fills = [self._colour(int(answer[cell])) for cell in self.lone]
        self._stamp(_DISC, 0.3, self.lone, fills)
        for cell, fill in zip(self.lone, fills, strict=True):
            self._label(cell, str(answer[cell]), text_on(fill), share=0.7)

    def _paint_posts(self) -> None:
        """Draw what of each via is between layers, and dotted what a layer hides."""
        problem = self.scene.problem
        across, down = self.layout.across, self.layout.down
        columns_per_row = -down[0] / across[0]  # On the way straight down on the paper.
        seen, hidden, tones = [], [], []
        for via in problem.vias:
            for lower, upper in zip(via.cells, via.cells[1:], strict=False):
                if lower.z not in self.origins or upper.z not in self.origins:
                    continue
                if self.origins[lower.z][0] != self.origins[upper.z][0]:  # In stacks of their own.
                    continue
                number = int(self.scene.answer[lower])
                tones.append(self._colour(number) if number else self.theme.pale)
                rows = problem.height - via.y - 0.5
                rows = min(rows, (problem.width - via.x - 0.5) / columns_per_row)
                x, y = self._centre(upper)
                edge = x, y + rows * down[1]
                hidden.append(((x, y), edge))
                seen.append((edge, self._centre(lower)))
        # An edge of paper tells a post from the lines that it stands before.
        self._add_segments(seen, self.theme.paper, 0.24, zorder=_POST)
        self._add_segments(seen, tones, 0.14, zorder=_POST)
        self._add_segments(hidden, tones, 0.1, style=(0.0, (1.0, 2.0)), zorder=_POST)

    def _paint_vias(self) -> None:
        """Draw each via on every layer that it has: filled where a line enters it.

        On a layer that it passes it is an empty frame.
        """
        for passed in (False, True):
            cells, fills, edges = [], [], []
            for via in self.scene.problem.vias:
                for cell in self._shown(via.cells):
                    if (cell in via.cells[1:-1]) is passed:
                        number = int(self.scene.answer[cell])
                        tone = self._colour(number) if number else self.theme.paper
                        fill = self.theme.paper if passed else tone
                        cells.append(cell)
                        fills.append(fill)
                        edges.append(tone if passed and number else self.theme.ink)
                        ink = text_on(fill)
                        self._label_via(via, cell, number if passed else 0, ink)
            if passed:
                self._stamp(_SQUARE, 0.4, cells, fills, edges, 0.07, style=(0.0, (1.5, 1.0)))
            else:
                self._stamp(_SQUARE, 0.4, cells, fills, edges)

    def _label_via(self, via: Via, cell: Cell, number: int, ink: str) -> None:
        """Write a via's name, and below it the line that passes or else its layers."""
        x, y = self._centre(cell)
        size = self.layout.cell
        below = str(number) if number else f"{via.bottom + 1}-{via.top + 1}"
        between = y + 0.04 * size
        self._text(x, between, via.name, 0.38 * size * POINTS, ink, va="bottom")
        small = size * POINTS * min(0.29, 0.87 / len(below))
        self._text(x, between, below, small, ink, va="top")

    def _paint_ends(self) -> None:
        """Draw each end of a line, in its colour and with its number."""
        cells, fills = [], []
        for line in self.scene.problem.lines:
            fill = self._colour(line.number)
            for end in self._shown(line.ends):
                cells.append(end)
                fills.append(fill)
                self._label(end, str(line.number), text_on(fill))
        self._stamp(_DISC, 0.42, cells, fills)

    def _paint_marks(self) -> None:
        """Mark the violations with a frame, and their numbers at its corner."""
        size = max(self.config.small, 0.3 * self.layout.cell * POINTS)
        cells = self._shown(self.scene.marks)
        wrong = self.theme.wrong
        self._stamp(_SQUARE, 0.5, cells, ["none"] * len(cells), [wrong] * len(cells), 0.06)
        for cell in cells:
            first, *others = self.scene.marks[cell]
            name = f"{first}+" if others else str(first)
            place = self._point(cell.z, cell.y, cell.x + 1)
            text = self._text(*place, name, size, "white", va="center")
            text.set_bbox({"boxstyle": "round,pad=0.15", "facecolor": wrong, "linewidth": 0})

    def _paint_caption(self) -> None:
        """Write what there is to say below the layers."""
        size = self.layout.caption_size
        for index, row in enumerate(self.layout.rows):
            y = self.layout.caption_top + index * size * self.config.spacing / POINTS
            self._text(self.config.margin, y, row, size, self.theme.ink, ha="left", va="top")

    def _shown(self, cells: Iterable[Cell]) -> list[Cell]:
        return [cell for cell in cells if cell.z in self.origins]

    def _point(self, z: int, y: float, x: float) -> _Point:
        """Return where a point of a layer is, its upper left corner being ``y = x = 0``."""
        (left, top), across, down = self.origins[z], self.layout.across, self.layout.down
        return left + x * across[0] + y * down[0], top + x * across[1] + y * down[1]

    def _centre(self, cell: Cell) -> _Point:
        return self._point(cell.z, cell.y + 0.5, cell.x + 0.5)

    def _colour(self, number: int) -> str:
        if 1 <= number <= len(self.colours):
            return self.colours[number - 1]
        return self.theme.stranger

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
        colour: str | None = None,
        ha: str = "center",
        va: str = "center_baseline",
    ) -> Text:
        """Write a text as it is: a file's name may hold what a formula starts with."""
        return self.axes.text(
            x,
            y,
            printable(text),
            family=families(),
            fontsize=size,
            color=colour or self.theme.pale,
            ha=ha,
            va=va,
            parse_math=False,
            zorder=_TOP,
        )

    def _add_segments(
        self,
        segments: list[tuple[_Point, _Point]],
        tones: str | list[str],
        share: float,
        *,
        style: _Dashes = "solid",
        zorder: float = 2.0,
    ) -> None:
        """Add segments whose width is a share of a cell."""
        width = share * self.layout.cell * POINTS
        lines = LineCollection(
            segments,
            colors=tones,
            linewidths=width,
            linestyles=[style],
            capstyle="round",
            zorder=zorder,
        )
        self.axes.add_collection(lines, autolim=False)

    def _stamp(
        self,
        shape: Path,
        share: float,
        cells: Sequence[Cell],
        fills: list[str],
        edges: list[str] | None = None,
        edge: float = 0.04,
        *,
        style: _Dashes = "solid",
    ) -> None:
        """Draw a shape in cells, it and its edge by a share of their size, and as they slant."""
        layout = self.layout
        slant = Affine2D.from_values(*layout.across, *layout.down, 0.0, 0.0).scale(share)
        flat = shape.transformed(slant)
        paths = [flat.transformed(Affine2D().translate(*self._centre(cell))) for cell in cells]
        collection = PathCollection(
            paths,
            facecolors=fills,
            edgecolors=edges or self.theme.ink,
            linewidths=edge * layout.cell * POINTS,
            linestyles=[style],
            zorder=3,
        )
        self.axes.add_collection(collection, autolim=False)


def _ruler_step(cell: float, count: int, config: PictureConfig) -> int:
    """Return the distance of the coordinates to show, so that they do not run together."""
    needed = (len(str(count - 1)) + 0.5) * config.small * config.character / POINTS
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
        if step * cell >= needed:
            return step
    return count
