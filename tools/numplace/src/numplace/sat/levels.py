"""The levels of the ``.sdq`` clauses: which sums are encoded, and with which weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

from numplace.cell import Cell
from numplace.constraints import Cage, Sandwich
from numplace.sat import diagram, sums_adder, sums_bdd
from numplace.sat.cnf import Cnf

ALL, POSSIBLE_LENGTHS, POSSIBLE_WEIGHTS, SUPPORT = range(4)
"""0: a sum for each length, all weights. 1: none where the length cannot have the sum. 2: and only
weights that occur in it. 3: no sums, but the sets of numbers."""

AddSum = Callable[[Cnf, Sequence[tuple[int, int]], int, Sequence[int]], None]

TRANSLATIONS: dict[str, AddSum] = {
    "AdderNetwork": sums_adder.add_sum,
    "BDD": sums_bdd.add_sum,
}


def add_cage(cnf: Cnf, cage: Cage, level: int, translation: str) -> None:
    """Add a cage by its level; that its numbers differ is added too if they must."""
    if cage.distinct:
        for a, b in combinations(cage.cells, 2):
            for value in cnf.domains[a]:
                if value in cnf.domains[b]:
                    cnf.add(-cnf.holds[a, value], -cnf.holds[b, value])
    if level == SUPPORT:
        (_add_sets if cage.distinct else diagram.add_total)(cnf, cage.cells, cage.sum)
        return
    values = sorted({value for cell in cage.cells for value in cnf.domains[cell]})
    weights = tuple(values)
    if level >= POSSIBLE_WEIGHTS:
        weights = weights_of(weights, len(cage.cells), cage.sum, cage.distinct)
        _forbid_others(cnf, cage.cells, weights, ())
    TRANSLATIONS[translation](cnf, _terms(cnf, cage.cells, weights), cage.sum, ())


def _add_sets(cnf: Cnf, cells: Sequence[Cell], total: int) -> None:
    """Demand that the numbers of cells, all different, sum to a total.

    One variable per set of numbers says that the cells hold exactly that set. Each value of a
    cell is supported by a set that has it, and each set's numbers stand in some cell.
    """
    values = sorted({value for cell in cells for value in cnf.domains[cell]})
    sets = [group for group in combinations(values, len(cells)) if sum(group) == total]
    chosen = {group: cnf.new() for group in sets}
    cnf.add(*chosen.values())
    for cell in cells:
        for value in cnf.domains[cell]:
            supports = [chosen[group] for group in sets if value in group]
            cnf.add(-cnf.holds[cell, value], *supports)
    for group, variable in chosen.items():
        for value in group:
            places = [cnf.holds[c, value] for c in cells if value in cnf.domains[c]]
            cnf.add(-variable, *places)


def add_sandwich(cnf: Cnf, line: Sandwich, level: int, translation: str) -> None:
    """Add a sandwich by its level: one sum for each two cells where the ends may stand."""
    cells = line.cells
    for end in (line.low, line.high):
        cnf.exactly_one([cnf.holds[cell, end] for cell in cells if end in cnf.domains[cell]])
    between = tuple(v for v in range(line.low, line.high + 1) if v not in (line.low, line.high))
    # All values are weights at the lower levels, ends too; between the ends there is none.
    everything = tuple(range(line.low, line.high + 1))
    for first, last in combinations(range(len(cells)), 2):
        inside = cells[first + 1 : last]
        possible = weights_of(between, len(inside), line.sum, True)
        fits = bool(possible) if inside else line.sum == 0
        ways = [
            (-cnf.holds[cells[first], left], -cnf.holds[cells[last], right])
            for left, right in ((line.low, line.high), (line.high, line.low))
            if left in cnf.domains[cells[first]] and right in cnf.domains[cells[last]]
        ]
        if level >= POSSIBLE_LENGTHS and not fits:
            for ends in ways:
                cnf.add(*ends)
            continue
        if not ways:
            continue
        here = cnf.new()
        for ends in ways:
            cnf.add(*ends, here)
        weights = possible if level >= POSSIBLE_WEIGHTS else everything
        if level >= POSSIBLE_WEIGHTS:
            _forbid_others(cnf, inside, weights, (-here,))
        TRANSLATIONS[translation](cnf, _terms(cnf, inside, weights), line.sum, (-here,))


@cache
def weights_of(values: tuple[int, ...], length: int, total: int, distinct: bool) -> tuple[int, ...]:
    """Return the values that occur where so many of them have the sum."""
    if distinct:
        groups = [group for group in combinations(values, length) if sum(group) == total]
        return tuple(sorted({value for group in groups for value in group}))
    return tuple(v for v in values if _reaches(values, length - 1, total - v))


@cache
def _reaches(values: tuple[int, ...], length: int, total: int) -> bool:
    """Return whether so many values, with repeats, can have a sum."""
    if length == 0:
        return total == 0
    return any(v <= total and _reaches(values, length - 1, total - v) for v in values)


def _terms(cnf: Cnf, cells: Sequence[Cell], weights: Sequence[int]) -> list[tuple[int, int]]:
    """Return the weights and literals of the values of cells; 0 weighs nothing."""
    return [
        (value, cnf.holds[cell, value])
        for cell in cells
        for value in cnf.domains[cell]
        if value in weights and value > 0
    ]


def _forbid_others(
    cnf: Cnf, cells: Sequence[Cell], weights: Sequence[int], unless: Sequence[int]
) -> None:
    """Forbid the values of cells that are no weights."""
    for cell in cells:
        for value in cnf.domains[cell]:
            if value not in weights:
                cnf.add(*unless, -cnf.holds[cell, value])
