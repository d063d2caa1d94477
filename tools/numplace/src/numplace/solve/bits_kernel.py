"""The search over candidate masks. Compiled by `numplace.solve.bits`, and run as it is at first.

It must not import anything: a single grid is solved before Numba is even loaded.
"""

from __future__ import annotations

from typing import Any

EXHAUSTED, FULL, PAUSED = range(3)
"""How it ends: all answers found; no more room for answers; the nodes of this call used up."""

LEVEL, START, FOUND = range(3)
"""Places of ``state``: the level, the cell assigned last (-1 at first), answers in ``answers``."""


def search(
    cells: Any,
    masks: Any,
    rest: Any,
    chosen: Any,
    state: Any,
    queue: Any,
    dirty: Any,
    answers: Any,
    house_start: Any,
    house_cell: Any,
    peer_start: Any,
    peer: Any,
    arc_start: Any,
    arc_to: Any,
    arc_row: Any,
    tables: Any,
    nodes: Any,
) -> Any:
    """Look for answers until there is no room, nothing left, or the nodes are used up.

    Can be called again to go on; ``state[FOUND]`` is then to be 0 if answers were taken out.

    Parameters
    ----------
    cells
        How many there are, n.
    masks
        (n + 1) * n candidate masks, n for each level; bit v is the number v. The first n are
        those of the puzzle.
    rest, chosen
        Of each level the values not tried yet and the cell they are of.
    state
        See `LEVEL`, `START`, `FOUND`.
    queue, dirty
        Work space of n each; ``dirty`` is all 0.
    answers
        Room for answers, n masks each.
    house_start, house_cell
        The cells of house h are ``house_cell[house_start[h]:house_start[h + 1]]``; it holds 1
        to their number.
    peer_start, peer
        In the same way the cells that differ from each cell.
    arc_start, arc_to, arc_row
        In the same way the relations of each cell: the other cell, and where in ``tables``
        the masks begin that each value of the first allows the second.
    nodes
        How many assignments to try.
    """
    houses = len(house_start) - 1
    room = len(answers) // cells
    has_arcs = len(arc_to) > 0
    level = state[LEVEL]
    while True:
        base = level * cells
        head = 0
        tail = 0
        start = state[START]
        if start < 0:
            for cell in range(cells):
                mask = masks[base + cell]
                dirty[cell] = 1
                if mask & (mask - 1) == 0:
                    queue[tail] = cell
                    tail += 1
        else:
            queue[0] = start
            tail = 1
            dirty[start] = 1
        fits = True
        while fits:
            while head < tail and fits:
                cell = queue[head]
                head += 1
                bit = masks[base + cell]
                if bit == 0:
                    fits = False
                    break
                for index in range(peer_start[cell], peer_start[cell + 1]):
                    other = peer[index]
                    mask = masks[base + other]
                    if mask & bit:
                        mask &= ~bit
                        if mask == 0:
                            fits = False
                            break
                        masks[base + other] = mask
                        dirty[other] = 1
                        if mask & (mask - 1) == 0:
                            queue[tail] = other
                            tail += 1
            if not fits:
                break
            if has_arcs:
                again = False
                for cell in range(cells):
                    if not dirty[cell]:
                        continue
                    dirty[cell] = 0
                    mask = masks[base + cell]
                    for index in range(arc_start[cell], arc_start[cell + 1]):
                        row = arc_row[index]
                        allowed = 0
                        left = mask
                        value = 0
                        while left:
                            if left & 1:
                                allowed |= tables[row + value]
                            left >>= 1
                            value += 1
                        other = arc_to[index]
                        before = masks[base + other]
                        after = before & allowed
                        if after != before:
                            if after == 0:
                                fits = False
                                break
                            masks[base + other] = after
                            dirty[other] = 1
                            again = True
                            if after & (after - 1) == 0:
                                queue[tail] = other
                                tail += 1
                    if not fits:
                        break
                if not fits:
                    break
                if again:
                    continue
            progress = False
            for house in range(houses):
                first = house_start[house]
                last = house_start[house + 1]
                once = 0
                twice = 0
                for index in range(first, last):
                    mask = masks[base + house_cell[index]]
                    twice |= once & mask
                    once |= mask
                if once != (2 << (last - first)) - 2:
                    fits = False
                    break
                single = once & ~twice
                if single:
                    for index in range(first, last):
                        cell = house_cell[index]
                        mask = masks[base + cell]
                        only = mask & single
                        if only and only != mask:
                            if only & (only - 1):
                                fits = False
                                break
                            masks[base + cell] = only
                            dirty[cell] = 1
                            queue[tail] = cell
                            tail += 1
                            progress = True
                if not fits:
                    break
            if not progress:
                break
        if fits:
            best = -1
            fewest = 1000
            for cell in range(cells):
                mask = masks[base + cell]
                mask &= mask - 1
                if mask:
                    count = 1
                    while mask:
                        mask &= mask - 1
                        count += 1
                    if count < fewest:
                        fewest = count
                        best = cell
                        if count == 2:
                            break
            if best < 0:
                found = state[FOUND]
                for cell in range(cells):
                    answers[found * cells + cell] = masks[base + cell]
                state[FOUND] = found + 1
            else:
                chosen[level] = best
                rest[level] = masks[base + best]
                level += 1
        if has_arcs:
            for cell in range(cells):
                dirty[cell] = 0
        # The values left at the levels above: take the next, deepest first.
        while level > 0 and rest[level - 1] == 0:
            level -= 1
        if level == 0:
            # Below the first level there is nothing left to settle.
            state[LEVEL] = -1
            return EXHAUSTED
        bit = rest[level - 1] & -rest[level - 1]
        rest[level - 1] &= ~bit
        above = (level - 1) * cells
        for cell in range(cells):
            masks[above + cells + cell] = masks[above + cell]
        masks[above + cells + chosen[level - 1]] = bit
        state[START] = chosen[level - 1]
        state[LEVEL] = level
        if state[FOUND] == room:
            return FULL
        nodes -= 1
        if nodes <= 0:
            return PAUSED
