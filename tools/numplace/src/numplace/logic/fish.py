"""Fish: a number whose places in some rows lie in as many columns, or the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from numplace.logic.bitset import lowest, members
from numplace.logic.build import between, each, striking
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.topology import Line

FISH_NAMES = {2: "x-wing", 3: "swordfish", 4: "jellyfish"}

MOST_FINS = 4
"""Most fins looked for; they must share a peer, so they lie close together."""


def fish(size: int, *, finned: bool = False) -> Callable[[State], Iterator[Step]]:
    """Return the finder of fish of 2 to 4 lines, without fins or with some.

    The places of a number in ``size`` base lines, no two of which meet, are covered by as many
    lines across: other places in these are struck. Places left uncovered are *fins*: then
    only places that see all fins are struck (a fish that lacks a corner, *sashimi*, is finned
    too).
    """
    name = "finned " * finned + FISH_NAMES[size]

    def find(state: State) -> Iterator[Step]:
        for base_kind, cover_kind in (("row", "column"), ("column", "row")):
            covers = [h for h in state.topology.houses if h.kind == cover_kind]
            apart = sum(h.bits.bit_count() for h in covers) == len(state.topology.cells)
            for digit in state.digits:
                at = state.at(digit)
                bases = _bases(state, base_kind, digit, size + MOST_FINS * finned)
                for chosen in combinations(bases, size):
                    places = _union(chosen, at)
                    if not places:
                        continue
                    touching = [house for house in covers if house.bits & places]
                    if finned:
                        ways = _finned(state, at, places, touching, size)
                    elif apart and len(touching) > size:
                        continue  # Each has a place that no other covers.
                    else:
                        ways = ((cover, 0) for cover in _exact(places, touching, size))
                    for cover, fins in ways:
                        yield from _step(state, name, digit, chosen, cover, places, fins)

    return find


def _bases(state: State, kind: str, digit: int, most: int) -> list[Line]:
    at = state.at(digit)
    return [
        house
        for house in state.topology.houses
        if house.kind == kind
        and house.digits >> digit & 1
        and 2 <= (house.bits & at).bit_count() <= most
    ]


def _union(chosen: tuple[Line, ...], at: int) -> int:
    """Return the places in all chosen lines; 0 if two lines share one."""
    union = 0
    for house in chosen:
        if union & house.bits & at:
            return 0
        union |= house.bits & at
    return union


def _finned(
    state: State, at: int, places: int, touching: list[Line], size: int
) -> Iterator[tuple[tuple[Line, ...], int]]:
    """Return the ways to cover all but a few places with ``size`` lines, and these few.

    A line is left out only if some place in another line sees what then sticks out for sure;
    only a few lines can be, where trying all would take most of the time.
    """
    out = len(touching) - size
    if not 0 < out <= MOST_FINS:  # Each line left uncovered has a fin at least.
        return
    once = twice = 0
    for house in touching:
        twice |= once & house.bits
        once |= house.bits
    open_places = once & at & ~places
    if not open_places:
        return
    reach = {}
    for index, house in enumerate(touching):
        alone = house.bits & ~twice
        seen = open_places & ~alone
        if seen and places & alone:
            seen &= state.topology.seen_by_all(places & alone)
        if seen:
            reach[index] = seen
    # The covers come in the order of their lines, so what is left out comes in reverse.
    for left_out in reversed(list(combinations(reach, out))):
        seen = open_places
        for index in left_out:
            seen &= reach[index]
        if seen:
            cover = tuple(h for index, h in enumerate(touching) if index not in left_out)
            fins = places
            for house in cover:
                fins &= ~house.bits
            if 1 <= fins.bit_count() <= MOST_FINS:
                yield cover, fins


def _exact(places: int, covers: list[Line], size: int) -> Iterator[tuple[Line, ...]]:
    if not places:
        if size == 0:
            yield ()
        return
    if size == 0:
        return
    first = lowest(places)
    for house in covers:
        if house.bits >> first & 1:
            for rest in _exact(places & ~house.bits, covers, size - 1):
                yield (house, *rest)


def _step(
    state: State,
    name: str,
    digit: int,
    bases: tuple[Line, ...],
    cover: tuple[Line, ...],
    places: int,
    fins: int,
) -> Iterator[Step]:
    lost = 0
    for house in cover:
        lost |= house.bits
    lost &= state.at(digit) & ~places
    if fins:
        lost &= state.topology.seen_by_all(fins)
    if lost:
        yield striking(
            state,
            name,
            each(lost, digit),
            cells=members(places),
            digits=[digit],
            houses=[house.name for house in (*bases, *cover)],
            pairs=between(fins, lost),
        )
