"""Colouring: places of a number that strong links join, in two colours of which one is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from numplace.logic.bitset import members
from numplace.logic.build import between, each, striking
from numplace.logic.single_digit import strong_links
from numplace.logic.state import State
from numplace.logic.step import Step


@dataclass(frozen=True)
class Cluster:
    """Places that strong links join: all of one colour hold the number, or all of the other."""

    colours: tuple[int, int]
    houses: tuple[str, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """All places."""
        return members(self.colours[0] | self.colours[1])


def clusters(state: State, digit: int) -> list[Cluster]:
    """Return the clusters of a number.

    A cluster that cannot be coloured, which only a contradiction brings, is left out.
    """
    links = strong_links(state, digit)
    found = []
    seen: set[int] = set()
    for start, _, _ in links:
        if start in seen:
            continue
        colour = {start: 0}
        stack = [start]
        houses: dict[str, None] = {}
        sound = True
        while stack:
            cell = stack.pop()
            for a, b, house in links:
                if cell not in (a, b):
                    continue
                houses[house.name] = None
                other = b if cell == a else a
                if other not in colour:
                    colour[other] = 1 - colour[cell]
                    stack.append(other)
                sound = sound and colour[other] != colour[cell]
        seen |= colour.keys()
        if sound:
            sides = [0, 0]
            for cell, side in colour.items():
                sides[side] |= 1 << cell
            found.append(Cluster((sides[0], sides[1]), tuple(houses)))
    return found


def simple_colouring(state: State) -> Iterator[Step]:
    """Find a colour two places of which see each other, and places that see both colours."""
    topology = state.topology
    for digit in state.digits:
        for cluster in clusters(state, digit):
            for colour in cluster.colours:
                clash = [p for p in between(colour, colour) if topology.peers[p[0]] >> p[1] & 1]
                if clash:
                    yield _step(state, "simple colouring", digit, [cluster], colour, clash[:1])
            first, second = cluster.colours
            lost = 0
            pairs = []
            for cell in members(state.at(digit) & ~first & ~second):
                sees = topology.peers[cell]
                if sees & first and sees & second:
                    lost |= 1 << cell
                    pairs += [(cell, members(sees & colour)[0]) for colour in cluster.colours]
            if lost:
                yield _step(state, "simple colouring", digit, [cluster], lost, pairs)


def multi_colouring(state: State) -> Iterator[Step]:
    """Find two clusters with colours that see each other.

    Then one of the two opposite colours is true. Where a colour sees both colours of the other
    cluster, it is false.
    """
    topology = state.topology
    for digit in state.digits:
        for one, other in combinations(clusters(state, digit), 2):
            both = [one, other]
            for cluster, against in ((one, other), (other, one)):
                for colour in cluster.colours:
                    meets = [_meeting(state, colour, side) for side in against.colours]
                    if all(meets):
                        yield _step(
                            state, "multi-colouring", digit, both, colour, meets[0] + meets[1]
                        )
            for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
                meeting = _meeting(state, one.colours[a], other.colours[b])
                if not meeting:
                    continue
                far, far2 = one.colours[1 - a], other.colours[1 - b]
                lost = 0
                pairs = list(meeting)
                for cell in members(state.at(digit)):
                    sees = topology.peers[cell]
                    if sees & far and sees & far2:
                        lost |= 1 << cell
                        pairs += [(cell, members(sees & side)[0]) for side in (far, far2)]
                if lost:
                    yield _step(state, "multi-colouring", digit, both, lost, pairs)


def _meeting(state: State, colour: int, other: int) -> list[tuple[int, int]]:
    """Return one pair of places, one of each colour, that see each other, if there is one."""
    for cell in members(colour):
        seen = state.topology.peers[cell] & other
        if seen:
            return [(cell, members(seen)[0])]
    return []


def _step(
    state: State,
    name: str,
    digit: int,
    used: list[Cluster],
    lost: int,
    pairs: list[tuple[int, int]],
) -> Step:
    return striking(
        state,
        name,
        each(lost, digit),
        cells=[cell for cluster in used for cell in cluster.cells],
        digits=[digit],
        houses=[house for cluster in used for house in cluster.houses],
        pairs=pairs,
    )
