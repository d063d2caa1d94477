"""Answers and difficulty of calcudoku, by the compiled search of `square_search`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.check.data import find_faults
from numplace.constraints.arithmetic import OPERATIONS, Arithmetic
from numplace.constraints.digit_line import DigitLine
from numplace.puzzle import Puzzle
from numplace.solve import square_search
from numplace.solve.compiled import compiled, is_compiled


@dataclass(frozen=True)
class Limits:
    """What the search takes on.

    Parameters
    ----------
    nodes
        Nodes after which it is left to CP-SAT, which learns from its failures: a second or
        less. Generated puzzles take some dozens.
    target
        Largest target; its products with a cell's number fit into 64 bits.
    without_compiler
        Nodes times cells of a search by Python itself: a second at most, and most puzzles take a
        tenth of it. Numba takes longer to import.
    answers
        Most answers looked for, as there is room for all from the start.
    """

    nodes: int = 4000
    target: int = 2**53
    without_compiler: int = 4000
    answers: int = 10_000


DEFAULT = Limits()

Answers = tuple[dict[Cell, int], ...]


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


def find_answers(
    puzzle: Puzzle, limit: int | None, deadline: Deadline
) -> Iterator[dict[Cell, int] | None]:
    """Yield different answers, then None if it is proven that there are no others.

    It gives up, without None, where the search takes long.

    Parameters
    ----------
    puzzle
        Groups in a square of rows and columns.
    limit
        Most answers to look for; of more than `Limits.answers`, or all with None, nothing is
        found here.
    """
    if find_faults(puzzle):
        yield None
        return
    if limit is None or limit > DEFAULT.answers:
        return
    answers, exhausted = _search(puzzle, limit, DEFAULT, deadline)
    yield from answers
    if exhausted:
        yield None


def quick_answers(
    puzzle: Puzzle, limit: int = 2, limits: Limits = DEFAULT
) -> tuple[Answers, bool] | None:
    """Return at most ``limit`` answers, and whether these are all; None if that takes long."""
    answers, exhausted = _search(puzzle, limit, limits, Deadline(math.inf))
    return (answers, exhausted) if exhausted or len(answers) == limit else None


def _search(puzzle: Puzzle, limit: int, limits: Limits, deadline: Deadline) -> tuple[Answers, bool]:
    """Return the answers found within the limits, at most so many, and whether these are all."""
    groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
    # Products with a 0 are none that the search looks for: no spec has them, JSON may.
    if any(group.target > limits.target for group in groups) or any(
        group.target == 0 and group.op in "*/" for group in groups
    ):
        return (), False
    cand = candidates(puzzle)
    room = np.zeros((limit, len(puzzle.cells)), dtype=np.int64)
    square = square_of(puzzle)
    number, exhausted = 0, False
    for fast, nodes in _stages(limits, len(puzzle.cells)):
        search = compiled(square_search)["search"] if fast else square_search.search
        number, exhausted = search(*square, cand, room, nodes)
        if number == limit or exhausted or deadline.passed():
            break
    answers = tuple(dict(zip(puzzle.cells, map(int, row), strict=True)) for row in room[:number])
    return answers, bool(exhausted)


def _stages(limits: Limits, cells: int) -> Iterator[tuple[bool, int]]:
    """Yield ever more nodes, and whether compiled: between them the deadline is looked at."""
    if not is_compiled(square_search):
        most = limits.without_compiler // cells
        yield from ((False, nodes) for nodes in _growing(most))
    yield from ((True, nodes) for nodes in _growing(limits.nodes))


def _growing(most: int) -> Iterator[int]:
    """Yield a few nodes first, then four times as many each time."""
    nodes = 4
    while nodes < most:
        yield nodes
        nodes *= 4
    yield most


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
    fast = is_compiled(square_search)
    functions = compiled(square_search) if fast else vars(square_search)
    propagate, tightest = functions["propagate"], functions["tightest"]
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
