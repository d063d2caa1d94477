"""Sums of different numbers as clauses by the sets of numbers that have the sum."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from numplace.cell import Cell
from numplace.sat.cnf import Cnf


def add_sum(cnf: Cnf, cells: Sequence[Cell], total: int) -> None:
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
