"""Tests that questions about how nets pass each other are answered by every routing."""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise, permutations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import END_CHARGE, half_charges
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.sided_paths import MOST_BITS
from nlrouter.engine.bounds.sides import Passage, draw_curves
from nlrouter.engine.exact.maxsat import MaxSat
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.asking import AskConfig
from nlrouter.engine.prove.questions import Case, Question, Questions
from nlrouter.engine.prove.side_tree import SideTree, SideTreeConfig
from nlrouter.result import ceil_bound
from tests.engine.tiny_layers import layer_problem, path_cost, random_nets, routable_nets

SIZES = [(3, 5, 3), (4, 4, 3), (5, 3, 3), (2, 6, 3), (4, 5, 3), (1, 8, 3)]


def questions_of(nets: Nets) -> tuple[Dual, Questions]:
    """Draw a layer's curves; return a fresh dual that watches them, and the questions."""
    dual = Dual(nets)
    relaxed = dual.improve(Deadline(60), 3)
    curves = draw_curves(
        nets.source, nets.target, relaxed.paths, relaxed.lengths, nets.cells, nets.stride
    )
    dual.watch(curves)
    return dual, Questions(nets, curves, MOST_BITS)


def every_question(count: int) -> list[Question]:
    """Return all questions about so many nets."""
    sides = [(i, j, -1) for i in range(count) for j in range(i + 1, count)]
    turns = [(i, -1, p) for i in range(count) for p in range(2 * count) if p % count != i]
    covers = [
        (i, j, p)
        for i, j in permutations(range(count), 2)
        for p in range(2 * count)
        if p % count not in (i, j)
    ]
    return sides + turns + covers


def edges_of(path: tuple[int, ...]) -> list[tuple[int, int, bool]]:
    """Return axis and first cell of a path's steps, and whether they start there."""
    return [(0 if abs(b - a) == 1 else 1, min(a, b), a < b) for a, b in pairwise(path)]


def parity_of(path: tuple[int, ...], passage: Passage, ray: np.ndarray) -> int:
    """Count a path's crossings with a curve, in the cover of a ray, modulo 2."""
    parity = sheet = 0
    for axis, first, forward in edges_of(path):
        over = int(ray[axis, first])
        parity ^= int(passage.crossed[sheet if forward else sheet ^ over, axis, first])
        sheet ^= over
    return parity


def agrees(case: Case, questions: Questions, routing: list[tuple[int, ...]]) -> bool:
    """Return whether a routing is as a case has it."""
    return all(
        parity_of(routing[net], passage, questions.curves.rays[passage.name[1]]) == passage.parity
        for net, passage in case
    )


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(10))
def test_every_routing_is_one_case(size: tuple[int, int, int], seed: int) -> None:
    """Tests that of the cases of each question a routing is just one."""
    nets, routings = routable_nets(seed, *size)
    dual, questions = questions_of(nets)
    for turns in (
        np.zeros_like(dual.averages.turns),
        np.random.default_rng(seed).random(dual.averages.turns.shape),
    ):
        dual.averages.turns = turns
        for question in every_question(nets.count):
            i, j, p = question
            if (
                j >= 0
                and p >= 0
                and not all(
                    questions._lift(net, p, questions._turn(dual, net, p)) for net in (i, j)
                )
            ):
                continue
            cases = questions.cases(dual, question)
            for routing in routings:
                assert sum(agrees(case, questions, routing) for case in cases) == 1


