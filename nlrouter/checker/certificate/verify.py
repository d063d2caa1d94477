"""Checks a certificate: what it truly proves that every answer to a board costs.

Whole numbers only, and no word of any solver is taken: a search for cheapest paths (``paths``),
minilsap's matching, a look at how curves cross (``curves``) and unit propagation (``propagate``)
are all that is used. It relies on the limits that the reader of the file keeps: no number is
negative or above `nlrouter.certificate.MOST_NUMBER`.

What is proven is always of the form: in any answer that belongs to a case, the nets on the
case's layers cost at least so much. A *case* leaves some vias to some lines and settles on
which side some nets pass each other. The kinds of nodes (see ``nlrouter.certificate``):

- `Prices`: an answer has at most one net in a free cell, so the nets' cost is at least their
  cost with the cells' prices, less the sum of the prices. Every net then pays at least its cheapest
  path, and the lines of a class at least the cheapest matching with vias. Tied
  nets together pay at least the cheapest paths that agree on their sides (``bonds``).
- `ViaPrices`: an answer with a dropped via costs at least as much as the matching that has it.
- `ViaCases`, `ViaChoices`, `SideCases`, `TurnCases`, `CoverCases`, `CellCases`: each answer belongs
  to one of the cases, so the least counts. Where the side or the turn is settled already, that one
  does.
- `Cores`: see ``cores``.
- `LayerSum`: the cost is the sum of the layers' costs. What is proven of a layer is kept, and
  used again where the case says the same of this layer; it must not know what is said of others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from nlrouter.certificate import (
    CellCases,
    Certificate,
    Cores,
    CoverCases,
    LayerSum,
    PartProof,
    Prices,
    SideCases,
    TurnCases,
    ViaCases,
    ViaChoices,
    ViaPrices,
    digest_of,
)
from nlrouter.checker.certificate.board import (
    Case,
    Layers,
    Vias,
    cell_of_end,
    ends_of,
    every_via,
    layers_of,
    on_layer,
    spans_match,
    with_choice,
)
from nlrouter.checker.certificate.curves import curves_cross
from nlrouter.checker.certificate.limits import CheckLimits, Kept, Refused, Work
from nlrouter.checker.certificate.paths import UNREACHED, Neighbours, neighbours_of
from nlrouter.checker.certificate.prices import Payments
from nlrouter.problem import Problem

if TYPE_CHECKING:
    from nlrouter.checker.certificate.cores import CoreCheck

NO_ANSWER = 10**12
"""Bound of a case that no answer belongs to; above the cost of any."""


def verified_bound(
    problem: Problem, certificate: Certificate, limits: CheckLimits | None = None
) -> float:
    """Return the lower bound on the cost of every answer that a certificate truly proves.

    It is a whole number, or infinite if the board is shown to have no answer. The certificate's
    own figures of what it proves are not looked at.

    Parameters
    ----------
    problem, certificate
        The board, and what is said to prove its bound.
    limits
        What the check may cost.

    Raises
    ------
    Refused
        If it is of another problem, anything in it is not as it should be, or its check takes
        too long.
    """
    _require_parts(problem, certificate)
    if not spans_match(problem):
        return inf
    bound: float = 2 * len(problem.lines) + sum(len(via.cells) for via in problem.vias)
    nets = sum(1 + line.crosses_layers for line in problem.lines)
    work = Work(limits or CheckLimits(), nets * problem.height * problem.width)
    near = neighbours_of(problem.height, problem.width)
    for index, part in enumerate(certificate.parts):
        layers = [layers_of(problem, place) for place in part.places]
        if any(other != layers[0] for other in layers[1:]):
            raise Refused(f"the places of part {index} are not alike")
        if layers:
            bound += len(layers) * _PartCheck(layers[0], part, certificate.unit, near, work).bound()
    return bound


def _require_parts(problem: Problem, certificate: Certificate) -> None:
    """Refuse a certificate of another problem, or whose parts are none of this one's."""
    if certificate.digest != digest_of(problem):
        raise Refused("the certificate is of another problem")
    if certificate.unit < 1:
        raise Refused("the certificate's unit is not positive")
    taken = Counter(z for part in certificate.parts for place in part.places for z in place)
    if any(z >= problem.layers or count > 1 for z, count in taken.items()):
        raise Refused("the certificate's parts do not lie on layers of their own")
    if not all(place for part in certificate.parts for place in part.places):
        raise Refused("a part of the certificate has no layers")


