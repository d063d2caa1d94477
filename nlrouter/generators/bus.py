"""Long parallel buses: lines side by side that turn and change layers together.

A random board is grown on a coarse grid, and each of its lines becomes as many tracks as fit
into a coarse cell. As a coarse line does not touch itself, neither do its tracks.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from nlrouter.generators.laying import Canvas, Path
from nlrouter.generators.layout import Column, DeadEnd, Made, Spans, attempt
from nlrouter.generators.random_scatter import Garden
from nlrouter.grid import follow
from nlrouter.problem import Cell


@dataclass(frozen=True)
class BusConfig:
    """What buses are like."""

    windiness: float = 0.15
    """Long and straight, as buses are, with a turn here and there."""
    fill: float = 0.75
    """Share of the coarse grid that buses grow to, if they do not get stuck before."""
    widest: int = 8
    """Most tracks of a bus."""
    room: int = 3
    """Coarse cells per layer of a bus, at least, so that it has some way to go."""


STANDARD = BusConfig()


def bus(
    width: int,
    height: int,
    layers: int,
    lines: int,
    vias: int,
    seed: int,
    *,
    windiness: float = STANDARD.windiness,
    spans: Spans = None,
    config: BusConfig = STANDARD,
) -> Made:
    """Make a board of buses.

    Parameters
    ----------
    width, height, layers
        The size of the board.
    lines
        The number of lines, of all buses together.
    vias
        How many of them go through a via; those of a bus all do or none does.
    seed
        The same seed makes the same board.
    windiness
        How often a bus turns where it could go straight on, from 0 to 1.
    spans
        See `layout.draw_span`.
    config
        Settings.

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
        tracks, crossing, plain = _choose_tracks(width, height, layers, lines, vias, rng, config)
        coarse = Garden((layers, height // tracks, width // tracks), rng, windiness)
        coarse.plant(crossing + plain, crossing, spans)
        target = round(config.fill * coarse.answer.size)
        with suppress(DeadEnd):  # Stuck buses are long enough.
            coarse.grow(target)
        canvas = Canvas((layers, height, width), rng)
        draw = _Bus(canvas, tracks, rng.randint(0, height % tracks), rng.randint(0, width % tracks))
        left = [vias, lines - vias]
        columns = {int(coarse.answer[c[2], c[0], c[1]]): c for c in coarse.columns}
        for number, (first, second) in coarse.tips.items():
            column = columns.get(number)
            count = min(tracks, left[column is None])
            left[column is None] -= count
            if column is None:
                draw.lay(follow(coarse.answer, first.cell), count)
            else:
                halves = sorted((first.cell, second.cell))
                paths = [follow(coarse.answer, end)[::-1] for end in halves]
                draw.lay_through(paths[0], column, paths[1], count)
        return canvas.made()

    return attempt(lay_lines)


def _choose_tracks(
    width: int,
    height: int,
    layers: int,
    lines: int,
    vias: int,
    rng: random.Random,
    config: BusConfig,
) -> tuple[int, int, int]:
    """Choose how many tracks a bus has; return that, and the buses with and without vias."""
    ways = []
    for tracks in range(2, config.widest + 1):
        crossing, plain = -(-vias // tracks), -(-(lines - vias) // tracks)
        room = layers * (height // tracks) * (width // tracks)
        if (2 * crossing + plain) * config.room <= room and tracks <= lines:
            ways.append((tracks, crossing, plain))
    if not ways:
        raise DeadEnd("the board is too small for buses of so many lines")
    return rng.choice(ways)


class _Bus:
    """Draws the tracks of buses.

    Parameters
    ----------
    canvas
        The board.
    tracks
        Its cells per coarse cell, in each direction.
    top, left
        Where the coarse grid begins.
    """

    def __init__(self, canvas: Canvas, tracks: int, top: int, left: int) -> None:
        self.canvas = canvas
        self.tracks = tracks
        self.top = top
        self.left = left

    def lay(self, path: Path, count: int) -> None:
        """Lay lines on the first tracks of a bus on one layer."""
        for track in range(count):
            self.canvas.lay(self._track(path, track, through_via=False))

    def lay_through(self, lower: Path, column: Column, upper: Path, count: int) -> None:
        """Lay lines on the first tracks of a bus, of which both halves begin at the via."""
        y, x, bottom, top = column
        for track in range(count):
            first, second = (self._track(half, track, through_via=True) for half in (lower, upper))
            place = self._fine(Cell(bottom, y, x), track, track)
            self.canvas.lay_through(first[::-1], (place.y, place.x, bottom, top), second[::-1])

    def _track(self, path: Path, track: int, *, through_via: bool) -> Path:
        """Return the cells of a track.

        On a straight stretch it keeps its distance from one side of the bus. In a turn it
        swaps row for column so that tracks turn around each other. Vias lie on a diagonal of
        their coarse cell, where any direction can start from.
        """
        offset = track
        corners: Path = []
        for i, cell in enumerate(path):
            came = _step(path[i - 1], cell) if i else _step(cell, path[1])
            goes = _step(cell, path[i + 1]) if i + 1 < len(path) else came
            if i == 0:
                along = track if through_via else self._near_side(goes)
                corners.append(self._place(cell, goes, offset, along))
            elif came != goes:
                across = offset if sum(came) * sum(goes) < 0 else self.tracks - 1 - offset
                corners.append(self._place(cell, came, offset, across))
                offset = across
            elif i + 1 == len(path):
                far = self.tracks - 1 - self._near_side(came)
                corners.append(self._place(cell, came, offset, far))
        return _connect(corners)

    def _near_side(self, step: tuple[int, int]) -> int:
        """Where a coarse cell begins for who moves so."""
        return 0 if sum(step) > 0 else self.tracks - 1

    def _place(self, cell: Cell, step: tuple[int, int], offset: int, along: int) -> Cell:
        """Return the place on a track, by how far it is along and across the direction."""
        return self._fine(cell, offset, along) if step[1] else self._fine(cell, along, offset)

    def _fine(self, cell: Cell, row: int, column: int) -> Cell:
        """Return a cell of the board by its place in a coarse one."""
        y = self.top + cell.y * self.tracks + row
        return Cell(cell.z, y, self.left + cell.x * self.tracks + column)


def _step(cell: Cell, near: Cell) -> tuple[int, int]:
    return near.y - cell.y, near.x - cell.x


def _connect(corners: Path) -> Path:
    """Return all cells of straight stretches from corner to corner."""
    path = [corners[0]]
    for goal in corners[1:]:
        while path[-1] != goal:
            z, y, x = path[-1]
            path.append(Cell(z, y + np.sign(goal.y - y), x + np.sign(goal.x - x)))
    return path
