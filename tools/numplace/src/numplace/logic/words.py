"""Steps told in one line, in the words of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from numplace.cell import Cell, name_cells
from numplace.logic.step import Step

CHAINS = frozenset({"x-chain", "xy-chain", "nice loop", "grouped nice loop", "als chain"})
SIGNS = frozenset({"order", "parity"})
ASSUMPTIONS = frozenset({"assumption", "forcing net", "search"})


@dataclass(frozen=True)
class Words:
    """What differs between languages.

    Parameters
    ----------
    techniques
        What each technique is called.
    name
        Turns the name of a house or a clue into the language.
    within
        Says where, from translated names.
    places, loses
        Say that a cell holds a number, and that it loses some.
    assumed
        Says that assumptions were made, from their text.
    if_unique
        Says that a step holds only if the puzzle has one solution.
    """

    techniques: Mapping[str, str]
    name: Callable[[str], str]
    within: Callable[[Sequence[str]], str]
    places: Callable[[Cell, int], str]
    loses: Callable[[Cell, Sequence[int]], str]
    assumed: Callable[[str], str]
    if_unique: str

    def tell(self, step: Step) -> str:
        """Return a step, such as ``hidden single 6 in row 3: r3c9 = 6``."""
        head = [self.techniques[step.technique]]
        if step.technique in ASSUMPTIONS:
            head.append(self.assumed(", ".join(f"{cells[0]}={d}" for cells, d in step.path)))
        elif step.technique in CHAINS:
            head.append(_chain(step))
        elif step.technique in SIGNS:
            head.append(self.name(step.clues[0]))
        elif step.technique == "joint":  # The clue's name says so already.
            head = [self.name(step.clues[0])]
        else:
            head += self._pattern(step)
        effects = [self.places(cell, digit) for cell, digit in step.places]
        effects += [self.loses(cell, digits) for cell, digits in _by_cell(step).items()]
        return f"{' '.join(head)}: {'; '.join(effects)}{step.unique * self.if_unique}"

    def _pattern(self, step: Step) -> list[str]:
        """Return digits, houses or clues, and cells of a step."""
        parts = []
        houses, clues = step.main
        names = [self.name(name) for name in (*step.houses[:houses], *step.clues[:clues])]
        # Clues speak of no numbers in particular; other singles than hidden ones tell theirs below.
        if not clues and (step.strikes or step.technique in ("hidden single", "bug+1")):
            parts.append(",".join(map(str, step.digits)))
        if names:
            parts.append(self.within(names))
        if step.strikes and step.cells:
            parts.append(f"({name_cells(step.cells)})")
        return parts


def _by_cell(step: Step) -> dict[Cell, list[int]]:
    found: dict[Cell, list[int]] = {}
    for cell, digit in step.strikes:
        found.setdefault(cell, []).append(digit)
    return found


def _chain(step: Step) -> str:
    """Return a chain: nodes in turn false and true, each forced by the one before."""
    signs = ("≠", "=")
    return " → ".join(
        f"{'/'.join(map(str, cells))}{signs[number % 2]}{digit}"
        for number, (cells, digit) in enumerate(step.path)
    )
