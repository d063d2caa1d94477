"""Patterns that give a puzzle a second solution, without any technique.

A filling whose numbers can be exchanged so that all constraints still hold is never the only
one: a puzzle with one solution has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from numplace.cell import Cell
from numplace.check.notes import Notes
from numplace.constraints import House


def exchangeable(
    notes: Notes, numbers: Mapping[Cell, int], cells: tuple[Cell, ...], digits: tuple[int, ...]
) -> bool:
    """Return whether two of some numbers can change places among some cells.

    Parameters
    ----------
    numbers
        The numbers of cells; those of all ``cells`` are there.
    cells
        Cells that are not filled yet; those with other numbers stay as they are.
    digits
        The numbers, two of which change places.
    """
    for a, b in combinations(sorted(set(digits)), 2):
        pattern = [cell for cell in cells if numbers.get(cell) in (a, b)]
        if pattern and _free(notes, pattern) and _balanced(notes, numbers, set(pattern), a):
            return True
    return False


def _balanced(notes: Notes, numbers: Mapping[Cell, int], pattern: set[Cell], a: int) -> bool:
    """Return whether each house has as many of one number as of the other in the pattern."""
    for house in notes.puzzle.houses:
        inside = [numbers[cell] == a for cell in house.cells if cell in pattern]
        if 2 * sum(inside) != len(inside):
            return False
    return True


def all_in_pairs(notes: Notes, cell: Cell, number: int) -> bool:
    """Return whether without a candidate every open cell, and every number of a house, has two.

    If such a grid had a solution, the other candidate of every cell would make another one.
    """
    left = {each: notes.left[each] - ({number} if each == cell else set()) for each in notes.open}
    if not _free(notes, list(left)) or any(len(each) != 2 for each in left.values()):
        return False
    for house in notes.puzzle.houses:
        held = [digit for each in house.cells if each in left for digit in left[each]]
        if any(held.count(digit) != 2 for digit in held):
            return False
    return True


def _free(notes: Notes, cells: list[Cell]) -> bool:
    """Return whether cells are unfilled and no other constraint than houses reads them."""
    read = {
        cell
        for constraint in notes.puzzle.constraints
        if not isinstance(constraint, House)
        for cell in constraint.cells
    }
    return not any(cell in notes.filled or cell in read for cell in cells)
