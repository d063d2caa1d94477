"""A depth-first search of one layer, cell by cell in rows, with the frontier's plugs. Compiled.

Each cell is told which of its sides lines cross; the left and the upper one are known by then. An
open line crosses the *frontier* between visited and other cells in a *plug*, and each plug knows
where its line begins: at an end, or at another plug. What prunes most is that a line which turns
three times around a square can be cut short: so in the square at the inside of a turn, the cell
across is a turn of the same kind, an end, or empty. On a full board a turn therefore stands on a
diagonal of turns that leads to an end, of which there are few (the idea of T. Ahle's `numberlink`,
2013, whose sweep goes along diagonals).

Where cells may stay empty, of drawings that can be changed into each other only the one counts that
is shortest and then lies lowest: turns at the top of a line (from the right to below, from the left
to below) are never around an empty cell, as they could fall into it, and no line runs below
an empty stretch between two ways up, as it could be lifted and be shorter. If the board has any
answer it has such a one; what is found need not be one, but is an answer by the rules ``nikoli``.

Between rows, states of the frontier that led nowhere are remembered; and a row ends where lines
between places on the rim of what is left would have to cross.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit

E, S, W, N = 1, 2, 4, 8
"""Sides of a cell that a line crosses: right, down, left, up."""

EAST_SOUTH, WEST_SOUTH, WEST_NORTH, EAST_NORTH = E | S, W | S, W | N, E | N
"""The four turns."""

MOST_PAIRS = 62
"""Open lines without an end whose plugs `_must_cross` tells apart by bits."""

COUNTED = False
"""Whether functions called for each cell count references to their arrays: more than half of the
time would go there, and they make no arrays."""


class SweepResult(NamedTuple):
    """What a sweep came to.

    Parameters
    ----------
    sides
        ``(found, height * width)``: the drawings found, by the sides of each cell.
    complete
        Whether there are no others of their kind.
    nodes
        The cells that were filled, again and again.
    """

    sides: NDArray[np.int64]
    complete: bool
    nodes: int


def sweep(ends: NDArray[np.int64], *, full: bool, most_nodes: int, most_found: int) -> SweepResult:
    """Look for drawings whose lines do not turn three times around a square.

    Parameters
    ----------
    ends
        ``(height, width)`` the line's number in its two end cells, 0 elsewhere.
    full
        Whether every cell is filled.
    most_nodes
        Cells to fill, again and again, before the search gives up.
    most_found
        Drawings to find before it ends.
    """
    height, width = ends.shape
    found = np.zeros((most_found, height * width), np.int64)
    # A row of cells has one state at most, and takes a cell or more to be filled.
    bits = int(np.ceil(np.log2(2 + most_nodes // max(4, width))))
    dead = np.zeros((2, 1 << (bits + 1)), np.uint64)
    count, nodes, complete = _sweep(
        np.ascontiguousarray(ends).ravel(), width, full, most_nodes, found, dead
    )
    return SweepResult(found[:count], bool(complete), int(nodes))


@njit(cache=True)
def _sweep(ends, width, full, most_nodes, found, dead):
    """Search; return the number of drawings found, of nodes, and whether that is all."""
    cells = len(ends)
    height = cells // width
    falls_right, falls_left = _chains(ends, width)
    rim, rim_count = _rim(ends, width)
    lines = ends.max()
    scratch = np.zeros((5, lines + 1), np.int64)
    order = np.zeros(4 * (height + width), np.int64)
    pair_bit = np.zeros(width, np.int64)
    sides = np.zeros(cells, np.int64)
    # Of plug 2 c (right of cell c) or 2 c + 1 (below): the plug at the line's other side, or less
    # the line's number where that is an end.
    mate = np.zeros(2 * cells, np.int64)
    choice = np.zeros(cells + 1, np.int64)
    column = np.arange(cells + 1) % width
    key = np.zeros((height, 2), np.uint64)
    found_before = np.zeros(height, np.int64)
    at, nodes, count = 0, 0, 0
    while True:
        advanced = False
        if at == cells:
            found[count] = sides
            count += 1
            if count == len(found):
                return count, nodes, False
        else:
            x = column[at]
            from_left = x > 0 and (sides[at - 1] & E) != 0
            from_above = at >= width and (sides[at - width] & S) != 0
            entered = (W if from_left else 0) | (N if from_above else 0)
            missing = (1 if ends[at] else 2) - from_left - from_above
            options = 0 if missing < 0 else 2 if missing == 1 or (missing == 2 and not full) else 1
            option = choice[at]
            while option < options and not advanced:
                if missing == 0:
                    leaving = 0
                elif missing == 1:
                    leaving = S if option == 0 else E
                else:
                    leaving = E | S if option == 0 else 0
                option += 1
                advanced = _fits(
                    ends, sides, at, x, entered, leaving, width, full, falls_right, falls_left
                ) and _connect(ends, mate, at, entered, leaving, width)
                if advanced:
                    sides[at] = entered | leaving
            choice[at] = option
        if advanced:
            at += 1
            nodes += 1
            choice[at] = 0
            if nodes > most_nodes:
                return count, nodes, False
            if column[at] == 0 and at < cells:
                row = at // width
                first, second = _state(ends, sides, mate, at, width)
                key[row, 0], key[row, 1] = first, second
                found_before[row] = count
                if _must_cross(
                    sides, mate, at, width, rim[row], rim_count[row], scratch, order, pair_bit
                ) or _is_dead(dead, first, second):
                    advanced = False
                    found_before[row] = -1  # Not to be noted, or noted already.
        if not advanced:
            if at < cells:
                sides[at] = 0
                if column[at] == 0 and at > 0 and found_before[at // width] == count:
                    _bury(dead, key[at // width, 0], key[at // width, 1])
            at -= 1
            if at < 0:
                return count, nodes, True
            _disconnect(sides, mate, at, width)
            sides[at] = 0


@njit(cache=True)
def _chains(ends, width):
    """Mark the cells from which diagonals of turns down right, and down left, can lead to ends."""
    right = np.zeros(len(ends), np.bool_)
    left = np.zeros(len(ends), np.bool_)
    for cell in range(len(ends) - width - 1, -1, -1):
        x = cell % width
        if x + 1 < width:
            right[cell] = ends[cell + width + 1] > 0 or right[cell + width + 1]
        if x > 0:
            left[cell] = ends[cell + width - 1] > 0 or left[cell + width - 1]
    return right, left


@njit(cache=True, _nrt=COUNTED)
def _fits(ends, sides, at, x, entered, leaving, width, full, falls_right, falls_left):
    """Whether a cell in column x can have these sides, by the cells around it alone."""
    here = entered | leaving
    is_end = ends[at] > 0
    if (leaving & E and x == width - 1) or (leaving & S and at >= len(ends) - width):
        return False
    if at >= width:
        # In the inside of the turns up left and up right.
        if (
            x > 0
            and sides[at - width - 1] == EAST_SOUTH
            and (entered if is_end else here != EAST_SOUTH)
        ):
            return False
        if (
            x + 1 < width
            and sides[at - width + 1] == WEST_SOUTH
            and (here & (N | E) if is_end else here != WEST_SOUTH)
        ):
            return False
        if leaving & E and entered & N and sides[at - width] & E:
            return False
    if leaving & S and entered & W and sides[at - 1] & S:
        return False
    if is_end:
        return True
    if here == WEST_NORTH:
        across = at - width - 1
        if sides[across] & (E | S):
            return False
        if not (ends[across] or sides[across] == WEST_NORTH or sides[across] == 0):
            return False
        return full or not _can_be_lifted(ends, sides, at, width)
    if here == EAST_NORTH:
        across = at - width + 1
        if sides[across] & (W | S):
            return False
        return ends[across] or sides[across] == EAST_NORTH or sides[across] == 0
    if here == EAST_SOUTH:
        return falls_right[at]
    return here != WEST_SOUTH or falls_left[at]


@njit(cache=True, _nrt=COUNTED)
def _can_be_lifted(ends, sides, at, width):
    """Whether a line comes down, goes right below empty cells, and up again here."""
    cell = at - 1
    while sides[cell] == E | W and sides[cell - width] == 0:
        cell -= 1
    return cell < at - 1 and sides[cell] == EAST_NORTH and ends[cell] == 0


@njit(cache=True, _nrt=COUNTED)
def _connect(ends, mate, at, entered, leaving, width):
    """Lead the lines that enter a cell on; return whether that closes no loop and joins no two."""
    left, above = 2 * at - 2, 2 * (at - width) + 1
    plug = left if entered & W else above
    out = 2 * at if leaving & E else 2 * at + 1
    if ends[at]:
        if not entered:
            mate[out] = -ends[at]
            return True
        other = mate[plug]
        if other < 0:
            return other == -ends[at]
        mate[other] = -ends[at]
        return True
    if entered == WEST_NORTH:
        first, second = mate[left], mate[above]
        if first == above or (first < 0 and second < 0 and first != second):
            return False
        if first >= 0:
            mate[first] = second
        if second >= 0:
            mate[second] = first
    elif entered:
        other = mate[plug]
        mate[out] = other
        if other >= 0:
            mate[other] = out
    elif leaving:
        mate[2 * at], mate[2 * at + 1] = 2 * at + 1, 2 * at
    return True


@njit(cache=True, _nrt=COUNTED)
def _disconnect(sides, mate, at, width):
    """Undo what `_connect` did."""
    left, above = 2 * at - 2, 2 * (at - width) + 1
    if sides[at] & W and mate[left] >= 0:
        mate[mate[left]] = left
    if sides[at] & N and mate[above] >= 0:
        mate[mate[above]] = above


@njit(cache=True, _nrt=COUNTED)
def _state(ends, sides, mate, at, width):
    """Return two keys of all that the rest of the board depends on."""
    first, second = np.uint64(2 * at + 1), np.uint64(3 * at + 7)
    for cell in range(at - width, at):
        here = sides[cell]
        if here & S:
            other = mate[2 * cell + 1]
            value = 8 * (width - other) if other < 0 else 8 * ((other >> 1) % width)
            value += 1 if here == EAST_SOUTH else 2 if here == WEST_SOUTH else 0
        elif ends[cell]:
            value = 3
        else:
            value = 4 if here == 0 else 5 if here == WEST_NORTH else 6 if here == EAST_NORTH else 7
        first = (first ^ np.uint64(value)) * np.uint64(0x9E3779B97F4A7C15)
        first ^= first >> np.uint64(29)
        second = (second ^ np.uint64(value)) * np.uint64(0xC2B2AE3D27D4EB4F)
        second ^= second >> np.uint64(31)
    return first | np.uint64(1), second


@njit(cache=True, _nrt=COUNTED)
def _is_dead(dead, first, second):
    """Whether a state is known to lead nowhere."""
    mask = np.uint64(dead.shape[1] - 1)
    for probe in range(4):
        slot = ((first >> np.uint64(1)) + np.uint64(probe)) & mask
        if dead[0, slot] == first and dead[1, slot] == second:
            return True
    return False


@njit(cache=True, _nrt=COUNTED)
def _bury(dead, first, second):
    """Note that a state leads nowhere; if there is no room, in the place of another."""
    mask = np.uint64(dead.shape[1] - 1)
    home = (first >> np.uint64(1)) & mask
    free = home
    for probe in range(4):
        slot = (home + np.uint64(probe)) & mask
        if dead[0, slot] == 0:
            free = slot
            break
    dead[0, free], dead[1, free] = first, second


@njit(cache=True)
def _rim(ends, width):
    """Return the lines of the ends on the rim of what is left from each row on, right to left."""
    height = len(ends) // width
    rim = np.zeros((height, 2 * height + width), np.int64)
    count = np.zeros(height, np.int64)
    for row in range(height):
        for y in range(row, height - 1):
            _append(rim[row], count, row, ends[y * width + width - 1])
        for x in range(width - 1, -1, -1):
            _append(rim[row], count, row, ends[(height - 1) * width + x])
        if width > 1:
            for y in range(height - 2, row - 1, -1):
                _append(rim[row], count, row, ends[y * width])
    return rim, count


@njit(cache=True)
def _append(rim, count, row, line):
    if line:
        rim[count[row]] = line
        count[row] += 1


@njit(cache=True, _nrt=COUNTED)
def _must_cross(sides, mate, at, width, rim, rim_count, scratch, order, pair_bit):
    """Whether two lines between places on the rim of what is left must cross.

    The rim is the frontier with its plugs, and the other sides of the board. An open line without
    an end is a handle by which others can get from one of its plugs to the other: only lines count
    between whose places no handle leads to elsewhere.
    """
    times, handles, clean, seen, stack = scratch
    times[:] = 0
    clean[:] = 0
    seen[:] = 0
    for cell in range(at - width, at):
        if sides[cell] & S and mate[2 * cell + 1] < 0:
            times[-mate[2 * cell + 1]] += 1
    for place in range(rim_count):
        times[rim[place]] += 1
    length, pairs, open_pairs = 0, 0, 0
    for place in range(width + rim_count):
        if place < width:
            plug = 2 * (at - width + place) + 1
            if not sides[plug >> 1] & S:
                continue
            line = -mate[plug]
            if line <= 0:
                if -line < plug:
                    open_pairs ^= pair_bit[((-line) >> 1) % width]
                else:
                    if pairs == MOST_PAIRS:
                        return False
                    pair_bit[place] = 1 << pairs
                    open_pairs ^= pair_bit[place]
                    pairs += 1
                continue
        else:
            line = rim[place - width]
        if times[line] != 2:
            continue
        if seen[line]:
            clean[line] = handles[line] == open_pairs
        else:
            seen[line] = 1
            handles[line] = open_pairs
        order[length] = line
        length += 1
    seen[:] = 0
    top = 0
    for place in range(length):
        line = order[place]
        if not clean[line]:
            continue
        if not seen[line]:
            seen[line] = 1
            stack[top] = line
            top += 1
        else:
            top -= 1
            if stack[top] != line:
                return True
    return False
