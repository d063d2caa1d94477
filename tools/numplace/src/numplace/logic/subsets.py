"""Naked and hidden subsets: as many numbers as cells in one house."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from numplace.logic.bitset import members
from numplace.logic.build import striking
from numplace.logic.singles import LINES_FIRST
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.topology import Line

SIZE_NAMES = {2: "pair", 3: "triple", 4: "quad"}


def naked_subset(size: int) -> Callable[[State], Iterator[Step]]:
    """Return the finder of naked pairs, triples or quads.

    ``size`` cells of a house or cage with that many candidates together keep them; all other
    cells of the house or cage lose them.
    """
    name = f"naked {SIZE_NAMES[size]}"

    def find(state: State) -> Iterator[Step]:
        for line in _lines(state):
            open_cells = members(line.bits & state.open)
            fitting = [cell for cell in open_cells if 2 <= state.masks[cell].bit_count() <= size]
            for cells in combinations(fitting, size):
                union = 0
                for cell in cells:
                    union |= state.masks[cell]
                if union.bit_count() != size:
                    continue
                strikes = [
                    (cell, digit)
                    for cell in open_cells
                    if cell not in cells
                    for digit in members(state.masks[cell] & union)
                ]
                if strikes:
                    yield striking(
                        state,
                        name,
                        strikes,
                        cells=cells,
                        digits=members(union),
                        houses=[line.name] * bool(line.digits),
                        clues=[line.name] * (not line.digits),
                    )

    return find


def hidden_subset(size: int) -> Callable[[State], Iterator[Step]]:
    """Return the finder of hidden pairs, triples or quads.

    ``size`` numbers that have that many cells of a house together fill them; these cells lose
    all other candidates.
    """
    name = f"hidden {SIZE_NAMES[size]}"

    def find(state: State) -> Iterator[Step]:
        for house in _lines(state):
            if not house.digits:
                continue
            places = {digit: state.at(digit) & house.bits for digit in members(house.digits)}
            fitting = [digit for digit in places if 2 <= places[digit].bit_count() <= size]
            for digits in combinations(fitting, size):
                union = 0
                kept = 0
                for digit in digits:
                    union |= places[digit]
                    kept |= 1 << digit
                if union.bit_count() != size:
                    continue
                strikes = [
                    (cell, digit)
                    for cell in members(union)
                    for digit in members(state.masks[cell] & ~kept)
                ]
                if strikes:
                    yield striking(
                        state,
                        name,
                        strikes,
                        cells=members(union),
                        digits=digits,
                        houses=[house.name],
                    )

    return find


def _lines(state: State) -> list[Line]:
    """Return houses and cages: rows, columns, blocks, then the others."""
    rank = {kind: number for number, kind in enumerate(LINES_FIRST)}
    return sorted(state.topology.lines, key=lambda line: rank.get(line.kind, len(rank)))
