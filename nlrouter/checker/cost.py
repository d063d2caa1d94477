"""What an answer costs: its length and its bends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer, Cost
from nlrouter.checker.pieces import same_neighbours


def measure(answer: Answer) -> Cost:
    """Measure an answer, correct or not.

    Parameters
    ----------
    answer
        The answer.

    Returns
    -------
    Cost
        The number of its filled cells and of its bends.
    """
    return Cost(int(np.count_nonzero(answer)), int(np.count_nonzero(bends(answer))))


def bends(answer: Answer) -> NDArray[np.bool_]:
    """Mark the bends: filled cells with a neighbour of their number in x and one in y.

    Parameters
    ----------
    answer
        The answer.

    Returns
    -------
    numpy.ndarray
        Of the answer's shape. Neighbours on other layers do not count.
    """
    in_x, in_y = same_neighbours(answer)
    return (in_x > 0) & (in_y > 0)
