"""Clauses, and what follows from them by unit propagation alone.

A clause all of whose literals but one are false makes that one true; one whose literals are all
false is a contradiction. Each clause is looked at only when one of two of its literals, which
come first in it, becomes false (M. Moskewicz et al., Chaff 2001). What follows from the clauses
without any assumption stays; what an assumption brings is undone.

Literals are ``2 * variable`` and, negated, ``2 * variable + 1``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit

NONE = -1


@inner(cache=True)
def _assign(literal, clause, value, trail, counts):
    """Make a literal true, because of a clause."""
    value[literal] = 1
    value[literal ^ 1] = -1
    trail[counts[0], 0] = literal
    trail[counts[0], 1] = clause
    counts[0] += 1


@inner(cache=True)
def _propagate(literals, start, first, onward, value, trail, counts):
    """Go on until nothing follows; return a clause that is contradicted, or `NONE`."""
    while counts[1] < counts[0]:
        false = trail[counts[1], 0] ^ 1
        counts[1] += 1
        before = NONE
        watch = first[false]
        while watch != NONE:
            counts[3] += 1
            clause, place = watch >> 1, watch & 1
            begin, end = start[clause], start[clause + 1]
            following = onward[watch]
            other = literals[begin + 1 - place]
            moved = False
            if value[other] != 1:
                for k in range(begin + 2, end):
                    if value[literals[k]] != -1:
                        literal = literals[k]
                        literals[k] = false
                        literals[begin + place] = literal
                        if before == NONE:
                            first[false] = following
                        else:
                            onward[before] = following
                        onward[watch] = first[literal]
                        first[literal] = watch
                        moved = True
                        break
                if not moved:
                    if value[other] == -1:
                        counts[1] = counts[0]
                        return clause
                    _assign(other, clause, value, trail, counts)
            if not moved:
                before = watch
            watch = following
    return NONE


@njit(cache=True)
def _add(clauses, ends, literals, start, first, onward, value, trail, counts):
    """Add clauses, one after the other, with what follows; return one contradicted, or `NONE`."""
    begin = 0
    for end in ends:
        clause = counts[2]
        counts[2] += 1
        at = start[clause]
        start[clause + 1] = at + end - begin
        # What is not false comes first, so that it is watched.
        low, high = at, at + end - begin
        for k in range(begin, end):
            if value[clauses[k]] != -1:
                literals[low] = clauses[k]
                low += 1
            else:
                high -= 1
                literals[high] = clauses[k]
        if end - begin > 1:
            for place in range(2):
                literal = literals[at + place]
                onward[2 * clause + place] = first[literal]
                first[literal] = 2 * clause + place
        begin = end
        if low == at:
            return clause
        if low == at + 1 and value[literals[at]] == 0:
            _assign(literals[at], clause, value, trail, counts)
            contradicted = _propagate(literals, start, first, onward, value, trail, counts)
            if contradicted != NONE:
                return contradicted
    return NONE


@njit(cache=True)
def _refute(assumed, literals, start, first, onward, value, trail, counts, needed):
    """Assume literals, and undo it; return `NONE` where that contradicts nothing.

    Otherwise return of how many clauses ``needed`` now has the numbers: those from which the
    contradiction follows, or none if it has no room.
    """
    level = counts[0]
    contradicted = NONE
    clash = NONE
    for literal in assumed:
        if value[literal] == -1:
            clash = literal >> 1
            break
        if value[literal] == 0:
            _assign(literal, NONE, value, trail, counts)
    if clash == NONE:
        contradicted = _propagate(literals, start, first, onward, value, trail, counts)
    found = NONE
    if clash != NONE or contradicted != NONE:
        found = 0
        if len(needed):
            found = _trace(clash, contradicted, literals, start, trail, counts, needed)
    for k in range(level, counts[0]):
        literal = trail[k, 0]
        value[literal] = value[literal ^ 1] = 0
    counts[0] = counts[1] = level
    return found


@inner(cache=True)
def _trace(clash, contradicted, literals, start, trail, counts, needed):
    """List the clauses from which a contradiction follows; return how many."""
    seen = np.zeros(len(trail), np.bool_)
    found = 0
    if clash != NONE:
        seen[clash] = True
    else:
        needed[0] = contradicted
        found = 1
        for k in range(start[contradicted], start[contradicted + 1]):
            seen[literals[k] >> 1] = True
    for t in range(counts[0] - 1, -1, -1):
        literal, clause = trail[t, 0], trail[t, 1]
        if seen[literal >> 1] and clause != NONE:
            needed[found] = clause
            found += 1
            for k in range(start[clause], start[clause + 1]):
                seen[literals[k] >> 1] = True
    return found


class Propagator:
    """Clauses, with all that follows from them by unit propagation.

    Parameters
    ----------
    variables
        How many there are; numbered from 0.

    Attributes
    ----------
    contradiction
        Whether the clauses contradict each other by unit propagation.
    """

    def __init__(self, variables: int) -> None:
        self.contradiction = False
        self._literals = np.empty(1024, np.int32)
        self._start = np.zeros(256, np.int64)
        self._onward = np.empty(512, np.int64)
        self._first = np.empty(0, np.int64)
        self._value = np.empty(0, np.int8)
        # The true literals in turn, each with the clause that made it true.
        self._trail = np.empty((0, 2), np.int64)
        # Length of the trail, how much of it is done, clauses, clauses looked at.
        self._counts = np.zeros(4, np.int64)
        self.variables = 0
        self.grow(variables)

    @property
    def clauses(self) -> int:
        """How many clauses there are."""
        return int(self._counts[2])

    @property
    def visits(self) -> int:
        """How many clauses were looked at so far."""
        return int(self._counts[3])

    def grow(self, more: int) -> int:
        """Add variables; return the first."""
        first = self.variables
        self.variables += more
        self._first = _longer(self._first, 2 * self.variables, NONE)
        self._value = _longer(self._value, 2 * self.variables, 0)
        self._trail = _longer(self._trail, self.variables, 0)
        return first

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses; the literals of each are distinct."""
        rows = [list(clause) for clause in clauses]
        ends = np.cumsum([len(row) for row in rows], dtype=np.int64)
        flat = np.array([literal for row in rows for literal in row], np.int32)
        self.add_flat(flat, ends)

    def add_flat(self, flat: NDArray[np.int32], ends: NDArray[np.int64]) -> None:
        """Add clauses that are given one after the other, with where each ends."""
        used = int(self._start[self.clauses])
        self._literals = _longer(self._literals, used + len(flat), 0)
        self._start = _longer(self._start, self.clauses + len(ends) + 1, 0)
        self._onward = _longer(self._onward, 2 * (self.clauses + len(ends)), NONE)
        if not self.contradiction:
            found = _add(
                flat, ends, self._literals, self._start, self._first, self._onward, self._value,
                self._trail, self._counts,
            )  # fmt: skip
            self.contradiction = found != NONE

    def refutes(self, assumed: Sequence[int]) -> bool:
        """Return whether some literals together contradict the clauses."""
        return self.contradiction or self._refute(assumed, np.zeros(0, np.int64)) != NONE

    def reasons(self, assumed: Sequence[int], since: int) -> list[int] | None:
        """Return clauses, of those from ``since`` on, by which some literals contradict each other.

        Returns
        -------
        list of int or None
            Their numbers; None where there is no contradiction.
        """
        needed = np.empty(self.variables + 1, np.int64)
        found = self._refute(assumed, needed)
        return None if found == NONE else needed[:found][needed[:found] >= since].tolist()

    def _refute(self, assumed: Sequence[int], needed: NDArray[np.int64]) -> int:
        return int(
            _refute(
                np.array(assumed, np.int32), self._literals, self._start, self._first,
                self._onward, self._value, self._trail, self._counts, needed,
            )
        )  # fmt: skip


def _longer(array: NDArray, length: int, fill: int) -> NDArray:
    """Return an array with room for a length, at least half as long again if it must grow."""
    if len(array) >= length:
        return array
    more = np.full((length + length // 2 - len(array), *array.shape[1:]), fill, array.dtype)
    return np.concatenate([array, more])
