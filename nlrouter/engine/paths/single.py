"""The cheapest path of a single net, the others being walls or a nuisance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import Ground, scratch, search, trace


def cheapest_path(
    nets: Nets,
    net: int,
    target: int,
    free: NDArray[np.bool_],
    nuisance: NDArray[np.float64] | float = 0.0,
) -> NDArray[np.int32]:
    """Find the cheapest path of a net.

    Parameters
    ----------
    nets
        The board.
    net, target
        The net, and the framed cell that it is to reach.
    free
        ``(cells,)`` where it may pass on its layer.
    nuisance
        What cells cost beyond 1: ``(cells,)``, or the same for all.

    Returns
    -------
    numpy.ndarray
        The cells, ends included; empty if there is no path.
    """
    half = np.where(free, 0.5 + 0.5 * nuisance, 0.0)
    room = scratch(nets.cells, 0)
    state = search(nets.source[net], target, Ground(free, half, nets.stride), room)
    path = np.empty(nets.cells, np.int32)
    return path[: trace(state, room.pred, path)] if state >= 0 else path[:0]
