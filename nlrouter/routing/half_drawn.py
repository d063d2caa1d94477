"""Half-drawn lines, to be continued from where they end.

A line that is drawn from one end, or from both, leads as far as it is a plain path; what is left
of it is a line of a smaller board, between the two places reached, on which the cells behind
them are taken. An answer to that board, with those cells put back, is one to the whole board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.cost import bends
from nlrouter.grid import occupants
from nlrouter.problem import Cell, Line, Problem, Via


@dataclass(frozen=True)
class Continuation:
    """A board on which half-drawn lines begin where they were left.

    Parameters
    ----------
    problem
        The smaller board.
    blocked
        Cells behind the places reached, of the board's shape; `mark` in them, 0 elsewhere.
    drawn
        The half-drawn lines, by number, in all their cells; 0 elsewhere.
    whole
        The board itself.
    """

    problem: Problem
    blocked: Answer
    drawn: Answer
    whole: Problem

    @property
    def lines(self) -> list[int]:
        """Numbers of the lines that are continued."""
        return sorted(set(np.unique(self.drawn).tolist()) - {0})

    @property
    def kept(self) -> Answer:
        """The cells of `blocked`, with the numbers of the lines that are drawn there."""
        kept: Answer = np.where(self.blocked > 0, self.drawn, 0)
        return kept

    @property
    def mark(self) -> int:
        """The number that blocks cells, which no line has."""
        return len(self.whole.lines) + 1

    def complete(
        self, answer: Answer, only: Container[int] | None = None
    ) -> tuple[Answer, list[int]]:
        """Put the half-drawn lines back, or only some of them.

        Returns
        -------
        tuple
            The answer to the whole board, and the numbers of lines that would have touched
            themselves and were cut short there.
        """
        lines = [number for number in self.lines if only is None or number in only]
        full: Answer = np.where(answer == self.mark, 0, answer)
        full = np.where(np.isin(self.drawn, lines) & (self.drawn > 0), self.drawn, full)
        cut = []
        for number in lines:
            if _cut_short(self.whole, full, number):
                cut.append(number)
        return full, cut

    def bound(self, lower_bound: int) -> int:
        """Turn a bound of the smaller board into one of the whole, with the lines as drawn."""
        # Where old and new meet there may be one bend more, but none less.
        return lower_bound - int(bends(self.blocked).sum()) + int(bends(self.drawn).sum())


def continuation(problem: Problem, drawing: Answer, done: Answer) -> Continuation:
    """Take up what is half drawn.

    Parameters
    ----------
    problem
        The board.
    drawing
        The drawing, of the board's shape.
    done
        The lines of it that are complete, 0 elsewhere; they are left alone.
    """
    complete = set(np.unique(done).tolist())
    stands = occupants(problem)
    drawn = np.zeros(problem.shape, np.int32)
    blocked = np.zeros(problem.shape, np.int32)
    lines = list(problem.lines)
    taken: set[Via] = set()
    for i, line in enumerate(problem.lines):
        if line.number in complete:
            continue
        walk = _Walk(problem, stands, drawing, line)
        first, second = walk.paths()
        if not set(first).isdisjoint(second) or len(first) + len(second) < 3:
            continue
        lines[i] = Line(line.number, (first[-1], second[-1]))
        if walk.via is not None:
            taken.add(walk.via)
        for path in (first, second):
            for cell in path:
                drawn[cell] = line.number
            for cell in path[:-1]:
                blocked[cell] = len(problem.lines) + 1
    vias = tuple(via for via in problem.vias if via not in taken)
    smaller = replace(problem, lines=tuple(lines), vias=vias)
    return Continuation(smaller, blocked, drawn, problem)


class _Walk:
    """Follows one line of a drawing from its ends."""

    def __init__(self, problem: Problem, stands: Answer, drawing: Answer, line: Line) -> None:
        self.problem = problem
        self.stands = stands
        self.drawing = drawing
        self.line = line
        self.via: Via | None = None

    def paths(self) -> tuple[list[Cell], list[Cell]]:
        """Return the cells from each end as far as a plain path leads."""
        first, second = self.line.ends
        return self._path(first), self._path(second)

    def _path(self, start: Cell) -> list[Cell]:
        path = [start]
        while True:
            around = [cell for cell in self._neighbours(path[-1]) if cell not in path]
            if len(around) != 1 or around[0] in self.line.ends:
                return path
            # A path that touches itself is none; neither is one beyond a fork.
            if sum(cell in path for cell in self._neighbours(around[0])) != 1:
                return path
            stands = int(self.stands[around[0]])
            if stands > 0:  # Another line's end, which is not this one's to take.
                return path
            if stands == 0:
                path.append(around[0])
                continue
            via = self.problem.vias[-1 - stands]
            column = self._column(via, around[0])
            if column is None:
                return path
            self.via = via
            path += column

    def _column(self, via: Via, entry: Cell) -> list[Cell] | None:
        """Return a via's cells from the one entered on; None if the line may not take it."""
        fits = self.line.crosses_layers and via.span == self.line.span and self.via is None
        drawn = all(self.drawing[cell] == self.line.number for cell in via.cells)
        if not (fits and drawn and entry.z in via.span):
            return None
        return list(via.cells if entry.z == via.bottom else reversed(via.cells))

    def _neighbours(self, cell: Cell) -> list[Cell]:
        """Return the neighbours on the layer that carry the line's number."""
        z, y, x = cell
        around = (Cell(z, y, x - 1), Cell(z, y, x + 1), Cell(z, y - 1, x), Cell(z, y + 1, x))
        _, height, width = self.drawing.shape
        return [
            near
            for near in around
            if 0 <= near.y < height
            and 0 <= near.x < width
            and self.drawing[near] == self.line.number
        ]


def _cut_short(problem: Problem, answer: Answer, number: int) -> bool:
    """Leave of a line a shortest path in its cells; return whether that is less of it."""
    line = problem.lines[number - 1]
    via = next((v for v in problem.vias if all(answer[c] == number for c in v.cells)), None)
    keep = set(via.cells if via is not None and line.crosses_layers else ())
    if line.crosses_layers:
        assert via is not None
        pairs = [(end, Cell(end.z, via.y, via.x)) for end in line.ends]
    else:
        pairs = [line.ends]
    for start, goal in pairs:
        came: dict[Cell, Cell] = {start: start}
        queue = deque([start])
        while goal not in came:
            z, y, x = cell = queue.popleft()
            for dy, dx in ((0, -1), (0, 1), (-1, 0), (1, 0)):
                near = Cell(z, y + dy, x + dx)
                inside = 0 <= near.y < problem.height and 0 <= near.x < problem.width
                if inside and near not in came and answer[near] == number:
                    came[near] = cell
                    queue.append(near)
        cell = goal
        while cell != start:
            keep.add(cell)
            cell = came[cell]
        keep.add(start)
    before = {Cell(*cell) for cell in np.argwhere(answer == number).tolist()}
    for cell in before - keep:
        answer[cell] = 0
    return before != keep
