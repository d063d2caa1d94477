"""Where everything of a picture goes, in inches from its upper left corner."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nlrouter.drawing.words import wrap

POINTS = 72.0
"""Points per inch, the unit of font sizes."""


@dataclass(frozen=True)
class PictureConfig:
    """Sizes of a picture. Lengths in inches, font sizes in points.

    Parameters
    ----------
    layer
        Side of a layer; its cells are made to fit. 6 fills half a page or screen.
    largest_cell
        Small boards need no cell of more than half an inch.
    smallest_cell
        Three digits of 5.6 points fit into it. Wins over `layer`.
    largest_layer
        Wins over all: enough for 90 cells a side, while eight layers still fit into memory.
    least_cell
        What is smaller cannot be seen, and there is no picture.
    most_things
        Strokes, ends, vias and numbers that are drawn in less than half a minute.
    flatness
        Height of a cell by its width, where layers are stacked.
    lean
        Width of a cell by which each row lies to the left of the one above it, where layers are
        stacked.
    stack_gap
        Space between layers that are stacked, for a post to be seen between them.
    highest_stack
        Wins over `smallest_cell`, as eight layers of 36 rows are as high.
    slimmest_stack
        Height by width at most; what is higher is shown as several stacks side by side.
    margin
        Space around the picture and between layers.
    ruler
        Space left of and above a layer for its coordinates.
    title
        Space for the name of a layer.
    stack_title
        Width of the name of a layer with the space behind it, where layers are stacked.
    narrowest
        Least width, for the caption below a tiny board.
    aspect
        Width by height to come close to; that of most screens.
    small, text
        Fonts of coordinates, and of names and caption.
    character
        Mean width of a character by font size, on the safe side for DejaVu Sans.
    spacing
        Distance of the caption's lines by font size.
    caption_width
        Width of a picture from which on its caption grows with it, to be read when the whole
        picture is made to fit a screen.
    """

    layer: float = 6.0
    largest_cell: float = 0.5
    smallest_cell: float = 0.22
    largest_layer: float = 20.0
    least_cell: float = 0.01
    most_things: int = 100_000
    flatness: float = 0.6
    lean: float = 0.4
    stack_gap: float = 0.3
    highest_stack: float = 60.0
    slimmest_stack: float = 2.0
    margin: float = 0.2
    ruler: float = 0.28
    title: float = 0.28
    stack_title: float = 1.0
    narrowest: float = 5.0
    aspect: float = 1.6
    small: float = 7.0
    text: float = 11.0
    character: float = 0.6
    spacing: float = 1.4
    caption_width: float = 16.0


class TooLargeError(ValueError):
    """A board with more on it than a picture can show.

    Parameters
    ----------
    found, expected
        What there is too much of, and how much there may be, as phrases.
    """

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found, expected)
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        """Say it in one sentence."""
        return f"found {self.found}, expected {self.expected}"


@dataclass(frozen=True)
class Layout:
    """A picture's measures.

    Parameters
    ----------
    width, height
        Size of the picture.
    across, down
        The steps ``(x, y)`` from a cell to the next one of its row, and of its column.
    origins
        Upper left corner ``(x, y)`` of each layer's first cell.
    rows
        The caption, broken into rows.
    caption_top
        Where the caption starts.
    caption_size
        Its font size.
    """

    width: float
    height: float
    across: tuple[float, float]
    down: tuple[float, float]
    origins: tuple[tuple[float, float], ...]
    rows: tuple[str, ...]
    caption_top: float
    caption_size: float

    @property
    def cell(self) -> float:
        """The lesser of a cell's width and height."""
        return min(self.across[0], self.down[1])


