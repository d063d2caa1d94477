"""Boards and answers drawn as a grid of labels, as puzzle files have them.

A label names a line: a number, a letter or any other sign. The lines get the numbers 1, 2, ... in
the order of their labels, numbers before other signs, so that an answer with the same labels has
the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nlrouter.answer import Answer
from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import to_int
from nlrouter.problem import MAX_CELLS, Cell, Line, Problem

Labels = list[list[str]]
"""Rows of labels; an empty one is an empty cell."""


def problem_of(labels: Labels, name: str, line_of_row: Sequence[int | None]) -> Problem:
    """Return the board whose ends are labelled.

    Parameters
    ----------
    labels
        The rows, all of one length.
    name
        The file's name, for messages.
    line_of_row
        The line of the file that each row stands in, None for a place without lines.

    Raises
    ------
    FileError
        If there is no label, or one is not in exactly two cells.
    """
    cells: dict[str, list[Cell]] = {}
    for y, row in enumerate(labels):
        for x, label in enumerate(row):
            if label:
                cells.setdefault(label, []).append(Cell(0, y, x))
    if not cells:
        raise FileError(name, None, "no label or number on the board", "two ends of each line")
    numbers = numbers_of(cells)
    ends: dict[int, tuple[Cell, Cell]] = {}
    for label, places in cells.items():
        if len(places) != 2:
            named = ", ".join(f"({place.x},{place.y})" for place in places[:3])
            found = f"{quote(label)} in {len(places)} cell{'s' * (len(places) > 1)} ({named}"
            found += ", ...)" if len(places) > 3 else ")"
            expected = "each label in exactly two cells, the ends of a line"
            raise FileError(name, line_of_row[places[-1].y], found, expected)
        ends[numbers[label]] = (places[0], places[1])
    lines = tuple(Line(number, ends[number]) for number in sorted(ends))
    return Problem(len(labels[0]), len(labels), 1, lines)


def answer_of(labels: Labels) -> Answer:
    """Return the answer whose cells are labelled, with the numbers that the labels stand for."""
    numbers = numbers_of({label for row in labels for label in row if label}) | {"": 0}
    return np.array([[[numbers[label] for label in row] for row in labels]], np.int32)


def numbers_of(labels: Iterable[str]) -> dict[str, int]:
    """Return the number of each label: numbers in their order, then other signs in theirs."""
    ordered = sorted(set(labels), key=lambda label: (not _is_number(label), _value(label), label))
    return {label: number for number, label in enumerate(ordered, start=1)}


def require_cells(width: int, height: int, name: str, line: int | None) -> None:
    """Raise `FileError` where a board has no cell, or more than any may have."""
    if min(width, height) < 1 or width * height > MAX_CELLS:
        expected = f"a board of 1 to {MAX_CELLS} cells"
        raise FileError(name, line, f"a board of {width} columns and {height} rows", expected)


def require_one_layer(problem: Problem, form: str) -> None:
    """Raise `FileError` where a form of one layer cannot hold a board.

    Parameters
    ----------
    problem
        The board.
    form
        What it is to be written as, a phrase.
    """
    if problem.layers > 1:
        vias = f" and {len(problem.vias)} vias" if problem.vias else ""
        found = f"{problem.layers} layers{vias}"
        raise FileError(form, None, f"a board of {found}", "one layer, as this form has no more")


def _is_number(label: str) -> bool:
    return label.isascii() and label.isdigit()


def _value(label: str) -> int:
    return to_int(label) if _is_number(label) else 0
