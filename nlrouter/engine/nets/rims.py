"""The rims of a layer's walls, walked around side by side.

Cells that touch, be it at a corner, make one wall, and the cells outside the board belong to one.
A rim is what bounds one of the discs that a wall leaves over; other walls may stand in the disc.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.regions import regions_of


def rims(filled: NDArray[np.bool_]) -> Iterator[tuple[int, list[int]]]:
    """Yield each rim of a layer: the cell of the wall behind each side, in their order around.

    Parameters
    ----------
    filled
        ``(height, width)`` bool, the cells that make walls. The border is one as well.

    Yields
    ------
    region
        Number of the connected free cells that the rim bounds; an outer rim shares them with the
        rims of the walls that stand in its disc.
    cells
        Cells of the wall, in flat numbers of the layer with a frame of one cell around it, which
        is the border: cell (y, x) is ``(y + 1) * (width + 2) + x + 1``.
    """
    region = regions_of(np.pad(~filled, 1)).ravel()
    free = region > 0
    stride = filled.shape[1] + 2
    # A side is a free cell and a direction, in which a wall is next to it.
    steps = (1, stride, -1, -stride)
    following = np.full((4, len(free)), -1)
    for k, step in enumerate(steps):
        along = (k + 1) % 4
        cells = np.flatnonzero(free & ~np.roll(free, -step))
        ahead = cells + steps[along]
        # Past the corner of the wall; of a cell that is not free this is not asked.
        past = np.where(free[ahead], ahead + step, cells)
        following[k, cells] = np.where(
            free[ahead],
            np.where(free[past], (k + 3) % 4 * len(free) + past, k * len(free) + ahead),
            along * len(free) + cells,
        )
    after = following.ravel().tolist()
    for first in np.flatnonzero(following.ravel() >= 0).tolist():
        rim = []
        side = first
        while after[side] >= 0:
            k, cell = divmod(side, len(free))
            rim.append(cell + steps[k])
            after[side], side = -1, after[side]
        if rim:
            yield int(region[first % len(free)]), rim
