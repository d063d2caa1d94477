"""What follows when a line may no longer take some via: each line has one, and each via."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.nets.domains import Domains


def possible(domains: Domains) -> bool:
    """Return whether every line has a via left, and every via a line."""
    return all(left.any(axis=0).all() and left.any(axis=1).all() for left in domains)


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
