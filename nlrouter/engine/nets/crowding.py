"""Boards whose lines must cross a straight cut of a layer in more places than it has.

A cut runs between two neighbouring columns or rows. A line on one layer crosses if its ends lie
on either side. Of the lines that share the vias of one span, at least as many cross as one side
has more ends than vias, whichever vias they take. Each line that crosses needs a place of its
own: two neighbouring cells, one on either side, that are free or its own end or via.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.engine.nets.groups import Group, groups_of
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem

Side = NDArray[np.bool_]
"""``(height, width)``, the cells on one side of a cut."""

BLOCKED = -1
"""Mark of a cell that no line can use."""


def crowded_cut(problem: Problem, fixed: Answer) -> str:
    """Name a straight cut that too many lines must cross; return an empty text if there is none.

    Parameters
    ----------
    problem
        The board; every span has as many vias as lines.
    fixed
        Lines that stay as they are, drawn as in an answer.
    """
    taken = np.where((fixed > 0) | (occupants(problem) != FREE), BLOCKED, FREE)
    for z, groups in enumerate(groups_of(problem, fixed)):
        # Who may use a cell: everybody, nobody, or one group, numbered from 1.
        users = taken[z].copy()
        for number, group in enumerate(groups, 1):
            for cell in group.starts + group.stops:
                users[cell[1:]] = number
        for axis, name in ((1, "column"), (0, "row")):
            for k in range(1, users.shape[axis]):
                reason = _too_many(groups, users, axis, k)
                if reason:
                    where = f"on layer {z + 1}, between {name}s {k - 1} and {k} (counted from 0), "
                    return where + reason
    return ""


def _too_many(groups: list[Group], users: NDArray[np.int32], axis: int, k: int) -> str:
    """Say how many lines must cross before row or column ``k``, if those are too many."""
    side = np.indices(users.shape)[axis] < k
    along = users if axis == 0 else users.T
    own = [0] * (len(groups) + 1)
    for user in _places(along[k - 1], along[k]):
        own[user] += 1
    crossing = [_crossing(group, side) for group in groups]
    places = own[FREE] + sum(min(a, b) for a, b in zip(crossing, own[1:], strict=True))
    if sum(crossing) <= places:
        return ""
    names = []
    for group, count in zip(groups, crossing, strict=True):
        lines = ", ".join(f"LINE#{number}" for number in group.lines)
        if count:
            names.append(lines if count == len(group.lines) else f"{count} of {lines}")
    total = sum(crossing)
    return (
        f"{total} line{'s' * (total > 1)} must cross ({'; '.join(names)}), but only {places} "
        f"place{'s are' if places != 1 else ' is'} open to {'them' if total > 1 else 'it'}"
    )


def _crossing(group: Group, side: Side) -> int:
    """Return how many lines of a group cross at least."""
    starts, stops = (
        sum(bool(side[cell[1:]]) for cell in cells) for cells in (group.starts, group.stops)
    )
    return abs(starts - stops)


def _places(before: NDArray[np.int32], after: NDArray[np.int32]) -> Iterator[int]:
    """Return who may use each pair of neighbouring cells: everybody or one group."""
    for one, other in zip(before.tolist(), after.tolist(), strict=True):
        if BLOCKED not in (one, other) and (one == other or FREE in (one, other)):
            yield max(one, other)
