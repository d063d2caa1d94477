"""Answers and difficulty of calcudoku for their makers, by the search of `square_search`.

Others find answers by SAT: this search is quick from puzzle to puzzle, but has to be compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.arithmetic import OPERATIONS, Arithmetic
from numplace.constraints.digit_line import DigitLine
from numplace.puzzle import Puzzle
from numplace.solve import square_search
from numplace.solve.compiled import compiled, is_compiled

NODES = 4000
"""Nodes of a search, a second or less; generated puzzles take some dozens."""


class Square(NamedTuple):
    """A calcudoku as the arrays that `square_search.propagate` takes, in its order."""

    side: int
    values: npt.NDArray[np.int64]
    tokens: npt.NDArray[np.int64]
    where: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    members: npt.NDArray[np.int64]
    ops: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    group_of: npt.NDArray[np.int64]


def quick_answers(puzzle: Puzzle, limit: int = 2, nodes: int = NODES) -> list[Answer] | None:
    """Return at most ``limit`` answers of a calcudoku; None if more than these nodes are needed."""
    cand = candidates(puzzle)
    room = np.zeros((limit, len(puzzle.cells)), dtype=np.int64)
    number, exhausted = _functions()["search"](*square_of(puzzle), cand, room, nodes)
    if number < limit and not exhausted:
        return None
    return [dict(zip(puzzle.cells, map(int, row), strict=True)) for row in room[:number]]


def _functions() -> Mapping[str, Any]:
    """Return the functions of `square_search`, compiled if some are already."""
    return compiled(square_search) if is_compiled(square_search) else vars(square_search)


def square_of(puzzle: Puzzle) -> Square:
    """Return the arrays of a calcudoku whose targets fit into them."""
    side = puzzle.width
    values = np.array(puzzle.domains[puzzle.cells[0]], dtype=np.int64)
    if any(isinstance(each, DigitLine) for each in puzzle.constraints):
        two_digits = side + 1
        tokens = np.array(
            [
                sum(1 << int(digit) for digit in str(value)) + (value > 9) * (1 << two_digits)
                for value in values
            ]
        )
    else:
        tokens = 1 << values
    where = np.full(values[-1] + 1, -1, dtype=np.int64)
    where[values] = np.arange(len(values))
    groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
    group_of = np.full(side * side, -1, dtype=np.int64)
    for number, group in enumerate(groups):
        group_of[_indices(group, side)] = number
    return Square(
        side,
        values,
        tokens,
        where,
        np.cumsum([0, *(len(group.cells) for group in groups)]),
        np.array([i for group in groups for i in _indices(group, side)], dtype=np.int64),
        np.array([OPERATIONS.index(group.op) for group in groups], dtype=np.int64),
        np.array([group.target for group in groups], dtype=np.int64),
        group_of,
    )


def candidates(puzzle: Puzzle) -> npt.NDArray[np.bool_]:
    """Return ``(cells, values)`` bool: what each cell may hold by domain and given."""
    values = puzzle.domains[puzzle.cells[0]]
    cand = np.ones((len(puzzle.cells), len(values)), dtype=np.bool_)
    for i, cell in enumerate(puzzle.cells):
        if cell in puzzle.givens:
            cand[i] = [value == puzzle.givens[cell] for value in values]
    return cand


def difficulty(puzzle: Puzzle, answer: Mapping[Cell, int]) -> int:
    """Return how hard a calcudoku with one answer is.

    The measure of Daniel Beer's ``cdok``, over our own propagation: on the way to the answer,
    with everything struck that `square_search.propagate` can strike, the cell with the fewest
    numbers left is filled each time; B is the sum of ``(numbers left - 1) ** 2``. The
    difficulty is ``B * M + E``, E the empty cells at the start and M the power of ten above the
    number of cells. Below M, nothing had to be tried.

    Parameters
    ----------
    answer
        The answer of the puzzle.
    """
    square = square_of(puzzle)
    cand = candidates(puzzle)
    stale = np.ones(len(square.ops), dtype=np.bool_)
    branching = 0
    propagate, tightest = _functions()["propagate"], _functions()["tightest"]
    while True:
        if not propagate(*square, cand, stale):
            raise ValueError("this is not the answer of the puzzle")
        cell = int(tightest(cand))
        if cell < 0:
            break
        branching += (int(cand[cell].sum()) - 1) ** 2
        cand[cell] = square.values == answer[puzzle.cells[cell]]
        if square.group_of[cell] >= 0:
            stale[square.group_of[cell]] = True
    power = 10 ** len(str(len(puzzle.cells)))
    return branching * power + len(puzzle.cells) - len(puzzle.givens)


def _indices(group: Arithmetic, side: int) -> list[int]:
    """Return the numbers of a group's cells, counted row by row."""
    return [cell.y * side + cell.x for cell in group.cells]
