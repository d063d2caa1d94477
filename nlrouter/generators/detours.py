"""Nested detours: lines around lines, so that only the inmost goes straight."""

from __future__ import annotations

import random
from itertools import product

from nlrouter.generators.laying import Canvas
from nlrouter.generators.layout import DeadEnd, Made, Spans, attempt, draw_span
from nlrouter.problem import Cell

_MOST_BLOCKS = 3  # Nests side by side, in each direction; with more, hardly any is deep.

Arc = list[tuple[int, int]]
"""A path without its layer: y and x of each cell."""

Block = tuple[range, range]
"""Rows and columns of a part of the board."""


def detours(
    width: int,
    height: int,
    layers: int,
    lines: int,
    vias: int,
    seed: int,
    *,
    spans: Spans = None,
) -> Made:
    """Make a board of nests: ends in one row or column, the pairs inside each other.

    Each line leads around those inside it, on one side or on the other. A line through a via
    goes the first part of its way on one layer and the rest on another.

    Parameters
    ----------
    width, height, layers
        The size of the board.
    lines
        The number of lines.
    vias
        How many of them go through a via.
    seed
        The same seed makes the same board.
    spans
        See `layout.draw_span`.

    Returns
    -------
    tuple
        The problem and its hidden answer, which obeys the rules.

    Raises
    ------
    NoBoard
        If none was found in a few attempts.
    """
    rng = random.Random(seed)

    def lay_lines() -> Made:
        drawn = [draw_span(layers, spans, rng) for _ in range(vias)]
        places = lines - vias + sum(top - bottom + 1 for bottom, top in drawn)
        blocks, depth = _choose_blocks(width, height, layers, places, rng)
        arcs = [arc for block in blocks for arc in _draw_nest(block, depth, rng)]
        free = set(product(range(len(arcs)), range(layers)))
        canvas = Canvas((layers, height, width), rng)
        for bottom, top in sorted(drawn, key=lambda span: span[0] - span[1]):
            i = _choose_arc(len(arcs), free, bottom, top, rng)
            _lay_through_via(canvas, arcs[i], bottom, top, rng)
        # The inmost first, so that what is left out is outside.
        rest = sorted(sorted(free), key=lambda place: (place[0] % depth, rng.random()))
        for i, z in rest[: lines - vias]:
            canvas.lay([Cell(z, y, x) for y, x in arcs[i]])
        return canvas.made()

    return attempt(lay_lines)


def _choose_blocks(
    width: int, height: int, layers: int, places: int, rng: random.Random
) -> tuple[list[Block], int]:
    """Divide the board into blocks at random, and say how many arcs each has to hold."""
    ways = []
    for down, across in product(range(1, _MOST_BLOCKS + 1), repeat=2):
        depth = -(-places // (down * across * layers))
        # Twice as many columns as arcs, one between the inmost, and a row for each.
        long, short = sorted((height // down, width // across), reverse=True)
        if 2 * depth + 1 <= long and depth <= short:
            ways.append((down, across, depth))
    if not ways:
        raise DeadEnd("the board is too small for so many nested lines")
    down, across, depth = rng.choice(ways)
    rows, columns = height // down, width // across
    blocks = [
        (range(i * rows, (i + 1) * rows), range(j * columns, (j + 1) * columns))
        for i, j in product(range(down), range(across))
    ]
    return blocks, depth


def _draw_nest(block: Block, depth: int, rng: random.Random) -> list[Arc]:
    """Draw arcs around each other, the inmost first; it is straight."""
    rows, columns = block
    lying = 2 * depth + 1 <= len(columns) and depth <= len(rows)
    standing = 2 * depth + 1 <= len(rows) and depth <= len(columns)
    if standing and not (lying and rng.random() < 0.5):
        return [[(y, x) for x, y in arc] for arc in _draw_lying_nest((columns, rows), depth, rng)]
    return _draw_lying_nest(block, depth, rng)


def _draw_lying_nest(block: Block, depth: int, rng: random.Random) -> list[Arc]:
    """Draw the arcs of a nest whose ends lie in one row."""
    legs = sorted(rng.sample(block[1], 2 * depth + 1))
    levels = sorted(rng.sample(block[0], depth))
    above = rng.randrange(depth)
    axis = levels[above]
    # What the outer arcs use, the inner ones are inside of.
    upper, lower = levels[:above], levels[:above:-1]
    turns = [upper] * above + [lower] * (depth - 1 - above)
    rng.shuffle(turns)
    arcs = []
    for j in range(depth):
        left, right = legs[j], legs[-1 - j]
        level = turns.pop().pop(0) if j < depth - 1 else axis
        step = 1 if level > axis else -1
        leg = range(axis, level, step)
        arcs.append(
            [(y, left) for y in leg]
            + [(level, x) for x in range(left, right + 1)]
            + [(y, right) for y in reversed(leg)]
        )
    return arcs[::-1]


def _choose_arc(
    arcs: int, free: set[tuple[int, int]], bottom: int, top: int, rng: random.Random
) -> int:
    """Choose an arc that is free on all layers of a span, and take it."""
    fitting = [i for i in range(arcs) if all((i, z) in free for z in range(bottom, top + 1))]
    if not fitting:
        raise DeadEnd(f"no room for a via over layers {bottom + 1} to {top + 1}")
    i = rng.choice(fitting)
    free.difference_update((i, z) for z in range(bottom, top + 1))
    return i


def _lay_through_via(canvas: Canvas, arc: Arc, bottom: int, top: int, rng: random.Random) -> None:
    """Lay a line along an arc that changes layers somewhere on its way."""
    if rng.random() < 0.5:
        arc = arc[::-1]
    i = rng.randrange(1, len(arc) - 1)
    first = [Cell(bottom, y, x) for y, x in arc[: i + 1]]
    second = [Cell(top, y, x) for y, x in arc[: i - 1 : -1]]
    canvas.lay_through(first, (*arc[i], bottom, top), second)
