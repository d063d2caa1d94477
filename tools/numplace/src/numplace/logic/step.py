"""A step of an explanation: what is seen, and what follows. Knows no technique."""

from __future__ import annotations

from dataclasses import dataclass, field

from numplace.cell import Cell

Candidate = tuple[Cell, int]
"""A number that a cell may still hold."""


@dataclass(frozen=True, slots=True)
class Step:
    """One deduction.

    Parameters
    ----------
    technique
        Its name, one of `numplace.logic.ladder.LADDER`.
    houses
        Names of the houses it rests on, those that a reader looks at first before those that
        only link cells; see `numplace.naming`.
    cells
        The cells it rests on, with their candidates as they stand.
    digits
        The numbers it speaks of.
    places
        Cells and the numbers that go there. Whoever places one also strikes it from all cells
        that cannot hold it too.
    strikes
        Candidates that go, sorted by cell and number.
    clues
        Names of the clues it rests on; see `numplace.naming`.
    path
        For a chain: its candidates in order, a group of cells with one number each.
    main
        How many of ``houses``, and how many of ``clues``, the words name; the rest only link
        cells.
    unique
        Whether it holds only because the puzzle has one solution.
    """

    technique: str
    houses: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    digits: tuple[int, ...] = ()
    places: tuple[Candidate, ...] = ()
    strikes: tuple[Candidate, ...] = ()
    clues: tuple[str, ...] = ()
    path: tuple[tuple[tuple[Cell, ...], int], ...] = field(default=())
    main: tuple[int, int] = (1, 0)
    unique: bool = False
