"""Escape routing: a block of ends, such as the balls of a ball grid array, and ways to the rim."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from nlrouter.generators.laying import Canvas, Path, path_to
from nlrouter.generators.layout import DeadEnd, Made, Spans, attempt
from nlrouter.problem import Cell


@dataclass(frozen=True)
class EscapeConfig:
    """The block."""

    pitch: int = 3
    """Distance of the ends: room for two lines or a via between them, as on real boards."""
    margin: int = 1
    """Cells between the block and the sides of the board, at least."""


def escape(
    width: int,
    height: int,
    layers: int,
    lines: int,
    vias: int,
    seed: int,
    *,
    spans: Spans = None,
    config: EscapeConfig = EscapeConfig(),
) -> Made:
    """Make a board with a block of ends in the middle of layer 1 and their partners on the rim.

    The inmost ends go through vias beside them to other layers, the others escape on layer 1.

    Parameters
    ----------
    width, height, layers
        The size of the board.
    lines
        The number of lines, which is that of the ends in the block.
    vias
        How many of them go through a via.
    seed
        The same seed makes the same board.
    spans
        The spans (bottom, top) that vias are drawn from, of which those count that begin on
        layer 1; None for all of these.
    config
        Settings.

    Returns
    -------
    tuple
        The problem and its hidden answer, which obeys the rules.

    Raises
    ------
    ValueError
        If the board is too small for the block, or no span begins on layer 1; `NoBoard` if
        none was found in a few attempts.
    """
    rows = ceil(sqrt(lines))
    columns = ceil(lines / rows)
    pitch = min((short - 1 - 2 * config.margin) // max(1, count - 1)
                for short, count in ((height, rows), (width, columns)))  # fmt: skip
    pitch = min(pitch, config.pitch)
    if pitch < 1:
        raise ValueError(f"a block of {lines} ends does not fit into the board")
    starting_below = spans or [(0, top) for top in range(1, layers)]
    tops = [top for bottom, top in starting_below if bottom == 0]
    if vias and not tops:
        raise ValueError("the vias of a block of ends have to begin on layer 1")
    rng = random.Random(seed)

    def lay_lines() -> Made:
        canvas = Canvas((layers, height, width), rng)
        top = (height - (rows - 1) * pitch - 1) // 2
        left = (width - (columns - 1) * pitch - 1) // 2
        balls = [
            Cell(0, top + pitch * row, left + pitch * column)
            for row, column in np.ndindex(rows, columns)
        ]
        balls = rng.sample(balls, lines)
        for ball in balls:
            canvas.reserved[ball] = True
        # Each is as far out as its distance from the nearest side.
        balls.sort(key=lambda b: min(b.y, b.x, height - 1 - b.y, width - 1 - b.x), reverse=True)
        for ball in balls[:vias]:
            _escape_through_via(canvas, ball, rng.choice(tops))
        for ball in reversed(balls[vias:]):
            canvas.lay(_to_rim(canvas, ball))
        return canvas.made()

    return attempt(lay_lines)


def _to_rim(canvas: Canvas, start: Cell) -> Path:
    """Return the way to the nearest free cell of the rim."""
    _, height, width = canvas.answer.shape
    reach = canvas.reach(start)
    for cell in reach:
        if cell.y in (0, height - 1) or cell.x in (0, width - 1):
            return path_to(cell, reach)
    raise DeadEnd(f"no way to the rim is left on layer {start.z + 1}")


def _escape_through_via(canvas: Canvas, ball: Cell, top: int) -> None:
    """Lay a line from a ball to the nearest place for a via, and from there to the rim."""
    _, height, width = canvas.answer.shape
    reach = canvas.reach(ball)
    for place in reach:
        inside = 0 < place.y < height - 1 and 0 < place.x < width - 1
        # Beside a ball, a via would stand in the way of its neighbours.
        between = place.y != ball.y and place.x != ball.x
        column = place.y, place.x, 0, top
        if inside and between and canvas.is_free(column):
            way_out = _to_rim(canvas, Cell(top, place.y, place.x))
            canvas.lay_through(path_to(place, reach), column, way_out[::-1])
            return
    raise DeadEnd("no room for a via beside an end of the block")