class _PartCheck:
    """The check of one part's proof."""

    def __init__(
        self, board: Layers, proof: PartProof, unit: int, near: Neighbours, work: Work
    ) -> None:
        self._board = board
        self._proof = proof
        self._unit = unit
        self._work = work
        self._payments = Payments(board, proof, unit, near, work)
        self._every_via = every_via(board)
        self._cores: CoreCheck | None = None
        self._visits = 0
        self._layer_bounds: Kept[tuple[object, ...], int] = Kept(work.limits.kept)

    def bound(self) -> float:
        """Return what the nets cost at least; infinite if there is no way to route them."""
        layers = tuple(range(len(self._board.free)))
        bound = self._node(0, Case(layers, self._every_via), 0)
        # No routing costs more than one that fills the layers and bends in every cell.
        return inf if bound > 2 * sum(map(sum, self._board.free)) else bound

    def _node(self, index: int, case: Case, depth: int) -> int:
        """Return what the nets on the case's layers cost at least, by a node of the tree."""
        self._visits += 1
        limits = self._work.limits
        if self._visits > limits.visits or depth > limits.depth:
            raise Refused(f"a tree has more than {limits.visits} nodes or is too deep")
        self._work.add(len(self._board.layer) + case.size)
        if index >= len(self._proof.nodes):
            raise Refused(f"there is no node {index}")
        node = self._proof.nodes[index]
        match node:
            case Prices():
                return self._value(node, case)
            case ViaPrices():
                return self._narrowed(index, node, case, depth)
            case ViaCases():
                return self._by_via(index, node, case, depth)
            case ViaChoices():
                return self._by_choice(index, node, case, depth)
            case SideCases():
                return self._least(index, self._by_side(node, case), depth)
            case TurnCases():
                return self._least(index, self._by_turn(node, case), depth)
            case CoverCases():
                return self._least(index, self._by_cover(index, node, case), depth)
            case CellCases():
                return self._least(index, self._by_cell(index, node, case), depth)
            case LayerSum():
                return self._by_layer(index, node, case, depth)
            case Cores():
                return self._by_cores(node, case)

    def _child(self, parent: int, child: int, case: Case, depth: int) -> int:
        if child <= parent:
            raise Refused(f"node {child} cannot be a child of node {parent}")
        return self._node(child, case, depth + 1)

    def _narrowed(self, index: int, node: ViaPrices, case: Case, depth: int) -> int:
        paid = self._payments.paid(node.prices, case)
        values = []
        left = case.vias
        for k, row, via in node.dropped:
            left = self._without(index, left, k, row, via)
            values.append(self._rounded(paid.with_via(k, row, via)))
        if all(row for rows in left for row in rows):
            values.append(self._child(index, node.child, replace(case, vias=left), depth))
        return min(values, default=NO_ANSWER)

    def _by_via(self, index: int, node: ViaCases, case: Case, depth: int) -> int:
        k, row = node.line
        if k >= len(case.vias) or row >= len(case.vias[k]):
            raise Refused(f"node {index} names a line that is not there")
        choices = sorted(case.vias[k][row])
        if len(node.children) != len(choices):
            raise Refused(f"node {index} has not a case for each via")
        values = []
        for child, via in zip(node.children, choices, strict=True):
            vias = self._with(case.vias, k, row, via)
            if vias is not None:
                values.append(self._child(index, child, replace(case, vias=vias), depth))
        return min(values, default=NO_ANSWER)

    def _by_choice(self, index: int, node: ViaChoices, case: Case, depth: int) -> int:
        if len(node.children) != len(node.choices) + 1:
            raise Refused(f"node {index} has not a child for each choice and the rest")
        values = []
        left = case.vias
        for child, (k, row, via) in zip(node.children, node.choices, strict=False):
            rest = self._without(index, left, k, row, via)
            taken = self._with(left, k, row, via)
            left = rest
            if taken is not None:
                values.append(self._child(index, child, replace(case, vias=taken), depth))
        if all(row for rows in left for row in rows):
            values.append(self._child(index, node.children[-1], replace(case, vias=left), depth))
        return min(values, default=NO_ANSWER)

    def _least(self, index: int, below: list[tuple[int, Case]], depth: int) -> int:
        """Return the least of some children, each with its case."""
        values = []
        for child, case in below:
            values.append(self._child(index, child, case, depth))
        return min(values)

    def _by_side(self, node: SideCases, case: Case) -> list[tuple[int, Case]]:
        i, j = node.nets
        ends = ends_of(self._board, case, i, j)
        if (i, j) in case.sides:  # Of two cases one is this one, and the other has no answers.
            return [(node.children[case.sides[i, j]], case)]
        parity = curves_cross(*ends, self._board.width)
        return [
            (child, replace(case, sides={**case.sides, (i, j): side, (j, i): side ^ parity}))
            for side, child in enumerate(node.children)
        ]

    def _by_turn(self, node: TurnCases, case: Case) -> list[tuple[int, Case]]:
        about = node.net, cell_of_end(self._board, case, node.net, node.end)
        if about in case.turns:
            return [(node.children[case.turns[about]], case)]
        return [
            (child, replace(case, turns={**case.turns, about: turn}))
            for turn, child in enumerate(node.children)
        ]

    def _by_cover(self, index: int, node: CoverCases, case: Case) -> list[tuple[int, Case]]:
        i, j = node.nets
        ends_of(self._board, case, i, j)
        cell = cell_of_end(self._board, case, i, node.end)
        cell_of_end(self._board, case, j, node.end)
        if not ((i, cell) in case.turns and (j, cell) in case.turns):
            raise Refused(f"node {index} speaks of a cover in which turns are not settled")
        if (i, j, cell) in case.covers:
            return [(node.children[case.covers[i, j, cell]], case)]
        drawn = self._payments.covers.draw(case, i, j, cell)
        if drawn is None:  # No answer belongs to the case, and so to any case below.
            return [(node.children[0], case)]
        key, back, parity = (i, j, cell), (j, i, cell), drawn[2]
        return [
            (child, replace(case, covers={**case.covers, key: side, back: side ^ parity}))
            for side, child in enumerate(node.children)
        ]

    def _by_cell(self, index: int, node: CellCases, case: Case) -> list[tuple[int, Case]]:
        ends_of(self._board, case, *node.nets)
        if node.cell >= len(self._board.free[0]):
            raise Refused(f"node {index} names a cell that is not there")
        return [
            (child, replace(case, left=case.left | {(net, node.cell)}))
            for child, net in zip(node.children, node.nets, strict=True)
        ]

    def _by_layer(self, index: int, node: LayerSum, case: Case, depth: int) -> int:
        if len(node.children) != len(case.layers):
            raise Refused(f"node {index} has not a child for each layer")
        total = 0
        for child, z in zip(node.children, case.layers, strict=True):
            alone = on_layer(self._board, case, z, self._every_via)
            settled = (alone.sides, alone.turns, alone.covers)
            key = (child, z, alone.vias, alone.left, *(frozenset(each.items()) for each in settled))
            known = self._layer_bounds.get(key)
            if known is None:
                # A line's vias may be in many keys, but the sets of the lines are their own.
                numbers = 8 + 4 * alone.size + sum(map(len, alone.vias))
                bound = self._child(index, child, alone, depth)
                known = self._layer_bounds.put(key, bound, numbers)
            total += known
        return min(total, NO_ANSWER)

    def _with(self, vias: Vias, k: int, row: int, via: int) -> Vias | None:
        """Return the vias left where a line takes one of its own; None if another then has none."""
        self._work.add(sum(map(len, vias[k])))
        return with_choice(vias, k, row, via)

    def _without(self, index: int, vias: Vias, k: int, row: int, via: int) -> Vias:
        """Return the vias left where a line does not take one of its own."""
        if k >= len(vias) or row >= len(vias[k]) or via not in vias[k][row]:
            raise Refused(f"node {index} names a via that its line does not have")
        self._work.add(len(vias[k]))
        rows = (*vias[k][:row], vias[k][row] - {via}, *vias[k][row + 1 :])
        return (*vias[:k], rows, *vias[k + 1 :])

    def _by_cores(self, node: Cores, case: Case) -> int:
        # Only now, as it loads a compiler, which takes as long as many a check.
        from nlrouter.checker.certificate.cores import CoreCheck

        self._cores = self._cores or CoreCheck(self._board, self._work)
        bound = self._cores.bound(node, case)
        return NO_ANSWER if bound is None else bound

    def _value(self, prices: Prices, case: Case) -> int:
        """Return the bound by prices."""
        # Of some layers alone it is not known how much is enough.
        everywhere = len(case.layers) == len(self._board.free)
        enough = 2 * self._unit * self._proof.goal if everywhere else UNREACHED
        return self._rounded(self._payments.paid(prices, case, enough).least())

    def _rounded(self, value: int) -> int:
        """Return a value as a bound on a cost, which is a whole number, and not negative."""
        return min(NO_ANSWER, max(0, -(-value // (2 * self._unit))))
