"""What is to be drawn: a board, an answer, and what there is to say about it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.checker.cost import measure
from nlrouter.checker.pieces import same_neighbours
from nlrouter.checker.rules import Violation, violations
from nlrouter.drawing.words import ENGLISH, Words
from nlrouter.problem import Cell, Problem

MAX_TOLD = 10
"""Most violations that are told in words; a broken answer can have one for each cell."""


@dataclass(frozen=True)
class Scene:
    """One picture's worth of facts, whatever it is drawn with.

    Parameters
    ----------
    problem
        The board.
    answer
        What is drawn on it, of the board's shape and correct or not; zeros for the bare board.
    caption
        What to say below, line by line.
    marks
        The cells to mark as wrong, each with the numbers, from 1, of its violations.
    words
        The language of whatever else is said.
    """

    problem: Problem
    answer: Answer
    caption: tuple[str, ...]
    marks: dict[Cell, list[int]]
    words: Words = ENGLISH


def compose(
    problem: Problem,
    answer: Answer | None,
    title: str,
    *,
    bound: int | None = None,
    words: Words = ENGLISH,
) -> Scene:
    """Judge an answer and word the caption.

    Parameters
    ----------
    problem, answer
        The board, and an answer of its shape or None.
    title
        What the caption starts with.
    bound
        A proven lower bound on the cost, to be told with a correct answer.
    words
        The language.
    """
    head = words.head(title, problem)
    if answer is None:
        return Scene(problem, np.zeros(problem.shape, dtype=np.int32), (head,), {}, words)
    found = violations(problem, answer)
    marks: dict[Cell, list[int]] = {}
    for index, violation in enumerate(found, start=1):
        if violation.cell is not None:
            cut = violation.rule == "cut"
            cell = _end_of_piece(answer, violation.cell) if cut else violation.cell
            marks.setdefault(cell, []).append(index)
    caption = _tell(found, words) if found else [_figures(answer, bound, words)]
    return Scene(problem, answer, (head, *caption), marks, words)


def _end_of_piece(answer: Answer, start: Cell) -> Cell:
    """Return the cell of a piece, on its layer, that is farthest from one of its cells."""
    _, height, width = answer.shape
    reached = [start]
    for z, y, x in reached:
        for near in (Cell(z, y, x - 1), Cell(z, y, x + 1), Cell(z, y - 1, x), Cell(z, y + 1, x)):
            inside = 0 <= near.y < height and 0 <= near.x < width
            if inside and answer[near] == answer[start] and near not in reached:
                reached.append(near)
    return reached[-1]


def _figures(answer: Answer, bound: int | None, words: Words) -> str:
    """Return cost, bound and status of a correct answer."""
    cost = measure(answer)
    parts = [words.cost(cost)]
    if bound is None:
        parts += [words.correct]
    elif bound == cost.total:
        parts += [words.bound(bound), words.optimal]
    else:
        gap = words.gap(100 * (cost.total - bound) / cost.total)
        parts += [words.bound(bound), gap, words.feasible]
    return "   ".join(parts)


def _tell(found: list[Violation], words: Words) -> list[str]:
    """Return the first violations in words, numbered as they are marked."""
    told = [f"{index}. {words.violation(violation)}" for index, violation in enumerate(found, 1)]
    more = [words.more(len(found) - MAX_TOLD)] if len(found) > MAX_TOLD else []
    return [words.wrong(len(found)), *told[:MAX_TOLD], *more]


def links(answer: Answer) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the cells that carry the same number as their neighbour.

    Returns
    -------
    tuple
        Two arrays of the answer's shape: joined to the right, and joined downwards.
    """
    right = np.zeros(answer.shape, dtype=np.bool_)
    down = np.zeros(answer.shape, dtype=np.bool_)
    filled = answer != 0
    right[:, :, :-1] = filled[:, :, :-1] & (answer[:, :, :-1] == answer[:, :, 1:])
    down[:, :-1, :] = filled[:, :-1, :] & (answer[:, :-1, :] == answer[:, 1:, :])
    return right, down


class Stroke(NamedTuple):
    """A straight piece of a line, from one cell to another on the same layer."""

    number: int
    start: Cell
    stop: Cell


def strokes(answer: Answer) -> list[Stroke]:
    """Return the straight pieces of all lines, of two cells and more."""
    found = []
    for z, layer in enumerate(answer.tolist()):
        for y, row in enumerate(layer):
            for number, x, last in _runs(row):
                found.append(Stroke(number, Cell(z, y, x), Cell(z, y, last)))
        for x, column in enumerate(zip(*layer, strict=True)):
            for number, y, last in _runs(column):
                found.append(Stroke(number, Cell(z, y, x), Cell(z, last, x)))
    return found


def single_cells(answer: Answer) -> list[Cell]:
    """Return the filled cells that nothing is joined to on their layer."""
    in_x, in_y = same_neighbours(answer)
    return [Cell(*cell) for cell in np.argwhere((answer != 0) & (in_x + in_y == 0)).tolist()]


def _runs(numbers: list[int] | tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return each run of two or more of one number, not 0, with its first and last index."""
    found = []
    for number, group in groupby(range(len(numbers)), key=numbers.__getitem__):
        indices = list(group)
        if number and len(indices) > 1:
            found.append((number, indices[0], indices[-1]))
    return found
