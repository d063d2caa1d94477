"""Many answers to plain grids against their givens, at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numplace.puzzle import Puzzle


def wrong_answers(
    puzzle: Puzzle, givens: NDArray[np.int64], answers: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return for each answer whether it is wrong.

    Parameters
    ----------
    puzzle
        What all have in common: cells and houses, nothing else.
    givens, answers
        Of each puzzle the numbers of its cells in reading order, 0 for none: (puzzles, cells).
    """
    index = {cell: i for i, cell in enumerate(puzzle.cells)}
    wrong = ((givens != 0) & (givens != answers)).any(axis=1)
    for house in puzzle.houses:
        numbers = np.sort(answers[:, [index[cell] for cell in house.cells]], axis=1)
        wrong |= (numbers != np.arange(1, house.size + 1)).any(axis=1)
    return wrong
