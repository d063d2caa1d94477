"""Where everything of a picture goes, in inches from its upper left corner."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

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
    margin
        Space around the picture and between layers.
    ruler
        Space left of and above a layer for its coordinates.
    title
        Space for the name of a layer.
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
    margin: float = 0.2
    ruler: float = 0.28
    title: float = 0.28
    narrowest: float = 5.0
    aspect: float = 1.6
    small: float = 7.0
    text: float = 11.0
    character: float = 0.6
    spacing: float = 1.4
    caption_width: float = 16.0


@dataclass(frozen=True)
class Layout:
    """A picture's measures.

    Parameters
    ----------
    width, height
        Size of the picture.
    cell
        Side of a cell.
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
    cell: float
    origins: tuple[tuple[float, float], ...]
    rows: tuple[str, ...]
    caption_top: float
    caption_size: float


def lay_out(
    board: tuple[int, int], layers: int, caption: tuple[str, ...], config: PictureConfig
) -> Layout:
    """Arrange layers in rows and columns: close to the aspect asked for, and few places empty.

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
    """
    side = max(board)
    cell = min(config.largest_cell, max(config.smallest_cell, config.layer / side))
    cell = min(cell, config.largest_layer / side)
    block_x = board[0] * cell + config.ruler + config.margin
    block_y = board[1] * cell + config.title + config.ruler + config.margin

    def misfit(columns: int) -> float:
        rows = math.ceil(layers / columns)
        aspect = columns * block_x / (rows * block_y)
        left_empty = 1 - layers / (rows * columns)
        return abs(math.log(aspect / config.aspect)) + left_empty

    columns = min(range(1, layers + 1), key=misfit)
    board_width = columns * block_x + config.margin
    width = max(config.narrowest, board_width)
    # A board narrower than the caption stands in the middle.
    left = (width - board_width) / 2 + config.margin + config.ruler
    top = config.margin + config.title + config.ruler
    origins = tuple(
        (left + z % columns * block_x, top + z // columns * block_y) for z in range(layers)
    )
    caption_top = config.margin + math.ceil(layers / columns) * block_y
    caption_size = config.text * max(1.0, width / config.caption_width)
    fitting = int((width - 2 * config.margin) * POINTS / (caption_size * config.character))
    rows = tuple(
        row for line in caption for row in textwrap.wrap(line, fitting, subsequent_indent="   ")
    )
    height = caption_top + len(rows) * caption_size * config.spacing / POINTS + config.margin
    return Layout(width, height, cell, origins, rows, caption_top, caption_size)
