"""Making steps from numbered cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from numplace.logic.bitset import members
from numplace.logic.state import State
from numplace.logic.step import Step

Strikes = Iterable[tuple[int, int]]
"""Numbered cells, each with the number it loses."""

Pairs = Iterable[tuple[int, int]]
"""Numbered cells that cannot hold the same number."""

Node = tuple[int, int]
"""A set of cells and a number: one of them holds it. The set has one cell, mostly."""


def placing(state: State, technique: str, cell: int, digit: int, *houses: str) -> Step:
    """Return a step that fills a cell, which its houses force."""
    name = state.topology.cells[cell]
    return Step(technique, houses, (name,), (digit,), places=((name, digit),))


def striking(
    state: State,
    technique: str,
    strikes: Strikes,
    *,
    cells: Iterable[int] = (),
    digits: Iterable[int] = (),
    houses: Sequence[str] = (),
    clues: Sequence[str] = (),
    pairs: Pairs = (),
    path: Iterable[Node] = (),
    unique: bool = False,
) -> Step:
    """Return a step that strikes candidates.

    Parameters
    ----------
    houses, clues
        What the step rests on foremost.
    pairs
        Cells that it takes to differ: what makes them so is added to ``houses`` and ``clues``.
    """
    topology = state.topology
    linking_houses, linking_clues = topology.links(pairs)
    named = topology.cells
    return Step(
        technique,
        tuple(dict.fromkeys([*houses, *linking_houses])),
        topology.named(cells),
        tuple(digits),
        (),
        tuple((named[cell], digit) for cell, digit in sorted(set(strikes))),
        tuple(dict.fromkeys([*clues, *linking_clues])),
        tuple((topology.named(members(group)), digit) for group, digit in path),
        (len(set(houses)), len(set(clues))),
        unique,
    )


def each(cells: int, digit: int) -> list[tuple[int, int]]:
    """Return one number in each cell of a set."""
    return [(cell, digit) for cell in members(cells)]


def between(cells: int, others: int) -> list[tuple[int, int]]:
    """Return all pairs of a cell of one set and another of the other."""
    return [(a, b) for a in members(cells) for b in members(others) if a != b]
