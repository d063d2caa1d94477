"""Tests that questions about how nets pass each other are answered by every routing."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise, permutations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.sided_search import MOST_BITS
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.questions import Case, Question, Questions
from tests.engine.tiny_layers import curves_of, random_nets, routable_nets

SIZES = [(3, 5, 3), (4, 4, 3), (5, 3, 3), (2, 6, 3), (4, 5, 3), (1, 8, 3)]


def questions_of(nets: Nets) -> tuple[Dual, Questions]:
    """Draw a layer's curves; return a fresh dual that watches them, and the questions."""
    dual = Dual(nets)
    dual.improve(Deadline(60), 3)
    curves = curves_of(dual)
    dual.curves = curves
    return dual, Questions(nets, curves)


def every_question(count: int) -> list[Question]:
    """Return all questions about so many nets."""
    sides = [(i, j, -1) for i in range(count) for j in range(i + 1, count)]
    covers = [
        (i, j, p)
        for i, j in permutations(range(count), 2)
        for p in range(2 * count)
        if p % count not in (i, j)
    ]
    return sides + covers


def can_be_asked(dual: Dual, questions: Questions, question: Question) -> bool:
    """Return whether both nets of a question in a cover have a curve there."""
    i, j, p = question
    return p < 0 or all(questions._lift(net, p, questions._turn(dual, net, p)) for net in (i, j))


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


@pytest.mark.parametrize("usual", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(10))
def test_every_routing_is_one_case(
    size: tuple[int, int, int], seed: int, usual: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that of the cases of each question a routing is one, whatever turns it supposes."""
    nets, routings = routable_nets(seed, *size)
    dual, questions = questions_of(nets)
    if not usual:
        turns = np.random.default_rng(seed).integers(2, size=(nets.count, 2 * nets.count))
        monkeypatch.setattr(Questions, "_turn", lambda _, dual, net, end: int(turns[net, end]))
    for question in every_question(nets.count):
        if not can_be_asked(dual, questions, question):
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
            if not can_be_asked(settled, questions, asked[k]):
                continue
            i, j, _ = asked[k]
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
                assert found == pytest.approx(least)


@pytest.mark.parametrize("seed", range(12))
def test_searches_while_prices_change(seed: int) -> None:
    """Tests that what a search has come to heed, or does without, never changes what it finds."""
    nets = random_nets(seed, 4, 5, 4)
    dual, questions = questions_of(nets)
    random = np.random.default_rng(seed)
    known = [questions._turned(0, end, int(random.integers(2))) for end in (1, 2, 7)]
    for other in (1, 2, 3):
        known += questions.cases(dual, (0, other, -1))[int(random.integers(2))]
    settled = dual.sided(known)
    for question in ((0, 1, 2), (0, 3, 2), (0, 2, 7)):
        if can_be_asked(settled, questions, question):
            settled = settled.sided(questions.cases(settled, question)[-1])
    for turn in range(15):
        settled.prices = np.where(nets.free, random.exponential(1.0, nets.free.shape), 0.0)
        half = half_charges(nets.free, settled.prices)[0]
        for net in range(nets.count):
            found = settled.probe([net])
            passages = list(settled.passages[net])
            least = cheapest_walk(nets, net, half, passages, questions.curves.rays)
            assert found >= INFINITE or found == pytest.approx(least)
            assert (found >= INFINITE) == (least >= INFINITE)
        if turn % 6 == 5:
            settled.rest()


def test_passages_beyond_what_searches_tell_apart() -> None:
    """Tests that a net takes no more passages than a search has bits for."""
    nets, _ = routable_nets(0, 4, 4, 3)
    dual, questions = questions_of(nets)
    case = questions.cases(dual, (0, 1, -1))[0]
    full = dual.sided(case * (MOST_BITS + 20))
    assert max(map(len, full.passages)) == MOST_BITS
    assert full.probe([0, 1]) == pytest.approx(dual.sided(case).probe([0, 1]))
