"""Sums as clauses by a binary decision diagram.

Eén and Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2 (2006): literal by
literal the diagram counts what is still missing; each node becomes a variable.
"""

from __future__ import annotations

from collections.abc import Sequence

from numplace.sat.cnf import Cnf


def add_sum(
    cnf: Cnf, terms: Sequence[tuple[int, int]], total: int, unless: Sequence[int] = ()
) -> None:
    """Demand that the weights of true literals sum to a total; see `sums_adder.add_sum`."""
    rest = [0]
    for weight, _ in reversed(terms):
        rest.append(rest[-1] + weight)
    rest.reverse()
    nodes: dict[tuple[int, int], int | bool] = {}

    def node(index: int, missing: int) -> int | bool:
        """Return the variable that says "these terms on make what is missing"."""
        if missing < 0 or missing > rest[index]:
            return False
        if index == len(terms):
            return missing == 0
        key = index, missing
        if key not in nodes:
            weight, literal = terms[index]
            high = node(index + 1, missing - weight)
            low = node(index + 1, missing)
            nodes[key] = _choice(cnf, literal, high, low)
        return nodes[key]

    root = node(0, total)
    if root is False:
        cnf.add(*unless)
    elif root is not True:
        cnf.add(*unless, root)


def _choice(cnf: Cnf, literal: int, high: int | bool, low: int | bool) -> int | bool:
    """Return a variable for "high where the literal is true, else low"; one way is enough.

    Only where the node is true it must lead on: a node that is false says nothing.
    """
    if high is low or (type(high) is int and high == low):
        return high
    variable = cnf.new()
    for condition, branch in ((-literal, high), (literal, low)):
        if branch is False:
            cnf.add(-variable, condition)
        elif branch is not True:
            cnf.add(-variable, condition, branch)
    if high is not True and low is not True and high is not False and low is not False:
        # Redundant, but both ways closed close the node by units.
        cnf.add(-variable, high, low)
    return variable
