"""What the clauses of an ``.sdq`` file mean."""

from __future__ import annotations

import re

from nlrouter.files.errors import quote
from numplace.cell import Cell
from numplace.constraints import (
    Cage,
    Constraint,
    Different,
    HiddenThermometers,
    House,
    Less,
    LessEqual,
    Sandwich,
    Thermometer,
)
from numplace.files.sdq_tokens import Clause
from numplace.shapes import frame

SIZE = 9
CELLS = tuple(Cell(x, y) for y in range(SIZE) for x in range(SIZE))
"""All cells in reading order."""

LARGEST_SUM = 999_999
"""Largest sum of a cage that is read; what no cage can have is found out later."""

LARGEST_SANDWICH = 35
"""The sum of 2 to 8, all that can be between 1 and 9."""

DIRECTIONS = {1: (0, -1), 2: (1, 0), 3: (0, 1), 4: (-1, 0)}
"""Up, right, down, left as ``(right, down)``."""

PARTS = {"row": "row", "column": "column", "box": "block"}
"""The words of the clause Sudoku and the kinds of houses they mean."""


def parse_sudoku(clause: Clause) -> list[House]:
    """Return the houses of ``{Sudoku:}``; without words all of them."""
    for word in clause.words:
        if word.text.casefold() not in PARTS:
            raise clause.error(word.line, quote(word.text), "row, column or box")
    kinds = {PARTS[word.text.casefold()] for word in clause.words} or set(PARTS.values())
    return [house for house in frame(3, 3) if house.kind in kinds]


def parse_grid(clause: Clause, low: int) -> dict[Cell, int]:
    """Return the numbers of ``{Grid:`` (low 0, which is an empty cell) or ``{Solution:``."""
    numbers = _eighty_one(clause, 0, low, SIZE)
    return {cell: number for cell, number in zip(CELLS, numbers, strict=True) if number}


def parse_anti_knight(clause: Clause) -> list[Constraint]:
    """Return the pairs of cells that are a knight's move apart."""
    if clause.words:
        word = clause.words[0]
        raise clause.error(word.line, quote(word.text), "nothing")
    inside = set(CELLS)
    return [
        Different(cell, other, "knight's move")
        for cell in CELLS
        for move in ((1, 2), (-1, 2), (2, 1), (-2, 1))
        if (other := cell.moved(*move)) in inside
    ]


def parse_killer(clause: Clause, *, distinct: bool) -> list[Constraint]:
    """Return the cages of ``{Killer:``."""
    count = clause.number(0, 0, len(CELLS), "the number of cages")
    sums = [clause.number(i + 1, 0, LARGEST_SUM, f"the sum of cage {i + 1}") for i in range(count)]
    cages: list[list[Cell]] = [[] for _ in range(count + 1)]
    numbers = _eighty_one(clause, count + 1, 0, count)
    for cell, number in zip(CELLS, numbers, strict=True):
        cages[number].append(cell)
    for number, cells in enumerate(cages[1:], start=1):
        if not cells:
            raise clause.error(None, f"no cell of cage {number}", "a cell or more of each cage")
    return [
        Cage(tuple(cells), total, distinct, number)
        for number, (cells, total) in enumerate(zip(cages[1:], sums, strict=True), start=1)
    ]


def parse_sandwich(clause: Clause) -> list[Constraint]:
    """Return the sums of ``{SandwichSum:``, columns first."""
    lines: list[Constraint] = []
    at = 0
    for kind in ("column", "row"):
        if kind == "row" and at == len(clause.words):
            break
        count = clause.number(at, 0, SIZE, f"the number of {kind}s with a sum")
        at += 1
        seen = set()
        for _ in range(count):
            number = clause.number(at, 1, SIZE, f"a {kind}")
            if number in seen:
                line = clause.words[at].line
                raise clause.error(line, f"{kind} {number} twice", f"each {kind} once")
            seen.add(number)
            total = clause.number(at + 1, 0, LARGEST_SANDWICH, f"the sum of {kind} {number}")
            cells = tuple(cell for cell in CELLS if cell[kind == "row"] == number - 1)
            lines.append(Sandwich(cells, total, kind, number))
            at += 2
    _end(clause, at)
    return lines


