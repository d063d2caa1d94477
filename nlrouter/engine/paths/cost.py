"""What a path costs: its inner cells and its bends. Compiled."""

from __future__ import annotations

from nlrouter.compiled import njit


@njit(cache=True)
def path_cost(path, length):
    """Return inner cells plus bends of a path; 0 where there is none."""
    if length == 0:
        return 0
    bends = 0
    for k in range(2, length):
        if (path[k] - path[k - 1]) != (path[k - 1] - path[k - 2]):
            bends += 1
    return length - 2 + bends


@njit(cache=True)
def total_cost(members, paths, lengths):
    """Return inner cells plus bends of some nets."""
    cost = 0
    for net in members:
        cost += path_cost(paths[net], lengths[net])
    return cost
