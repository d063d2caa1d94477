"""Chains: candidates in turn false and true, each forced by the one before.

See `numplace.logic.web` for nodes and links. A chain that begins and ends with a strong link shows
that one of its two ends is true, so what cannot be true beside either end goes (alternating
inference chain). X-chains keep to one number, XY-chains to cells with two candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from numplace.logic.bitset import lowest, members
from numplace.logic.build import striking
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.web import Web

MOST_NODES = 24
"""Nodes of the longest chain that is looked for: beyond it nobody follows."""

MOST_NODES_WITH_SETS = 20
"""The same where almost locked sets make the links many."""

MOST_IN_WEB = 4_000
"""Nodes of the largest web that is searched; 9x9 grids stay below 2,000."""

Chain = tuple[int, list[int], dict[int, tuple[int, int]]]
"""Length, nodes, and the nodes that are struck, each with two of which one is true."""


def x_chain(state: State) -> Iterator[Step]:
    """Find chains of one number."""
    for digit in state.digits:
        yield from _steps(Web(state, [digit], cells=False), "x-chain")


def xy_chain(state: State) -> Iterator[Step]:
    """Find chains through cells with two candidates."""
    return _steps(Web(state, state.digits, houses=False), "xy-chain")


def nice_loop(state: State) -> Iterator[Step]:
    """Find chains of all strong links."""
    return _steps(Web(state, state.digits), "nice loop")


def grouped_nice_loop(state: State) -> Iterator[Step]:
    """Find chains whose nodes may be groups: the places of a number where two houses cross."""
    return _steps(Web(state, state.digits, groups=True), "grouped nice loop")


def als_chain(state: State) -> Iterator[Step]:
    """Find chains that pass through almost locked sets too.

    Of any two numbers of such a set one has a place in it: that is a strong link.
    """
    return _steps(Web(state, state.digits, groups=True, sets=True), "als chain")


def _steps(web: Web, name: str) -> Iterator[Step]:
    """Return the steps, those of the shortest chains first; with sets those of each start."""
    if len(web.nodes) > MOST_IN_WEB:
        return
    found: list[Chain] = []
    # A chain can be read from either end.
    for start in range(len(web.nodes)):
        if web.strong[start]:
            found += _from(web, start)
        if web.sets or start == len(web.nodes) - 1:
            found.sort(key=lambda each: each[0])
            for _, path, lost in found:
                yield _step(web, name, path, lost)
            found = []


def _from(web: Web, start: int) -> Iterator[Chain]:
    """Return chains from a node that is assumed false, and loops, which close by a weak link."""
    true_from: dict[int, int] = {}
    false_from: dict[int, int] = {start: -1}
    single = web.single
    layer = 1 << start
    known_true = 0
    known_false = layer
    for length in range(2, (MOST_NODES_WITH_SETS if web.sets else MOST_NODES) + 1, 2):
        fresh = 0
        for node in members(layer):
            new = web.strong[node] & ~known_true & ~fresh
            for other in members(new):
                true_from[other] = node
            fresh |= new
        known_true |= fresh
        for end in members(fresh):
            lost = web.weak[start] & web.weak[end] & single
            if end == start:
                lost = web.weak[start] & single
            struck = dict.fromkeys(members(lost), (start, end))
            if end < start or not (lost or web.weak[start] >> end & 1):
                continue
            path = _path(true_from, false_from, end)
            if web.weak[start] >> end & 1:  # A loop: of each weak link one end is true.
                for a, b in zip(path[1::2], path[2::2], strict=False):
                    both = web.weak[a] & web.weak[b] & single
                    struck |= dict.fromkeys(members(both), (a, b))
            if struck:
                yield length, path, struck
        layer = 0
        for node in members(fresh):
            new = web.weak[node] & ~known_false & ~layer
            for other in members(new):
                false_from[other] = node
            layer |= new
        known_false |= layer
        if not layer:
            return


def _path(true_from: dict[int, int], false_from: dict[int, int], end: int) -> list[int]:
    path = [end]
    node = end
    while True:
        node = true_from[node]
        path.append(node)
        if false_from[node] < 0:
            return path[::-1]
        node = false_from[node]
        path.append(node)


def _step(web: Web, name: str, path: list[int], lost: dict[int, tuple[int, int]]) -> Step:
    houses: dict[str, None] = {}
    clues: dict[str, None] = {}
    pairs: list[tuple[int, int]] = []
    cells = 0
    for number, (a, b) in enumerate(pairwise(path)):
        cells |= web.nodes[a][0] | web.nodes[b][0]
        if number % 2:
            pairs += web.pairs(a, b, clues)
        elif (a, b) in web.set_of:
            used = web.set_of[a, b]
            cells |= used.cells
            (houses if used.is_house else clues)[used.house] = None
        elif web.house_of[min(a, b), max(a, b)]:
            houses[web.house_of[min(a, b), max(a, b)]] = None
    strikes = []
    if web.weak[path[0]] >> path[-1] & 1:
        pairs += web.pairs(path[0], path[-1], clues)
    for node, ends in lost.items():
        group, digit = web.nodes[node]
        strikes.append((lowest(group), digit))
        for end in ends:
            pairs += web.pairs(node, end, clues)
    return striking(
        web.state,
        name,
        strikes,
        cells=members(cells),
        digits=dict.fromkeys(web.nodes[node][1] for node in path),
        houses=list(houses),
        clues=list(clues),
        pairs=pairs,
        path=[web.nodes[node] for node in path],
    )
