"""Wings: W-wing, XY-wing, XYZ-wing, and the remote pair."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations, pairwise

from numplace.logic.bitset import bitset, lowest, members
from numplace.logic.build import between, each, striking
from numplace.logic.single_digit import strong_links
from numplace.logic.state import State
from numplace.logic.step import Step


def w_wing(state: State) -> Iterator[Step]:
    """Find two cells with the same two candidates, joined by a strong link of one of them.

    Not both cells can hold the linked number, so one holds the other number.
    """
    peers = state.topology.peers
    for a, b in combinations(state.bivalue(), 2):
        if state.masks[a] != state.masks[b] or peers[a] >> b & 1:
            continue
        ends = bitset((a, b))
        seen = state.topology.seen_by_all(ends)
        first, second = members(state.masks[a])
        for linked, struck in ((first, second), (second, first)):
            lost = seen & state.at(struck)
            if not lost:
                continue
            for c, d, house in strong_links(state, linked):
                if {a, b} & {c, d}:
                    continue
                for near, far in ((c, d), (d, c)):
                    if peers[a] >> near & 1 and peers[b] >> far & 1:
                        yield striking(
                            state,
                            "w-wing",
                            each(lost, struck),
                            cells=(a, b, c, d),
                            digits=(struck, linked),
                            houses=[house.name],
                            pairs=[(a, near), (b, far), *between(lost, ends)],
                        )


def xy_wing(state: State) -> Iterator[Step]:
    """Find a cell xy that sees cells xz and yz: one of these two holds z."""
    peers = state.topology.peers
    pairs = state.bivalue()
    for pivot in pairs:
        seen = [c for c in pairs if peers[pivot] >> c & 1 and _share(state, pivot, c) == 1]
        for a, b in combinations(seen, 2):
            common = state.masks[a] & state.masks[b]
            # Else both have the same number of the pivot: nothing follows.
            if common.bit_count() != 1 or common & state.masks[pivot]:
                continue
            yield from _wing(state, "xy-wing", pivot, (a, b), lowest(common), bitset((a, b)))


def xyz_wing(state: State) -> Iterator[Step]:
    """Find a cell xyz that sees cells xz and yz: one of the three holds z."""
    peers = state.topology.peers
    pairs = state.bivalue()
    for pivot in members(state.open):
        if state.masks[pivot].bit_count() != 3:
            continue
        seen = [c for c in pairs if peers[pivot] >> c & 1 and _share(state, pivot, c) == 2]
        for a, b in combinations(seen, 2):
            common = state.masks[a] & state.masks[b]
            if common.bit_count() != 1:
                continue
            ends = bitset((pivot, a, b))
            yield from _wing(state, "xyz-wing", pivot, (a, b), lowest(common), ends)


def _wing(
    state: State, name: str, pivot: int, pincers: tuple[int, int], digit: int, ends: int
) -> Iterator[Step]:
    lost = state.topology.seen_by_all(ends) & state.at(digit)
    if lost:
        others = members(state.masks[pivot] & ~(1 << digit))
        yield striking(
            state,
            name,
            each(lost, digit),
            cells=(pivot, *pincers),
            digits=(digit, *others),
            pairs=[(pivot, pincers[0]), (pivot, pincers[1]), *between(lost, ends)],
            path=[(1 << cell, digit) for cell in (pincers[0], pivot, pincers[1])],
        )


def _share(state: State, a: int, b: int) -> int:
    """Return how many candidates two cells have in common."""
    return (state.masks[a] & state.masks[b]).bit_count()


def remote_pair(state: State) -> Iterator[Step]:
    """Find chains of cells with the same two candidates, each seeing the next.

    An even number of cells apart from each other the ends hold different numbers, so what sees
    both loses both.
    """
    peers = state.topology.peers
    pairs = state.bivalue()
    for start in pairs:
        mask = state.masks[start]
        same = bitset(cell for cell in pairs if state.masks[cell] == mask)
        before = {start: -1}
        distance = {start: 0}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for peer in members(peers[cell] & same):
                if peer not in before:
                    before[peer] = cell
                    distance[peer] = distance[cell] + 1
                    queue.append(peer)
        for end, steps in distance.items():
            if steps < 3 or steps % 2 == 0 or end < start:
                continue
            path = [end]
            while path[-1] != start:
                path.append(before[path[-1]])
            ends = bitset((start, end))
            seen = state.topology.seen_by_all(ends) & ~bitset(path)
            strikes = [
                lost for digit in members(mask) for lost in each(seen & state.at(digit), digit)
            ]
            if strikes:
                yield striking(
                    state,
                    "remote pair",
                    strikes,
                    cells=path,
                    digits=members(mask),
                    pairs=[
                        *pairwise(path),
                        *((cell, tip) for cell, _ in strikes for tip in (start, end)),
                    ],
                    path=[(1 << cell, lowest(mask)) for cell in path],
                )
