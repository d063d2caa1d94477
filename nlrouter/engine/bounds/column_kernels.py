"""The compiled inner loops of the columns: what a walk pays, and how much each column weighs."""

from __future__ import annotations

import numpy as np

from nlrouter.compiled import njit


@njit(cache=True)
def write_rows(members, edges_from, edges, layer, free, stride):
    """Write which cells walks pay for, and how often.

    Parameters
    ----------
    members
        ``(walks,)`` the net of each.
    edges_from, edges
        Where the edges of each walk begin and, last, end.

    Returns
    -------
    tuple of array
        Rows, shares, and where those of each walk begin and, last, end.
    """
    cells = free.shape[1]
    rows = np.empty(2 * len(edges), np.int32)
    shares = np.empty(2 * len(edges))
    rows_from = np.zeros(len(members) + 1, np.int64)
    halves = np.zeros(cells)
    size = 0
    for w in range(len(members)):
        z = layer[members[w]]
        for k in range(edges_from[w], edges_from[w + 1]):
            cell = edges[k] % cells
            halves[cell] += 0.5
            halves[cell + (1 if edges[k] < cells else stride)] += 0.5
        for k in range(edges_from[w], edges_from[w + 1]):
            near = edges[k] % cells
            for cell in (near, near + (1 if edges[k] < cells else stride)):
                if halves[cell] > 0.0 and free[z, cell]:
                    rows[size] = z * cells + cell
                    shares[size] = halves[cell]
                    size += 1
                halves[cell] = 0.0
        rows_from[w + 1] = size
    return rows[:size], shares[:size], rows_from


@njit(cache=True)
def _pays(k, rows_from, rows, shares, costs, multipliers):
    """Return what a column costs at some multipliers."""
    cost = costs[k]
    for q in range(rows_from[k], rows_from[k + 1]):
        cost += shares[q] * multipliers[rows[q]]
    return cost


@njit(cache=True)
def _shift(touched, change, used, center, step, slope, most, multipliers):
    """Move weight along a change of what is used, as far as that is cheaper; return how much.

    ``slope`` is what it saves at first, below 0; the farther, the less, by Newton's method.
    """
    moved = 0.0
    for _ in range(4):
        bent = 0.0
        for r in touched:
            if multipliers[r] > 0.0 or (change[r] > 0.0) == (slope < 0.0):
                bent += step * change[r] * change[r]
        by = min(most - moved, max(-moved, -slope / max(bent, 1e-12)))
        moved += by
        for r in touched:
            before = multipliers[r]
            used[r] += by * change[r]
            multipliers[r] = max(0.0, center[r] + step * (used[r] - 1.0))
            slope += change[r] * (multipliers[r] - before)
        if abs(by) < 1e-6:
            break
    return moved


@njit(cache=True)
def _extremes(group, rows_from, rows, shares, costs, multipliers, weights, pays):
    """Return the cheapest column of a group, that whose weight costs most too much, and how much.

    What each column costs is filled into ``pays``.
    """
    cheapest = group[0]
    for k in group:
        pays[k] = _pays(k, rows_from, rows, shares, costs, multipliers)
        if pays[k] < pays[cheapest]:
            cheapest = k
    wrong = 0.0
    dearest = cheapest
    for k in group:
        over = (pays[k] - pays[cheapest]) * weights[k]
        if over > wrong:
            wrong = over
            dearest = k
    return cheapest, dearest, wrong


@njit(cache=True)
def _difference(more, less, rows_from, rows, shares, change, seen, touched):
    """Write what one column uses more than another; return how many rows either of them uses."""
    count = 0
    for k, sign in ((more, 1.0), (less, -1.0)):
        for q in range(rows_from[k], rows_from[k + 1]):
            if not seen[rows[q]]:
                seen[rows[q]] = True
                touched[count] = rows[q]
                count += 1
            change[rows[q]] += sign * shares[q]
    return count


@njit(cache=True)
def weigh(
    order, first, rows_from, rows, shares, costs, center, step, passes, accuracy, weights,
    multipliers,
):  # fmt: skip
    """Weigh columns so that the multipliers that they ask for are best by what is known.

    With the weights w, row r is used u(r) times, and asks for the multiplier
    ``max(0, center + step (u - 1))``. By moving weight from the dearest to the cheapest column
    of a group, what all cost and what the distance from the center allows comes to its least.

    Parameters
    ----------
    order, first
        Columns by groups, and where each group begins and, last, ends.
    rows_from, rows, shares, costs
        What each column pays.
    center, step
        The best prices so far, and how far to go from there.
    passes, accuracy
        When to stop: that often, or where no group can be wrong by more.
    weights, multipliers
        Both filled; the weights are started from, those of a group sum up to 1, or all are 0.

    Returns
    -------
    tuple of float and int
        What the multipliers prove at the most, and how many passes it took.
    """
    used = np.zeros(len(center))
    change = np.zeros(len(center))
    seen = np.zeros(len(center), np.bool_)
    touched = np.empty(len(center), np.int64)
    for g in range(len(first) - 1):
        total = 0.0
        for i in range(first[g], first[g + 1]):
            total += weights[order[i]]
        for i in range(first[g], first[g + 1]):
            k = order[i]
            weights[k] = weights[k] / total if total > 0.0 else (1.0 if i == first[g] else 0.0)
    for k in range(len(costs)):
        if weights[k] > 0.0:
            for q in range(rows_from[k], rows_from[k + 1]):
                used[rows[q]] += weights[k] * shares[q]
    for r in range(len(center)):
        multipliers[r] = max(0.0, center[r] + step * (used[r] - 1.0))
    pays = np.empty(len(costs))
    done = 0
    while done < passes:
        done += 1
        worst = 0.0
        for g in range(len(first) - 1):
            group = order[first[g] : first[g + 1]]
            for _ in range(3):
                cheapest, dearest, wrong = _extremes(
                    group, rows_from, rows, shares, costs, multipliers, weights, pays
                )
                worst = max(worst, wrong)
                if wrong <= accuracy:
                    break
                count = _difference(
                    cheapest, dearest, rows_from, rows, shares, change, seen, touched
                )
                moved = _shift(
                    touched[:count], change, used, center, step,
                    pays[cheapest] - pays[dearest], weights[dearest], multipliers,
                )  # fmt: skip
                for i in range(count):
                    change[touched[i]] = 0.0
                    seen[touched[i]] = False
                weights[cheapest] += moved
                weights[dearest] -= moved
                if weights[dearest] < 1e-9:
                    weights[cheapest] += weights[dearest]
                    weights[dearest] = 0.0
        if worst <= accuracy:
            break
    value = 0.0
    for g in range(len(first) - 1):
        low = np.inf
        for i in range(first[g], first[g + 1]):
            low = min(low, _pays(order[i], rows_from, rows, shares, costs, multipliers))
        value += low
    for r in range(len(center)):
        value -= multipliers[r]
    return value, done
