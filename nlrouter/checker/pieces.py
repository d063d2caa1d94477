"""What hangs together in an answer: same-number neighbours, on one layer at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.problem import Cell

Piece = list[Cell]
"""Cells of one number and one layer that hang together."""


def same_neighbours(answer: Answer) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Count, for each filled cell, the neighbours on its layer that carry its number.

    Parameters
    ----------
    answer
        The array to look at.

    Returns
    -------
    tuple
        The counts in x and the counts in y, each 0..2 and of the answer's shape; 0 where the
        answer is empty.
    """
    in_x = np.zeros(answer.shape, dtype=np.int8)
    in_y = np.zeros(answer.shape, dtype=np.int8)
    same = (answer[:, :, 1:] == answer[:, :, :-1]) & (answer[:, :, 1:] != 0)
    in_x[:, :, 1:] += same
    in_x[:, :, :-1] += same
    same = (answer[:, 1:, :] == answer[:, :-1, :]) & (answer[:, 1:, :] != 0)
    in_y[:, 1:, :] += same
    in_y[:, :-1, :] += same
    return in_x, in_y


def pieces(answer: Answer) -> dict[Cell, Piece]:
    """Map each filled cell to its piece.

    Parameters
    ----------
    answer
        The array to split.

    Returns
    -------
    dict
        The cells of a piece share one list. Its first cell is the first in the order of
        layers, rows and columns.
    """
    number_at = {Cell(z, y, x): answer[z, y, x] for z, y, x in np.argwhere(answer).tolist()}
    piece_of: dict[Cell, Piece] = {}
    for start, number in number_at.items():
        if start in piece_of:
            continue
        piece = piece_of[start] = [start]
        for z, y, x in piece:
            for near in (
                Cell(z, y, x - 1),
                Cell(z, y, x + 1),
                Cell(z, y - 1, x),
                Cell(z, y + 1, x),
            ):
                if near not in piece_of and number_at.get(near) == number:
                    piece_of[near] = piece
                    piece.append(near)
    return piece_of
