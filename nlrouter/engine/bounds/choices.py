"""What follows when a line may no longer take some via: each line has one, and each via."""

from __future__ import annotations

import numpy as np
from minilsap import linear_sum_assignment
from numpy.typing import NDArray

from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.nets.domains import Domains


def possible(domains: Domains) -> bool:
    """Return whether every line has a via left, and every via a line."""
    return all(left.any(axis=0).all() and left.any(axis=1).all() for left in domains)


def assignments(domains: Domains, most: int) -> int:
    """Count the ways to give every line a via of its own, up to ``most``."""
    found = 1
    for allowed in domains:
        found *= _matchings(allowed, most)
        if found == 0 or found > most:
            break
    return min(found, most)


def _matchings(allowed: NDArray[np.bool_], most: int) -> int:
    """Count the ways to match all lines of a class, up to ``most``.

    Each pair left in is part of a matching, so no branch is in vain; there are at least pairs -
    lines - vias + components + 1 of them (L. Lovász, M. Plummer, Matching theory, 1986, for each
    component).
    """
    left, components = _supported(allowed)
    if not left.any(axis=1).all():
        return 0
    if int(left.sum()) - 2 * len(left) + components + 1 >= most:
        return most
    open_rows = np.flatnonzero(left.sum(axis=1) > 1)
    if not len(open_rows):
        return 1
    row, found = int(open_rows[0]), 0
    for column in np.flatnonzero(left[row]):
        (taken,) = with_via((left,), 0, row, int(column))
        found += _matchings(taken, most - found)
        if found >= most:
            break
    return found


def _supported(allowed: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], int]:
    """Return the pairs that are part of a matching of all lines, and how many components they make.

    A line may take what another holds in some matching if that one's loss can come back to it
    (J.-C. Régin, A filtering algorithm for constraints of difference in CSPs, 1994).
    """
    rows, held = linear_sum_assignment(~allowed)
    left = np.zeros_like(allowed)
    if not allowed[rows, held].all():
        return left, 0
    wants = allowed[:, held]
    reached = wants.copy()  # S. Warshall, A theorem on Boolean matrices, 1962.
    for k in rows:
        reached[reached[:, k]] |= reached[k]
    left[:, held] = wants & reached.T
    first = (reached & reached.T).argmax(axis=1)
    return left, len(np.unique(first))


def propagate(domains: Domains, conflicts: Conflicts | None) -> Domains:
    """Take out what conflicts exclude, and a line's only via from the others, and conversely."""
    while True:
        narrowed = tuple(_match(allowed) for allowed in domains)
        if conflicts is not None and possible(narrowed):
            narrowed = conflicts.narrow(narrowed)
        if all((a == b).all() for a, b in zip(narrowed, domains, strict=True)):
            return narrowed
        domains = narrowed


def probed(domains: Domains, conflicts: Conflicts) -> Domains:
    """Take out the vias from which it follows that some line has none."""
    left = propagate(domains, conflicts)
    for i, row, column in conflicts.choices:
        if not left[i][row, column] or left[i][row].sum() == 1:
            continue
        if not possible(propagate(with_via(left, i, row, column), conflicts)):
            left[i][row, column] = False
            left = propagate(left, conflicts)
    return left


def with_via(domains: Domains, i: int, row: int, column: int) -> Domains:
    """Return domains in which a line takes a via."""
    allowed = domains[i].copy()
    allowed[row] = False
    allowed[:, column] = False
    allowed[row, column] = True
    return (*domains[:i], allowed, *domains[i + 1 :])


def _match(allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Take a via that is a line's only one from the others, and the other way round."""
    left = allowed.copy()
    while True:
        before = left.sum()
        for row in np.flatnonzero(left.sum(axis=1) == 1):
            column = np.argmax(left[row])
            left[:, column] = False
            left[row, column] = True
        for column in np.flatnonzero(left.sum(axis=0) == 1):
            row = np.argmax(left[:, column])
            left[row] = False
            left[row, column] = True
        if left.sum() == before:
            return left
