"""Patterns of one number and two strong links: skyscraper, 2-string kite, turbot, empty rectangle.

A *strong link* is a house with two places for a number: one of them holds it. Where an end of
one link sees an end of another, not both of these ends hold the number, so one of the two far
ends does, and what sees both far ends is struck.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from numplace.logic.bitset import bitset, members
from numplace.logic.build import between, each, striking
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.topology import Line


def strong_links(state: State, digit: int) -> list[tuple[int, int, Line]]:
    """Return the houses with two places for a number, and these places."""
    links = []
    for house in state.topology.houses:
        places = state.at(digit) & house.bits
        if house.digits >> digit & 1 and places.bit_count() == 2:
            a, b = members(places)
            links.append((a, b, house))
    return links


def skyscraper(state: State) -> Iterator[Step]:
    """Find two parallel lines whose links stand on the same line across."""
    return _two_links(state, "skyscraper")


def two_string_kite(state: State) -> Iterator[Step]:
    """Find a row and a column whose links have an end in the same block."""
    return _two_links(state, "2-string kite")


def turbot_fish(state: State) -> Iterator[Step]:
    """Find any other two links with ends that see each other."""
    return _two_links(state, "turbot fish")


def empty_rectangle(state: State) -> Iterator[Step]:
    """Find a block whose places lie on one row and one column, and a link that meets one.

    Of the link's ends, one sees all places of the row within the block. If it holds the number, a
    place of the column does in the block; if not, the other end of the link does.
    """
    topology = state.topology
    for digit in state.digits:
        links = strong_links(state, digit)
        for block in topology.houses:
            places = state.at(digit) & block.bits
            if block.kind not in ("block", "group") or places.bit_count() < 3:
                continue
            if not block.digits >> digit & 1:
                continue
            crossing = [h for h in topology.houses if h is not block and h.bits & places]
            for first, second in permutations(crossing, 2):
                arm = places & first.bits & ~second.bits
                other_arm = places & second.bits
                if not arm or arm | other_arm != places or not other_arm & ~first.bits:
                    continue
                yield from _empty_rectangle(state, digit, block, (first, second), links, places)


def _empty_rectangle(
    state: State,
    digit: int,
    block: Line,
    lines: tuple[Line, Line],
    links: list[tuple[int, int, Line]],
    places: int,
) -> Iterator[Step]:
    first, second = lines
    arm = places & ~second.bits
    for a, b, house in links:
        for near, far in ((a, b), (b, a)):
            if (1 << near | 1 << far) & block.bits or not first.bits >> near & 1:
                continue
            lost = second.bits & ~block.bits & state.topology.peers[far] & state.at(digit)
            lost &= ~(1 << near)
            if lost:
                yield striking(
                    state,
                    "empty rectangle",
                    each(lost, digit),
                    cells=members(places | 1 << near | 1 << far),
                    digits=[digit],
                    houses=[block.name, house.name, first.name, second.name],
                    pairs=[*between(1 << near, arm), *between(lost, 1 << far)],
                )


def _two_links(state: State, wanted: str) -> Iterator[Step]:
    topology = state.topology
    for digit in state.digits:
        links = strong_links(state, digit)
        for number, (a, b, one) in enumerate(links):
            for c, d, other in links[number + 1 :]:
                if len({a, b, c, d}) < 4:
                    continue
                for far, near in ((a, b), (b, a)):
                    for near2, far2 in ((c, d), (d, c)):
                        if not topology.peers[near] >> near2 & 1:
                            continue
                        if _shape(state, one, other, near, near2) != wanted:
                            continue
                        ends = bitset((far, far2))
                        lost = topology.seen_by_all(ends) & state.at(digit)
                        if lost:
                            yield striking(
                                state,
                                wanted,
                                each(lost, digit),
                                cells=(a, b, c, d),
                                digits=[digit],
                                houses=[one.name, other.name],
                                pairs=[(near, near2), *between(lost, ends)],
                                path=[(1 << cell, digit) for cell in (far, near, near2, far2)],
                            )


def _shape(state: State, one: Line, other: Line, near: int, near2: int) -> str:
    """Return the name of the pattern of two links that meet at two cells."""
    joint = {house.kind for house in state.topology.houses_with(1 << near | 1 << near2)}
    kinds = {one.kind, other.kind}
    if kinds in ({"row"}, {"column"}) and joint & ({"row", "column"} - kinds):
        return "skyscraper"
    if kinds == {"row", "column"} and joint & {"block", "group"}:
        return "2-string kite"
    return "turbot fish"
