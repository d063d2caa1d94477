"""What follows when a line may no longer take some via: each line has one, and each via."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.nets.choice import Choice


def possible(choice: Choice) -> bool:
    """Return whether every line has a via left, and every via a line."""
    return all(left.any(axis=0).all() and left.any(axis=1).all() for left in choice)


def matched(choice: Choice) -> bool:
    """Return whether every line can have a via of its own."""
    return all(bool((maximum_bipartite_matching(csr_array(left)) >= 0).all()) for left in choice)


def assignments(choice: Choice, most: int) -> int:
    """Count the ways to give every line a via of its own, up to ``most``."""
    found = 1
    for allowed in choice:
        found *= _matchings(allowed, np.zeros(len(allowed), np.bool_), 0, most)
        if found == 0 or found > most:
            break
    return min(found, most)


def _matchings(allowed: NDArray[np.bool_], taken: NDArray[np.bool_], row: int, most: int) -> int:
    """Count the ways to match the rows from ``row`` on with what is not taken, up to ``most``."""
    if row == len(allowed):
        return 1
    found = 0
    for column in np.flatnonzero(allowed[row] & ~taken):
        taken[column] = True
        found += _matchings(allowed, taken, row + 1, most - found)
        taken[column] = False
        if found >= most:
            break
    return found


def propagate(choice: Choice, conflicts: Conflicts | None) -> Choice:
    """Take out what conflicts exclude, and a line's only via from the others, and conversely."""
    while True:
        narrowed = tuple(_match(allowed) for allowed in choice)
        if conflicts is not None and possible(narrowed):
            narrowed = conflicts.narrow(narrowed)
        if all((a == b).all() for a, b in zip(narrowed, choice, strict=True)):
            return narrowed
        choice = narrowed


def probed(choice: Choice, conflicts: Conflicts) -> Choice:
    """Take out the vias from which it follows that some line has none."""
    left = propagate(choice, conflicts)
    for i, row, column in conflicts.choices:
        if not left[i][row, column] or left[i][row].sum() == 1:
            continue
        if not possible(propagate(with_via(left, i, row, column), conflicts)):
            left[i][row, column] = False
            left = propagate(left, conflicts)
    return left


def with_via(choice: Choice, i: int, row: int, column: int) -> Choice:
    """Return a choice in which a line takes a via."""
    allowed = choice[i].copy()
    allowed[row] = False
    allowed[:, column] = False
    allowed[row, column] = True
    return (*choice[:i], allowed, *choice[i + 1 :])


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
