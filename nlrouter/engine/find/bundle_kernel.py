"""The compiled inner loops of `displace_bundles`: squares that sweep over a layer.

A bundle of ``width`` lines moves as a square of as many cells in each direction: what the square
sweeps over is where its lines run. A *state* is ``4 * cell + heading``: the square's first cell,
that of the lowest number, and the way it came, `RIGHT`, `DOWN`, `LEFT` or `UP`. After a turn it
moves on by its width, so that its lines have turned and it cannot sweep over itself.
"""

from __future__ import annotations

import numpy as np

from nlrouter.compiled import njit
from nlrouter.engine.find.displace_kernel import let_wait
from nlrouter.engine.paths.cheapest import INFINITE, pop, push

RIGHT, DOWN, LEFT, UP = range(4)


@njit(cache=True)
def sum_up(values, stride, sums):
    """Fill ``sums``, a row and a column longer, with the sums of all cells above and to the left.

    Parameters
    ----------
    values
        ``(cells,)`` a number per cell.
    stride
        Cells per row.
    sums
        ``((rows + 1) * (stride + 1),)`` float, of which the first row and column stay 0.
    """
    for y in range(len(values) // stride):
        row = 0.0
        for x in range(stride):
            row += values[y * stride + x]
            sums[(y + 1) * (stride + 1) + x + 1] = sums[y * (stride + 1) + x + 1] + row


@njit(cache=True)
def _within(sums, stride, y, x, height, width):
    """Return the sum over a rectangle; `INFINITE` if it juts out."""
    wide = stride + 1
    if y < 0 or x < 0 or x + width > stride or (y + height + 1) * wide > len(sums):
        return INFINITE
    top = y * wide + x
    low = top + height * wide
    return sums[low + width] - sums[low] - sums[top + width] + sums[top]


@njit(cache=True)
def _swept(sums, stride, cell, width, heading, by):
    """Return the sum over what a square newly covers when it moves by some cells."""
    y = cell // stride
    x = cell - y * stride
    if heading == RIGHT:
        return _within(sums, stride, y, x + width, width, by)
    if heading == DOWN:
        return _within(sums, stride, y + width, x, by, width)
    if heading == LEFT:
        return _within(sums, stride, y, x - by, width, by)
    return _within(sums, stride, y - by, x, by, width)


@njit(cache=True)
def _covered(sums, stride, cell, width):
    y = cell // stride
    return _within(sums, stride, y, cell - y * stride, width, width)


@njit(cache=True)
def _onward(stride, heading):
    """Return the step of a heading."""
    if heading == RIGHT:
        return 1
    if heading == DOWN:
        return stride
    return -1 if heading == LEFT else -stride


@njit(cache=True)
def sweep(squares, signs, pivots, sign, width, by, stride, costs, walls, dist, pred, heap_key,
          heap_state):  # fmt: skip
    """Find the cheapest ways of a square from a block of ends to everywhere.

    Parameters
    ----------
    squares, signs, pivots
        Of the block, see `Block`.
    sign
        Which of the two orders the lines are to leave in.
    width, by
        Side of the square, and how far it moves at a time where it goes straight.
    costs, walls
        Sums of what cells cost, and of the cells that are not free, which cost nothing.
    dist, pred
        ``(4 * cells,)`` filled: cost of a state, and the state before it (-1 at the start).
    heap_key, heap_state
        ``(12 * cells,)`` work space.
    """
    for state in range(len(dist)):
        dist[state] = INFINITE
    size = 0
    for heading in range(4):
        cell = squares[heading]
        if cell < 0 or signs[heading] != sign or _covered(walls, stride, cell, width) != width:
            continue
        state = 4 * cell + heading
        dist[state] = _covered(costs, stride, cell, width)
        pred[state] = -1
        size = push(heap_key, heap_state, size, dist[state], state)
    while size > 0:
        key = heap_key[0]
        state = heap_state[0]
        size = pop(heap_key, heap_state, size)
        if key > dist[state]:
            continue
        cell = state >> 2
        # Some lines of a diagonal begin at the far side of their square, and cannot turn before.
        bound = pred[state] < 0 and not pivots
        for turn in range(-1, 2):
            if turn != 0 and bound:
                continue
            heading = (state + turn) & 3
            far = width if turn != 0 or bound else by
            if _swept(walls, stride, cell, width, heading, far) > 0:
                continue
            cost = key + _swept(costs, stride, cell, width, heading, far) + width * abs(turn)
            after = 4 * (cell + far * _onward(stride, heading)) + heading
            if cost < dist[after]:
                dist[after] = cost
                pred[after] = state
                size = push(heap_key, heap_state, size, cost, after)


@njit(cache=True)
def arrive_at(squares, signs, pivots, sign, width, stride, costs, walls, dist, pred, started,
              last):  # fmt: skip
    """Find the cheapest way into a block after `sweep`.

    Parameters
    ----------
    squares, signs, pivots
        Of the block, see `Block`.
    sign
        Order in which the lines would leave it: the opposite of that in which they come.
    started
        Whether the block of the sweep has pivots.
    last
        ``(3,)`` filled: the last state before the block, the state in it, and the heading in
        which the lines would leave it.

    Returns
    -------
    float
        What it costs; `INFINITE` if there is no way.
    """
    best = INFINITE
    for out in range(4):
        goal = squares[out]
        if goal < 0 or signs[out] != sign or _covered(walls, stride, goal, width) != width:
            continue
        inside = _covered(costs, stride, goal, width)
        ahead = (out + 2) & 3
        for turn in range(-1, 2):
            if turn != 0 and not pivots:
                continue
            heading = (ahead + turn) & 3
            cell = goal - width * _onward(stride, heading)
            if cell < 0 or 4 * cell >= len(dist):
                continue
            for before in range(-1, 2):
                state = 4 * cell + ((heading + before) & 3)
                if dist[state] >= INFINITE or (before != 0 and pred[state] < 0 and not started):
                    continue
                cost = dist[state] + inside + width * (abs(turn) + abs(before))
                if cost < best:
                    best = cost
                    last[0] = state
                    last[1] = 4 * goal + heading
                    last[2] = out
    return best


@njit(cache=True)
def displace_bundles(
    moves, legs, layer, begin, end, width, by, open_to, squares, signs, pivots, block_width,
    stride, free, walls, charge, gain, growth, most_pride, faith, base, cost, owner, fights, holder,
    block_fights, pride, block, mirror, track, count, out, queue, head,
):  # fmt: skip
    """Let waiting bundles take their ways, one after another; see `BundleDisplacement`.

    Parameters
    ----------
    moves
        How many at the most.
    legs
        ``(bundles, 2)`` the legs of each on its layers, the second -1 where there is one.
    layer, begin, end
        ``(legs,)`` the layer, the block it starts from, and that it leads to (-1: vias).
    width, by
        ``(bundles,)`` lines of each, and how far its square moves at a time.
    open_to
        ``(bundles, 2)`` range of the blocks of vias that a bundle may choose from.
    squares, signs, pivots
        ``(blocks, 4)``, ``(blocks, 4)`` and ``(blocks,)`` see `Block`; blocks of vias come first.
    block_width
        ``(blocks of vias,)`` how many vias each has.
    walls
        ``(layers, sums)`` sums of the cells that are not free, as `sum_up` makes them.
    charge, gain, growth, most_pride, faith
        See `DisplaceConfig`; ``growth`` is its ``pride``.
    base, cost, owner, fights
        ``(layers, cells)`` cost of a cell alone and as it stands, the bundle that holds it, and
        what fights have added.
    holder, block_fights
        ``(blocks,)`` the same of the blocks of vias.
    pride, block, mirror
        ``(bundles,)`` factor on all that its cells cost others, the block of vias it takes (-1:
        none), and whether its last line takes the first of them (-1) or the last (1).
    track, count, out
        ``(legs, states)`` the states of the way, ``(legs,)`` how many (-1: no way), and the
        heading in which lines would leave the last block.
    queue, head
        A ring of the bundles that wait; its first place and how many wait.

    Returns
    -------
    int
        -1, or a bundle that has no way whatever the others do.
    """
    cells = free.shape[1]
    states = 4 * cells
    costs = np.zeros((2, walls.shape[1]))
    dist = np.empty((2, 2, states))
    pred = np.empty((2, 2, states), np.int32)
    heap_key = np.empty(12 * cells)
    heap_state = np.empty(12 * cells, np.int32)
    last = np.empty(3, np.int64)
    way = np.empty(3, np.int64)
    while moves > 0 and head[1] > 0:
        moves -= 1
        b = queue[head[0]]
        head[0] = (head[0] + 1) % len(queue)
        head[1] -= 1
        two = legs[b, 1] >= 0
        anew = two and (block[b] < 0 or np.random.random() >= faith)
        for k in range(2 if two else 1):
            leg = legs[b, k]
            z = layer[leg]
            if anew:
                _clear(b, z, leg, width[b], stride, track, count, owner, cost, base)
            if count[leg] < 0:
                sum_up(cost[z], stride, costs[k])
                for order in range(min(2, width[b])):
                    sweep(
                        squares[begin[leg]], signs[begin[leg]], pivots[begin[leg]], 1 - 2 * order,
                        width[b], by[b], stride, costs[k], walls[z], dist[k, order],
                        pred[k, order], heap_key, heap_state,
                    )  # fmt: skip
        if anew:
            if block[b] >= 0:
                holder[block[b]] = -1
            block[b], mirror[b] = _choose_block(
                b, legs, layer, begin, width[b], open_to[b], squares, signs, pivots, block_width,
                stride, charge, holder, block_fights, pride, costs, walls, dist, pred, last, way,
            )  # fmt: skip
            if block[b] < 0:
                queue[(head[0] + head[1]) % len(queue)] = b
                head[1] += 1
                return b
            v = block[b]
            loser = holder[v]
            if loser >= 0:
                block_fights[v] += gain
                block[loser] = -1
                waits = count[legs[loser, 0]] < 0 or count[legs[loser, 1]] < 0
                for k in range(2):
                    leg = legs[loser, k]
                    _clear(
                        loser, layer[leg], leg, width[loser], stride, track, count, owner, cost,
                        base,
                    )  # fmt: skip
                if not waits:
                    let_wait(loser, pride, growth, most_pride, queue, head)
            holder[v] = b
        for k in range(2 if two else 1):
            leg = legs[b, k]
            if count[leg] >= 0:
                continue
            z = layer[leg]
            least, order = _way_in(
                block[b] if two else end[leg], mirror[b], pivots[begin[leg]], width[b], squares,
                signs, pivots, stride, costs[k], walls[z], dist[k], pred[k], last, way,
            )  # fmt: skip
            if least >= INFINITE:
                queue[(head[0] + head[1]) % len(queue)] = b
                head[1] += 1
                return b
            before = pred[k, order]
            n = 1
            state = way[0]
            while state >= 0:
                state = before[state]
                n += 1
            count[leg] = n
            track[leg, n - 1] = way[1]
            out[leg] = way[2]
            state = way[0]
            for i in range(n - 2, -1, -1):
                track[leg, i] = state
                state = before[state]
            _claim(
                b, z, leg, width, stride, track, count, layer, legs, free, owner, cost, base,
                fights, pride, charge, gain, growth, most_pride, queue, head,
            )  # fmt: skip
    return -1


@njit(cache=True)
def _choose_block(
    b, legs, layer, begin, width, open_to, squares, signs, pivots, block_width, stride, charge,
    holder, block_fights, pride, costs, walls, dist, pred, last, way,
):  # fmt: skip
    """Return the cheapest block of vias for a bundle (-1: none), and its `mirror`."""
    least = INFINITE
    chosen = -1
    mirror = 1
    for v in range(open_to[0], open_to[1]):
        if block_width[v] != width:
            continue
        held = 0.0
        if holder[v] >= 0:
            held = width * (charge + block_fights[v]) * pride[holder[v]]
        for flip in range(min(2, width)):
            total = held
            for k in range(2):
                leg = legs[b, k]
                cost, _ = _way_in(
                    v, 1 - 2 * flip, pivots[begin[leg]], width, squares, signs, pivots, stride,
                    costs[k], walls[layer[leg]], dist[k], pred[k], last, way,
                )  # fmt: skip
                total += cost
            if total < least:
                least = total
                chosen = v
                mirror = 1 - 2 * flip
    return chosen, mirror


@njit(cache=True)
def _way_in(goal, mirror, started, width, squares, signs, pivots, stride, costs, walls, dist, pred,
            last, way):  # fmt: skip
    """Return what the cheapest way into a block costs, and the order; fill the way's end."""
    least = INFINITE
    chosen = 0
    for order in range(min(2, width)):
        # Who leaves a block leftmost comes to the next one, looking back from it, rightmost.
        # Lines alone have no order: all their signs are 1.
        wanted = (2 * order - 1) * mirror if width > 1 else 1
        cost = arrive_at(
            squares[goal], signs[goal], pivots[goal], wanted, width, stride, costs, walls,
            dist[order], pred[order], started, last,
        )  # fmt: skip
        if cost < least:
            least = cost
            chosen = order
            for i in range(3):  # A slice takes 2 s more to compile, for errors that never come.
                way[i] = last[i]
    return least, chosen


@njit(cache=True)
def _rectangle(one, other, width, stride):
    """Return first row and column and those after the last that a square sweeps between states."""
    y, x = (one >> 2) // stride, (one >> 2) % stride
    v, u = (other >> 2) // stride, (other >> 2) % stride
    return min(y, v), min(x, u), max(y, v) + width, max(x, u) + width


@njit(cache=True)
def _claim(b, z, leg, width, stride, track, count, layer, legs, free, owner, cost, base, fights,
           pride, charge, gain, growth, most_pride, queue, head):  # fmt: skip
    """Take the cells of a way and push out who is there."""
    for held in (True, False):  # What is fought over is noted before anybody loses it.
        for i in range(1, count[leg]):
            top, left, low, right = _rectangle(track[leg, i - 1], track[leg, i], width[b], stride)
            for y in range(top, low):
                for x in range(left, right):
                    c = y * stride + x
                    loser = owner[z, c]
                    if not free[z, c] or loser == b:
                        continue
                    if held:
                        fights[z, c] += gain if loser >= 0 else 0.0
                        continue
                    if loser >= 0:
                        one, two = legs[loser, 0], legs[loser, 1]
                        waits = count[one] < 0 or (two >= 0 and count[two] < 0)
                        lost = one if layer[one] == z else two
                        _clear(
                            loser, z, lost, width[loser], stride, track, count, owner, cost, base
                        )
                        if not waits:
                            let_wait(loser, pride, growth, most_pride, queue, head)
                    owner[z, c] = b
                    cost[z, c] = base[z, c] + (charge + fights[z, c]) * pride[b]


@njit(cache=True)
def _clear(b, z, leg, width, stride, track, count, owner, cost, base):
    """Take a bundle's way on a layer away, if it has one."""
    for i in range(1, count[leg]):
        top, left, low, right = _rectangle(track[leg, i - 1], track[leg, i], width, stride)
        for y in range(top, low):
            for x in range(left, right):
                c = y * stride + x
                if owner[z, c] == b:
                    owner[z, c] = -1
                    cost[z, c] = base[z, c]
    count[leg] = -1
