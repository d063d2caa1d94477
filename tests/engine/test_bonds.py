"""Tests that tied nets agree on their sides, at no more than routings cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.bonds import BondConfig, fitting, more
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.sided_search import SidedSearchConfig
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.questions import Questions
from nlrouter.problem import Cell, Line, Problem
from nlrouter.result import ceil_bound
from tests.engine.test_questions import can_be_asked
from tests.engine.tiny_layers import curves_of, path_cost, random_nets, routable_nets

SIZES = [(4, 4, 3), (3, 5, 3), (4, 5, 3), (2, 6, 3), (4, 5, 4)]
NEAR = SidedSearchConfig(radius=0.5)
"""Looks no farther than it must."""


def dual_of(nets: Nets, config: SidedSearchConfig | None = None) -> Dual:
    """Return a dual that knows its curves."""
    dual = Dual(nets, config=DualConfig(searches=config or SidedSearchConfig()))
    dual.curves = curves_of(dual)
    return dual


def all_pairs(nets: Nets) -> list[tuple[float, tuple[int, int]]]:
    """Return all pairs of nets, each as doubtful as can be."""
    return [(1.0, (i, j)) for j in range(nets.count) for i in range(j)]


def priced(dual: Dual, seed: int, scale: float = 1.0) -> None:
    """Give a dual some prices."""
    random = np.random.default_rng(seed)
    free = dual.nets.free
    dual.prices = np.where(free, random.exponential(scale, free.shape), 0.0)


def worth(dual: Dual) -> float:
    """Return the bound that a dual's prices prove by its own paths."""
    return dual._proven(dual.route(dual.prices), dual.prices)


def sides(
    dual: Dual, bonds: Sequence[tuple[int, int]], answers: Sequence[int]
) -> list[tuple[int, Passage]]:
    """Return the passages of all nets for one answer to each of some bonds."""
    assert dual.curves is not None
    questions = Questions(dual.nets, dual.curves)
    return [
        entry
        for (i, j), answer in zip(bonds, answers, strict=True)
        for entry in questions.cases(dual, (i, j, -1))[answer]
    ]


@pytest.mark.parametrize("config", [SidedSearchConfig(), NEAR], ids=["usual", "near"])
@pytest.mark.parametrize("scale", [0.0, 1.0])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_the_cheapest_at_tolls(
    size: tuple[int, int, int], seed: int, scale: float, config: SidedSearchConfig
) -> None:
    """Tests what nets pay at any tolls, with a side settled as well, against all of their sides."""
    nets = random_nets(seed, *size)
    dual = dual_of(nets, config)
    priced(dual, seed, scale)
    loose = dual.sided([])
    dual.tie(all_pairs(nets))
    bonds = dual.bonds
    assert bonds
    random = np.random.default_rng(seed)
    dual.terms = dual.terms._replace(tolls=random.normal(0.0, 3.0, len(bonds)))
    tolls = dict(dual.tolls)

    def least(net: int, place: int | None = None, answer: int = 0) -> float:
        """Return what a net pays that chooses its own sides, but for one that is settled."""
        costs = []
        for answers in product((0, 1), repeat=len(bonds)):
            own = [(bond, side) for bond, side in zip(bonds, answers, strict=True) if net in bond]
            if place is not None and answers[place] != answer:
                continue
            paid = sum(
                tolls[bond] * side * (1 if net == bond[0] else -1)
                for bond, side in own
                if place is None or bond != bonds[place]
            )
            cost = loose.sided(sides(loose, [bond for bond, _ in own], [s for _, s in own]))
            costs.append(cost.probe([net]) + paid)
        return min(costs)

    assert dual.route(dual.prices).value == pytest.approx(sum(map(least, range(nets.count))))
    for answer in (0, 1):
        settled = dual.sided(sides(dual, bonds[:1], (answer,)))
        expected = sum(least(net, 0, answer) for net in range(nets.count))
        assert settled.route(dual.prices).value == pytest.approx(expected)


def test_a_toll_just_below_the_way_round() -> None:
    """Tests what two nets in each other's way pay at tolls of all sizes."""
    ends = (((4, 1), (4, 7)), ((1, 4), (7, 4)))
    lines = [Line(k + 1, (Cell(0, *one), Cell(0, *other))) for k, (one, other) in enumerate(ends)]
    nets = nets_of(Problem(9, 9, 1, tuple(lines)))
    loose = dual_of(nets)
    dual = loose.sided([])
    assert dual.tie(all_pairs(nets))
    cases = [loose.sided(sides(loose, dual.bonds, (answer,))) for answer in (0, 1)]
    (zero, one), (other_zero, other_one) = ([case.probe([net]) for case in cases] for net in (0, 1))
    for toll in np.arange(-12.0, 12.0, 0.2):
        dual.terms = dual.terms._replace(tolls=np.array([toll]))
        expected = min(zero, one + toll) + min(other_zero, other_one - toll)
        assert dual.route(dual.prices).value == pytest.approx(expected)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_no_more_than_routings(size: tuple[int, int, int], seed: int) -> None:
    """Tests that whatever the prices are, no routing costs less than the bound."""
    nets, routings = routable_nets(seed, *size)
    nets = replace(nets, constant=0)
    best = min(sum(map(path_cost, routing)) for routing in routings)
    dual = dual_of(nets, NEAR)
    dual.tie(all_pairs(nets))
    for scale in (0.1, 0.5, 2.0):
        tied = dual.sided([])
        priced(tied, seed, scale)
        tied.improve(Deadline(60), 3)
        assert ceil_bound(tied.value) <= best


