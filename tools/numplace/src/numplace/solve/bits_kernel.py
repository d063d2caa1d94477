"""The search over candidate masks. Compiled by `numplace.solve.bits`, and run as it is at first.

It must not import anything: a single grid is solved before Numba is even loaded.

Throughout, ``cells`` is how many there are, n; ``masks`` are (n + 1) * n candidate masks, n for
each level of the search, bit v the number v; ``base`` is where those of the level begin; ``queue``
holds the cells with one candidate, ``dirty`` marks those that changed; and ``shape`` is, as arrays
or lists:

- ``house_start, house_cell``: the cells of house h are ``house_cell[house_start[h]:house_start[h
  + 1]]``; it holds 1 to their number;
- ``peer_start, peer``: in the same way the cells that differ from each cell;
- ``arc_start, arc_to, arc_row, tables``: in the same way the relations of each cell: the other
  cell, and where in ``tables`` the masks begin that each value of the first allows the second.
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
    shape: Any,
    nodes: Any,
) -> Any:
    """Look for answers until there is no room, nothing left, or the nodes are used up.

    Can be called again to go on; ``state[FOUND]`` is then to be 0 if answers were taken out.

    Parameters
    ----------
    masks
        The first n are those of the puzzle.
    rest, chosen
        Of each level the values not tried yet and the cell they are of.
    state
        See `LEVEL`, `START`, `FOUND`.
    queue, dirty
        Work space of n each; ``dirty`` is all 0.
    answers
        Room for answers, n masks each.
    nodes
        How many assignments to try.
    """
    while True:
        level = state[LEVEL]
        if settle(cells, level * cells, state[START], masks, queue, dirty, shape):
            best = fewest(cells, level * cells, masks)
            if best < 0:
                for cell in range(cells):
                    answers[state[FOUND] * cells + cell] = masks[level * cells + cell]
                state[FOUND] += 1
            else:
                chosen[level] = best
                rest[level] = masks[level * cells + best]
                level += 1
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
        here = level * cells
        for cell in range(here, here + cells):
            masks[cell] = masks[cell - cells]
        masks[here + chosen[level - 1]] = bit
        state[START] = chosen[level - 1]
        state[LEVEL] = level
        if state[FOUND] == len(answers) // cells:
            return FULL
        nodes -= 1
        if nodes <= 0:
            return PAUSED


def settle(
    cells: Any, base: Any, start: Any, masks: Any, queue: Any, dirty: Any, shape: Any
) -> Any:
    """Strike candidates until nothing more follows; return whether all cells have some left.

    ``start`` is the cell that was assigned, -1 for all.
    """
    house_start, house_cell, peer_start, peer, arc_start, arc_to, arc_row, tables = shape
    head = 0
    tail = 0
    first = max(start, 0)
    last = cells if start < 0 else start + 1
    for cell in range(first, last):
        tail = keep(cell, base, masks[base + cell], masks, queue, dirty, tail)
    while True:
        tail = spread(base, masks, queue, dirty, head, tail, peer_start, peer)
        head = tail
        if tail < 0:
            return False
        tail, struck = follow(
            cells, base, masks, queue, dirty, tail, arc_start, arc_to, arc_row, tables
        )
        if tail >= 0 and not struck:
            tail = place(base, masks, queue, dirty, tail, house_start, house_cell)
            if tail == head:
                return True
        if tail < 0:
            return False


def keep(cell: Any, base: Any, mask: Any, masks: Any, queue: Any, dirty: Any, tail: Any) -> Any:
    """Leave a cell some candidates; return the end of the queue then, -1 if there are none."""
    if mask == 0:
        return -1
    masks[base + cell] = mask
    dirty[cell] = 1
    if mask & (mask - 1) == 0:
        queue[tail] = cell
        tail += 1
    return tail


def spread(
    base: Any,
    masks: Any,
    queue: Any,
    dirty: Any,
    head: Any,
    tail: Any,
    peer_start: Any,
    peer: Any,
) -> Any:
    """Strike the one candidate of each cell of the queue from those that differ.

    Returns as `keep`, which is written out here: most of the time is spent in this loop.
    """
    while head < tail:
        cell = queue[head]
        head += 1
        bit = masks[base + cell]
        for index in range(peer_start[cell], peer_start[cell + 1]):
            other = peer[index]
            mask = masks[base + other]
            if mask & bit:
                mask &= ~bit
                if mask == 0:
                    return -1
                masks[base + other] = mask
                dirty[other] = 1
                if mask & (mask - 1) == 0:
                    queue[tail] = other
                    tail += 1
    return tail


def follow(
    cells: Any,
    base: Any,
    masks: Any,
    queue: Any,
    dirty: Any,
    tail: Any,
    arc_start: Any,
    arc_to: Any,
    arc_row: Any,
    tables: Any,
) -> Any:
    """Strike what the relations of changed cells leave no partner for.

    Returns as `keep`, and whether it struck something.
    """
    struck = False
    if len(arc_to) == 0:
        return tail, struck
    for cell in range(cells):
        if not dirty[cell]:
            continue
        dirty[cell] = 0
        for index in range(arc_start[cell], arc_start[cell + 1]):
            value = arc_row[index]
            allowed = 0
            left = masks[base + cell]
            while left:
                if left & 1:
                    allowed |= tables[value]
                left >>= 1
                value += 1
            other = arc_to[index]
            mask = masks[base + other]
            if mask & ~allowed:
                struck = True
                tail = keep(other, base, mask & allowed, masks, queue, dirty, tail)
                if tail < 0:
                    return -1, struck
    return tail, struck


def place(
    base: Any, masks: Any, queue: Any, dirty: Any, tail: Any, house_start: Any, house_cell: Any
) -> Any:
    """Fill the only places of numbers in houses. Returns as `keep`."""
    for house in range(len(house_start) - 1):
        first = house_start[house]
        last = house_start[house + 1]
        once = 0
        twice = 0
        for index in range(first, last):
            mask = masks[base + house_cell[index]]
            twice |= once & mask
            once |= mask
        if once != (2 << (last - first)) - 2:
            return -1
        single = once & ~twice
        if single == 0:
            continue
        for index in range(first, last):
            cell = house_cell[index]
            mask = masks[base + cell]
            only = mask & single
            if only and only != mask:
                if only & (only - 1):
                    return -1
                tail = keep(cell, base, only, masks, queue, dirty, tail)
    return tail


def fewest(cells: Any, base: Any, masks: Any) -> Any:
    """Return the cell with the fewest candidates, two or more; -1 if all have one."""
    best = -1
    least = 1000
    for cell in range(cells):
        mask = masks[base + cell]
        mask &= mask - 1
        if mask:
            count = 1
            while mask:
                mask &= mask - 1
                count += 1
            if count < least:
                least = count
                best = cell
                if count == 2:
                    break
    return best
