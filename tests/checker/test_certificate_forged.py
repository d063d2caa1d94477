"""Tests that forged certificates never prove more than boards truly cost."""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from math import inf

import pytest

from nlrouter.certificate import (
    CellCases,
    Certificate,
    CoverCases,
    LayerSum,
    Node,
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
    every_via,
    layers_of,
    targets_of,
    with_choice,
)
from nlrouter.checker.certificate.limits import Refused
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.problem import Line, Problem, Via
from tests.engine.routing_oracle import cheapest_cost
from tests.engine.tiny_layers import layer_problem, two_layer_problem


def tower(seed: int) -> Problem:
    """Draw two boards of two layers above each other, and sometimes a layer with two lines."""
    rnd = random.Random(seed)
    lines: list[Line] = []
    vias: list[Via] = []
    for low in (0, 2):
        board = two_layer_problem(rnd.randrange(10**6), 3, 3, 2)
        for line in board.lines:
            first, second = (end._replace(z=end.z + low) for end in line.ends)
            lines.append(Line(len(lines) + 1, (first, second)))
        vias += [
            Via("abcd"[len(vias) + k], via.y, via.x, low, low + 1)
            for k, via in enumerate(board.vias)
        ]
    for line in layer_problem(rnd.randrange(10**6), 3, 3, 2).lines:
        first, second = (end._replace(z=4) for end in line.ends)
        lines.append(Line(len(lines) + 1, (first, second)))
    return Problem(3, 3, 5, tuple(lines), tuple(vias))