@pytest.mark.parametrize("radius", [1.0, INFINITE])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_value_of_what_is_settled(size: tuple[int, int, int], seed: int, radius: float) -> None:
    """Tests what a case is said to be worth against its own paths at the same prices."""
    nets, _ = routable_nets(seed, *size) if size[2] < 4 else (random_nets(seed, *size), [])
    dual = dual_of(nets, SidedSearchConfig(radius=radius))
    priced(dual, seed)
    assert dual.curves is not None
    questions = Questions(nets, dual.curves)
    asked = [(0, 1, -1), (0, 2, -1), (1, 2, -1), (0, 1, 2), (1, 2, nets.count)]
    asked = [question for question in asked if can_be_asked(dual, questions, question)]
    for tied in (False, True):
        if tied:
            dual.tie(all_pairs(nets))
        here = worth(dual)
        for case in (case for question in asked for case in questions.cases(dual, question)):
            below = dual.sided(case)
            value, gain = dual.value_of(below)
            itself = worth(below)
            if max(here, itself) >= INFINITE / 2:
                continue
            assert gain == pytest.approx(value - here)
            # Who looks less far than a walk leads says what it costs at least.
            assert value <= itself + 1e-6
            if radius == INFINITE:
                assert value == pytest.approx(itself)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_where_nets_lose_their_bonds(seed: int) -> None:
    """Tests that a case in which nets have no bonds left is worth what their own paths cost."""
    nets, _ = routable_nets(seed, 4, 5, 3)
    dual = dual_of(nets)
    priced(dual, seed)
    dual.tie(all_pairs(nets))
    dual.terms = dual.terms._replace(tolls=np.random.default_rng(seed).normal(0.0, 2.0, 3))
    dual._room[2] = 0
    below = dual.sided([])
    assert len(below.bonds) < len(dual.bonds)
    assert dual.value_of(below)[0] == pytest.approx(worth(below))


def test_three_nets_in_the_way_of_each_other() -> None:
    """Tests a layer on which bonds see that two nets have to go round."""
    ends = (((4, 1), (4, 7)), ((1, 4), (7, 4)), ((2, 2), (6, 6)))
    lines = [Line(k + 1, (Cell(0, *one), Cell(0, *other))) for k, (one, other) in enumerate(ends)]
    nets = replace(nets_of(Problem(9, 9, 1, tuple(lines))), constant=0)
    dual = dual_of(nets)
    dual.improve(Deadline(60), 200)
    alone = ceil_bound(dual.value)
    dual.tie(all_pairs(nets))
    dual.improve(Deadline(60), 200)
    assert alone < ceil_bound(dual.value) == 33


def test_room() -> None:
    """Tests that a net has no more bonds than there is room for, the first ones first."""
    side = Passage((2, -1), np.zeros((2, 2, 1), np.bool_), 0)
    room = np.full(4, 2)
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2))
    assert fitting(pairs, [()] * 4, room) == ((0, 1), (0, 2), (1, 2))
    assert fitting(pairs, [()] * 4, np.array([1, 2, 2, 2])) == ((0, 1), (1, 2))
    assert fitting(pairs, [(side,), (), (), ()], room) == ((0, 1), (0, 3), (1, 2))
    found = [(0.5, (1, 2)), (0.9, (0, 3)), (0.7, (0, 1))]
    assert more(found, (), [()] * 4, room) == ((0, 3), (0, 1), (1, 2))
    assert more(found, ((1, 2),), [()] * 4, room) == ((1, 2), (0, 3), (0, 1))


def test_a_dear_search_leaves_a_bond_less() -> None:
    """Tests that a net of which something is settled has a bond less below a dear search."""
    nets = random_nets(0, 4, 4, 3)
    for most_states, left in ((0, 0), (8000, 2)):
        dual = Dual(nets, config=DualConfig(bonds=BondConfig(most_states=most_states)))
        dual.curves = curves_of(dual)
        dual.tie(all_pairs(nets))
        dual.route(dual.prices)
        below = dual.sided(sides(dual, dual.bonds[:1], (1,)))
        assert len(below.bonds) == 2  # Nothing was settled before.
        below.route(below.prices)
        assert len(below.sided([]).bonds) == left


@pytest.mark.parametrize("seed", range(12))
def test_what_is_settled_goes_on_from_averages(seed: int) -> None:
    """Tests that a dual below knows what walks have in common, and how far sides are apart."""
    nets, _ = routable_nets(seed, 5, 5, 4)
    dual = dual_of(nets)
    dual.improve(Deadline(60), 30)
    dual.tie(all_pairs(nets))
    dual.improve(Deadline(60), 30)
    usage, average = dual.averages.usage.copy(), dual.averages.sides.copy()
    below = dual.sided(sides(dual, dual.bonds[:1], (1,)))
    assert below.bonds == dual.bonds[1:]
    assert np.array_equal(below.averages.usage, usage)
    assert below.averages.apart == pytest.approx(dual.averages.apart[1:])
    below.improve(Deadline(60), 5)
    assert np.array_equal(dual.averages.usage, usage)
    assert np.array_equal(dual.averages.sides, average)
    assert len(dual.averages.walks) > len(below.averages.walks)
