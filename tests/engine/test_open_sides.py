"""Tests that sides settled while vias are open prove no more than what is true."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.prove.asking import AskConfig, Asked
from nlrouter.engine.prove.assistant import Assistant
from nlrouter.engine.prove.config import ProverConfig
from nlrouter.engine.prove.open_sides import OpenSides, OpenSidesConfig
from nlrouter.engine.prove.prover import Prover
from nlrouter.engine.prove.via_node import Node, unpacked
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.routing_oracle import exact_cost

SIDES = OpenSidesConfig(ask=AskConfig(doubt=1e-6), least_score=0.0, rounds=4)
EAGER = ProverConfig(sides=SIDES, few_assignments=0, maxsat_cells=0)
"""Asks wherever it can, and leaves the rest to sides alone."""


def mixed_nets(seed: int) -> Nets:
    """Draw a board of two layers, some of whose lines go through vias and some stay on a layer."""
    random = np.random.default_rng(seed)
    height, width = (int(n) for n in random.integers(5, 9, 2))
    through, staying = int(random.integers(2, 5)), int(random.integers(1, 4))
    spots = random.permutation(height * width).tolist()
    vias = [Via("abcd"[k], spots[k] // width, spots[k] % width, 0, 1) for k in range(through)]
    count = through + 2 * staying
    places = [random.permutation(spots[through:])[:count].tolist() for _ in range(2)]
    cells = [[Cell(z, *divmod(spot, width)) for spot in places[z]] for z in range(2)]
    pairs = [(cells[0][k], cells[1][k]) for k in range(through)]
    pairs += [(row[k], row[k + 1]) for row in cells for k in range(through, count, 2)]
    lines = tuple(Line(k + 1, pair) for k, pair in enumerate(pairs))
    return replace(nets_of(Problem(width, height, 2, lines, tuple(vias))), constant=0)


@cache
def best_cost(seed: int) -> int:
    """Return the least cost of such a board, by the flow model."""
    nets = mixed_nets(seed)
    return exact_cost(nets)


SEEDS = [6, 22, 59, 115, 196, 205, 224, 240, 517, 569, 593, 694]
"""Boards that have answers, and on which there is something to ask."""


@pytest.mark.parametrize("lends", [False, True], ids=["alone", "lending"])
@pytest.mark.parametrize("more", [0, 1, 8])
def test_bounds(more: int, lends: bool) -> None:
    """Tests that the bound ends at the optimum and is never above it, and that sides are asked."""
    asked = 0
    for seed in SEEDS:
        nets, best = mixed_nets(seed), best_cost(seed)
        prover = Prover(nets, 0, EAGER)
        assistant = Assistant(prover)
        for _ in range(2000):
            if prover.bound >= best:
                break
            prover.step(Deadline(60), best + more)
            asked += any(node.sided for node in prover._nodes)
            assert prover.bound <= best
            if lends and (share := prover.lend()) is not None:
                prover.settle(share.number, assistant.do(share, Deadline(1e-3)))
        assert prover.bound == best
    assert asked > 30


def test_what_is_too_dear() -> None:
    """Tests that a side is too dear only where no answer better than the known one has it."""
    limits = []

    class Fake(OpenSides):
        def ask(self, dual: Dual, bound: float, limit: float) -> Asked:
            limits.append(limit)
            return Asked([], [], [])

    nets, best = mixed_nets(SEEDS[4]), best_cost(SEEDS[4])
    prover = Prover(nets, 0, EAGER)
    prover._sides = Fake(nets, SIDES)
    for _ in range(20):
        prover.step(Deadline(60), best + 1)
    assert limits
    assert all(best <= limit < best + 1 for limit in limits)


def test_only_settled_nets_are_compared() -> None:
    """Tests that no question names nets of two layers, or one whose via is open."""
    nets = mixed_nets(SEEDS[0])
    dual = Dual(nets)
    sides = OpenSides(nets, SIDES)
    sides.watch(dual)
    assert dual.curves is not None
    settled = nets.target >= 0
    expected = settled[:, None] & settled & (nets.layer[:, None] == nets.layer)
    assert (dual.curves.compared == expected).all()
    dual.improve(Deadline(60), 3)
    dual.averages.sides[:] = 0.5
    asked = sides.ask(dual, 0.0, 1e9)
    assert asked.cases or asked.beside
    for case in (*asked.cases, *asked.beside):
        i, j, _ = case.question
        assert expected[i, j]


def test_curves_cross_as_they_do() -> None:
    """Tests that curves are compared by paths, not by the walks of nets with settled sides."""
    for seed in SEEDS:
        nets = mixed_nets(seed)
        plain = Dual(nets)
        OpenSides(nets, SIDES).watch(plain)
        assert plain.curves is not None
        pairs = np.argwhere(np.triu(plain.curves.compared, 1)).tolist()
        for bits in range(8):
            settled = [
                (i, Passage((j, -1), np.stack([plain.curves.crossed[j]] * 2), (bits >> k % 3) & 1))
                for k, (i, j) in enumerate(pairs)
            ]
            sided = plain.sided(settled)
            OpenSides(nets, SIDES).watch(sided)
            assert sided.curves is not None
            assert (sided.curves.parity == plain.curves.parity).all()


def test_large_parts_are_left_alone() -> None:
    """Tests that no averages are kept of a part that is too large for them."""
    nets = mixed_nets(SEEDS[0])
    dual = Dual(nets)
    sides = OpenSides(nets, OpenSidesConfig(most_size=1))
    sides.watch(dual)
    assert dual.curves is None
    assert not sides.ask(dual, 0.0, 1e9).cases


def test_bonds_come_along() -> None:
    """Tests that a node that goes from process to process stays tied, and worth as much."""
    nets = mixed_nets(SEEDS[0])
    sides = OpenSides(nets, OpenSidesConfig())
    dual = Dual(nets)
    sides.improve(dual, Deadline(60), 60, None)
    pairs = [(i, j) for j in range(nets.count) for i in range(j)]
    dual.tie([(1.0, pair) for pair in pairs if are_settled_together(dual, pair)])
    assert dual.bonds
    sides.improve(dual, Deadline(60), 5, None)
    packed = pickle.loads(pickle.dumps(Node(dual, 0).packed()))
    there = unpacked(packed, nets, 0, DualConfig()).dual
    sides.watch(there)
    assert there.bonds == dual.bonds
    again, value = (each.route(dual.prices, dual.cuts).value for each in (there, dual))
    assert again == pytest.approx(value)


def are_settled_together(dual: Dual, pair: tuple[int, int]) -> bool:
    """Return whether two nets have their ends, and those on one layer."""
    i, j = pair
    return bool({i, j} <= set(dual.settled.tolist()) and dual.nets.layer[i] == dual.nets.layer[j])
