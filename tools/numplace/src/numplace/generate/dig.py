"""Taking givens away from a full grid while the puzzle keeps one solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from numplace.cell import Cell
from numplace.puzzle import Puzzle
from numplace.result import Status
from numplace.solve.bits import FastCounter, knows
from numplace.solve.count import count_answers

Orbit = tuple[Cell, ...]
Givens = Mapping[Cell, int]


def uniqueness(puzzle: Puzzle) -> Callable[[Givens], bool]:
    """Return what tells whether a puzzle, with other givens, has exactly one answer.

    What takes long counts as several: no pastime for people, and on large grids it may take ages.
    """
    if knows(puzzle):
        counter = FastCounter(puzzle)

        def find(givens: Givens) -> bool:
            found = counter.find(givens)
            return found is not None and len(found) == 1

        return find

    def count(givens: Givens) -> bool:
        result = count_answers(puzzle.with_givens(givens)).unless_interrupted()
        return result.status is Status.UNIQUE

    return count


def dig(
    puzzle: Puzzle,
    orbits: Iterable[Orbit],
    random: Random,
    *,
    least: int = 0,
    unique: Callable[[Givens], bool] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> list[Orbit]:
    """Return groups of givens that can go, one after the other, in this order.

    What is left once all of them are gone has one answer, and no group of it can go too, unless
    ``least`` or ``stop`` ended it.

    Parameters
    ----------
    puzzle
        A puzzle with one answer, most simply a full grid.
    orbits
        The groups that go together or stay together.
    least
        Givens that must be left.
    unique
        Tells of givens whether the puzzle has exactly one answer with them; by default what
        `uniqueness` returns, which can be kept for other grids of the same shape.
    stop
        Asked before each try; True ends it there.
    """
    unique = unique or uniqueness(puzzle)
    order = [orbit for orbit in orbits if all(cell in puzzle.givens for cell in orbit)]
    random.shuffle(order)
    givens = dict(puzzle.givens)
    gone = []
    for orbit in order:
        if stop():
            break
        if len(givens) - len(orbit) < least:
            continue
        fewer = {cell: number for cell, number in givens.items() if cell not in orbit}
        if unique(fewer):
            givens = fewer
            gone.append(orbit)
    return gone


def without(puzzle: Puzzle, gone: Sequence[Orbit]) -> Puzzle:
    """Return a puzzle without some of its givens."""
    away = {cell for orbit in gone for cell in orbit}
    left = {cell: number for cell, number in puzzle.givens.items() if cell not in away}
    return puzzle.with_givens(left)
