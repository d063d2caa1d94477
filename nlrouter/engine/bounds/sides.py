"""Which side of each other two nets pass: a choice that planarity leaves, and its price.

Give every net a *curve* between its ends, drawn once and for all between the cells (see
``curves``). Of two nets i, j of one layer, the closed curves (path of i + curve of i) and (path
of j + curve of j) cross an even number of times, and the paths do not meet. So, modulo 2,

    (crossings of path i with curve j) + (crossings of path j with curve i)
        = (crossings of curve i with curve j),

which leaves just two cases: the *side* of i against j, 0 or 1, says how often its path crosses
the curve of j, modulo 2, and that of j against i follows. Another curve would shift a side by
a constant only.

A settled side is no relaxation: the cheapest path with given sides is found exactly, by a
search whose states carry a bit for each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Passage:
    """What is settled of a net's path: the parity of its crossings with a curve.

    Parameters
    ----------
    name
        What tells the curve from others.
    crossed
        ``(2, 2, cells)`` bool, per sheet the edges that the curve crosses an odd number of times.
    parity
        The wanted one.
    turn
        The name of the net's passage whose parity tells the sheet; None outside of covers.
    """

    name: Name
    crossed: NDArray[np.bool_]
    parity: int
    turn: Name | None = None


Name = tuple[int, int]
"""A net or -1, and an end or -1: the curve of a net, the ray of an end, or the one in its cover."""