class Forger:
    """Draws trees that fit their board, but follow no reason and use nodes again elsewhere."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.random = random.Random(seed)
        self.board = layers_of(problem, tuple(range(problem.layers)))
        self.nodes: list[Node] = []
        self.ties = seed % 3 == 0

    def certificate(self, problem: Problem) -> Certificate:
        """Return a certificate with a tree and prices."""
        self.node(Case(tuple(range(problem.layers)), every_via(self.board)), 0)
        cells = range(problem.height * problem.width)
        prices = tuple(tuple(self.random.choice(of) for _ in cells) for of in ((0,), (0, 0, 0, 1)))
        place = (tuple(range(problem.layers)),)
        goal = self.random.choice((5, 20, 10**9))
        part = PartProof(place, goal, prices, tuple(self.nodes))
        return Certificate(digest_of(problem), 0, 0, "", 2, (part,))

    def node(self, case: Case, depth: int) -> int:
        """Add a node and what is below; return its index."""
        index = len(self.nodes)
        layers = tuple(int(self.random.random() < 0.2) for _ in case.layers)
        prices = Prices(layers, self._bonds(case))
        self.nodes.append(prices)
        kinds = [self._via_cases, self._via_choices, self._via_prices, self._sides, self._layers]
        if not self.board.classes:
            kinds = [self._sides, self._layers]
        kinds += [self._turns, self._covers, self._cells]
        if depth < 4:
            self.nodes[index] = self.random.choice(kinds)(case, depth, index, prices)
        return index

    def _pairs(self, case: Case) -> list[tuple[int, int]]:
        """Return the pairs of nets with settled ends on the layers of a case."""
        settled = [net for net, end in enumerate(targets_of(self.board, case)) if end >= 0]
        layer = self.board.layer
        return [(i, j) for i, j in permutations(settled, 2) if layer[i] == layer[j] in case.layers]

    def _bonds(self, case: Case) -> tuple[tuple[int, int, int], ...]:
        """Return some bonds of a case, of nets whose side is settled as well; most have none."""
        pairs = self._pairs(case) if self.ties else []
        tied = [pair for pair in pairs if self.random.random() < 0.4]
        return tuple((*pair, self.random.choice((-9, -2, 1, 4, 12))) for pair in tied)

    def _child(self, parent: int, case: Case, depth: int) -> int:
        """Return a child: a new one, or one that was made for another case."""
        if len(self.nodes) > parent + 1 and self.random.random() < 0.4:
            return self.random.randrange(parent + 1, len(self.nodes))
        return self.node(case, depth + 1)

    def _line(self) -> tuple[int, int]:
        return self.random.randrange(len(self.board.classes)), self.random.randrange(2)

    def _via_cases(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        k, row = self._line()
        children = tuple(
            self._taken(index, case, (k, row, via), depth) for via in sorted(case.vias[k][row])
        )
        return ViaCases((k, row), children)

    def _taken(self, parent: int, case: Case, key: tuple[int, int, int], depth: int) -> int:
        """Return a child in which a line takes a via, the parent if another then has none."""
        vias = with_choice(case.vias, *key)
        return parent if vias is None else self._child(parent, replace(case, vias=vias), depth)

    def _some(self, case: Case) -> tuple[tuple[tuple[int, int, int], ...], Case]:
        """Return some choices of a case, but no line's last ones, and what is left without them."""
        chosen: list[tuple[int, int, int]] = []
        vias = [list(rows) for rows in case.vias]
        for _ in range(self.random.randrange(3)):
            k, row = self._line()
            if len(vias[k][row]) > 1:
                via = self.random.choice(sorted(vias[k][row]))
                vias[k][row] -= {via}
                chosen.append((k, row, via))
        return tuple(chosen), replace(case, vias=tuple(tuple(rows) for rows in vias))

    def _via_choices(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        chosen, rest = self._some(case)
        children = [self._taken(index, case, key, depth) for key in chosen]
        return ViaChoices(chosen, (*children, self._child(index, rest, depth)))

    def _via_prices(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        dropped, rest = self._some(case)
        return ViaPrices(prices, dropped, self._child(index, rest, depth))

    def _sides(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        target = targets_of(self.board, case)
        pairs = [
            pair
            for pair in permutations([net for net, end in enumerate(target) if end >= 0], 2)
            if self.board.layer[pair[0]] == self.board.layer[pair[1]] and pair not in case.sides
        ]
        if not pairs:
            return prices
        pair = self.random.choice(pairs)
        below = replace(case, sides={**case.sides, pair: 0, pair[::-1]: 0})
        first = self._child(index, below, depth)
        # Both sides often share what is below: a bound that is kept must know which it is of.
        second = first if self.random.random() < 0.5 else self._child(index, below, depth)
        return SideCases(pair, (first, second))

    def _turns(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        pairs = self._pairs(case)
        if not pairs:
            return prices
        net, other = self.random.choice(pairs)
        first = self._child(index, case, depth)
        second = first if self.random.random() < 0.5 else self._child(index, case, depth)
        return TurnCases(net, (other, self.random.randrange(2)), (first, second))

    def _covers(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        pairs = self._pairs(case)
        triples = [(i, j, k) for i, j in pairs for k in range(j) if {(i, k), (j, k)} <= {*pairs}]
        if not triples:
            return prices
        i, j, k = self.random.choice(triples)
        end = k, self.random.randrange(2)
        self.nodes += [prices, prices]
        first = self._child(index + 2, case, depth)
        second = first if self.random.random() < 0.5 else self._child(index + 2, case, depth)
        self.nodes[index + 1] = TurnCases(j, end, (index + 2, index + 2))
        self.nodes[index + 2] = CoverCases((i, j), end, (first, second))
        return TurnCases(i, end, (index + 1, index + 1))

    def _cells(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        pairs = self._pairs(case)
        if not pairs:
            return prices
        cell = self.random.randrange(len(self.board.free[0]))
        first = self._child(index, case, depth)
        return CellCases(self.random.choice(pairs), cell, (first, self._child(index, case, depth)))

    def _layers(self, case: Case, depth: int, index: int, prices: Prices) -> Node:
        alone = [replace(case, layers=(z,)) for z in case.layers]
        return LayerSum(tuple(self._child(index, below, depth) for below in alone))


def unless_refused(problem: Problem, certificate: Certificate) -> float | None:
    """Return the bound that a certificate proves; None where it is refused."""
    try:
        return verified_bound(problem, certificate)
    except Refused:
        return None


def with_nodes(certificate: Certificate, nodes: Iterable[Node]) -> Certificate:
    """Return a certificate of one part with other nodes."""
    (part,) = certificate.parts
    return replace(certificate, parts=(replace(part, nodes=tuple(nodes)),))


def test_forged_certificates() -> None:
    """Tests that trees of any nodes, used in any cases, never prove more than is true."""
    refused = proven = sharp = with_bonds = 0
    for seed in range(20):
        problem = tower(seed)
        cost = inf if infeasible_reason(problem) else cheapest_cost(problem)
        if cost == inf:
            continue
        for trial in range(60):
            certificate = Forger(problem, 1000 * seed + trial).certificate(problem)
            bound = unless_refused(problem, certificate)
            if bound is None:
                refused += 1
                continue
            proven += 1
            sharp += bound == cost
            with_bonds += any(
                isinstance(node, Prices) and node.bonds for node in certificate.parts[0].nodes
            )
            assert bound <= cost, (seed, trial)
    assert min(refused, proven, sharp, with_bonds) > 50


@pytest.mark.parametrize("number", range(4))
def test_forged_covers(number: int) -> None:
    """Tests that sides in covers never prove too much, and that they prove more than none."""
    raised = sharp = proven = 0
    for seed in range(100 * number, 100 * (number + 1)):
        problem = layer_problem(seed % 40, 5, 4, 3)
        cost = inf if infeasible_reason(problem) else cheapest_cost(problem)
        certificate = Forger(problem, seed).certificate(problem)
        (part,) = certificate.parts
        covers = [k for k, node in enumerate(part.nodes) if isinstance(node, CoverCases)]
        bound = unless_refused(problem, certificate)
        if not covers or bound is None:
            continue
        proven += 1
        assert bound <= cost, seed
        sharp += bound == cost
        nodes = (Prices((0,)) if k in covers else n for k, n in enumerate(part.nodes))
        raised += bound > verified_bound(problem, with_nodes(certificate, nodes))
    assert min(sharp, proven) > 10 and raised
