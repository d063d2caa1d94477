"""Random boards with a hidden answer, for tests, for benchmarks and for who wants a puzzle.

A board is made from its answer: routes are drawn first, by the rules, and only their ends and
vias are told. So every board here has an answer, but nobody says that it is the cheapest one.
Knows the data types alone: neither files, nor how a board is judged or routed.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlrouter.answer import Answer
from nlrouter.problem import Cell, Line, Problem, Via

MAX_VIAS = 26 + 26 * 26
"""Most vias of a board, as a name is one or two letters."""

_ATTEMPTS = 10
_STRAIGHT_SHARE = 0.5  # How often a line goes on straight where it can.
_MIN_FULL_LINE = 3
_SWAPS_PER_CELL = 50  # 5 were enough for each of thousands of boards.


class _DeadEnd(Exception):
    """This attempt leads to no board as asked for; the message says why."""


def generate(
    width: int, height: int, layers: int, lines: int, vias: int, fill: float, seed: int
) -> tuple[Problem, Answer]:
    """Make a random board by growing lines that do not touch themselves.

    First every line is planted in its shortest form, two cells, or a via with one cell at its
    bottom and one at its top. Then lines picked at random grow by a cell at one end, until the
    board is as full as asked for. Time grows with the number of cells.

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
        cell. Random lines get stuck, long ones first: 0.7 is safe up to 20 cells a line, 0.5
        up to 40.
    seed
        The same seed makes the same board.

    Returns
    -------
    tuple
        The problem and its hidden answer, which obeys the rules.

    Raises
    ------
    ValueError
        If no board can be as asked for, or none was found in a few attempts.
    """
    if min(width, height, layers, lines) < 1:
        raise ValueError("width, height, layers and lines have to be 1 or more")
    if not 0 <= vias <= min(lines, MAX_VIAS):
        raise ValueError(f"vias have to be from 0 to the number of lines, and up to {MAX_VIAS}")
    if vias and layers == 1:
        raise ValueError("a board of one layer has no vias")
    if not 0 < fill <= 1:
        raise ValueError("fill has to be above 0 and up to 1")
    rng = random.Random(seed)
    target = round(fill * width * height * layers)
    reason = ""
    for _ in range(_ATTEMPTS):
        garden = _Garden((layers, height, width), rng)
        try:
            garden.plant(lines, vias)
            garden.grow(target)
        except _DeadEnd as dead_end:
            reason = str(dead_end)
        else:
            return garden.problem(), garden.answer
    raise ValueError(f"no such board found in {_ATTEMPTS} attempts: {reason}")


def fill_board(width: int, height: int, seed: int) -> tuple[Problem, Answer]:
    """Make a random board of one layer whose hidden answer fills every cell.

    First, neighbouring cells are joined to paths in random order wherever the result does not
    touch itself. Then each path that came out too short takes the end part of a path beside
    it, at random, until none is too short: one more such path may be left over each time, but
    never two, so they wander until they vanish.

    Parameters
    ----------
    width, height
        The size of the board.
    seed
        The same seed makes the same board.

    Returns
    -------
    tuple
        The problem and its hidden answer, which obeys the rules; each line has at least three
        cells.

    Raises
    ------
    ValueError
        If the board is too small, or none was found in a few attempts.
    """
    if min(width, height) < 1 or width * height < _MIN_FULL_LINE:
        raise ValueError(f"a full board has {_MIN_FULL_LINE} cells or more")
    rng = random.Random(seed)
    for _ in range(_ATTEMPTS):
        partition = _Partition(width, height, rng)
        partition.join_at_random()
        if partition.lengthen_short_paths():
            return partition.problem_and_answer()
    raise ValueError(f"no full board of {width}X{height} found in {_ATTEMPTS} attempts")


def _neighbours(cell: Cell, width: int, height: int) -> Iterator[Cell]:
    """Yield the neighbours of a cell on its layer."""
    z, y, x = cell
    if x + 1 < width:
        yield Cell(z, y, x + 1)
    if y + 1 < height:
        yield Cell(z, y + 1, x)
    if x:
        yield Cell(z, y, x - 1)
    if y:
        yield Cell(z, y - 1, x)


def _via_name(index: int) -> str:
    """Return a via's name: a to z, then aa, ab and so on."""
    letters = string.ascii_lowercase
    first, second = divmod(index, len(letters))
    return letters[first - 1] + letters[second] if first else letters[second]


@dataclass
class _Tip:
    """The growing end of a line, and the cell of the line before it."""

    number: int
    cell: Cell
    before: Cell


