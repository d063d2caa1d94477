"""Groups that calculate as clauses, by a diagram of what is left of the target.

Layer by layer, each node says how much of the target the cells from there on must make; numbers
lead from a node to one of the next layer. Nodes that the goal cannot be reached from are left
out. The clauses go both ways, so that units alone strike nearly all that no way uses. Abío,
Gange, Mayer-Eichberger and Stuckey, "On CNF Encodings of Decision Diagrams", CPAIOR 2016, compare
such encodings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numplace.cell import Cell
from numplace.constraints import Arithmetic
from numplace.sat.cnf import Cnf
from numplace.solve.count import UnknownConstraint

MOST_NODES = 2000
"""Nodes of a layer: sums have some dozens, products as many as the target has divisors."""

Step = Callable[[int, int], int | None]
"""What a number leaves of what was left before; None if it does not fit."""


def add_group(cnf: Cnf, group: Arithmetic) -> None:
    """Demand that the numbers of a group give its target.

    Raises
    ------
    UnknownConstraint
        If it has far too many ways to do so.
    """
    if group.op == "*" and group.target == 0:
        cnf.add(*(cnf.holds[cell, 0] for cell in group.cells if 0 in cnf.domains[cell]))
        return
    step, goal = (_subtract, 0) if group.op in "+-" else (_divide, 1)
    if group.op in "+*":
        _add_ways(cnf, group.cells, group.target, [step] * len(group.cells), goal)
        return
    heads = []
    for head in group.cells:
        others = [cell for cell in group.cells if cell != head]
        heads.append(cnf.new())
        first = _less if group.op == "-" else _over
        steps = [first, *[step] * len(others)]
        _add_ways(cnf, [head, *others], group.target, steps, goal, heads[-1])
    cnf.add(*heads)


def add_total(cnf: Cnf, cells: Sequence[Cell], total: int) -> None:
    """Demand that the numbers of cells, which may repeat, have a sum."""
    _add_ways(cnf, cells, total, [_subtract] * len(cells), 0)


def _subtract(left: int, number: int) -> int | None:
    return left - number if number <= left else None


def _divide(left: int, number: int) -> int | None:
    return left // number if number and left % number == 0 else None


def _less(target: int, number: int) -> int | None:
    return _subtract(number, target)


def _over(target: int, number: int) -> int | None:
    return _divide(number, target) or None


def _add_ways(
    cnf: Cnf,
    cells: Sequence[Cell],
    start: int,
    steps: Sequence[Step],
    goal: int,
    guard: int | None = None,
) -> None:
    """Demand that the steps of the cells' numbers lead from the start to the goal.

    Parameters
    ----------
    guard
        A literal that is false where nothing is demanded.
    """
    layers = _layers(cnf, cells, start, steps, goal)
    # The one node at each end has no variable: it is taken wherever the guard is true.
    nodes: dict[int, int | None] = {start: None}

    def demand(conditions: Sequence[int | None], *options: int | None) -> None:
        """Add a clause: where all conditions hold, so does an option; None is true."""
        if None not in options:
            chosen = [option for option in options if option is not None]
            cnf.add(*(-each for each in (guard, *conditions) if each is not None), *chosen)

    for cell, layer in zip(cells, layers, strict=True):
        tos = {to for ways in layer.values() for to in ways.values()}
        after = {to: None if cell == cells[-1] else cnf.new() for to in tos}
        into: dict[tuple[int, int], list[int | None]] = {}
        before: dict[int, set[int]] = {to: set() for to in tos}
        for value in cnf.domains[cell]:
            holds = cnf.holds[cell, value]
            demand([holds], *(nodes[left] for left, ways in layer.items() if value in ways))
            for left, ways in layer.items():
                demand([nodes[left], holds], *([after[ways[value]]] if value in ways else []))
                if value in ways:
                    into.setdefault((ways[value], value), []).append(nodes[left])
                    before[ways[value]].add(left)
        for left, ways in layer.items():
            demand([nodes[left]], *(cnf.holds[cell, value] for value in ways))
        for (to, value), lefts in into.items():
            demand([after[to], cnf.holds[cell, value]], *lefts)
        for to in tos:
            demand([after[to]], *(nodes[left] for left in before[to]))
        nodes = after
    if not layers[0]:
        demand([])


def _layers(
    cnf: Cnf, cells: Sequence[Cell], start: int, steps: Sequence[Step], goal: int
) -> list[dict[int, dict[int, int]]]:
    """Return of each cell where each number leads from each node, on the ways to the goal."""
    layers: list[dict[int, dict[int, int]]] = []
    here = {start}
    for cell, step in zip(cells, steps, strict=True):
        numbers = cnf.domains[cell]
        layers.append(
            {left: {v: to for v in numbers if (to := step(left, v)) is not None} for left in here}
        )
        here = {to for ways in layers[-1].values() for to in ways.values()}
        if len(here) > MOST_NODES:
            raise UnknownConstraint(f"sat knows no group of {len(cells)} cells that makes {start}")
    alive = {goal}
    for at, layer in reversed([*enumerate(layers)]):
        kept = {
            left: {v: to for v, to in ways.items() if to in alive} for left, ways in layer.items()
        }
        layers[at] = {left: ways for left, ways in kept.items() if ways}
        alive = set(layers[at])
    return layers