def cheapest_walk(
    nets: Nets, net: int, half: np.ndarray, passages: list[Passage], rays: np.ndarray
) -> float:
    """Search all states of a net's walks, by its parities and sheets."""
    source, target = int(nets.source[net]), int(nets.target[net])
    want = tuple(passage.parity for passage in passages)
    start = tuple((0, 0) for _ in passages)
    best = {(source, axis, start): 0.0 for axis in (0, 1)}
    heap = [(0.0, source, axis, start) for axis in (0, 1)]
    while heap:
        cost, cell, axis, made = heappop(heap)
        if cell == target:
            if tuple(parity for parity, _ in made) == want:
                return cost
            continue
        if cost > best[cell, axis, made]:
            continue
        for step in (1, -1, nets.stride, -nets.stride):
            there, along = cell + step, int(abs(step) != 1)
            if not nets.free[0, there] and there != target:
                continue
            if cell == source and along != axis:
                continue
            first = min(cell, there)
            after = []
            for (parity, sheet), passage in zip(made, passages, strict=True):
                over = int(rays[passage.name[1], along, first])
                on = sheet if cell == first else sheet ^ over
                after.append((parity ^ int(passage.crossed[on, along, first]), sheet ^ over))
            key = there, along, tuple(after)
            onward = cost + half[cell] + half[there] + (along != axis)
            if onward < best.get(key, np.inf):
                best[key] = onward
                heappush(heap, (onward, *key))
    return INFINITE


@pytest.mark.parametrize("size", [*SIZES, (5, 6, 4)], ids=str)
@pytest.mark.parametrize("seed", range(10))
def test_searches(size: tuple[int, int, int], seed: int) -> None:
    """Tests that the cheapest walk with settled passages is found, by a search of all states."""
    nets, _ = routable_nets(seed, *size) if size[2] < 4 else (random_nets(seed, *size), [])
    dual, questions = questions_of(nets)
    random = np.random.default_rng(seed)
    dual.prices = np.where(nets.free, random.exponential(1.0, nets.free.shape), 0.0)
    half = half_charges(nets.free, dual.prices)[0]
    asked = every_question(nets.count)
    for _ in range(6):
        settled = dual
        for k in random.permutation(len(asked))[:4]:
            i, j, p = asked[k]
            if (
                j >= 0
                and p >= 0
                and not all(
                    questions._lift(net, p, questions._turn(settled, net, p)) for net in (i, j)
                )
            ):
                continue
            known = {(net, name.name) for net in (i, j) for name in settled.passages[net]}
            cases = questions.cases(settled, asked[k])
            case = cases[int(random.integers(len(cases)))]
            settled = settled.sided([e for e in case if (e[0], e[1].name) not in known])
        for net in range(nets.count):
            passages = list(settled.passages[net])
            found = settled.probe([net])
            least = cheapest_walk(nets, net, half, passages, questions.curves.rays)
            if least >= INFINITE:
                assert found >= INFINITE
            else:
                assert found == pytest.approx(least - 2 * END_CHARGE)


@pytest.mark.parametrize("seed", range(12))
def test_searches_while_prices_change(seed: int) -> None:
    """Tests that what a search has come to heed, or does without, never changes what it finds."""
    nets = random_nets(seed, 4, 5, 4)
    dual, questions = questions_of(nets)
    random = np.random.default_rng(seed)
    chosen = [(0, -1, 1), (0, -1, 2), (0, -1, 7), (0, 1, -1), (0, 2, -1), (0, 3, -1)]
    cases = [questions.cases(dual, question)[int(random.integers(2))] for question in chosen]
    settled = dual.sided([entry for case in cases for entry in case])
    for turn in range(15):
        settled.prices = np.where(nets.free, random.exponential(1.0, nets.free.shape), 0.0)
        half = half_charges(nets.free, settled.prices)[0]
        for net in range(nets.count):
            found = settled.probe([net])
            passages = list(settled.passages[net])
            least = cheapest_walk(nets, net, half, passages, questions.curves.rays)
            assert found >= INFINITE or found == pytest.approx(least - 2 * END_CHARGE)
            assert (found >= INFINITE) == (least >= INFINITE)
        if turn % 6 == 5:
            settled.rest()


