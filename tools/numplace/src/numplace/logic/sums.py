"""What sums leave: cages, groups of calcudoku, sandwiches, and the total of houses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from numplace.constraints import Arithmetic, Cage, Constraint, DigitLine, Sandwich
from numplace.logic.bitset import members
from numplace.logic.build import striking
from numplace.logic.feasible import Assignments
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.topology import Clue, Gap, Line

Told = tuple[Constraint | Gap, tuple[int, ...]]
"""Something that must hold, and the cells it reads."""

MOST_HOUSES = 3
"""Houses that the 45 rule adds up: more are hard to see at once."""

MOST_REMEMBERED = 100_000
"""Fillings remembered: some tens of megabytes."""

MOST_LEFT = 4
"""Open cells that the 45 rule may leave over."""


def combinations_of_clue(state: State) -> Iterator[Step]:
    """Strike what no filling of a cage, a group, or a line of Nylimb mode uses."""
    for clue in state.topology.clues:
        if isinstance(clue.constraint, (Cage, Arithmetic, DigitLine)) and clue.bits & state.open:
            told: list[Told] = [(clue.constraint, clue.cells)]
            yield from _combinations(state, "combinations", clue.cells, told, [clue.name], [])


def combinations_of_line(state: State) -> Iterator[Step]:
    """Strike what no filling of a house uses in which the clues inside it hold."""
    for house in state.topology.houses:
        if house.bits & state.open:
            told, names = _told_within(state, house.bits)
            if len(told) >= 2 or any(isinstance(clue, Sandwich) for clue, _ in told):
                yield from _combinations(
                    state, "line combinations", house.cells, told, names, [house.name]
                )


def combinations_of_two_lines(state: State) -> Iterator[Step]:
    """Strike what no filling of two houses that meet uses in which the clues inside hold."""
    for one, other in combinations(state.topology.houses, 2):
        if (one.bits & other.bits).bit_count() < 2 or not (one.bits | other.bits) & state.open:
            continue
        told, names = _told_within(state, one.bits | other.bits)
        if len(told) >= 2:
            cells = members(one.bits | other.bits)
            houses = [one.name, other.name]
            yield from _combinations(state, "two-line combinations", cells, told, names, houses)


def _told_within(state: State, cells: int) -> tuple[list[Told], list[str]]:
    """Return the clues and gaps that read only some cells, and the names of what says so."""
    told: list[Told] = []
    names: dict[str, None] = {}
    for clue in state.topology.clues:
        if clue.bits & ~cells == 0:
            told.append((clue.constraint, clue.cells))
            names[clue.name] = None
    for (a, b), gap in state.topology.gaps.items():
        if (1 << a | 1 << b) & ~cells == 0:
            told.append((gap, (a, b)))
            names.update(dict.fromkeys(gap.names))
    return told, list(names)


def _combinations(
    state: State,
    name: str,
    cells: tuple[int, ...],
    told: list[Told],
    clues: list[str],
    houses: list[str],
) -> Iterator[Step]:
    peers = state.topology.peers
    masks = {cell: state.masks[cell] for cell in cells}
    kept = _kept(state, masks, told)
    strikes = [(cell, d) for cell in cells for d in members(masks[cell] & ~kept[cell])]
    if strikes:
        pairs = [(a, b) for a, b in combinations(cells, 2) if peers[a] >> b & 1]
        yield striking(
            state,
            name,
            strikes,
            cells=cells,
            digits=sorted({digit for _, digit in strikes}),
            houses=houses,
            clues=clues,
            pairs=pairs,
        )


def _kept(state: State, masks: dict[int, int], told: list[Told]) -> dict[int, int]:
    """Return the candidates that some filling uses; remembered, as most cells stay as they are."""
    memory = state.topology.memory
    key = (tuple(masks.items()), tuple(told))
    if key not in memory:
        if len(memory) >= MOST_REMEMBERED:
            memory.clear()
        memory[key] = Assignments(masks, state.topology.peers, told).kept()
    return memory[key]


@dataclass(frozen=True)
class Balance:
    """Numbers of some cells minus those of others give a known total.

    Parameters
    ----------
    plus, minus
        The sets of cells.
    """

    plus: int
    minus: int
    total: int
    houses: tuple[str, ...]
    clues: tuple[str, ...]


def total(state: State) -> Iterator[Step]:
    """Strike by the 45 rule: a house of 9 sums to 45, so cages leave known sums.

    Up to `MOST_HOUSES` houses without a common cell are added up, and cages that lie inside, or
    mostly so, taken away; the few cells left over, inside or outside, have a known sum, or
    difference.
    """
    for balance in _balances(state):
        cells = members(balance.plus | balance.minus)
        found = _balanced(state, balance, cells)
        strikes = [(cell, d) for cell in cells for d in members(state.masks[cell] & ~found[cell])]
        if strikes:
            peers = state.topology.peers
            yield striking(
                state,
                "45 rule",
                strikes,
                cells=cells,
                digits=sorted({digit for _, digit in strikes}),
                houses=balance.houses,
                clues=balance.clues,
                pairs=[(a, b) for a, b in combinations(cells, 2) if peers[a] >> b & 1],
            )


def _sums(state: State) -> list[tuple[Clue, int]]:
    """Return the clues that say a sum, with it."""
    found = []
    for clue in state.topology.clues:
        constraint = clue.constraint
        if isinstance(constraint, Cage):
            found.append((clue, constraint.sum))
        elif isinstance(constraint, Arithmetic) and constraint.op == "+":
            found.append((clue, constraint.target))
    return found


def _balances(state: State) -> Iterator[Balance]:
    sums = _sums(state)
    if not sums:
        return
    for houses in _regions(state):
        region = 0
        whole = 0
        for house in houses:
            region |= house.bits
            whole += sum(members(house.digits))
        for mostly in (False, True):
            plus, minus, left = region, 0, whole
            used = []
            for clue, amount in sums:
                inside = (clue.bits & plus & region).bit_count()
                outside = (clue.bits & ~region).bit_count()
                # Cages that share a cell would count it twice.
                apart = not clue.bits & minus and clue.bits & plus == clue.bits & region
                if inside and apart and (not outside or (mostly and outside < inside)):
                    left -= amount
                    plus &= ~clue.bits
                    minus |= clue.bits & ~region
                    used.append(clue.name)
            if not used or (mostly and not minus):  # The latter is what came before.
                continue
            for cell in members((plus | minus) & ~state.open):
                left += -state.values[cell] if plus >> cell & 1 else state.values[cell]
            open_cells = (plus | minus) & state.open
            if 1 <= open_cells.bit_count() <= MOST_LEFT:
                names = tuple(house.name for house in houses)
                yield Balance(plus & state.open, minus & state.open, left, names, tuple(used))


def _regions(state: State) -> Iterator[tuple[Line, ...]]:
    """Return one house, then two and three of a kind that touch one another in number."""
    houses = state.topology.houses
    for size in range(1, MOST_HOUSES + 1):
        for start in range(len(houses) - size + 1):
            chosen = tuple(houses[start : start + size])
            if len({house.kind for house in chosen}) > 1:
                continue
            if all(not a.bits & b.bits for a, b in combinations(chosen, 2)):
                yield chosen


def _balanced(state: State, balance: Balance, cells: tuple[int, ...]) -> dict[int, int]:
    """Return for each cell the candidates that occur in some filling with the right total."""
    kept = dict.fromkeys(cells, 0)
    peers = state.topology.peers
    chosen: dict[int, int] = {}

    def fill(at: int, left: int) -> None:
        if at == len(cells):
            if left == 0:
                for cell, digit in chosen.items():
                    kept[cell] |= 1 << digit
            return
        cell = cells[at]
        sign = 1 if balance.plus >> cell & 1 else -1
        for digit in members(state.masks[cell]):
            if any(chosen[c] == digit and peers[cell] >> c & 1 for c in chosen):
                continue
            chosen[cell] = digit
            fill(at + 1, left - sign * digit)
            del chosen[cell]

    fill(0, balance.total)
    return kept
