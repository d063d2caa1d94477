"""Almost locked sets: cells of a house with one candidate more than there are cells.

If such a set loses a candidate, the others are locked in it. A *restricted common* of two sets
is a number all of whose places in one see all of those in the other: only one set can hold it,
so the other one is locked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from numplace.logic.bitset import members
from numplace.logic.build import between, striking
from numplace.logic.state import State
from numplace.logic.step import Step

MOST_CELLS = 5
"""Cells of the largest set that is looked for: larger ones have smaller counterparts."""

MOST_PETALS = 4
"""Candidates of the cell of a death blossom."""

MOST_CHOICES = 3_000
"""Choices of cells in one house: in grids of 16 and more only small sets are looked for."""


@dataclass(frozen=True, slots=True)
class AlmostLocked:
    """A set of cells, its candidates, for each its places, and what sees all of them."""

    cells: int
    digits: int
    house: str
    is_house: bool
    places: dict[int, int]
    seen: dict[int, int]


def almost_locked_sets(state: State) -> list[AlmostLocked]:
    """Return all almost locked sets up to `MOST_CELLS` cells, small ones first."""
    found: dict[int, AlmostLocked] = {}
    for line in state.topology.lines:
        open_cells = members(line.bits & state.open)
        for size in range(1, min(MOST_CELLS, len(open_cells) - 1) + 1):
            if comb(len(open_cells), size) > MOST_CHOICES:
                break
            for chosen in combinations(open_cells, size):
                digits = 0
                cells = 0
                for cell in chosen:
                    digits |= state.masks[cell]
                    cells |= 1 << cell
                if digits.bit_count() != size + 1 or cells in found:
                    continue
                places = {digit: state.at(digit) & cells for digit in members(digits)}
                seen = {d: state.topology.seen_by_all(places[d]) & state.at(d) for d in places}
                found[cells] = AlmostLocked(
                    cells, digits, line.name, bool(line.digits), places, seen
                )
    return sorted(found.values(), key=lambda each: (each.cells.bit_count(), each.cells))


def restricted_commons(one: AlmostLocked, other: AlmostLocked) -> list[int]:
    """Return the numbers that only one of two sets can hold."""
    return [
        digit
        for digit in members(one.digits & other.digits)
        if other.places[digit] & one.seen[digit] == other.places[digit]
    ]


def als_xz(state: State) -> Iterator[Step]:
    """Find two sets with a restricted common x: another common number z is in one of them."""
    sets = almost_locked_sets(state)
    for number, one in enumerate(sets):
        reach = 0
        for seen in one.seen.values():
            reach |= seen
        for other in sets[number + 1 :]:
            if not reach & other.cells or one.cells & other.cells:
                continue
            if (one.digits & other.digits).bit_count() < 2:
                continue
            for x in restricted_commons(one, other):
                strikes = []
                for z in members(one.digits & other.digits & ~(1 << x)):
                    lost = one.seen[z] & other.seen[z] & ~one.cells & ~other.cells
                    strikes += [(cell, z) for cell in members(lost)]
                if strikes:
                    yield _step(state, "als-xz", [one, other], [(one, other, x)], strikes)


def als_xy_wing(state: State) -> Iterator[Step]:
    """Find a set that shares different restricted commons with two others."""
    sets = almost_locked_sets(state)
    linked: dict[int, list[tuple[AlmostLocked, int]]] = {}
    for number, one in enumerate(sets):
        for other in sets[number + 1 :]:
            if one.digits & other.digits and not one.cells & other.cells:
                for x in restricted_commons(one, other):
                    linked.setdefault(one.cells, []).append((other, x))
                    linked.setdefault(other.cells, []).append((one, x))
    for pivot in sets:
        for (a, x), (b, y) in combinations(linked.get(pivot.cells, []), 2):
            if x == y or a.cells & b.cells:
                continue
            strikes = []
            for z in members(a.digits & b.digits & ~(1 << x | 1 << y)):
                lost = a.seen[z] & b.seen[z] & ~(a.cells | b.cells | pivot.cells)
                strikes += [(cell, z) for cell in members(lost)]
            if strikes:
                used = [(pivot, a, x), (pivot, b, y)]
                yield _step(state, "als-xy-wing", [pivot, a, b], used, strikes)


def death_blossom(state: State) -> Iterator[Step]:
    """Find a cell each of whose numbers would lock a set, all of which have a number in common."""
    sets = almost_locked_sets(state)
    for stem in members(state.open):
        digits = members(state.masks[stem])
        if not 2 < len(digits) <= MOST_PETALS:
            continue
        petals = [[s for s in sets if s.seen.get(digit, 0) >> stem & 1] for digit in digits]
        for z in sorted(set(state.digits) - set(digits)):
            told = 1 << stem
            for chosen, lost in _petals(petals, z, state.at(z)):
                lost &= ~told
                for each in chosen:
                    lost &= ~each.cells
                strikes = [(cell, z) for cell in members(lost)]
                if strikes:
                    told |= lost
                    pairs = zip(digits, chosen, strict=True)
                    used = [(_cell(stem, digit), petal, digit) for digit, petal in pairs]
                    yield _step(state, "death blossom", [*chosen], used, strikes, 1 << stem)


def _petals(
    petals: list[list[AlmostLocked]], z: int, lost: int
) -> Iterator[tuple[tuple[AlmostLocked, ...], int]]:
    """Yield sets, one of each list, and the places of z that all of theirs see."""
    if not petals:
        yield (), lost
        return
    for petal in petals[0]:
        left = lost & petal.seen.get(z, 0) & ~petal.cells
        if left:
            for others, common in _petals(petals[1:], z, left):
                yield (petal, *others), common


def _cell(cell: int, digit: int) -> AlmostLocked:
    """Return a single cell as the set that holds a number, to link petals to."""
    return AlmostLocked(1 << cell, 1 << digit, "", False, {digit: 1 << cell}, {})


def _step(
    state: State,
    name: str,
    sets: list[AlmostLocked],
    commons: list[tuple[AlmostLocked, AlmostLocked, int]],
    strikes: list[tuple[int, int]],
    stem: int = 0,
) -> Step:
    pairs = [pair for a, b, x in commons for pair in between(a.places[x], b.places[x])]
    for cell, digit in strikes:
        for each in sets:
            places = each.places.get(digit, 0)
            if each.seen.get(digit, 0) >> cell & 1:
                pairs += between(1 << cell, places)
    cells = stem
    for each in sets:
        cells |= each.cells
    shared = dict.fromkeys(digit for _, _, digit in commons)
    return striking(
        state,
        name,
        strikes,
        cells=members(cells),
        digits=(*shared, *dict.fromkeys(digit for _, digit in strikes)),
        houses=[each.house for each in sets if each.is_house],
        clues=[each.house for each in sets if not each.is_house],
        pairs=pairs,
        path=[(each.cells, 0) for each in sets],
    )
