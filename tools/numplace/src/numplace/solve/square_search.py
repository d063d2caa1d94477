"""Search in a square whose lines hold each token once, with groups that calculate.

The cells of a square of side ``n`` are numbered row by row. A *value* is what a cell may hold; it
carries *tokens*, and every row and column holds each token exactly once. In a Latin square a
value is its own token. In Nylimb mode the tokens are the digits 0 to n and one more for "has two
digits", as just one cell of a line has them.

Propagation strikes from a line what another cell of it is sure to hold, keeps what only one of
its cells can hold, and keeps of a group what some way to fill it uses; a group with more ways
than `WAYS` is left to later. The search branches at the cell with the fewest values.
"""

from __future__ import annotations

import numpy as np

PLUS, MINUS, TIMES, OVER = range(4)
"""The operations, as the arrays of groups hold them."""

WAYS = 20_000
"""Partial ways to fill a group that are tried before it is left as it is: about a millisecond."""


def _strike(cand, cell, value, group_of, stale):
    """Take a value from a cell, whose group is then to be looked at again."""
    cand[cell, value] = False
    if group_of[cell] >= 0:
        stale[group_of[cell]] = True


def _line(first, step, side, tokens, every, cand, group_of, stale):
    """Use that a line holds each token once. Return 1 if it struck, 0 if not, -1 if it cannot."""
    some = np.zeros(side, dtype=np.int64)
    sure = np.zeros(side, dtype=np.int64)
    once = twice = taken = 0
    for i in range(side):
        any_of, all_of = 0, -1
        for v in range(len(tokens)):
            if cand[first + i * step, v]:
                any_of |= tokens[v]
                all_of &= tokens[v]
        if any_of == 0 or all_of & taken:
            return -1
        twice |= once & any_of
        once |= any_of
        taken |= all_of
        some[i], sure[i] = any_of, all_of
    if once != every:
        return -1
    struck = 0
    for i in range(side):
        cell = first + i * step
        elsewhere = taken & ~sure[i]
        only_here = some[i] & ~twice
        if some[i] & elsewhere == 0 and only_here & ~sure[i] == 0:
            continue
        for v in range(len(tokens)):
            if cand[cell, v] and (tokens[v] & elsewhere or only_here & ~tokens[v]):
                _strike(cand, cell, v, group_of, stale)
                struck = 1
    return struck


def _last_values(op, target, total, product, most):
    """Return the two values, or -1, that the last cell of a group may have."""
    if op == PLUS:
        return target - total, -1
    if op == TIMES:
        return target // product if target % product == 0 else -1, -1
    if op == MINUS:
        return target + total, 2 * most - total - target
    over = target * product
    return over, most * most // over if most * most % over == 0 else -1


def _group(side, values, tokens, where, cells, op, target, cand, group_of, stale):
    """Keep of a group what some way to fill it uses. Return as `_line` does."""
    size = len(cells)
    count = np.zeros(size, dtype=np.int64)
    for i in range(size):
        count[i] = cand[cells[i]].sum()
    cells = cells[np.argsort(count, kind="mergesort")]
    least = np.zeros(size + 1, dtype=np.int64)
    total_most = np.zeros(size + 1, dtype=np.int64)
    most = np.zeros(size + 1, dtype=np.int64)
    product_most = np.ones(size + 1)
    missing = 0
    for i in range(size - 1, -1, -1):
        low, high = -1, -1
        for v in range(len(values)):
            if cand[cells[i], v]:
                missing += 1
                high = max(high, values[v])
                low = values[v] if low < 0 else min(low, values[v])
        if low < 0:
            return -1
        least[i] = least[i + 1] + low
        total_most[i] = total_most[i + 1] + high
        most[i] = max(most[i + 1], high)
        product_most[i] = product_most[i + 1] * high
    used = np.zeros((size, len(values)), dtype=np.bool_)
    chosen = np.full(size, -1, dtype=np.int64)
    total = np.zeros(size, dtype=np.int64)
    product = np.ones(size, dtype=np.int64)
    head = np.zeros(size, dtype=np.int64)
    depth, tried = 0, 0
    while depth >= 0 and missing:
        cell = cells[depth]
        if depth == size - 1:
            for value in _last_values(op, target, total[depth], product[depth], head[depth]):
                if value < 0 or value >= len(where) or where[value] < 0:
                    continue
                v = where[value]
                if not cand[cell, v] or (value == 0 and op != PLUS and op != MINUS):
                    continue
                if _clashes(side, tokens, cells, chosen, depth, v):
                    continue
                chosen[depth] = v
                for i in range(size):
                    if not used[i, chosen[i]]:
                        used[i, chosen[i]] = True
                        missing -= 1
            depth -= 1
            continue
        v = chosen[depth] + 1
        while v < len(values) and not cand[cell, v]:
            v += 1
        if v == len(values):
            chosen[depth] = -1
            depth -= 1
            continue
        chosen[depth] = v
        tried += 1
        if tried > WAYS:
            return 0
        if _clashes(side, tokens, cells, chosen, depth, v):
            continue
        s = total[depth] + values[v]
        # Products are of no use to sums and differences, and might grow without end.
        p = product[depth] * values[v] if op in (TIMES, OVER) else 1
        m = max(head[depth], values[v])
        top = max(m, most[depth + 1])
        if op == PLUS:
            if s + least[depth + 1] > target or s + total_most[depth + 1] < target:
                continue
        elif op == MINUS:
            if 2 * top - s - least[depth + 1] < target:
                continue
        elif p == 0:
            continue
        elif op == TIMES:
            if target % p != 0 or p * product_most[depth + 1] < 0.999 * target:
                continue
        elif p * target > top * top:
            continue
        depth += 1
        total[depth], product[depth], head[depth] = s, p, m
        chosen[depth] = -1
    struck = 0
    if missing:
        for i in range(size):
            for v in range(len(values)):
                if cand[cells[i], v] and not used[i, v]:
                    _strike(cand, cells[i], v, group_of, stale)
                    struck = 1
            if not used[i].any():
                return -1
    return struck


