"""Tests that certificates prove what boards truly cost, and never more, whatever is in them."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise, permutations
from math import inf
from typing import Any

import numpy as np
import pytest
from nlrouter.certifier.via_tree import CertifyConfig, ViaTree
from nlrouter.engine.bounds.cuts import SeparationConfig, separate

from nlrouter.certificate import (
    Certificate,
    CoverCases,
    CrossingCut,
    Edge,
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
from nlrouter.certifier import via_tree
from nlrouter.certifier.certify import certify
from nlrouter.certifier.writer import ProofWriter
from nlrouter.checker.certificate.board import (
    Case,
    every_via,
    layers_of,
    targets_of,
    with_choice,
)
from nlrouter.checker.certificate.curves import curves_cross, edges_crossed
from nlrouter.checker.certificate.limits import Refused
from nlrouter.checker.certificate.paths import neighbours_of
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.sides import draw_curves
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.asking import AskConfig
from nlrouter.engine.prove.questions import Question, Questions
from nlrouter.files.certificate_file import format_certificate, parse_certificate
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.routing_oracle import cheapest_cost, exact_cost, random_problem
from tests.engine.tiny_layers import layer_problem, two_layer_problem


def certificate_text(problem: Problem) -> str:
    """Return the certificate of a bound that nobody claims."""
    config = CertifyConfig(least_seconds=0.1, cores_share=0.0)
    clock = Deadline(0, WorkClock())
    certificate = certify(problem, None, 0, "nobody", clock, config)
    return format_certificate(certificate)


def boards() -> Iterator[tuple[Problem, float]]:
    """Return tiny boards that have an answer, and what they cost."""
    drawn = [random_problem(seed) for seed in range(60)]
    drawn += [layer_problem(seed, 4, 5, 3) for seed in range(25)]
    drawn += [two_layer_problem(seed, 3, 4, 2) for seed in range(25)]
    for problem in drawn:
        if not infeasible_reason(problem) and (cost := cheapest_cost(problem)) < inf:
            yield problem, cost


def places(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return where the numbers of a decoded certificate are."""
    if isinstance(record, int):
        yield path
    elif isinstance(record, dict | list):
        entries = record.items() if isinstance(record, dict) else enumerate(record)
        for key, value in entries:
            yield from places(value, (*path, key))


