"""Random squares whose lines hold each token once: Latin squares and those of Nylimb mode.

A Latin square of side n is a way to cut the n-regular bipartite graph of rows and columns into
n perfect matchings, one for each number (König 1916). With one more edge between the row and the
column of each of n chosen cells it is (n + 1)-regular, and the n + 1 matchings are the digits of
a Nylimb square, whose chosen cells get two.
"""

from __future__ import annotations

from random import Random

import numpy as np
from minilsap import linear_sum_assignment

from numplace.cell import Cell


def latin_square(side: int, random: Random) -> dict[Cell, int]:
    """Return a random Latin square of the numbers 1 to ``side``, by cells in reading order."""
    digits = _digits(np.ones((side, side), dtype=np.int64), random)
    return {cell: held[0] + 1 for cell, held in digits.items()}


def nylimb_square(side: int, random: Random) -> dict[Cell, int]:
    """Return a random square whose lines hold the digits 0 to ``side``, one cell two of them."""
    room = np.ones((side, side), dtype=np.int64)
    room[np.arange(side), random.sample(range(side), side)] += 1
    numbers = {}
    for cell, held in _digits(room, random).items():
        random.shuffle(held)
        if held[0] == 0:
            held.reverse()
        numbers[cell] = int("".join(map(str, held)))
    return numbers


def _digits(room: np.ndarray, random: Random) -> dict[Cell, list[int]]:
    """Return the digits of each cell of which so many are in every row, column and cell.

    Parameters
    ----------
    room
        ``(side, side)``, how many digits a cell holds; equal sums of rows and columns.
    """
    side, left = len(room), room.copy()
    digits: dict[Cell, list[int]] = {Cell(x, y): [] for y in range(side) for x in range(side)}
    for digit in random.sample(range(room[0].sum()), room[0].sum()):
        # A random order of rows and columns makes the matching random.
        rows, columns = (np.array(random.sample(range(side), side)) for _ in range(2))
        for i, j in zip(*linear_sum_assignment(left[np.ix_(rows, columns)] == 0), strict=True):
            x, y = int(columns[j]), int(rows[i])
            left[y, x] -= 1
            digits[Cell(x, y)].append(digit)
    return digits
