"""Connected cells of a layer.

As ``scipy.ndimage.label`` has it; SciPy takes 140 MB, and as long to load as all else that a small
board needs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def regions_of(cells: NDArray[np.bool_], *, corners: bool = False) -> NDArray[np.int32]:
    """Number the connected cells among some.

    Row by row, the runs of cells are joined with those that they touch above (A. Rosenfeld, J. L.
    Pfaltz, Sequential operations in digital picture processing, 1966).

    Parameters
    ----------
    cells
        ``(height, width)`` which cells.
    corners
        Whether cells that touch at a corner are connected.

    Returns
    -------
    NDArray
        ``(height, width)`` the number of each cell's region from 1, and 0 elsewhere.
    """
    height = len(cells)
    edges = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    stops = np.nonzero(edges == -1)[1]
    parent = list(range(len(rows)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    first = np.searchsorted(rows, np.arange(height + 1)).tolist()
    start, stop = starts.tolist(), stops.tolist()
    reach = int(corners)
    for y in range(1, height):
        above, end = first[y - 1], first[y]
        for run in range(first[y], first[y + 1]):
            while above < end and stop[above] + reach <= start[run]:
                above += 1
            other = above
            while other < end and start[other] < stop[run] + reach:
                parent[root(other)] = root(run)
                other += 1
    roots = [root(run) for run in range(len(parent))]
    _, number = np.unique(np.array(roots, np.intp), return_inverse=True)
    regions = np.zeros(cells.shape, np.int32)
    regions[cells] = np.repeat(number + 1, stops - starts)
    return regions
