"""Reverse unit propagation: whether each clause of a proof follows from those before.

Each learnt clause is tested by assuming its negation and propagating units to a conflict (Goldberg
and Novikov, "Verification of proofs of unsatisfiability for CNF formulas", DATE 2003), with two
watched literals per clause (Moskewicz et al., "Chaff", DAC 2001).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence


class Propagator:
    """A growing set of clauses with unit propagation.

    Parameters
    ----------
    variables
        How many there are; they count from 1.
    """

    def __init__(self, variables: int) -> None:
        # Literal l is at index l; negative ones count from the end, which Python does by itself.
        self._true = bytearray(2 * variables + 2)
        self._watches: list[list[list[int]]] = [[] for _ in range(2 * variables + 2)]
        self._trail: array[int] = array("i")
        self._head = 0
        self._deleted: set[int] = set()
        self._by_key: dict[tuple[int, ...], list[list[int]]] = {}
        self.conflict = False

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause for good; sets `conflict` where units then contradict each other."""
        if self.conflict:
            return
        literals = list(dict.fromkeys(clause))
        self._by_key.setdefault(tuple(sorted(literals)), []).append(literals)
        # Watch what is not false; what is false for good comes last.
        literals.sort(key=lambda literal: self._true[-literal])
        if not literals or self._true[-literals[0]]:
            self.conflict = True
            return
        if len(literals) > 1:
            self._watches[literals[0]].append(literals)
            self._watches[literals[1]].append(literals)
        if (len(literals) == 1 or self._true[-literals[1]]) and not self._true[literals[0]]:
            self._assign(literals[0])
            self.conflict = not self._propagate()

    def delete(self, clause: Sequence[int]) -> None:
        """Forget a clause; units that came of it stay, as they follow all the same."""
        held = self._by_key.get(tuple(sorted(dict.fromkeys(clause))))
        if held:
            literals = held.pop()
            # Watches are cleared where they are met next.
            if len(literals) > 1:
                for literal in literals[:2]:
                    watchers = self._watches[literal]
                    for index, each in enumerate(watchers):
                        if each is literals:
                            watchers[index] = watchers[-1]
                            watchers.pop()
                            break

    def follows(self, clause: Iterable[int]) -> bool:
        """Return whether assuming the clause false leads to a conflict by units alone."""
        if self.conflict:
            return True
        start = len(self._trail)
        consistent = True
        for literal in clause:
            if self._true[literal]:
                consistent = False
                break
            if not self._true[-literal]:
                self._assign(-literal)
        consistent = consistent and self._propagate()
        for literal in self._trail[start:]:
            self._true[literal] = 0
        del self._trail[start:]
        self._head = start
        return not consistent

    def _assign(self, literal: int) -> None:
        self._true[literal] = 1
        self._trail.append(literal)

    def _propagate(self) -> bool:
        """Draw all consequences; return whether they are free of contradiction."""
        true, trail, watches = self._true, self._trail, self._watches
        head = self._head
        while head < len(trail):
            false = -trail[head]
            head += 1
            watchers = watches[false]
            kept = 0
            for index, clause in enumerate(watchers):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if true[first]:
                    watchers[kept] = clause
                    kept += 1
                    continue
                for at in range(2, len(clause)):
                    literal = clause[at]
                    if not true[-literal]:
                        clause[1], clause[at] = literal, false
                        watches[literal].append(clause)
                        break
                else:
                    watchers[kept] = clause
                    kept += 1
                    if true[-first]:
                        watchers[kept:] = watchers[index + 1 :]
                        self._head = len(trail)
                        return False
                    true[first] = 1
                    trail.append(first)
            del watchers[kept:]
        self._head = head
        return True
