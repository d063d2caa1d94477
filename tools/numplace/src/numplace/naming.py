"""Names that tell the constraints of one puzzle apart, for steps and their checker."""

from __future__ import annotations

from collections import Counter

from numplace.puzzle import Puzzle


def constraint_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Return a name for each constraint, in order: its own, numbered where two share it."""
    seen: Counter[str] = Counter()
    names = []
    for constraint in puzzle.constraints:
        name = str(constraint)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)
