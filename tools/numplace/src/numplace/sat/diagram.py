"""Groups that calculate as clauses, by a diagram of what is left of the target.

Layer by layer, each node says how much of the target the cells from there on must make; numbers
lead from a node to some of the next layer. Nodes that the goal cannot be reached from are left
out. The clauses go both ways, so that units alone strike nearly all that no way uses. Abío,
Gange, Mayer-Eichberger and Stuckey, "On CNF Encodings of Decision Diagrams", CPAIOR 2016, compare
such encodings.
"""

from __future__ import annotations

from collections.abc import Sequence

from numplace.cell import Cell
from numplace.constraints import Arithmetic
from numplace.sat.cnf import Cnf
from numplace.solve.count import UnknownConstraint

MOST_NODES = 2000
"""Nodes of a layer: sums have some dozens, products as many as the target has divisors."""

Layer = dict[int, dict[int, list[int]]]
"""Of each node the nodes of the next layer that each number leads to."""


def add_group(cnf: Cnf, group: Arithmetic) -> None:
    """Demand that the numbers of a group give its target.

    Raises
    ------
    UnknownConstraint
        If it has far too many ways to do so.
    """
    zeros = [cnf.holds[cell, 0] for cell in group.cells if 0 in cnf.domains[cell]]
    if group.target == 0 and group.op in "*/":
        cnf.add(*(zeros if group.op == "*" else ()))
    else:
        _add_ways(cnf, group.cells, group.op, group.target)


def add_total(cnf: Cnf, cells: Sequence[Cell], total: int) -> None:
    """Demand that the numbers of cells, which may repeat, have a sum."""
    _add_ways(cnf, cells, "+", total)


def _add_ways(cnf: Cnf, cells: Sequence[Cell], op: str, target: int) -> None:
    """Demand a way through the diagram."""
    layers = _layers(cnf, cells, op, target)
    if not all(layers):
        cnf.add()
        return
    whole = cnf.new()
    cnf.add(whole)
    nodes = dict.fromkeys(layers[0], whole)
    for cell, layer in zip(cells, layers, strict=True):
        tos = {to for ways in layer.values() for each in ways.values() for to in each}
        after = {to: whole if cell == cells[-1] else cnf.new() for to in tos}
        into: dict[tuple[int, int], list[int]] = {}
        before: dict[int, set[int]] = {to: set() for to in tos}
        for value in cnf.domains[cell]:
            holds = cnf.holds[cell, value]
            cnf.add(-holds, *[nodes[left] for left, ways in layer.items() if value in ways])
            for left, ways in layer.items():
                cnf.add(-nodes[left], -holds, *[after[to] for to in ways.get(value, ())])
                for to in ways.get(value, ()):
                    into.setdefault((to, value), []).append(nodes[left])
                    before[to].add(nodes[left])
        for left, ways in layer.items():
            cnf.add(-nodes[left], *[cnf.holds[cell, value] for value in ways])
        for (to, value), lefts in into.items():
            cnf.add(-after[to], -cnf.holds[cell, value], *lefts)
        for to, lefts_of in before.items():
            cnf.add(-after[to], *lefts_of)
        cnf.at_most_one([node for node in after.values() if node != whole])
        nodes = after


def _layers(cnf: Cnf, cells: Sequence[Cell], op: str, target: int) -> list[Layer]:
    """Return for each cell where its numbers lead, on the ways to the goal."""
    largest = max(v for cell in cells for v in cnf.domains[cell])
    layers: list[Layer] = []
    here = {{"-": ~0, "/": ~1}.get(op, target)}
    for cell in cells:
        layer: Layer = {left: {} for left in here}
        for left, ways in layer.items():
            ways |= {v: _step(op, target, largest, left, v) for v in cnf.domains[cell]}
        layers.append(layer)
        here = {to for ways in layers[-1].values() for tos in ways.values() for to in tos}
        if len(here) > MOST_NODES:
            raise UnknownConstraint(f"sat knows no group of {len(cells)} cells that makes {target}")
    alive = {0 if op in "+-" else 1}
    for at, layer in reversed([*enumerate(layers)]):
        for ways in layer.values():
            for value, tos in [*ways.items()]:
                ways[value] = [to for to in tos if to in alive]
                if not ways[value]:
                    del ways[value]
        layers[at] = {left: ways for left, ways in layer.items() if ways}
        alive = set(layers[at])
    return layers


def _step(op: str, target: int, largest: int, left: int, number: int) -> list[int]:
    """Return what a number may leave of what was left.

    Of a difference or a quotient what is left is below 0 until one number is chosen to be made
    less: until then it is the complement of what the others make so far.
    """
    if op in "+-":
        if left >= 0:
            return [left - number] if number <= left else []
        others = ~left + target
        return [~(~left + number)] * (others + number <= largest) + (
            [number - others] if number >= others else []
        )
    if number == 0:
        return []
    if left >= 0:
        return [left // number] if left % number == 0 else []
    others = ~left * target
    return [~(~left * number)] * (others * number <= largest) + (
        [number // others] if number % others == 0 else []
    )
