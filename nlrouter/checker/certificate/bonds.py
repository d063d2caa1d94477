"""What tied nets pay at least, for the check of a certificate.

Two nets of a layer whose ends are settled pass each other on one of two sides, and the side of one
settles that of the other (see ``curves``). So for any pairs of nets, of all ways to choose a side
for each pair, an answer belongs to one. If every net has a *table* of what it pays at least for
each way to choose its own sides, the nets together pay at least the least sum of entries that agree
on each pair. It is found by putting two tables together at a time (U. Bertelè and F. Brioschi,
Nonserial Dynamic Programming, 1972).

Costs are whole numbers, and `UNREACHED` or more where there is no path.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.checker.certificate.board import Case, Layers, ends_of
from nlrouter.checker.certificate.curves import Ends, Sides, curves_cross
from nlrouter.checker.certificate.limits import Refused, Work
from nlrouter.checker.certificate.paths import UNREACHED
from nlrouter.checker.certificate.walks import PricedNet, Walks

Pair = tuple[int, int]
"""Two tied nets; what is chosen is the side of the first one against the second."""

Bond = tuple[Pair, Ends, int]
"""The pair, the ends of the other net, and whether the side against it is the opposite one."""

MOST_BONDS = 6
"""Bonds of one net: each doubles its table."""

MOST_TOGETHER = 20
"""Pairs of two tables put together: a million entries."""

FIRST_REACH = 8
"""How much more than its cheapest path a net's others are looked for at first that cost more."""

LAST_REACH = 500
"""From here on they are all looked for."""


@dataclass(frozen=True)
class TiedNet:
    """A tied net: the sides settled, its bonds, and what it pays at least whatever the sides."""

    priced: PricedNet
    sides: Sides
    bonds: tuple[Bond, ...]
    alone: int


@dataclass(frozen=True, eq=False)
class Table:
    """What a net pays, or nets put together, for the sides chosen.

    Parameters
    ----------
    pairs
        The pairs that it depends on.
    costs
        An axis of length 2 for each of them.
    """

    pairs: tuple[Pair, ...]
    costs: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Step:
    """Two tables put together: the pairs left open and those chosen, and their best sides."""

    left: tuple[Pair, ...]
    chosen: tuple[Pair, ...]
    best: NDArray[np.int64]


def bonds_of(
    board: Layers, case: Case, pairs: tuple[Pair, ...], work: Work
) -> dict[int, tuple[Bond, ...]]:
    """Return the bonds of each tied net; nets whose side is settled already need none.

    Raises
    ------
    Refused
        If nets are tied that cannot be, or too many with one.
    """
    bonds: dict[int, tuple[Bond, ...]] = {}
    for i, j in sorted({(min(pair), max(pair)) for pair in pairs}):
        work.add(len(board.layer))
        ends = ends_of(board, case, i, j)
        if board.layer[i] not in case.layers:
            raise Refused(f"nets {i} and {j} are not on a layer of their case")
        if (i, j) not in case.sides:
            opposite = curves_cross(*ends, board.width)
            bonds[i] = (*bonds.get(i, ()), ((i, j), ends[1], 0))
            bonds[j] = (*bonds.get(j, ()), ((i, j), ends[0], opposite))
    for net, own in bonds.items():
        if len(own) > MOST_BONDS:
            raise Refused(f"net {net} has more than {MOST_BONDS} bonds")
    return bonds


def agreed(tied: dict[int, TiedNet], walks: Walks, short: int) -> int:
    """Return the least that tied nets pay, or anything from ``short`` more than alone up to it.

    Paths that cost much more than the cheapest are looked for only where those would be taken.

    Parameters
    ----------
    tied
        The nets.
    walks
        What they pay.
    short
        How much more is of interest.
    """
    reach = dict.fromkeys(tied, min(short, walks.bend * FIRST_REACH))
    tables: dict[int, Table] = {}
    due = list(tied)
    while due:
        for net in due:
            tables[net] = _table(tied[net], walks, reach[net])
        value, sides = least_together(tables.values(), walks.work)
        due = []
        for net, table in tables.items():
            taken = int(table.costs[tuple(sides[pair] for pair in table.pairs)])
            if taken >= tied[net].alone + reach[net] and reach[net] < short:
                farther = 2 * reach[net]
                reach[net] = min(short, farther if farther <= walks.bend * LAST_REACH else short)
                due.append(net)
    return value


def _table(net: TiedNet, walks: Walks, reach: int) -> Table:
    """Return what a net pays for each choice of sides; ``reach`` more than alone is enough."""
    others = tuple(ends for _, ends, _ in reversed(net.bonds))
    enough = min(net.alone + reach, UNREACHED)
    costs = np.array(walks.table(net.priced, others, net.sides, enough), np.int64)
    opposite = tuple(axis for axis, (_, _, flipped) in enumerate(net.bonds) if flipped)
    shaped = np.flip(costs.reshape((2,) * len(others)), opposite)
    return Table(tuple(pair for pair, _, _ in net.bonds), shaped)


def least_together(tables: Iterable[Table], work: Work) -> tuple[int, dict[Pair, int]]:
    """Return the least sum of entries that agree, and the sides that have it.

    Parameters
    ----------
    tables
        The nets' tables; each pair is in two of them.
    work
        Counts the entries that are looked at.

    Raises
    ------
    Refused
        If tables become too large.
    """
    holders: dict[Pair, list[Table]] = {}
    for table in tables:
        for pair in table.pairs:
            holders.setdefault(pair, []).append(table)
    steps: list[_Step] = []
    total = 0
    while holders:
        work.add(len(holders))
        pair = min(holders, key=lambda pair: (_together(holders[pair]), pair))
        old = holders[pair]
        table, step = _put_together(old, work)
        steps.append(step)
        for chosen in step.chosen:
            del holders[chosen]
        for open_pair in step.left:
            holders[open_pair] = [
                *(other for other in holders[open_pair] if other not in old),
                table,
            ]
        if not step.left:
            total = min(UNREACHED, total + int(table.costs))
    sides: dict[Pair, int] = {}
    for step in reversed(steps):
        best = int(step.best[tuple(sides[pair] for pair in step.left)])
        for pair in reversed(step.chosen):
            best, sides[pair] = divmod(best, 2)
    return total, sides


def _together(tables: list[Table]) -> int:
    """Return how many pairs some tables depend on together."""
    return len({pair for table in tables for pair in table.pairs})


def _put_together(tables: list[Table], work: Work) -> tuple[Table, _Step]:
    """Return one table instead of two, without the pairs that are in both."""
    count: dict[Pair, int] = {}
    for table in tables:
        for pair in table.pairs:
            count[pair] = count.get(pair, 0) + 1
    left = tuple(pair for pair, times in count.items() if times == 1)
    chosen = tuple(pair for pair, times in count.items() if times > 1)
    if len(count) > MOST_TOGETHER:
        raise Refused(f"more than {MOST_TOGETHER} pairs of nets are tied too closely")
    work.add(1 << len(count))
    total = np.zeros((2,) * len(count), np.int64)
    for table in tables:
        order = sorted(table.pairs, key=(left + chosen).index)
        costs = table.costs.transpose([table.pairs.index(pair) for pair in order])
        total += costs.reshape([2 if pair in order else 1 for pair in left + chosen])
    flat = np.minimum(total, UNREACHED).reshape((2,) * len(left) + (-1,))
    return Table(left, flat.min(axis=-1)), _Step(left, chosen, flat.argmin(axis=-1))
