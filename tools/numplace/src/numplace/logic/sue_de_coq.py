"""Two-sector disjoint subsets: cells where two houses cross, with cells of either house.

Sue de Coq found them: where a line and a block cross, some cells hold numbers that cells of the
line or of the block need. If all of these cells have as many candidates as there are of them, and
those of the line share none with those of the block, each number has its place among them, and
goes from the rest of the house that sees all its places.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from numplace.logic.bitset import bitset, members
from numplace.logic.build import striking
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.topology import Line

MOST_BESIDE = 3
"""Cells of one house beside the crossing: more are hard to see."""

Beside = tuple[int, int]
"""Cells of one house beside the crossing, and their candidates."""


def sue_de_coq(state: State) -> Iterator[Step]:
    """Find crossings with two candidates more than cells, which cells beside them take."""
    houses = [house for house in state.topology.houses if house.bits & state.open]
    for line, block in permutations(houses, 2):
        common = line.bits & block.bits & state.open
        if block.kind != "block" or line.kind == "block" or common.bit_count() < 2:
            continue
        for size in (2, 3):
            for chosen in combinations(members(common), size):
                digits = _candidates(state, chosen)
                if digits.bit_count() >= size + 2:
                    yield from _steps(state, line, block, bitset(chosen), digits)


def _steps(state: State, line: Line, block: Line, core: int, digits: int) -> Iterator[Step]:
    """Return the steps of one crossing."""
    by_line = list(_beside(state, line.bits & ~block.bits))
    by_block = list(_beside(state, block.bits & ~line.bits))
    for one, in_line in by_line:
        for other, in_block in by_block:
            all_cells = core | one | other
            all_digits = digits | in_line | in_block
            if in_line & in_block or all_cells.bit_count() != all_digits.bit_count():
                continue
            strikes = [
                (cell, digit)
                for house, elsewhere in ((line, in_block), (block, in_line))
                for cell in members(house.bits & state.open & ~all_cells)
                for digit in members(state.masks[cell] & all_digits & ~elsewhere)
            ]
            if strikes:
                yield striking(
                    state,
                    "sue de coq",
                    strikes,
                    cells=members(all_cells),
                    digits=members(all_digits),
                    houses=(line.name, block.name),
                )


def _beside(state: State, cells: int) -> Iterator[Beside]:
    for size in range(1, MOST_BESIDE + 1):
        for chosen in combinations(members(cells & state.open), size):
            digits = _candidates(state, chosen)
            if digits.bit_count() <= size + 2:
                yield bitset(chosen), digits


def _candidates(state: State, cells: tuple[int, ...]) -> int:
    digits = 0
    for cell in cells:
        digits |= state.masks[cell]
    return digits