class _Garden:
    """A board on which lines grow.

    A tip that cannot grow never will, since cells only fill up; so it is given up at once.
    """

    def __init__(self, shape: tuple[int, int, int], rng: random.Random) -> None:
        self.answer: Answer = np.zeros(shape, dtype=np.int32)
        self.rng = rng
        self.tips: dict[int, tuple[_Tip, _Tip]] = {}
        self.columns: list[tuple[int, int, int, int]] = []  # y, x, bottom, top of each via.

    def plant(self, lines: int, vias: int) -> None:
        """Plant every line in its shortest form, those through vias first."""
        numbers = list(range(1, lines + 1))
        self.rng.shuffle(numbers)
        for number in numbers[:vias]:
            self._plant_via(number)
        spots = [Cell(*spot) for spot in np.ndindex(self.answer.shape)]
        self.rng.shuffle(spots)
        for number in numbers[vias:]:
            # A spot without room is of no use to a later line either.
            while spots and not self._has_room(spots[-1]):
                spots.pop()
            if not spots:
                raise _DeadEnd(f"no room for {lines} lines")
            first = spots.pop()
            self.answer[first] = number
            tip = self._sprout(number, first)
            self.tips[number] = (tip, _Tip(number, first, tip.cell))

    def grow(self, target: int) -> None:
        """Let tips picked at random grow, until so many cells are filled."""
        filled = int(np.count_nonzero(self.answer))
        if filled > target:
            raise _DeadEnd(f"the lines alone need more than {target} cells")
        live = [tip for pair in self.tips.values() for tip in pair]
        while filled < target:
            if not live:
                raise _DeadEnd(f"no line can grow after {filled} of {target} cells")
            i = self.rng.randrange(len(live))
            tip = live[i]
            steps = self._steps(tip.number, tip.cell)
            if steps:
                self._extend(tip, steps)
                filled += 1
            else:
                live[i] = live[-1]
                live.pop()

    def problem(self) -> Problem:
        """Return the problem; the order of its vias tells nothing of their lines."""
        layers, height, width = self.answer.shape
        lines = (
            Line(number, (first.cell, second.cell))
            for number, (first, second) in sorted(self.tips.items())
        )
        vias = (Via(_via_name(i), *column) for i, column in enumerate(sorted(self.columns)))
        return Problem(width, height, layers, tuple(lines), tuple(vias))

    def _plant_via(self, number: int) -> None:
        """Plant a line through a via of a random span in a random place."""
        layers, height, width = self.answer.shape
        bottom, top = sorted(self.rng.sample(range(layers), 2))
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
        raise _DeadEnd(f"no room for a via over layers {bottom + 1} to {top + 1}")

    def _sprout(self, number: int, cell: Cell) -> _Tip:
        """Let a line of one cell grow by one."""
        tip = _Tip(number, cell, cell)
        self._extend(tip, self._steps(number, cell))
        return tip

    def _extend(self, tip: _Tip, steps: list[Cell]) -> None:
        """Move a tip to one of the cells given, now and then rather to the one ahead."""
        z, y, x = tip.cell
        ahead = Cell(z, 2 * y - tip.before.y, 2 * x - tip.before.x)
        straight = ahead in steps and self.rng.random() < _STRAIGHT_SHARE
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
        return _neighbours(cell, width, height)


class _Partition:
    """A board of one layer divided into paths that do not touch themselves."""

    def __init__(self, width: int, height: int, rng: random.Random) -> None:
        self.width = width
        self.height = height
        self.rng = rng
        cells = [Cell(0, y, x) for y, x in np.ndindex(height, width)]
        self.path_of = {cell: [cell] for cell in cells}

    def join_at_random(self) -> None:
        """Join paths end to end until none can be joined.

        One look at each pair of cells is enough, as what prevents a join stays.
        """
        pairs = [(cell, near) for cell in self.path_of for near in self._around(cell)]
        self.rng.shuffle(pairs)
        for cell, near in pairs:
            first, second = self.path_of[cell], self.path_of[near]
            if (
                first is not second
                and cell in (first[0], first[-1])
                and near in (second[0], second[-1])
            ):
                self._join(cell, first, near, second)

    def lengthen_short_paths(self) -> bool:
        """Make every path long enough; return whether that worked out."""
        short = [cell for cell, path in self.path_of.items() if len(path) < _MIN_FULL_LINE]
        for _ in range(_SWAPS_PER_CELL * len(self.path_of)):
            short = [cell for cell in short if len(self.path_of[cell]) < _MIN_FULL_LINE]
            if not short:
                return True
            short += self._take_from_neighbour(self.path_of[self.rng.choice(short)])
        return False

    def problem_and_answer(self) -> tuple[Problem, Answer]:
        """Return the board and its full answer, numbered in order of first cells."""
        paths = {id(path): path for path in self.path_of.values()}.values()
        answer: Answer = np.zeros((1, self.height, self.width), dtype=np.int32)
        lines = []
        for number, path in enumerate(paths, start=1):
            lines.append(Line(number, (path[0], path[-1])))
            for cell in path:
                answer[cell] = number
        return Problem(self.width, self.height, 1, tuple(lines)), answer

    def _take_from_neighbour(self, path: list[Cell]) -> list[Cell]:
        """Join a short path to the end part of a path beside it; return what that leaves."""
        cell = self.rng.choice(path)
        near = self.rng.choice([n for n in self._around(cell) if self.path_of[n] is not path])
        other = self.path_of[near]
        i = other.index(near)
        if self.rng.random() < 0.5:
            part, rest = other[: i + 1], other[i + 1 :]
        else:
            part, rest = other[i:], other[:i]
        if not self._join(cell, path, near, part):
            return []
        for left in rest:
            self.path_of[left] = rest
        return rest

    def _join(self, cell: Cell, first: list[Cell], near: Cell, second: list[Cell]) -> bool:
        """Join two paths at an end of each, if they touch nowhere else; return whether they do.

        The paths need not be those of `path_of` before, but they are afterwards.
        """
        other = set(second)
        if sum(n in other for member in first for n in self._around(member)) != 1:
            return False
        head = first if first[-1] == cell else first[::-1]
        tail = second if second[0] == near else second[::-1]
        joined = head + tail
        for member in joined:
            self.path_of[member] = joined
        return True

    def _around(self, cell: Cell) -> Iterator[Cell]:
        return _neighbours(cell, self.width, self.height)