@pytest.mark.parametrize("at_once", [False, True])
def test_tiny_boards(at_once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that no bound is above the optimum, and that nearly all reach it.

    The best prices leave no turn to be asked about here; other prices do.
    """
    if at_once:
        monkeypatch.setattr(Dual, "exhausted", True)
    short: Counter[float] = Counter()
    kinds: Counter[str] = Counter()
    for problem, cost in boards():
        text = certificate_text(problem)
        bound = verified_bound(problem, parse_certificate(text, "file"))
        assert bound <= cost
        short[cost - bound] += 1
        for part in json.loads(text)["parts"]:
            kinds.update(node["kind"] for node in part["nodes"])
    assert short[0] > 0.95 * short.total()
    assert len(kinds) == (7 if at_once else 6), "some kind of node was not tried"


def test_pairs_of_vias() -> None:
    """Tests that what lines pay for not crossing is proven: an aim above the cost needs it."""
    exact = 0
    kinds: Counter[type] = Counter()
    for seed in range(40):
        problem = two_layer_problem(seed, 3, 5, 2)
        cost = inf if infeasible_reason(problem) else cheapest_cost(problem)
        if cost == inf:
            continue
        nets = nets_of(problem)
        (part,) = split(nets)
        aim = int(cost) + 8 - nets.constant
        tree = ViaTree(part.nets, aim, CertifyConfig())
        deadline = Deadline(0.1, WorkClock())
        while not (tree.done or deadline.passed()):
            tree.step(deadline)
        proof = ProofWriter(part.nets, 10**6).proof(tree, ((0, 1),))
        certificate = Certificate(digest_of(problem), 0, 0, "", 10**6, (proof,))
        bound = verified_bound(problem, certificate)
        assert nets.constant + tree.bound <= bound <= cost
        exact += bound == cost
        kinds.update(type(node) for node in proof.nodes)
    assert exact > 30
    assert kinds[ViaChoices] > 5


def test_cuts() -> None:
    """Tests that a dual with crossing cuts proves what the engine says, and not too much."""
    with_cuts = 0
    for seed in range(100):
        problem = layer_problem(seed, 5, 5, 4)
        if infeasible_reason(problem):
            continue
        nets = nets_of(problem)
        tree = ViaTree(nets, 1000, CertifyConfig())
        dual = tree.root.dual
        forever = Deadline(inf)
        relaxed = dual.improve(forever, 60)
        found = separate(
            nets.layer, nets.source, dual.target, nets.free, dual.averages.flow, relaxed.paths,
            relaxed.lengths, nets.stride, SeparationConfig(),
        )  # fmt: skip
        if not found or dual.bound > 1e6:
            continue
        dual.add_cuts(found)
        dual.improve(forever, 60)
        proof = ProofWriter(nets, 10**6).proof(tree, ((0,),))
        with_cuts += bool(proof.cuts)
        certificate = Certificate(digest_of(problem), 0, 0, "", 10**6, (proof,))
        bound = verified_bound(problem, certificate)
        assert dual.value - 1e-3 < bound <= cheapest_cost(problem)
    assert with_cuts > 5


def test_changed_numbers() -> None:
    """Tests that with any one number changed, it proves no more than is true or is refused."""
    rnd = random.Random(0)
    refused = proven = 0
    for problem, cost in boards():
        text = certificate_text(problem)
        numbers = list(places(json.loads(text)))
        # Most numbers are prices; the others matter as much.
        rare = [path for path in numbers if path[2:3] != ("prices",)]
        for _ in range(8):
            record = json.loads(text)
            path = rnd.choice(rnd.choice([numbers, rare]))
            entry = record
            for key in path[:-1]:
                entry = entry[key]
            old = entry[path[-1]]
            entry[path[-1]] = rnd.choice([0, 1, old + 1, max(0, old - 1), 2 * old, 10**6, 10**9])
            try:
                bound = verified_bound(problem, parse_certificate(json.dumps(record), "file"))
            except (Refused, FileError):
                refused += 1
            else:
                proven += 1
                assert bound <= cost, path
    assert min(refused, proven) > 50


@pytest.mark.parametrize("seed", range(10))
def test_same_curves_as_the_engine(seed: int) -> None:
    """Tests that the engine's sides mean the same to the check."""
    for draw in range(50):
        problem = layer_problem(seed + 1000 * draw, 5, 6, 4)
        nets = nets_of(problem)
        relaxed = Dual(nets).route(np.zeros(nets.free.shape), Dual(nets).cuts)
        if relaxed.value <= 1e9:
            break
    assert relaxed.value <= 1e9
    curves = draw_curves(
        nets.source, nets.target, relaxed.paths, relaxed.lengths, nets.cells, nets.stride
    )
    ends = [(6 * a.y + a.x, 6 * b.y + b.x) for a, b in (line.ends for line in problem.lines)]
    for k, (i, j) in enumerate(pairwise(range(nets.count))):
        crossed = {
            2 * ((cell // nets.stride - 1) * 6 + cell % nets.stride - 1) + axis
            for axis, cell in zip(*map(list, np.nonzero(curves.crossed[k])), strict=True)
        }
        assert edges_crossed(ends[k], 6) == crossed
        assert curves_cross(ends[i], ends[j], 6) == curves.parity[i, j]


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
        self.cuts: list[CrossingCut] = []
        self.near = neighbours_of(problem.height, problem.width)
        self.ties = seed % 3 == 0

    def certificate(self, problem: Problem) -> Certificate:
        """Return a certificate with a tree and prices."""
        self.node(Case(tuple(range(problem.layers)), every_via(self.board)), 0)
        cells = range(problem.height * problem.width)
        prices = tuple(tuple(self.random.choice(of) for _ in cells) for of in ((0,), (0, 0, 0, 1)))
        place = (tuple(range(problem.layers)),)
        goal = self.random.choice((5, 20, 10**9))
        part = PartProof(place, goal, prices, tuple(self.cuts), tuple(self.nodes))
        return Certificate(digest_of(problem), 0, 0, "", 2, (part,))

    def node(self, case: Case, depth: int) -> int:
        """Add a node and what is below; return its index."""
        index = len(self.nodes)
        layers = tuple(int(self.random.random() < 0.2) for _ in case.layers)
        prices = Prices(layers, self._cuts(case), self._bonds(case))
        self.nodes.append(prices)
        kinds = [self._via_cases, self._via_choices, self._via_prices, self._sides, self._layers]
        if not self.board.classes:
            kinds = [self._sides, self._layers]
        kinds += [self._turns, self._covers]
        if depth < 4:
            self.nodes[index] = self.random.choice(kinds)(case, depth, index, prices)
        return index

    def _cuts(self, case: Case) -> tuple[tuple[int, int], ...]:
        """Return some cuts, new ones of the case's nets and old ones of any, with multipliers."""
        target = targets_of(self.board, case)
        pairs = self._pairs(case)
        used = []
        while pairs and self.random.random() < 0.4:
            i, j = self.random.choice(pairs)
            ends = (self.board.source[i], target[i]), (self.board.source[j], target[j])
            cut = CrossingCut((i, j), self._edges(ends))
            if self.random.random() < 0.9 or not self.cuts:
                self.cuts.append(cut)
                used.append(len(self.cuts) - 1)
            else:
                used.append(self.random.randrange(len(self.cuts)))
        return tuple((k, self.random.choice((1, 2, 3, 5, 9, 20))) for k in used)

    def _pairs(self, case: Case) -> list[tuple[int, int]]:
        """Return the pairs of nets with settled ends on the layers of a case."""
        settled = [net for net, end in enumerate(targets_of(self.board, case)) if end >= 0]
        layer = self.board.layer
        return [(i, j) for i, j in permutations(settled, 2) if layer[i] == layer[j] in case.layers]

    def _bonds(self, case: Case) -> tuple[tuple[int, int], ...]:
        """Return some bonds of a case, of nets whose side is settled as well; most have none."""
        pairs = self._pairs(case) if self.ties else []
        return tuple(pair for pair in pairs if self.random.random() < 0.4)

    def _edges(
        self, ends: tuple[tuple[int, int], tuple[int, int]]
    ) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
        """Return the edges of a cut between two nets.

        Around any cells a path goes an even number of times, or an odd one if they hold one of
        its ends. So cells are drawn, and their border is added to the other net's curve.
        """
        width = self.board.width
        inside = [self._cells(ends[0]), self._cells(ends[1])]
        odd = curves_cross(*ends, width)
        for pair, cells in zip(ends, inside, strict=True):
            odd ^= (pair[0] in cells) ^ (pair[1] in cells)
        if not odd:
            inside[0] ^= {ends[0][0]}
        edges = []
        for cells, other in zip(inside, ends[::-1], strict=True):
            border = {
                edge
                for cell, around in enumerate(self.near)
                for there, _, edge in around
                if (cell in cells) != (there in cells)
            }
            taken = border ^ edges_crossed(other, width)
            edges.append(tuple((edge % 2, edge // 2) for edge in sorted(taken)))
        return edges[0], edges[1]

    def _cells(self, ends: tuple[int, int]) -> set[int]:
        """Return a few cells, more likely those of a net's ends."""
        count = self.random.choice((0, 0, 0, 1, 2, 4))
        return {self.random.choice((*ends, *range(len(self.near)))) for _ in range(count)}

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
    refused = proven = sharp = with_cuts = with_bonds = 0
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
            with_cuts += any(certificate.parts[0].cuts)
            with_bonds += any(
                isinstance(node, Prices) and node.bonds for node in certificate.parts[0].nodes
            )
            assert bound <= cost, (seed, trial)
    assert min(refused, proven, sharp, with_cuts, with_bonds) > 50


def in_each_others_way(count: int) -> Iterator[tuple[Problem, float]]:
    """Yield boards of one layer whose lines cost more than each alone, and what they cost."""
    seed = 0
    while count:
        problem = layer_problem(seed, 4, 4, 2 + seed % 2)
        seed += 1
        if infeasible_reason(problem):
            continue
        part = PartProof(((0,),), 0, ((0,) * 16,), (), (Prices((0,)),))
        alone = verified_bound(problem, Certificate(digest_of(problem), 0, 0, "", 1, (part,)))
        if alone < (cost := cheapest_cost(problem)) < inf:
            count -= 1
            yield problem, cost


@pytest.mark.parametrize("number", range(4))
def test_forged_cuts(number: int) -> None:
    """Tests that valid cuts, at whatever multipliers and with sides, never prove too much."""
    raised = sharp = proven = 0
    boards = list(in_each_others_way(10))
    for seed in range(300 * number, 300 * (number + 1)):
        problem, cost = boards[seed % len(boards)]
        certificate = Forger(problem, seed).certificate(problem)
        bound = unless_refused(problem, certificate)
        if bound is None:
            continue
        proven += 1
        assert bound <= cost, seed
        (part,) = certificate.parts
        nodes = (replace(n, cuts=()) if isinstance(n, Prices) else n for n in part.nodes)
        raised += bound > verified_bound(problem, with_nodes(certificate, nodes))
        sharp += bound == cost
    assert min(sharp, proven) > 50 and raised


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


FEW_VIAS = {
    "three lines left two vias": (
        "SIZE 9X9X2\nLINE_NUM 6\nLINE#1 (8,8,1) (8,2,2)\nLINE#2 (0,5,1) (5,8,2)\n"
        "LINE#3 (3,8,1) (0,7,2)\nLINE#4 (0,4,1) (8,3,2)\nLINE#5 (8,0,1) (0,6,2)\n"
        "LINE#6 (7,8,1) (4,0,2)\nVIA#a (1,1,1) (1,1,2)\nVIA#b (1,3,1) (1,3,2)\n"
        "VIA#c (1,5,1) (1,5,2)\nVIA#d (2,6,1) (2,6,2)\nVIA#e (3,1,1) (3,1,2)\n"
        "VIA#f (8,4,1) (8,4,2)\n",
        97,
    ),
    "two lines left the same via": (
        "SIZE 9X6X2\nLINE_NUM 4\nLINE#1 (5,5,1) (6,2,2)\nLINE#2 (8,2,1) (3,1,2)\n"
        "LINE#3 (0,4,1) (4,5,2)\nLINE#4 (4,5,1) (0,1,2)\nVIA#a (0,2,1) (0,2,2)\n"
        "VIA#b (3,0,1) (3,0,2)\nVIA#c (6,0,1) (6,0,2)\nVIA#d (8,1,1) (8,1,2)\n",
        51,
    ),
}


@pytest.mark.parametrize("name", FEW_VIAS)
def test_cases_without_a_matching(name: str) -> None:
    """Tests boards on which what is refuted left lines without a via each."""
    text, cost = FEW_VIAS[name]
    problem = parse_problem(text, name)
    (part,) = split(nets_of(problem))
    aim = cost - nets_of(problem).constant
    tree = ViaTree(part.nets, aim, CertifyConfig())
    deadline = Deadline(20, WorkClock())
    while not (tree.done or deadline.passed()):
        tree.step(deadline)
    proof = ProofWriter(part.nets, 10**6).proof(tree, ((0, 1),))
    certificate = Certificate(digest_of(problem), 0, 0, "", 10**6, (proof,))
    assert verified_bound(problem, certificate) == cost


def test_written_covers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that sides in covers that the search settles prove the same to the check."""

    def crossing(questions: Questions, dual: Dual) -> list[tuple[float, Question]]:
        count = dual.nets.count
        return [
            (1.0, (i, j, p))
            for i, j in permutations(range(count), 2)
            for p in range(2 * count)
            if p % count not in (i, j) and dual.passed(i, (j, p)) is None
            if all(len(dual.passages[net]) < 5 for net in (i, j))
            if all(questions._lift(net, p, questions._turn(dual, net, p)) for net in (i, j))
        ]

    monkeypatch.setattr(Questions, "crossing", crossing)
    config = replace(via_tree.CHECKABLE, ask=AskConfig(doubt=2.0))  # Nothing else is asked.
    monkeypatch.setattr(via_tree, "CHECKABLE", config)
    both = 0
    for seed in range(40):
        problem = layer_problem(seed, 6, 6, 4)
        if infeasible_reason(problem):
            continue
        (part,) = split(nets_of(problem))
        tree = ViaTree(part.nets, NO_ANSWER, CertifyConfig())
        for _ in range(30):
            tree.step(Deadline(20, WorkClock()))
        proof = ProofWriter(part.nets, 10**6).proof(tree, ((0,),))
        certificate = Certificate(digest_of(problem), 0, 0, "", 10**6, (proof,))
        assert verified_bound(problem, certificate) - nets_of(problem).constant >= tree.bound, seed
        both += sum(isinstance(node, CoverCases) for node in proof.nodes)
    assert both > 10


@pytest.mark.parametrize("seed", range(30))
def test_choices_of_little_room(seed: int) -> None:
    """Tests that cases made of any choices are closed, each by a proof that holds.

    The aims are such that much is refuted: below the cost, and above it.
    """
    problem = two_layer_problem(seed, 4, 5, 4)
    if infeasible_reason(problem):
        return
    (part,) = split(nets_of(problem))
    cost = exact_cost(part.nets)
    for aim in (cost, cost + 3, 30, 40):
        tree = ViaTree(part.nets, aim, CertifyConfig())
        deadline = Deadline(0.5, WorkClock())
        while not (tree.done or deadline.passed()):
            tree.step(deadline)
        proof = ProofWriter(part.nets, 10**6).proof(tree, ((0, 1),))
        certificate = Certificate(digest_of(problem), 0, 0, "", 10**6, (proof,))
        bound = verified_bound(problem, certificate)
        constant = nets_of(problem).constant
        assert constant + min(tree.bound, aim, cost) <= bound
        assert bound <= (inf if cost == NO_ANSWER else constant + cost)


def test_no_answer() -> None:
    """Tests that a board without an answer gets a certificate that says so, and can be read."""
    across = "SIZE 5X5\nLINE_NUM 2\nLINE#1 (0,2)-(4,2)\nLINE#2 (2,0)-(2,4)\n"
    spans = Problem(
        3, 3, 3, tuple(Line(k, (Cell(0, 0, k), Cell(1, 2, k))) for k in (1, 2)),
        (Via("a", 1, 0, 0, 1), Via("b", 1, 1, 1, 2)),
    )  # fmt: skip
    for problem in (parse_problem(across, "across"), spans):
        text = certificate_text(problem)
        certificate = parse_certificate(text, "file")
        assert certificate.bound == certificate.verified == inf
        assert verified_bound(problem, certificate) == inf


def test_a_proof_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a proof that the check refuses is left out, and what is left is said to hold."""
    problem = tower(1)
    whole = parse_certificate(certificate_text(problem), "file")
    write = ProofWriter.proof

    def spoilt(self: ProofWriter, tree: ViaTree, places: Any) -> PartProof:
        proof = write(self, tree, places)
        return replace(proof, nodes=()) if 0 in places[0] else proof

    monkeypatch.setattr(ProofWriter, "proof", spoilt)
    rest = parse_certificate(certificate_text(problem), "file")
    assert len(rest.parts) == len(whole.parts) - 1
    assert rest.verified == verified_bound(problem, rest) < whole.verified