@pytest.mark.parametrize("doubt", [0.02, 9.0])
@pytest.mark.parametrize("size", [(4, 4, 3), (3, 5, 3), (4, 5, 3), (2, 6, 3)], ids=str)
@pytest.mark.parametrize("seed", range(10))
def test_trees(size: tuple[int, int, int], seed: int, doubt: float) -> None:
    """Tests that no tree proves too much; where nothing is doubted, it asks in covers alone."""
    nets, routings = routable_nets(seed, *size)
    nets = replace(nets, constant=0)
    best = min(sum(map(path_cost, routing)) for routing in routings)
    for limit in (None, best + 2, best, best - 1):
        tree = SideTree(nets, None, SideTreeConfig(ask=AskConfig(doubt=doubt)))
        for _ in range(60):
            if tree.stuck or (limit is not None and tree.bound > limit):
                break
            tree.step(Deadline(60), limit)
            assert ceil_bound(tree.bound) <= best


def test_turns_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that turns are asked about only where the best prices leave no side in doubt."""
    patient = set()
    doubtful = Questions.doubtful

    def listen(
        questions: Questions, dual: Dual, least: float, *, turns: bool
    ) -> list[tuple[float, Question]]:
        if turns:
            assert not doubtful(questions, dual, least, turns=False)
            patient.add(not (dual.converged and dual.exhausted))
        return doubtful(questions, dual, least, turns=turns)

    monkeypatch.setattr(Questions, "doubtful", listen)
    for seed in range(10):
        tree = SideTree(random_nets(seed, 4, 5, 3), None)
        for _ in range(60):
            if not tree.stuck:
                tree.step(Deadline(60), None)
    assert patient == {False}


def test_order_of_questions() -> None:
    """Tests that covers have to promise something while there may be better prices."""
    config = SideTreeConfig(ask=AskConfig(doubt=9.0), least_gain=3.0)
    tree = SideTree(routable_nets(6, 4, 4, 3)[0], None, config)
    while not tree.root.converged:
        tree.step(Deadline(60), None)
    (node,) = tree._nodes
    assert [least for _, least in tree._candidates(node)] == [0.0, 3.0]
    assert tree.root.refine()
    assert [least for _, least in tree._candidates(node)] == [0.0]
    while not tree.root.converged:
        tree.root.improve(Deadline(60), 10)
    assert [least for _, least in tree._candidates(node)] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("least", "asked"), [(0.0, True), (INFINITE / 2, False)])
def test_questions_that_promise_too_little(
    least: float, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a question is not asked whose cases gain less than is wanted."""
    tree = SideTree(routable_nets(6, 4, 4, 3)[0], None)
    while not tree.root.converged:
        tree.step(Deadline(60), None)
    found = [(1.0, (0, 1, -1))]
    monkeypatch.setattr(SideTree, "_candidates", lambda _tree, _node: iter([(found, least)]))
    assert tree._branch(tree._nodes[0], None) == asked
    assert (tree.visited > 1) == asked


@pytest.mark.parametrize("below", [2, 5])
@pytest.mark.parametrize(("size", "seed"), [((7, 7, 5), 0), ((8, 8, 6), 20), ((8, 8, 6), 31)])
def test_limits_that_rise(size: tuple[int, int, int], seed: int, below: int) -> None:
    """Tests that what is too dear for one limit is not missed when a higher one is named."""
    nets = replace(nets_of(layer_problem(seed, *size)), constant=0)
    optimum = MaxSat(nets)
    optimum.step(Deadline(60))
    assert optimum.routing is not None
    best = optimum.routing.cost
    tree = SideTree(nets, None)
    for limit in range(best - below, best + 2):
        for _ in range(40):
            if tree.stuck or tree.bound > limit:
                break
            tree.step(Deadline(60), limit)
            assert ceil_bound(tree.bound) <= best


def test_passages_beyond_what_searches_tell_apart() -> None:
    """Tests that a net takes no more passages than a search has bits for."""
    nets, _ = routable_nets(0, 4, 4, 3)
    dual, questions = questions_of(nets)
    case = questions.cases(dual, (0, 1, -1))[0]
    full = dual.sided(case * (MOST_BITS + 20))
    assert max(map(len, full.passages)) == MOST_BITS
    assert full.probe([0, 1]) == pytest.approx(dual.sided(case).probe([0, 1]))
