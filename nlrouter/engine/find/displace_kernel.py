"""The compiled inner loop of `displace`: waiting lines take their paths and push others out."""

from __future__ import annotations

import numpy as np

from nlrouter.compiled import njit
from nlrouter.engine.find.lines import find_via
from nlrouter.engine.paths.cheapest import search, trace


@njit(cache=True)
def displace(moves, first, second, open_to, via_cells, layer, source, target, free, stride, charge,
             gain, growth, most_pride, faith, base, half, owner, onward, fights, holder, via_fights,
             pride, start, lengths, via, queue, head):  # fmt: skip
    """Let waiting lines take their paths, one after another; see `Displacement`.

    Parameters
    ----------
    moves
        How many at the most.
    first, second, open_to, via_cells
        See `Lines`.
    charge, gain, growth, most_pride, faith
        See `DisplaceConfig`; ``growth`` is its ``pride``.
    base, half, owner, onward, fights
        ``(layers, cells)`` cost of a cell alone, half of its cost as it stands, the line that
        holds it (-1: none), the next cell of the path through it, and what fights have added.
    holder, via_fights
        ``(vias,)`` the same of the vias.
    pride, via
        ``(lines,)`` factor on all that a line's cells cost others, and its via (-1: none).
    start, lengths, target
        ``(nets,)`` first inner cell, how many there are (-1: no path), and where the path ends.
    queue, head
        ``(lines,)`` a ring of the lines that wait; ``(2,)`` its first place and how many wait.

    Returns
    -------
    bool
        False if a line has no path whatever the others do.
    """
    cells = free.shape[1]
    dist = np.empty((2, 2 * cells))
    pred = np.empty((2, 2 * cells), np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    path = np.empty(cells, np.int32)
    nets = np.empty(2, np.int32)
    state = np.empty(2, np.int32)
    via_price = np.empty(len(via_cells))
    while moves > 0 and head[1] > 0:
        moves -= 1
        line = queue[head[0]]
        head[0] = (head[0] + 1) % len(queue)
        head[1] -= 1
        nets[0], nets[1] = first[line], second[line]
        if nets[1] >= 0 and (via[line] < 0 or np.random.random() >= faith):
            for k in range(2):
                z = layer[nets[k]]
                _clear(nets[k], z, base, half, owner, onward, start, lengths)
            if via[line] >= 0:
                holder[via[line]] = -1
            for v in range(open_to[line, 0], open_to[line, 1]):
                held = holder[v] >= 0
                via_price[v] = (charge + via_fights[v]) * pride[holder[v]] if held else 0.0
            via[line] = find_via(
                nets, open_to[line], via_cells, via_price, layer, source, free, half, stride, dist,
                pred, heap_key, heap_state, state,
            )  # fmt: skip
            v = via[line]
            if v >= 0:
                loser = holder[v]
                if loser >= 0:
                    via_fights[v] += gain
                    via[loser] = -1
                    waits = lengths[first[loser]] < 0 or lengths[second[loser]] < 0
                    for k in range(2):
                        net = first[loser] if k == 0 else second[loser]
                        _clear(net, layer[net], base, half, owner, onward, start, lengths)
                    if not waits:
                        let_wait(loser, pride, growth, most_pride, queue, head)
                holder[v] = line
                target[nets[0]] = target[nets[1]] = via_cells[v]
        else:
            for k in range(2):
                net = nets[k]
                state[k] = 0
                if net >= 0 and lengths[net] < 0:
                    z = layer[net]
                    state[k] = search(
                        source[net], target[net], free[z], half[z], stride, dist[k],
                        pred[k], heap_key, heap_state,
                    )  # fmt: skip
        if state[0] < 0 or state[1] < 0:
            queue[(head[0] + head[1]) % len(queue)] = line
            head[1] += 1
            return False
        for k in range(2):
            net = nets[k]
            if net < 0 or lengths[net] >= 0:
                continue
            z = layer[net]
            length = trace(state[k], pred[k], path)
            if path[length - 1] != target[net]:  # The search was for any via and stopped before.
                path[length] = target[net]
                length += 1
            lengths[net] = length - 2
            start[net] = path[1]
            for i in range(1, length - 1):
                c = path[i]
                loser = owner[z, c]
                if loser >= 0:
                    fights[z, c] += gain
                    low, high = first[loser], second[loser]
                    waits = lengths[low] < 0 or (high >= 0 and lengths[high] < 0)
                    lost = low if layer[low] == z else high
                    _clear(lost, z, base, half, owner, onward, start, lengths)
                    if not waits:
                        let_wait(loser, pride, growth, most_pride, queue, head)
                owner[z, c] = line
                onward[z, c] = path[i + 1]
                half[z, c] = 0.5 * (base[z, c] + (charge + fights[z, c]) * pride[line])
    return True


@njit(cache=True)
def _clear(net, z, base, half, owner, onward, start, lengths):
    """Take a net's path away, if it has one."""
    cell = start[net]
    for _ in range(lengths[net]):
        owner[z, cell] = -1
        half[z, cell] = 0.5 * base[z, cell]
        cell = onward[z, cell]
    lengths[net] = -1


@njit(cache=True)
def let_wait(line, pride, growth, most_pride, queue, head):
    """Put a line, or a bundle, that was pushed out last in the queue."""
    pride[line] = min(most_pride, pride[line] * growth)
    queue[(head[0] + head[1]) % len(queue)] = line
    head[1] += 1