def lay_out(
    board: tuple[int, int],
    layers: int,
    caption: tuple[str, ...],
    config: PictureConfig,
    *,
    stack: bool = False,
) -> Layout:
    """Find a place for everything.

    Parameters
    ----------
    board
        Width and height of a layer, in cells.
    layers
        Number of layers to show.
    caption
        The lines of text below.
    config
        The sizes.
    stack
        Whether layers lie above each other at a slant, the first one lowest, instead of beside
        each other.

    Raises
    ------
    TooLargeError
        If cells would be too small to be seen.
    """
    side = max(board)
    cell = min(config.largest_cell, max(config.smallest_cell, config.layer / side))
    cell = min(cell, config.largest_layer / side)
    if stack:
        # A layer that is flattened and leans is as large as one that is not.
        cell /= math.sqrt(config.flatness)
        cell = min(cell, config.highest_stack / (layers * board[1] * config.flatness))
    if cell < config.least_cell:
        most = int(config.largest_layer / config.least_cell)
        name, number = ("columns", board[0]) if board[0] >= board[1] else ("rows", board[1])
        raise TooLargeError(f"{number} {name}", f"at most {most} for a picture")
    place = _stack if stack else _tile
    return _add_caption(*place(board, layers, cell, config), caption, config)


_Placed = tuple[float, float, tuple[float, float], tuple[float, float], list[tuple[float, float]]]
"""Width and height of the layers with a margin around them, and all of `Layout` on cells."""


def _tile(board: tuple[int, int], layers: int, cell: float, config: PictureConfig) -> _Placed:
    """Place layers in rows and columns: close to the aspect asked for, and few places empty."""
    block_x = board[0] * cell + config.ruler + config.margin
    block_y = board[1] * cell + config.title + config.ruler + config.margin

    def misfit(columns: int) -> float:
        rows = math.ceil(layers / columns)
        aspect = columns * block_x / (rows * block_y)
        left_empty = 1 - layers / (rows * columns)
        return abs(math.log(aspect / config.aspect)) + left_empty

    columns = min(range(1, layers + 1), key=misfit)
    left = config.margin + config.ruler
    top = config.margin + config.title + config.ruler
    origins = [(left + z % columns * block_x, top + z // columns * block_y) for z in range(layers)]
    width = columns * block_x + config.margin
    height = math.ceil(layers / columns) * block_y + config.margin
    return width, height, (cell, 0.0), (0.0, cell), origins


def _stack(board: tuple[int, int], layers: int, cell: float, config: PictureConfig) -> _Placed:
    """Place layers above each other, in several stacks if one would be a ribbon.

    None hides a part of another.
    """
    down = -config.lean * cell, config.flatness * cell
    shift, deep = -board[1] * down[0], board[1] * down[1]
    # A layer's name is to the left of its upper edge.
    left = config.margin + config.ruler + max(shift, config.stack_title)
    block_x = left + board[0] * cell + config.margin
    block_y = deep + config.ruler + config.stack_gap
    top = config.margin + config.ruler
    rows = layers
    while rows > 1 and rows * block_y > config.slimmest_stack * math.ceil(layers / rows) * block_x:
        rows -= 1
    rows = math.ceil(layers / math.ceil(layers / rows))  # As many in each stack.
    origins = [
        (z // rows * block_x + left, top + (rows - 1 - z % rows) * block_y) for z in range(layers)
    ]
    width = math.ceil(layers / rows) * block_x
    return width, rows * block_y + config.margin, (cell, 0.0), down, origins


def _add_caption(
    width: float,
    height: float,
    across: tuple[float, float],
    down: tuple[float, float],
    origins: list[tuple[float, float]],
    caption: tuple[str, ...],
    config: PictureConfig,
) -> Layout:
    """Write the caption below the layers; a board narrower than it stands in the middle."""
    full_width = max(config.narrowest, width)
    shift = (full_width - width) / 2
    size = config.text * max(1.0, full_width / config.caption_width)
    fitting = int((full_width - 2 * config.margin) * POINTS / (size * config.character))
    rows = tuple(row for line in caption for row in wrap(line, fitting))
    full_height = height + len(rows) * size * config.spacing / POINTS + config.margin
    places = tuple((x + shift, y) for x, y in origins)
    return Layout(full_width, full_height, across, down, places, rows, height, size)
