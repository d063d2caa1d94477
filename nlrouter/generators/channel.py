"""Channels and switchboxes: pins on two or on four sides of the board, lines between them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from nlrouter.generators.laying import Canvas, Reach, path_to
from nlrouter.generators.layout import DeadEnd, Made, Spans, attempt, draw_span
from nlrouter.problem import Cell

Side = list[tuple[int, int]]
"""Places of pins: y and x of each."""


@dataclass(frozen=True)
class ChannelConfig:
    """How hard a line is tried."""

    tries: int = 40
    """Pins that are tried for a line; most lines need a few, the last ones many."""
    vias: int = 4
    """Vias of which the one nearest to the pin is taken, as short ways leave room to others."""


def channel(
    width: int,
    height: int,
    layers: int,
    lines: int,
    vias: int,
    seed: int,
    *,
    sides: int = 2,
    spans: Spans = None,
    config: ChannelConfig = ChannelConfig(),
) -> Made:
    """Make a channel, with pins in the first and in the last row, or a switchbox.

    Parameters
    ----------
    width, height, layers
        The size of the board.
    lines
        The number of lines; each joins pins of two sides.
    vias
        How many of them go through a via.
    seed
        The same seed makes the same board.
    sides
        Two for a channel, four for a switchbox. No line runs along a side.
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
    ValueError
        If the board is too small; `NoBoard` if none was found in a few attempts.
    """
    if height < 3 or (sides > 2 and width < 3):
        raise ValueError("a channel has three rows or more, a switchbox also three columns")
    rng = random.Random(seed)

    def lay_lines() -> Made:
        box = _Box((layers, height, width), sides, rng, config)
        for number in range(lines):
            box.add_line(draw_span(layers, spans, rng) if number < vias else None)
        return box.canvas.made()

    return attempt(lay_lines)


class _Box:
    """A board with pins on its sides."""

    def __init__(
        self, shape: tuple[int, int, int], sides: int, rng: random.Random, config: ChannelConfig
    ) -> None:
        self.canvas = Canvas(shape, rng)
        self.rng = rng
        self.config = config
        _, height, width = shape
        rows, columns = range(height), range(width)
        if sides == 2:
            self.sides = [[(y, x) for x in columns] for y in (0, height - 1)]
        else:
            self.sides = [[(y, x) for x in columns[1:-1]] for y in (0, height - 1)]
            self.sides += [[(y, x) for y in rows[1:-1]] for x in (0, width - 1)]
            self.canvas.reserved[:, :, [0, -1]] = True
        self.canvas.reserved[:, [0, -1]] = True

    def add_line(self, span: tuple[int, int] | None) -> None:
        """Lay a line between pins of two sides, through a via if a span is given."""
        layers, _, _ = self.canvas.answer.shape
        for _ in range(self.config.tries):
            start, goal = self.rng.sample(span or (self.rng.randrange(layers),) * 2, 2)
            one, other = self.rng.sample(self.sides, 2)
            first = Cell(start, *self.rng.choice(one))
            if self.canvas.answer[first]:
                continue
            if span is None:
                laid = self._lay(first, other)
            else:
                laid = self._lay_through(first, other, goal, span)
            if laid:
                return
        raise DeadEnd("no room for one more line between the sides")

    def _lay(self, first: Cell, side: Side) -> bool:
        """Lay a line from a pin to any of a side; return whether there is a way."""
        reach = self.canvas.reach(first)
        pin = self._choose_pin(reach, first.z, side)
        if pin is not None:
            self.canvas.lay(path_to(pin, reach))
        return pin is not None

    def _lay_through(self, first: Cell, side: Side, goal: int, span: tuple[int, int]) -> bool:
        """Lay a line from a pin through a via to any pin of a side on another layer."""
        reach = self.canvas.reach(first)
        columns = [(cell.y, cell.x, *span) for cell in reach]
        columns = [column for column in columns if self.canvas.is_free(column)]
        if not columns:
            return False
        column = columns[min(self.rng.choices(range(len(columns)), k=self.config.vias))]
        y, x, _, _ = column
        onward = self.canvas.reach(Cell(goal, y, x))
        pin = self._choose_pin(onward, goal, side)
        if pin is not None:
            before = path_to(Cell(first.z, y, x), reach)
            self.canvas.lay_through(before, column, path_to(pin, onward)[::-1])
        return pin is not None

    def _choose_pin(self, reach: Reach, z: int, side: Side) -> Cell | None:
        """Choose one of the pins of a side that can be reached, if there are any."""
        pins = [Cell(z, y, x) for y, x in side if Cell(z, y, x) in reach]
        return self.rng.choice(pins) if pins else None
