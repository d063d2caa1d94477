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

from nlrouter.compiled import inner, njit
from nlrouter.puzzle.drawing import Ends

E, S, W, N = 1, 2, 4, 8
"""Sides of a cell that a line crosses: right, down, left, up."""

EAST_SOUTH, WEST_SOUTH, WEST_NORTH, EAST_NORTH = E | S, W | S, W | N, E | N
"""The four turns."""

TAKEN, FALLS_RIGHT, FALLS_LEFT, FULL = 16, 32, 64, 128
"""What else is told of a cell beside the sides on which it has others: that it is an end or a wall,
that a diagonal of turns down right, or down left, can lead from it to one, and that all cells are
filled."""

MOST_PAIRS = 62
"""Open lines without an end whose plugs `_must_cross` tells apart by bits."""

INNER = {"_nrt": False, "forceinline": True}
"""Options of functions that `_sweep` calls again and again. They make no arrays and need not count
references to them, where more than half of the time would go; calls that stay would take a third.
"""


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


def sweep(ends: Ends, *, full: bool, most_nodes: int, most_found: int) -> SweepResult:
    """Look for drawings whose lines do not turn three times around a square.

    Parameters
    ----------
    ends
        See `drawing.Ends`.
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
    ground = _ground(ends, width, full)
    rim, rim_count = _rim(ends, width)
    scratch = np.zeros((5, ends.max() + 1), np.int64)
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
    while at >= 0:
        if at == cells:
            found[count] = sides
            count += 1
            if count == len(found):
                return count, nodes, False
        elif _fill(ground, ends, sides, mate, choice, at, width):
            at += 1
            nodes += 1
            choice[at] = 0
            if nodes > most_nodes:
                return count, nodes, False
            if column[at] > 0 or at == cells:
                continue
            row = at // width
            first, second = _state(ends, sides, mate, at, width)
            key[row, 0], key[row, 1] = first, second
            found_before[row] = count
            if not (
                _must_cross(sides, mate, at, rim[row], rim_count[row], scratch, order, pair_bit)
                or _is_dead(dead, first, second)
            ):
                continue
            found_before[row] = -1  # Not to be noted, or noted already.
        if at < cells:
            sides[at] = 0
            if column[at] == 0 and at > 0 and found_before[at // width] == count:
                _bury(dead, key[at // width, 0], key[at // width, 1])
        at -= 1
        if at >= 0:
            _disconnect(sides, mate, at, width)
            sides[at] = 0
    return count, nodes, True


@inner(cache=True, **INNER)
def _fill(ground, ends, sides, mate, choice, at, width):
    """Give a cell the sides of its next option that fits; return whether one does."""
    here = ground[at]
    from_left = here & W and sides[at - 1] & E
    from_above = here & N and sides[at - width] & S
    entered = (W if from_left else 0) | (N if from_above else 0)
    missing = 2 if not here & TAKEN else 1 if ends[at] > 0 else 0
    missing -= (1 if from_left else 0) + (1 if from_above else 0)
    options = 0 if missing < 0 else 2 if missing == 1 or (missing == 2 and not here & FULL) else 1
    option = choice[at]
    while option < options:
        if missing == 1:
            leaving = S if option == 0 else E
        else:
            leaving = E | S if missing == 2 and option == 0 else 0
        option += 1
        if _fits(ground, sides, at, entered, leaving, width) and _connect(
            ends, mate, at, entered, leaving, width
        ):
            sides[at] = entered | leaving
            choice[at] = option
            return True
    return False


@inner(cache=True)
def _ground(ends, width, full):
    """Tell of each cell on which sides others are, and what `_fits` has to know besides."""
    ground = np.zeros(len(ends), np.int64)
    for cell in range(len(ends) - 1, -1, -1):
        here = (FULL if full else 0) | (N if cell >= width else 0)
        if ends[cell]:
            here |= TAKEN
        if cell % width > 0:
            here |= W
        if cell % width < width - 1:
            here |= E
        if cell < len(ends) - width:
            here |= S
            if here & E and ground[cell + width + 1] & (TAKEN | FALLS_RIGHT):
                here |= FALLS_RIGHT
            if here & W and ground[cell + width - 1] & (TAKEN | FALLS_LEFT):
                here |= FALLS_LEFT
        ground[cell] = here
    return ground


@inner(cache=True, **INNER)
def _fits(ground, sides, at, entered, leaving, width):
    """Whether a cell can have these sides, by the cells around it alone."""
    around, here = ground[at], entered | leaving
    if leaving & ~around:
        return False
    if around & N:
        # In the inside of the turns up left and up right.
        taken = around & TAKEN
        if (
            around & W
            and sides[at - width - 1] == EAST_SOUTH
            and (entered if taken else here != EAST_SOUTH)
        ):
            return False
        if (
            around & E
            and sides[at - width + 1] == WEST_SOUTH
            and (here & (N | E) if taken else here != WEST_SOUTH)
        ):
            return False
        if leaving & E and entered & N and sides[at - width] & E:
            return False
    if leaving & S and entered & W and sides[at - 1] & S:
        return False
    return around & TAKEN or _can_turn(ground, sides, at, here, width)


@inner(cache=True, **INNER)
def _can_turn(ground, sides, at, here, width):
    """Whether a cell that is no end can have these sides, by the cell in the inside of the turn."""
    if here == EAST_SOUTH:
        return ground[at] & FALLS_RIGHT
    if here == WEST_SOUTH:
        return ground[at] & FALLS_LEFT
    if here == WEST_NORTH:
        across = at - width - 1
        if sides[across] & (E | S):
            return False
        if not (ground[across] & TAKEN or sides[across] == WEST_NORTH or sides[across] == 0):
            return False
        return ground[at] & FULL or not _can_be_lifted(ground, sides, at, width)
    if here == EAST_NORTH:
        across = at - width + 1
        if sides[across] & (W | S):
            return False
        return ground[across] & TAKEN or sides[across] == EAST_NORTH or sides[across] == 0
    return True


@inner(cache=True, **INNER)
def _can_be_lifted(ground, sides, at, width):
    """Whether a line comes down, goes right below empty cells, and up again here."""
    cell = at - 1
    while sides[cell] == E | W and not (sides[cell - width] or ground[cell - width] & TAKEN):
        cell -= 1
    return cell < at - 1 and sides[cell] == EAST_NORTH


@inner(cache=True, **INNER)
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


@inner(cache=True, **INNER)
def _disconnect(sides, mate, at, width):
    """Undo what `_connect` did."""
    left, above = 2 * at - 2, 2 * (at - width) + 1
    if sides[at] & W and mate[left] >= 0:
        mate[mate[left]] = left
    if sides[at] & N and mate[above] >= 0:
        mate[mate[above]] = above


@inner(cache=True, **INNER)
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


@inner(cache=True, **INNER)
def _is_dead(dead, first, second):
    """Whether a state is known to lead nowhere."""
    mask = np.uint64(dead.shape[1] - 1)
    for probe in range(4):
        slot = ((first >> np.uint64(1)) + np.uint64(probe)) & mask
        if dead[0, slot] == first and dead[1, slot] == second:
            return True
    return False


@inner(cache=True, **INNER)
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


@inner(cache=True)
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


@inner(cache=True)
def _append(rim, count, row, line):
    if line > 0:
        rim[count[row]] = line
        count[row] += 1


@inner(cache=True, **INNER)
def _must_cross(sides, mate, at, rim, rim_count, scratch, order, pair_bit):
    """Whether two lines between places on the rim of what is left must cross.

    The rim is the frontier with its plugs, and the other sides of the board. An open line without
    an end is a handle by which others can get from one of its plugs to the other: only lines count
    between whose places no handle leads to elsewhere.
    """
    width = len(pair_bit)
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