def _clashes(side, tokens, cells, chosen, depth, v):
    """Tell whether a value shares a token with an earlier one of the group on the same line."""
    row, column = cells[depth] // side, cells[depth] % side
    for i in range(depth):
        same_line = cells[i] // side == row or cells[i] % side == column
        if same_line and tokens[chosen[i]] & tokens[v]:
            return True
    return False


def propagate(side, values, tokens, where, start, members, ops, targets, group_of, cand, stale):
    """Strike what lines and groups exclude, until nothing changes.

    Parameters
    ----------
    side
        Cells of a line.
    values, tokens
        ``(v,)`` int64, the values from small to large, and their tokens as bits.
    where
        ``(largest value + 1,)`` int64, the index of a value, or -1.
    start, members
        The cells of group ``g`` are ``members[start[g]:start[g + 1]]``.
    ops, targets
        ``(groups,)`` int64, operation and target.
    group_of
        ``(side * side,)`` int64, the group of a cell, or -1.
    cand
        ``(side * side, v)`` bool, the values that a cell may have. Changed.
    stale
        ``(groups,)`` bool, which groups are to be looked at. Changed.

    Returns
    -------
    bool
        Whether every cell still has a value and no line and no group is broken.
    """
    every = 0
    for v in range(len(tokens)):
        every |= tokens[v]
    changed = True
    while changed:
        changed = False
        for i in range(side):
            for first, step in ((i * side, 1), (i, side)):
                found = _line(first, step, side, tokens, every, cand, group_of, stale)
                if found < 0:
                    return False
                changed = changed or found == 1
        if changed:
            continue
        for g in range(len(ops)):
            if not stale[g]:
                continue
            cells = members[start[g] : start[g + 1]]
            found = _group(
                side, values, tokens, where, cells, ops[g], targets[g], cand, group_of, stale
            )
            stale[g] = False
            if found < 0:
                return False
            changed = changed or found == 1
    return True


def tightest(cand):
    """Return the first cell with the fewest values, two or more; -1 if all have one."""
    best, fewest = -1, cand.shape[1] + 1
    for cell in range(len(cand)):
        number = cand[cell].sum()
        if 1 < number < fewest:
            best, fewest = cell, number
            if number == 2:
                break
    return best


def search(
    side, values, tokens, where, start, members, ops, targets, group_of, cand, answers, budget
):
    """Find answers, at most as many as there is room for.

    Parameters
    ----------
    side, values, tokens, where, start, members, ops, targets, group_of, cand
        As `propagate` takes them; ``cand`` is not changed.
    answers
        ``(limit, side * side)`` int64, filled with the values found.
    budget
        Nodes of the search after which it gives up.

    Returns
    -------
    tuple
        The number of answers found, and whether these are all there are.
    """
    cells = side * side
    levels = np.empty((cells + 1, *cand.shape), dtype=np.bool_)
    levels[0] = cand
    branch = np.zeros(cells + 1, dtype=np.int64)
    following = np.zeros(cells + 1, dtype=np.int64)
    stale = np.ones(len(ops), dtype=np.bool_)
    found = depth = nodes = 0
    entered = True
    while depth >= 0:
        if entered:
            nodes += 1
            if nodes > budget:
                return found, False
            here = levels[depth]
            if not propagate(
                side, values, tokens, where, start, members, ops, targets, group_of, here, stale
            ):
                depth -= 1
                entered = False
                continue
            branch[depth] = tightest(here)
            following[depth] = 0
            if branch[depth] < 0:
                for cell in range(cells):
                    answers[found, cell] = values[np.argmax(here[cell])]
                found += 1
                if found == len(answers):
                    return found, False
                depth -= 1
                entered = False
                continue
        cell = branch[depth]
        v = following[depth]
        while v < len(values) and not levels[depth, cell, v]:
            v += 1
        following[depth] = v + 1
        if v >= len(values):
            depth -= 1
            entered = False
            continue
        levels[depth + 1] = levels[depth]
        levels[depth + 1, cell] = False
        levels[depth + 1, cell, v] = True
        stale[:] = False
        if group_of[cell] >= 0:
            stale[group_of[cell]] = True
        depth += 1
        entered = True
    return found, True
