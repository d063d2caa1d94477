"""Why lines cannot take some vias: what follows from pairs of choices that exclude each other.

It is what ``bounds.choices`` and `Conflicts.narrow` take out, choice by choice and with the
reasons, so that it can be written step by step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlrouter.engine.bounds.choices import possible, with_via
from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.nets.domains import Domains

ChoiceKey = tuple[int, int, int]
"""Class, line of the class, via of the class."""


@dataclass(frozen=True)
class Removal:
    """A choice that cannot be, and why.

    Parameters
    ----------
    choice
        The choice.
    line
        Class and place of a line of which it excludes every via; that of the choice itself where a
        net with settled ends excludes it; None where lines and vias cannot be matched with it.
    steps
        What goes with it, one after the other, until some line or via has none left, where the
        reason is none of these.
    """

    choice: ChoiceKey
    line: tuple[int, int] | None = None
    steps: tuple[Removal, ...] = ()


def removals(before: Domains, after: Domains, conflicts: Conflicts | None) -> tuple[Removal, ...]:
    """Return what is to be taken out of domains, in order, so that others are left.

    Parameters
    ----------
    before, after
        The choices; ``after`` is what `propagate` or `probed` makes of ``before``, or leaves some
        line or via without any.
    conflicts
        Those by which it does, or None.
    """
    left = tuple(allowed.copy() for allowed in before)
    found = _follow(left, conflicts)
    for i, wanted in enumerate(after):
        for row, via in np.argwhere(left[i] & ~wanted).tolist():
            if left[i][row, via] and possible(left):  # It may have gone meanwhile.
                trial = with_via(left, i, row, via)
                steps = _follow(tuple(allowed.copy() for allowed in trial), conflicts)
                left[i][row, via] = False
                found += [Removal((i, row, via), steps=tuple(steps)), *_follow(left, conflicts)]
    return tuple(found)


def _follow(left: Domains, conflicts: Conflicts | None) -> list[Removal]:
    """Take out of domains, in place, what follows; return it in order."""
    found: list[Removal] = []
    while possible(left):
        new = _unmatched(left) or ([] if conflicts is None else _excluded(left, conflicts))
        if not new:
            break
        for removal in new:
            i, row, via = removal.choice
            left[i][row, via] = False
        found += new
    return found


def _unmatched(left: Domains) -> list[Removal]:
    """Return the choices that would take a line's only via, or a via's only line, from it."""
    gone: dict[ChoiceKey, Removal] = {}
    for i, allowed in enumerate(left):
        only_via = allowed & (allowed.sum(axis=1) == 1)[:, None]
        only_line = allowed & (allowed.sum(axis=0) == 1)
        beside = only_via.any(axis=0) & ~only_via | only_line.any(axis=1)[:, None] & ~only_line
        for row, via in np.argwhere(allowed & beside).tolist():
            gone[i, row, via] = Removal((i, row, via))
    return list(gone.values())


def _excluded(left: Domains, conflicts: Conflicts) -> list[Removal]:
    """Return the choices that exclude themselves, or every via of some line."""
    choices = [(int(i), int(row), int(via)) for i, row, via in conflicts.choices]
    open_to = np.array([left[i][row, via] for i, row, via in choices], np.bool_)
    gone = {
        choices[k]: Removal(choices[k], line=choices[k][:2])
        for k in np.flatnonzero(open_to & np.diagonal(conflicts.excluded))
    }
    for line in dict.fromkeys(key[:2] for key in choices):
        mine = np.array([key[:2] == line for key in choices])
        out = open_to & ~mine & conflicts.excluded[open_to & mine].all(axis=0)
        for k in np.flatnonzero(out):
            gone.setdefault(choices[k], Removal(choices[k], line=line))
    return list(gone.values())
