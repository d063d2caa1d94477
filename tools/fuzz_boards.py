"""Tiny boards of every class, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from fuzz_oracle import Exhaustive, TooLarge

from nlrouter.answer import Answer
from nlrouter.engine.task import Task
from nlrouter.problem import Cell, Line, Problem, Via

NAMES = "abcdefghijklmnopqrstuvwxyz"
MOST_DRAWS = 400
"""Boards that are drawn for one that is as it should be."""


@dataclass(frozen=True)
class Board(Task):
    """A board with what a search of it starts from, and what its best answer costs."""

    def cost(self) -> float:
        """Return what the best answer costs; infinite if there is none."""
        return Exhaustive(self.problem, self.kept).cost()


def draw(name: str, rnd: random.Random, cells: int) -> Board:
    """Draw a board of a class whose layers have at most so many cells."""
    for _ in range(MOST_DRAWS):
        try:
            board = CLASSES[name](rnd, cells)
            if board is not None:
                board.cost()
                return board
        except TooLarge:
            pass
    raise RuntimeError(f"no board of the class {name!r} in {MOST_DRAWS} draws")


def _size(rnd: random.Random, cells: int) -> tuple[int, int]:
    """Return a height and a width."""
    while True:
        size = rnd.randint(2, 7), rnd.randint(2, 7)
        if size[0] * size[1] <= cells:
            return size


def _scatter(
    rnd: random.Random, size: tuple[int, int], layers: int, flat: int, spans: list[tuple[int, int]]
) -> Board | None:
    """Put ends and vias anywhere: lines on one layer, and some for each span; None if too full."""
    height, width = size
    taken: set[Cell] = set()

    def spot(choices: list[int]) -> Cell | None:
        """Return a place that is free on some layers, on the first of them."""
        places = [(y, x) for y in range(height) for x in range(width)]
        rnd.shuffle(places)
        for y, x in places:
            column = {Cell(z, y, x) for z in choices}
            if taken.isdisjoint(column):
                taken.update(column)
                return Cell(choices[0], y, x)
        return None

    vias: list[Via] = []
    for low, high in spans:
        cell = spot(list(range(low, high + 1)))
        if cell is None:
            return None
        vias.append(Via(NAMES[len(vias)], cell.y, cell.x, low, high))
    pairs = [(z, z) for z in (rnd.randrange(layers) for _ in range(flat))] + spans
    rnd.shuffle(pairs)
    lines = []
    for number, (low, high) in enumerate(pairs, 1):
        first, second = spot([low]), spot([high])
        if first is None or second is None:
            return None
        ends = (first, second) if rnd.random() < 0.5 else (second, first)
        lines.append(Line(number, ends))
    if not lines:
        return None
    problem = Problem(width, height, layers, tuple(lines), tuple(vias))
    return Board(problem, np.zeros(problem.shape, np.int32))


def _one_layer(rnd: random.Random, cells: int) -> Board | None:
    return _scatter(rnd, _size(rnd, cells), 1, rnd.randint(1, 5), [])


def _few_vias(rnd: random.Random, cells: int) -> Board | None:
    """Return a board of up to four layers with few lines across them."""
    layers = rnd.randint(2, 4)
    spans = [_span(rnd, layers) for _ in range(rnd.randint(0, 3))]
    return _scatter(rnd, _size(rnd, cells), layers, rnd.randint(0, 4), spans)


def _span(rnd: random.Random, layers: int) -> tuple[int, int]:
    low, high = sorted(rnd.sample(range(layers), 2))
    return low, high


def _many_vias(rnd: random.Random, cells: int) -> Board | None:
    """Return a board of two layers with several vias, any of which a line may take."""
    return _scatter(rnd, _size(rnd, cells), 2, rnd.randint(0, 2), [(0, 1)] * rnd.randint(2, 5))


def _long_spans(rnd: random.Random, cells: int) -> Board | None:
    """Return a board of three and more layers, with vias that pass through others."""
    layers = rnd.randint(3, 6)
    spans = []
    for _ in range(rnd.randint(1, 4)):
        low = rnd.randrange(layers - 2)
        high = rnd.randint(low + 2, layers - 1)
        spans += [(low, high)] * rnd.randint(1, 2)
    return _scatter(rnd, _size(rnd, cells), layers, rnd.randint(0, 3), spans[:4])


def _narrow(rnd: random.Random, cells: int) -> Board | None:
    """Return a board that is one cell wide or high."""
    size = 1, rnd.randint(2, min(14, cells))
    layers = rnd.randint(1, 4)
    count = rnd.randint(0, 3) if layers > 1 else 0
    spans = [_span(rnd, layers) for _ in range(count)]
    board = _scatter(
        rnd, size if rnd.random() < 0.5 else size[::-1], layers, rnd.randint(1, 3), spans
    )
    # Where all is left to chance, nearly nothing has an answer.
    return board if board is None or rnd.random() < 0.2 or board.cost() < inf else None


def _without_answer(rnd: random.Random, cells: int) -> Board | None:
    """Return a board without an answer, in nearly all of which each line alone could be routed."""
    kinds = _one_layer, _few_vias, _many_vias, _many_vias, _long_spans, _dense
    board = rnd.choice(kinds)(rnd, cells)
    if board is None or board.cost() < inf:
        return None
    return board if rnd.random() < 0.02 or Exhaustive(board.problem).each_alone() else None


def _dense(rnd: random.Random, cells: int) -> Board | None:
    """Return a board with an answer that leaves little free: its lines go on until they are stuck.

    Now and then one of its lines has another end, which mostly leaves no answer.
    """
    height, width = _size(rnd, cells)
    layers = rnd.choice((1, 1, 2, 2, 3))
    answer = np.zeros((layers, height, width), np.int32)
    lines: list[Line] = []
    vias: list[Via] = []
    for _ in range(rnd.randint(0, 4) if layers > 1 else 0):
        low, high = _span(rnd, layers)
        y, x = rnd.randrange(height), rnd.randrange(width)
        if answer[low : high + 1, y, x].any():
            continue
        number = len(lines) + 1
        before = answer.copy()
        answer[low : high + 1, y, x] = number
        ends = [_grow(rnd, answer, Cell(z, y, x)) for z in (low, high)]
        if Cell(low, y, x) in ends or Cell(high, y, x) in ends:
            answer = before
            continue
        vias.append(Via(NAMES[len(vias)], y, x, low, high))
        lines.append(Line(number, (ends[0], ends[1])))
    places = [Cell(*map(int, place)) for place in np.argwhere(answer == 0)]
    rnd.shuffle(places)
    for cell in places:
        if answer[cell] == 0 and rnd.random() < 0.9:
            answer[cell] = len(lines) + 1
            middle = _grow(rnd, answer, cell)
            end = _grow(rnd, answer, cell, most=rnd.randint(0, 4))
            if middle == end:
                answer[cell] = 0
            else:
                lines.append(Line(len(lines) + 1, (middle, end)))
    if not lines:
        return None
    if rnd.random() < 0.15:
        free = [Cell(*map(int, place)) for place in np.argwhere(answer == 0)]
        k = rnd.randrange(len(lines))
        same = [cell for cell in free if cell.z == lines[k].ends[0].z]
        if same:
            lines[k] = replace(lines[k], ends=(rnd.choice(same), lines[k].ends[1]))
    return Board(Problem(width, height, layers, tuple(lines), tuple(vias)), np.zeros_like(answer))


def _grow(rnd: random.Random, answer: Answer, start: Cell, most: int = 99) -> Cell:
    """Draw a path from a cell on over free cells until it is stuck; return its last cell."""
    number = int(answer[start])
    here = start
    for _ in range(most):
        ways = []
        for there in _beside(answer, here):
            own = sum(int(answer[cell]) == number for cell in _beside(answer, there))
            if answer[there] == 0 and own == 1:
                ways.append(there)
        if not ways:
            break
        here = rnd.choice(ways)
        answer[here] = number
    return here


def _beside(answer: Answer, cell: Cell) -> list[Cell]:
    _, height, width = answer.shape
    return [
        Cell(cell.z, y, x)
        for y, x in (
            (cell.y, cell.x - 1),
            (cell.y, cell.x + 1),
            (cell.y - 1, cell.x),
            (cell.y + 1, cell.x),
        )
        if 0 <= y < height and 0 <= x < width
    ]


def _started(rnd: random.Random, cells: int) -> Board | None:
    """Return a board with some or all lines of an answer drawn, as detours, free to change."""
    board = rnd.choice((_one_layer, _few_vias, _many_vias, _dense))(rnd, cells)
    if board is None:
        return None
    numbers = [line.number for line in board.problem.lines]
    some = set(rnd.sample(numbers, rnd.randint(1, len(numbers))))
    drawn = Exhaustive(board.problem, only=some).any_answer(rnd)
    return None if drawn is None else replace(board, start=drawn)


def _fixed(rnd: random.Random, cells: int) -> Board | None:
    """Return such a board on which some of the drawn lines are to stay."""
    board = _started(rnd, cells)
    if board is None:
        return None
    numbers = sorted(set(np.unique(board.start).tolist()) - {0})
    return replace(board, fixed=frozenset(rnd.sample(numbers, rnd.randint(1, len(numbers)))))


CLASSES: dict[str, Callable[[random.Random, int], Board | None]] = {
    "one layer": _one_layer,
    "few vias": _few_vias,
    "many vias": _many_vias,
    "long spans": _long_spans,
    "one cell wide": _narrow,
    "dense": _dense,
    "without answer": _without_answer,
    "started": _started,
    "fixed lines": _fixed,
}
"""The classes of boards; a seed's is the one at the seed's place in turns."""
