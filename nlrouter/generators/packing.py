"""Boards packed full of lines, some of which are then taken away or shortened.

Reaches what growing lines do not: a board filled to the last cell, or nearly so.
"""

from __future__ import annotations

import random

import numpy as np

from nlrouter.answer import Answer
from nlrouter.generators.layout import Column, DeadEnd, Made, Spans, draw_span, problem_of
from nlrouter.generators.partition import Partition, Path
from nlrouter.problem import Cell

_SHORTEST = 2  # Cells that a line keeps on each of its layers: two ends, or one and a via's.


def pack(
    shape: tuple[int, int, int],
    rng: random.Random,
    lines: int | None,
    vias: int,
    target: int,
    spans: Spans = None,
) -> Made:
    """Fill a board with paths, and take away what is too much.

    Parameters
    ----------
    shape
        Layers, height and width.
    rng
        Source of all random choices.
    lines
        The number of lines, or None for what a random division of the layers gives.
    vias
        How many of them go through a via.
    target
        The number of cells to be filled in the end.
    spans
        See `layout.draw_span`.

    Returns
    -------
    tuple
        The problem and its hidden answer.

    Raises
    ------
    DeadEnd
        If this attempt fails.
    """
    layers, height, width = shape
    columns = _place_vias(shape, rng, vias, spans)
    walls = {Cell(z, y, x) for y, x, bottom, top in columns for z in range(bottom + 1, top)}
    ends = {Cell(z, y, x) for y, x, bottom, top in columns for z in (bottom, top)}
    partitions = [Partition(z, width, height, rng, ends, walls) for z in range(layers)]
    for partition in partitions:
        partition.divide()
    excess = layers * height * width - target
    if lines is not None:
        _merge(partitions, lines - vias, excess, ends)
    paths = [path for partition in partitions for path in partition.paths]
    if lines is not None:
        paths = _with_count(paths, lines - vias, ends)
    return _draw(shape, rng, paths, columns, target)


def _place_vias(
    shape: tuple[int, int, int], rng: random.Random, vias: int, spans: Spans
) -> list[Column]:
    """Choose places for vias, each with room for a path at its bottom and at its top."""
    layers, height, width = shape
    taken = np.zeros((layers, height + 2, width + 2), dtype=np.bool_)
    taken[:, [0, -1]] = True
    taken[:, :, [0, -1]] = True
    columns: list[Column] = []
    places = list(np.ndindex(height, width))
    for _ in range(vias):
        bottom, top = draw_span(layers, spans, rng)
        rng.shuffle(places)
        for y, x in places:
            around = taken[[bottom, top], y : y + 3, x : x + 3]
            cross = around[:, [0, 1, 1, 2], [1, 0, 2, 1]]
            if not taken[bottom : top + 1, y + 1, x + 1].any() and not cross.any(axis=0).all():
                taken[bottom : top + 1, y + 1, x + 1] = True
                columns.append((y, x, bottom, top))
                break
        else:
            raise DeadEnd(f"no room for a via over layers {bottom + 1} to {top + 1}")
    return columns


def _merge(partitions: list[Partition], count: int, excess: int, ends: set[Cell]) -> None:
    """Merge paths until no more are too many than can be left away."""
    while True:
        plain = [[len(path) for path in _plain(p.paths, ends)] for p in partitions]
        lengths = sorted(length for layer in plain for length in layer)
        spare = int(np.searchsorted(np.cumsum(lengths), excess, side="right"))
        surplus = len(lengths) - count - spare
        if surplus <= 0:
            return
        # As merged paths are longer, no fewer merges will do; each layer has a share of them.
        most, partition = max(
            ((len(layer) - 1, p) for layer, p in zip(plain, partitions, strict=True)),
            key=lambda pair: pair[0],
        )
        if most < 1:
            raise DeadEnd(f"no way to fill the board with {count} lines without a via")
        partition.merge(partition.count - min(most, -(-surplus // len(partitions))))


def _plain(paths: list[Path], ends: set[Cell]) -> list[Path]:
    """Return the paths that lead to no via."""
    return [path for path in paths if path[0] not in ends and path[-1] not in ends]


def _with_count(paths: list[Path], count: int, ends: set[Cell]) -> list[Path]:
    """Leave out the shortest plain paths, or cut the longest, until there are so many."""
    plain = sorted(_plain(paths, ends), key=len)
    kept = [path for path in paths if path[0] in ends or path[-1] in ends]
    plain = plain[max(0, len(plain) - count) :]
    while len(plain) < count:
        longest = max(kept + plain, key=len)
        half = len(longest) // 2
        if half < _SHORTEST:
            raise DeadEnd(f"no room for {count} lines without a via")
        (plain if longest in plain else kept).remove(longest)
        for part in (longest[:half], longest[half:]):
            leads_to_via = part[0] in ends or part[-1] in ends
            (kept if leads_to_via else plain).append(part)
    return kept + plain


def _draw(
    shape: tuple[int, int, int],
    rng: random.Random,
    paths: list[Path],
    columns: list[Column],
    target: int,
) -> Made:
    """Shorten paths at their ends until the target is met, and draw the lines they make."""
    via_of = {
        Cell(z, y, x): i for i, (y, x, bottom, top) in enumerate(columns) for z in (bottom, top)
    }
    filled = sum(map(len, paths)) + sum(top - bottom - 1 for _, _, bottom, top in columns)
    if filled < target:
        raise DeadEnd(f"no line can grow after {filled} of {target} cells")
    live = [path for path in paths if len(path) > _SHORTEST]
    while filled > target:
        if not live:
            raise DeadEnd(f"the lines alone need more than {target} cells")
        i = rng.randrange(len(live))
        path = live[i]
        path.pop(0 if path[-1] in via_of else -1 if path[0] in via_of else rng.choice((0, -1)))
        filled -= 1
        if len(path) == _SHORTEST:
            live[i] = live[-1]
            live.pop()
    answer: Answer = np.zeros(shape, dtype=np.int32)
    line_of_via: dict[int, int] = {}
    ends: dict[int, list[Cell]] = {}
    for path in paths:
        via = via_of.get(path[0], via_of.get(path[-1]))
        number = len(ends) + 1 if via is None else line_of_via.get(via, len(ends) + 1)
        if via is not None:
            line_of_via[via] = number
            y, x, bottom, top = columns[via]
            answer[bottom : top + 1, y, x] = number
        ends.setdefault(number, []).extend(end for end in (path[0], path[-1]) if end not in via_of)
        for cell in path:
            answer[cell] = number
    return problem_of(answer, {n: (a, b) for n, (a, b) in ends.items()}, columns), answer
