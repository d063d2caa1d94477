"""Redrawing an answer without useless pieces and without detours.

What ``nlcheck --clean`` does. Plain shortest paths, one line at a time, for a person who wants
a tidy answer; this is no search for the best one, and shares no code with it.
"""

from __future__ import annotations

import heapq
from collections.abc import Container

import numpy as np

from nlrouter.answer import Answer
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Cell, Line, Problem, Via

_STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))
_IN_Y = (False, False, True, True)
_NO_STEP = -1
_Path = list[Cell]


class CannotClean(ValueError):
    """The cells of an answer do not join all lines; the message says which."""


def clean(problem: Problem, answer: Answer) -> Answer:
    """Redraw an answer without useless pieces and detours.

    First each line keeps, of the cells that carry its number, only the cheapest paths that
    join its ends; a line over several layers keeps one via that it reaches on both sides.
    Then one line after another takes the cheapest way that the others leave it, by the same
    via, until none gets cheaper.

    Parameters
    ----------
    problem
        The board.
    answer
        The answer, correct or not.

    Returns
    -------
    Answer
        A new answer, correct, and at no more cost.

    Raises
    ------
    CannotClean
        If the cells that carry a line's number do not join its ends, or the size is not the
        problem's.
    """
    if answer.shape != problem.shape:
        raise CannotClean("its SIZE is not the problem's")
    board = occupants(problem)
    routes: dict[int, _Route] = {}
    apart = []
    for line in problem.lines:
        if route := _own_route(problem, board, answer, line):
            routes[line.number] = route
        else:
            apart.append(line.number)
    if apart:
        names = ", ".join(f"LINE#{number}" for number in apart)
        raise CannotClean(f"its cells do not join the ends of {names}")

    cleaned: Answer = np.zeros(problem.shape, dtype=np.int32)
    for number, route in routes.items():
        for cell in route.cells:
            cleaned[cell] = number
    _shorten(board, cleaned, routes)
    return cleaned


class _Route:
    """How a line is drawn: a path for each layer where it has an end, and its via's cells."""

    def __init__(self, paths: list[_Path], column: tuple[Cell, ...]) -> None:
        self.paths = paths
        self.column = column

    @property
    def cells(self) -> list[Cell]:
        return [cell for path in self.paths for cell in path] + list(self.column)

    @property
    def cost(self) -> int:
        return sum(map(_path_cost, self.paths))


def _own_route(problem: Problem, board: Answer, answer: Answer, line: Line) -> _Route | None:
    """Join a line's ends at the least cost by cells that carry its number, if they do."""
    own = {Cell(*cell) for cell in np.argwhere(answer == line.number).tolist()}
    passable = {cell for cell in own if board[cell] == FREE}
    if not line.crosses_layers:
        return _join([line.ends], (), own, passable)
    routes = [
        route
        for via in problem.vias
        if via.span == line.span and own.issuperset(via.cells)
        if (route := _join(_pairs(line, via), via.cells, own, passable))
    ]
    return min(routes, key=lambda route: route.cost, default=None)


def _pairs(line: Line, via: Via) -> list[tuple[Cell, Cell]]:
    """Return the two pairs of cells that a line over several layers joins by a via."""
    return [(line.end_on(cell.z), cell) for cell in (via.cells[0], via.cells[-1])]


def _join(
    pairs: list[tuple[Cell, Cell]], column: tuple[Cell, ...], own: set[Cell], passable: set[Cell]
) -> _Route | None:
    """Return the route that joins each pair at the least cost, or None if one cannot be."""
    paths = []
    for start, stop in pairs:
        path = cheapest_path(start, stop, passable) if start in own and stop in own else None
        if path is None:
            return None
        paths.append(path)
    return _Route(paths, column)


def _shorten(board: Answer, answer: Answer, routes: dict[int, _Route]) -> None:
    """Redraw one line after another, in place, until none gets cheaper."""
    free = {Cell(*cell) for cell in np.argwhere((board == FREE) & (answer == 0)).tolist()}
    pending = True
    while pending:
        pending = False
        for number, route in routes.items():
            for index, path in enumerate(route.paths):
                inner = path[1:-1]
                free.update(inner)
                shorter = cheapest_path(path[0], path[-1], free, below=_path_cost(path))
                if shorter is not None:
                    for cell in inner:
                        answer[cell] = 0
                    for cell in shorter:
                        answer[cell] = number
                    route.paths[index] = shorter
                    pending = True
                free.difference_update(route.paths[index])


def cheapest_path(
    start: Cell, stop: Cell, passable: Container[Cell], below: int | None = None
) -> _Path | None:
    """Find a path of the least cost, cells and bends, on one layer: A* by distance.

    A path of the least cost never touches itself, as a short-cut there would be cheaper.

    Parameters
    ----------
    start, stop
        Its two ends, on the same layer.
    passable
        The cells that it may use between them.
    below
        Return None unless the path costs less than this.
    """
    # A state is a cell and the step that led there; a bend is paid when the step changes.
    done: dict[tuple[Cell, int], tuple[Cell, int]] = {}
    # Of equal estimates, the path that has come further is nearer to its end.
    queue = [(1 + _least(start, _NO_STEP, stop), -1, start, _NO_STEP, (start, _NO_STEP))]
    while queue:
        estimate, length, cell, step, previous = heapq.heappop(queue)
        if below is not None and estimate >= below:
            return None
        if (cell, step) in done:
            continue
        done[cell, step] = previous
        if cell == stop:
            return _trace(done, (cell, step))
        cost = estimate - _least(cell, step, stop)
        for turn, (dy, dx) in enumerate(_STEPS):
            near = Cell(cell.z, cell.y + dy, cell.x + dx)
            if (near == stop or near in passable) and (near, turn) not in done:
                bend = step != _NO_STEP and _IN_Y[turn] != _IN_Y[step]
                total = cost + 1 + bend + _least(near, turn, stop)
                heapq.heappush(queue, (total, length - 1, near, turn, (cell, step)))
    return None


def _trace(done: dict[tuple[Cell, int], tuple[Cell, int]], state: tuple[Cell, int]) -> _Path:
    """Return the cells on the way to a state."""
    path = [state[0]]
    while done[state] != state:
        state = done[state]
        path.append(state[0])
    return path[::-1]


def _least(cell: Cell, step: int, stop: Cell) -> int:
    """Return the cells and bends that lie at least between a state and the end of the path."""
    dy, dx = abs(cell.y - stop.y), abs(cell.x - stop.x)
    across = step == _NO_STEP or _IN_Y[step]
    along = step == _NO_STEP or not _IN_Y[step]
    bend = (dy and dx) or (dx and not along) or (dy and not across)
    return dy + dx + bool(bend)


def _path_cost(path: _Path) -> int:
    """Return the cells and bends of a path."""
    bends = sum(a.y != c.y and a.x != c.x for a, c in zip(path, path[2:], strict=False))
    return len(path) + bends