def parse_arrow_head(clause: Clause) -> list[Constraint]:
    """Return the inequalities of ``{ArrowHead:``."""
    equal = bool(clause.words) and clause.words[0].says("EQ")
    cells = [_cell(clause, index) for index in range(equal, len(clause.words))]
    if len(cells) % 2:
        raise clause.error(None, f"{len(cells)} cells", "pairs of cells, the smaller first")
    kind = LessEqual if equal else Less
    return [kind(a, b) for a, b in zip(cells[::2], cells[1::2], strict=True)]


def parse_thermometers(clause: Clause) -> list[Constraint]:
    """Return the thermometers of ``{Thermometer:``."""
    frozen = bool(clause.words) and clause.words[0].says("frozen")
    return [
        Thermometer(tuple(_cell(clause, index) for index in indices), frozen)
        for indices in _after_zeros(clause, int(frozen), "thermometer", "cells")
    ]


def parse_hidden(clause: Clause) -> list[Constraint]:
    """Return the shapes of ``{ThermometersHidden:`` as one constraint."""
    shapes = []
    for indices in _after_zeros(clause, 0, "shape", "directions"):
        shape = [(0, 0)]
        for index in indices:
            direction = clause.number(
                index, 1, 4, "a direction (1 up, 2 right, 3 down, 4 left) or 0"
            )
            right, down = DIRECTIONS[direction]
            shape.append((shape[-1][0] + right, shape[-1][1] + down))
        shapes.append(tuple(shape))
    return [HiddenThermometers(CELLS, tuple(shapes))] if shapes else []


def parse_difficulty(clause: Clause) -> tuple[tuple[Cell, int, int], ...]:
    """Return the cells of ``{Difficulty:`` and the first and last value of each."""
    if not clause.words:
        raise clause.error(None, "nothing", "a cell and a range of values")
    ranges: list[tuple[Cell, int, int]] = []
    for at in range(0, len(clause.words), 3):
        cell = _cell(clause, at)
        if cell in (other for other, _, _ in ranges):
            raise clause.error(clause.words[at].line, f"{cell} twice", "each cell once")
        low = clause.number(at + 1, 1, SIZE, "the first value")
        high = clause.number(at + 2, 1, SIZE, "the last value")
        if low > high:
            found = f"the empty range {low} to {high}"
            raise clause.error(clause.words[at + 1].line, found, "the smaller value first")
        ranges.append((cell, low, high))
    return tuple(ranges)


def _eighty_one(clause: Clause, start: int, low: int, high: int) -> list[int]:
    """Return the 81 numbers from an index on, with nothing behind them."""
    there = len(clause.words) - start
    for at in range(start, min(len(clause.words), start + len(CELLS))):
        clause.number(at, low, high, "a number")
    if there != len(CELLS):
        raise clause.error(None, f"{there} numbers", f"{len(CELLS)} numbers, {low} to {high}")
    return [clause.number(start + i, low, high, "a number") for i in range(len(CELLS))]


def _cell(clause: Clause, index: int) -> Cell:
    """Return the cell at an index, two digits ``xy``."""
    expected = "a cell, two digits from 1 to 9"
    if index >= len(clause.words):
        raise clause.error(None, "the end", expected)
    word = clause.words[index]
    if not re.fullmatch(r"[1-9][1-9]", word.text, re.ASCII):
        raise clause.error(word.line, quote(word.text), expected)
    return Cell(int(word.text[0]) - 1, int(word.text[1]) - 1)


def _after_zeros(clause: Clause, start: int, one: str, what: str) -> list[list[int]]:
    """Return the indices of the words behind each 0."""
    runs: list[list[int]] = []
    for index in range(start, len(clause.words)):
        word = clause.words[index]
        if re.fullmatch(r"0+", word.text):
            if runs and not runs[-1]:
                raise clause.error(word.line, f"a {one} without {what}", f"{what} after the 0")
            runs.append([])
        elif not runs:
            expected = f"0, which starts a {one}"
            raise clause.error(word.line, quote(word.text), expected)
        else:
            runs[-1].append(index)
    if runs and not runs[-1]:
        raise clause.error(None, f"a {one} without {what}", f"{what} after the 0")
    return runs


def _end(clause: Clause, at: int) -> None:
    if at < len(clause.words):
        word = clause.words[at]
        raise clause.error(word.line, quote(word.text), "the end of the clause")
