"""Random scatter: lines that grow in random places, with any number of vias."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlrouter.answer import Answer
from nlrouter.generators.layout import (
    MAX_VIAS,
    Column,
    DeadEnd,
    Made,
    NoBoard,
    Spans,
    attempt,
    draw_span,
    problem_of,
)
from nlrouter.generators.packing import pack
from nlrouter.grid import neighbours
from nlrouter.problem import Cell


@dataclass(frozen=True)
class ScatterConfig:
    """What a random board is like where nothing else is asked for."""

    fill: float = 0.6
    """Share of filled cells; the contest's own dense boards have 0.5 to 0.7."""
    windiness: float = 0.5
    """How often a line turns away where it could go straight on."""
    longest_mean: int = 15
    """Cells of a line on average, at most: lines that are longer get stuck before 0.6."""


STANDARD = ScatterConfig()


def default_lines(width: int, height: int, layers: int, fill: float = STANDARD.fill) -> int:
    """Return a number of lines that suits a board of some size and fill.

    Lines are as long as the board is wide, up to 15 cells: 14 lines on 10x10x2 at 0.7, 394 on
    36x36x8 at 0.57, where the contest's own boards have 10 to 40 cells a line.
    """
    return max(1, round(fill * width * height * layers / _mean_cells(width, height)))


def default_fill(width: int, height: int, layers: int, lines: int) -> float:
    """Return a fill that suits a board of some size and number of lines."""
    return min(STANDARD.fill, lines * _mean_cells(width, height) / (width * height * layers))


def _mean_cells(width: int, height: int) -> float:
    """Return how long lines of a board are on average, if nothing else is asked for."""
    return min(max((width + height) / 2, 3.0), STANDARD.longest_mean)


def generate(
    width: int,
    height: int,
    layers: int,
    lines: int,
    vias: int,
    fill: float,
    seed: int,
    *,
    windiness: float = STANDARD.windiness,
    spans: Spans = None,
) -> Made:
    """Make a random board by growing lines that do not touch themselves.

    First every line is planted in its shortest form, two cells, or a via with one cell at its
    bottom and one at its top. Then lines picked at random grow by a cell at one end, until the
    board is as full as asked for. Where all of them are stuck before, the board is packed full
    instead and what is too much taken away; see `packing`. Time grows with the number of cells.

    Parameters
    ----------
    width, height, layers
        The size of the board.
    lines
        The number of lines.
    vias
        How many of them go through a via.
    fill
        Share of the cells that the hidden answer fills, above 0 and up to 1; it is met to the
        cell. With `default_lines`, 0.85 is safe.
    seed
        The same seed makes the same board.
    windiness
        How often a growing line turns where it could go straight on, from 0 to 1.
    spans
        The spans (bottom, top), layers from 0, that vias are drawn from; None for any.

    Returns
    -------
    tuple
        The problem and its hidden answer, which obeys the rules.

    Raises
    ------
    ValueError
        If no board can be as asked for; `NoBoard` if none was found in a few attempts.
    """
    if min(width, height, layers, lines) < 1:
        raise ValueError("width, height, layers and lines have to be 1 or more")
    if not 0 <= vias <= min(lines, MAX_VIAS):
        raise ValueError(f"vias have to be from 0 to the number of lines, and up to {MAX_VIAS}")
    if vias and layers == 1:
        raise ValueError("a board of one layer has no vias")
    if not 0 < fill <= 1:
        raise ValueError("fill has to be above 0 and up to 1")
    if not 0 <= windiness <= 1:
        raise ValueError("windiness has to be from 0 to 1")
    shape = layers, height, width
    rng = random.Random(seed)
    target = round(fill * width * height * layers)

    def grow() -> Made:
        garden = Garden(shape, rng, windiness)
        garden.plant(lines, vias, spans)
        garden.grow(target)
        return garden.made()

    try:
        return attempt(grow)
    except NoBoard as no_board:
        try:
            return attempt(lambda: pack(shape, rng, lines, vias, target, spans))
        except NoBoard:
            raise no_board from None


@dataclass
class _Tip:
    """The growing end of a line, and the cell of the line before it."""

    number: int
    cell: Cell
    before: Cell


