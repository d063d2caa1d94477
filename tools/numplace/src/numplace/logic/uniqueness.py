"""Deadly patterns: cells whose numbers could be exchanged. A puzzle with one solution has none.

All of it holds only if the puzzle has exactly one solution, and only for cells that no clue
reads: their numbers must be free to change places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from numplace.logic.bitset import bitset, lowest, members
from numplace.logic.build import between, each, placing, striking
from numplace.logic.state import State
from numplace.logic.step import Step


@dataclass(frozen=True)
class Rectangle:
    """Four open cells of two rows, two columns and two blocks that share two candidates.

    Parameters
    ----------
    pair
        The set of the two candidates.
    floor, roof
        The cells with only these, and those with more.
    corners
        All four, around the rectangle.
    """

    pair: int
    floor: tuple[int, ...]
    roof: tuple[int, ...]
    corners: tuple[int, int, int, int]


def unique_rectangle(kind: int) -> Callable[[State], Iterator[Step]]:
    """Return the finder of unique rectangles of type 1 to 4.

    With the two numbers alone the four cells would have two solutions. So (1) the only cell with
    more candidates holds one of these; (2) one of two such cells holds their one more
    candidate; (3) these candidates of the two form a naked subset with other cells of a house;
    (4) if a house has one of the two numbers in these two cells only, they lose the other.
    """
    find_kind = {1: _type_1, 2: _type_2, 3: _type_3, 4: _type_4}[kind]
    name = f"unique rectangle {kind}"

    def find(state: State) -> Iterator[Step]:
        for rectangle in _rectangles(state):
            yield from find_kind(state, name, rectangle)

    return find


def hidden_rectangle(state: State) -> Iterator[Step]:
    """Find rectangles whose one number has no other place in two of their lines.

    A corner with only the two numbers is opposite to the corner where these lines meet: held the
    other number there, all four would be sure, and could be exchanged.
    """
    for rectangle in _rectangles(state, 1):
        around = rectangle.corners
        for at, floor in enumerate(around):
            if floor not in rectangle.floor:
                continue
            corner, sides = around[at - 2], (around[at - 1], around[at - 3])
            for kept, lost in permutations(members(rectangle.pair)):
                lines = [
                    house
                    for side in sides
                    for house in state.topology.houses_with(1 << corner | 1 << side)
                    if state.at(kept) & house.bits == 1 << corner | 1 << side
                    and house.digits >> kept & 1
                ]
                if all(any(line.bits >> side & 1 for line in lines) for side in sides):
                    names = tuple(line.name for line in lines)
                    strikes = [(corner, lost)]
                    yield _step(state, "hidden rectangle", rectangle, strikes, names)


def bug_plus_one(state: State) -> Iterator[Step]:
    """Find the grid in which all open cells but one have two candidates.

    Without a third candidate of that one cell, each number would stand twice in each house: all
    could be exchanged. So the cell holds it.
    """
    topology = state.topology
    odd = [cell for cell in members(state.open) if state.masks[cell].bit_count() != 2]
    if len(odd) != 1 or state.masks[odd[0]].bit_count() != 3 or topology.clued & state.open:
        return
    cell = odd[0]
    houses = topology.houses_of[cell]
    for digit in members(state.masks[cell]):
        if not houses or any((state.at(digit) & h.bits).bit_count() != 3 for h in houses):
            continue
        others = state.copy()
        others.strike(cell, digit)
        counts = {
            (others.at(number) & house.bits).bit_count()
            for house in topology.houses
            for number in members(house.digits)
        }
        if counts <= {0, 2}:
            step = placing(state, "bug+1", cell, digit, *(house.name for house in houses))
            yield replace(step, unique=True, main=(0, 0))


def _rectangles(state: State, least: int = 2) -> Iterator[Rectangle]:
    """Return the rectangles with at least so many cells that have only the two candidates."""
    free = state.open & ~state.topology.clued
    for first, second in combinations(state.digits, 2):
        pair = 1 << first | 1 << second
        both = state.at(first) & state.at(second) & free
        if both.bit_count() < 4:
            continue
        rows: dict[int, dict[int, int]] = {}
        for cell in members(both):
            x, y = state.topology.cells[cell]
            rows.setdefault(y, {})[x] = cell
        for one, other in combinations(rows.values(), 2):
            for x, x2 in combinations(one.keys() & other.keys(), 2):
                corners = (one[x], one[x2], other[x2], other[x])
                if not _exchangeable(state, corners):
                    continue
                floor = tuple(cell for cell in corners if state.masks[cell] == pair)
                if len(floor) >= least:
                    roof = tuple(cell for cell in corners if cell not in floor)
                    yield Rectangle(pair, floor, roof, corners)


def _exchangeable(state: State, corners: tuple[int, int, int, int]) -> bool:
    """Return whether each house has as many of two opposite corners as of the other two."""
    one = bitset(corners[::2])
    other = bitset(corners[1::2])
    return all(
        (house.bits & one).bit_count() == (house.bits & other).bit_count()
        for corner in corners
        for house in state.topology.houses_of[corner]
    )


def _step(
    state: State,
    name: str,
    rectangle: Rectangle,
    strikes: list[tuple[int, int]],
    houses: tuple[str, ...] = (),
    extra: tuple[int, ...] = (),
    more: int = 0,
) -> Step:
    cells = rectangle.floor + rectangle.roof
    pairs = between(bitset(cells + extra), bitset(cells + extra))
    pairs += [(cell, other) for cell, _ in strikes for other in (*rectangle.roof, *extra)]
    peers = state.topology.peers
    return striking(
        state,
        name,
        strikes,
        cells=cells + extra,
        digits=(*members(rectangle.pair), *members(more)),
        houses=houses,
        pairs=[(a, b) for a, b in pairs if peers[a] >> b & 1],
        unique=True,
    )


def _type_1(state: State, name: str, rectangle: Rectangle) -> Iterator[Step]:
    if len(rectangle.roof) == 1:
        strikes = [(rectangle.roof[0], digit) for digit in members(rectangle.pair)]
        yield _step(state, name, rectangle, strikes)


def _type_2(state: State, name: str, rectangle: Rectangle) -> Iterator[Step]:
    extras = {state.masks[cell] & ~rectangle.pair for cell in rectangle.roof}
    if len(rectangle.roof) != 2 or len(extras) != 1:
        return
    extra = extras.pop()
    if extra.bit_count() != 1:
        return
    digit = lowest(extra)
    lost = state.topology.seen_by_all(bitset(rectangle.roof)) & state.at(digit)
    if lost:
        yield _step(state, name, rectangle, each(lost, digit), more=extra)


def _type_3(state: State, name: str, rectangle: Rectangle) -> Iterator[Step]:
    if len(rectangle.roof) != 2:
        return
    roof = bitset(rectangle.roof)
    extras = 0
    for cell in rectangle.roof:
        extras |= state.masks[cell] & ~rectangle.pair
    for house in state.topology.houses_with(roof):
        others = [
            cell
            for cell in members(house.bits & state.open & ~roof)
            if not state.masks[cell] & rectangle.pair
        ]
        for size in range(1, 4):
            for chosen in combinations(others, size):
                union = extras
                for cell in chosen:
                    union |= state.masks[cell]
                if union.bit_count() != size + 1:
                    continue
                left = house.bits & state.open & ~roof & ~bitset(chosen)
                strikes = [
                    (cell, digit)
                    for cell in members(left)
                    for digit in members(state.masks[cell] & union)
                ]
                if strikes:
                    yield _step(state, name, rectangle, strikes, (house.name,), chosen, union)


def _type_4(state: State, name: str, rectangle: Rectangle) -> Iterator[Step]:
    if len(rectangle.roof) != 2:
        return
    roof = bitset(rectangle.roof)
    first, second = members(rectangle.pair)
    for house in state.topology.houses_with(roof):
        for locked, lost in ((first, second), (second, first)):
            if house.digits >> locked & 1 and state.at(locked) & house.bits == roof:
                strikes = [(cell, lost) for cell in rectangle.roof]
                yield _step(state, name, rectangle, strikes, (house.name,))