class Garden:
    """A board on which lines grow.

    A tip that cannot grow never will, since cells only fill up; so it is given up at once.

    Parameters
    ----------
    shape
        Layers, height and width.
    rng
        Source of all random choices.
    windiness
        How often a line turns where it could go straight on.
    """

    def __init__(self, shape: tuple[int, int, int], rng: random.Random, windiness: float) -> None:
        self.answer: Answer = np.zeros(shape, dtype=np.int32)
        self.rng = rng
        self.straightness = 1 - windiness
        self.tips: dict[int, tuple[_Tip, _Tip]] = {}
        self.columns: list[Column] = []

    def plant(self, lines: int, vias: int, spans: Spans) -> None:
        """Plant every line in its shortest form, those through vias first."""
        numbers = list(range(1, lines + 1))
        self.rng.shuffle(numbers)
        for number in numbers[:vias]:
            self._plant_via(number, spans)
        spots = [Cell(*spot) for spot in np.ndindex(self.answer.shape)]
        self.rng.shuffle(spots)
        for number in numbers[vias:]:
            # A spot without room is of no use to a later line either.
            while spots and not self._has_room(spots[-1]):
                spots.pop()
            if not spots:
                raise DeadEnd(f"no room for {lines} lines")
            first = spots.pop()
            self.answer[first] = number
            tip = self._sprout(number, first)
            self.tips[number] = (tip, _Tip(number, first, tip.cell))

    def grow(self, target: int) -> None:
        """Let tips picked at random grow, until so many cells are filled."""
        filled = int(np.count_nonzero(self.answer))
        if filled > target:
            raise DeadEnd(f"the lines alone need more than {target} cells")
        live = [tip for pair in self.tips.values() for tip in pair]
        while filled < target:
            if not live:
                raise DeadEnd(f"no line can grow after {filled} of {target} cells")
            i = self.rng.randrange(len(live))
            tip = live[i]
            steps = self._steps(tip.number, tip.cell)
            if steps:
                self._extend(tip, steps)
                filled += 1
            else:
                live[i] = live[-1]
                live.pop()

    def made(self) -> Made:
        """Return the board as grown so far."""
        ends = {number: (first.cell, second.cell) for number, (first, second) in self.tips.items()}
        return problem_of(self.answer, ends, self.columns), self.answer

    def _plant_via(self, number: int, spans: Spans) -> None:
        """Plant a line through a via in a random place."""
        layers, height, width = self.answer.shape
        bottom, top = draw_span(layers, spans, self.rng)
        places = list(np.ndindex(height, width))
        self.rng.shuffle(places)
        for y, x in places:
            column = self.answer[bottom : top + 1, y, x]
            ends = Cell(bottom, y, x), Cell(top, y, x)
            if not column.any() and all(map(self._has_room, ends)):
                column[:] = number
                self.tips[number] = self._sprout(number, ends[0]), self._sprout(number, ends[1])
                self.columns.append((y, x, bottom, top))
                return
        raise DeadEnd(f"no room for a via over layers {bottom + 1} to {top + 1}")

    def _sprout(self, number: int, cell: Cell) -> _Tip:
        """Let a line of one cell grow by one."""
        tip = _Tip(number, cell, cell)
        self._extend(tip, self._steps(number, cell))
        return tip

    def _extend(self, tip: _Tip, steps: list[Cell]) -> None:
        """Move a tip to one of the cells given, now and then rather to the one ahead."""
        z, y, x = tip.cell
        ahead = Cell(z, 2 * y - tip.before.y, 2 * x - tip.before.x)
        straight = ahead in steps and self.rng.random() < self.straightness
        tip.before, tip.cell = tip.cell, ahead if straight else self.rng.choice(steps)
        self.answer[tip.cell] = tip.number

    def _steps(self, number: int, cell: Cell) -> list[Cell]:
        """Return the free neighbours that touch no other cell of the line."""
        return [
            near
            for near in self._around(cell)
            if not self.answer[near]
            and sum(self.answer[other] == number for other in self._around(near)) == 1
        ]

    def _has_room(self, cell: Cell) -> bool:
        """Whether a line can be planted here."""
        return not self.answer[cell] and not all(self.answer[near] for near in self._around(cell))

    def _around(self, cell: Cell) -> Iterator[Cell]:
        _, height, width = self.answer.shape
        return neighbours(cell, width, height)
