"""Tests that nets whose vias are decided together cost no more than in any answer."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.choices import with_via
from nlrouter.engine.bounds.conflicts import _with_pairs, find_conflicts, options_of
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.fixing import extra_costs
from nlrouter.engine.bounds.pair_prices import pair_prices
from nlrouter.engine.bounds.via_pairs import Terms, undecided
from nlrouter.engine.nets.nets import OPEN, Nets, nets_of
from nlrouter.problem import Problem
from tests.engine.routing_oracle import exact_routing
from tests.engine.test_conflicts import allows
from tests.engine.tiny_layers import mixed_nets, routable_two_layers

FAR = 15.9
"""Up to which price conflicts are looked for here."""


def paired(nets: Nets, seed: int, rounds: int, *, often: bool = False) -> Dual:
    """Return a dual, improved for some rounds, that pairs nets of each layer at random.

    Each net once, or with every other net and by weights at random.
    """
    random = np.random.default_rng(seed)
    pairs: list[tuple[int, int]] = []
    for z in range(nets.layers):
        members = random.permutation(np.flatnonzero(nets.layer == z)).tolist()
        two = combinations(members, 2) if often else zip(members[::2], members[1::2], strict=False)
        pairs += [(min(each), max(each)) for each in two]
    weights = random.uniform(0.1, 1.0, 2 * len(pairs)) if often else np.ones(2 * len(pairs))
    nets_of_members = np.array(pairs, np.intp).ravel()
    weights /= np.bincount(nets_of_members, weights)[nets_of_members]
    dual = Dual(nets).paired_with(pairs, weights)
    dual.improve(Deadline(60), rounds)
    return dual


def shaken(nets: Nets, seed: int, rounds: int, *, often: bool = False) -> Dual:
    """Return such a dual with the value of other shares, near the best ones."""
    dual = paired(nets, seed, rounds, often=often)
    shares, weights, tolls = dual.terms
    shares = shares + np.random.default_rng(seed).normal(0.0, 1.0, shares.shape)
    return at_terms(dual, Terms(shares, weights, tolls))


def at_terms(dual: Dual, terms: Terms) -> Dual:
    """Return a dual with its value at other terms."""
    dual.terms = terms
    dual.value = dual.nets.constant + dual.route(dual.prices).value - float(dual.prices.sum())
    return dual


def with_each_via(dual: Dual, costs: dict[tuple[int, ...], int]) -> Iterator[tuple[int, Dual]]:
    """Yield duals in which the first of three lines is given a via, checked against answers."""
    for via in range(3):
        below = dual.restricted(with_via(dual.domains, 0, 0, via))
        below.improve(Deadline(60), 20)
        left = [cost for order, cost in costs.items() if order[0] == via]
        assert below.value <= min(left, default=np.inf) + 1e-6
        yield via, below


@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_answers_cost_no_less(seed: int, often: bool) -> None:
    """Tests bounds at random shares, and those with a via forced, against all answers."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    assert paired(nets, seed, 30, often=often).value <= min(costs.values()) + 1e-6
    dual = shaken(nets, seed, 30, often=often)
    extra = extra_costs(dual, 0, dual.forced(Deadline(60)), Deadline(60))
    for order, cost in costs.items():
        assert dual.value + extra[np.arange(3), order].max() <= cost + 1e-6


def test_nothing_more_once_time_is_up() -> None:
    """Tests that no via is looked at any more then, and what is known besides stays as it is."""
    nets, _ = routable_two_layers(0, 3, 4, 3)
    dual = shaken(nets, 0, 30)
    late, known = dual.forced(Deadline(0.0)), dual.forced(Deadline(60))
    assert not late.extra.any() and known.extra.any()
    assert (late.loose == known.loose).all() and late.together == known.together


@pytest.mark.parametrize("gap", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("seed", range(8))
def test_no_farther_than_it_matters(seed: int, gap: float) -> None:
    """Tests that what a via costs a pair is told as it is up to a gap, and beyond to be that."""
    nets, _ = routable_two_layers(seed, 3, 4, 3)
    dual = shaken(nets, seed, 30)
    told = dual.forced(Deadline(60), gap).extra
    assert dual._paired is not None
    half, known = half_charges(nets.free, dual.prices), np.zeros(told.shape)
    for p, pair in enumerate(dual.via_pairs):
        priced = dual._paired._priced(p, half, dual.terms)
        least, _ = priced.cheapest()
        for via in range(3):
            known[pair[0], via] = priced.cheapest(rows=slice(via, via + 1))[0] - least
            known[pair[1], via] = priced.cheapest(columns=slice(via, via + 1))[0] - least
    assert (told <= known + 1e-9).all()
    assert (told >= np.minimum(known, gap) - 1e-9).all()
    assert told[known < gap] == pytest.approx(known[known < gap])


@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("rounds", [1, 30])
@pytest.mark.parametrize("seed", range(15))
def test_conflicts_of_paired_nets(seed: int, rounds: int, often: bool) -> None:
    """Tests that the vias of each answer up to some cost go together where nets are paired."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = shaken(nets, seed, rounds, often=often)
    for upper in sorted(set(costs.values()))[:3]:
        found = find_conflicts(dual, upper, Deadline(60))
        assert found is not None
        for order, cost in costs.items():
            if cost <= upper:
                assert allows(found, order)


@pytest.mark.parametrize("seed", range(15))
def test_vias_of_both_nets_of_a_pair(seed: int) -> None:
    """Tests that conflicts have a pair pay for two vias what it does."""
    nets, _ = routable_two_layers(seed, 3, 4, 3)
    dual = shaken(nets, seed, 30)
    assert dual._paired is not None
    half = half_charges(nets.free, dual.prices)
    choices = np.array([(0, row, via) for row in range(3) for via in range(3)])
    for p, pair in enumerate(dual.via_pairs):
        options, choice, ground = options_of(dual, int(nets.layer[pair[0]]), choices, dual.engaged)
        dearer, via = np.zeros(len(choice)), choices[choice, 2]
        forced, ceiling = dual.forced(Deadline(60)), dual.config.via_pairs.most
        both = _with_pairs(options, via, ground, dearer, forced, FAR, ceiling, Deadline(60))
        most = np.full((len(dearer), len(dearer)), FAR)
        prices = pair_prices(options, ground, most, Deadline(60))
        assert both is not None and prices is not None
        block = np.ix_(options.net == pair[0], options.net == pair[1])
        priced = dual._paired._priced(p, half, dual.terms)
        least, _ = priced.cheapest()
        # No via has two lines, and only so far is looked for a price.
        told = ~np.eye(3, dtype=np.bool_) & (prices[block] < FAR)
        for row, column in np.argwhere(told).tolist():
            paid, _ = priced.cheapest(slice(row, row + 1), slice(column, column + 1))
            assert both[block][row, column] == pytest.approx(paid - least)


@pytest.mark.parametrize("seed", range(60))
def test_conflicts_beside_lines_of_one_layer(seed: int) -> None:
    """Tests the same where nets between two ends are paired with nets that lead to vias."""
    nets = mixed_nets(seed, (5, 5, 3, 1))
    best = exact_routing(nets)
    if best is not None:
        found = find_conflicts(paired(nets, seed, 30), best.cost, Deadline(60))
        assert found is not None
        assert allows(found, tuple(best.assignment[0].tolist()))


@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_beside_lines_of_one_layer(seed: int, often: bool) -> None:
    """Tests the bound where nets between two ends are paired with nets that lead to vias."""
    nets = mixed_nets(seed)
    best = exact_routing(nets)
    if best is not None:
        assert paired(nets, seed, 60, often=often).value <= best.cost + 1e-6


@pytest.mark.parametrize("seed", range(8))
def test_fewer_vias(seed: int) -> None:
    """Tests that pairs and shares stay, and bounds hold, where a line is given its via."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = paired(nets, seed, 30)
    for _, below in with_each_via(dual, costs):
        assert below.via_pairs == dual.via_pairs
        assert below.value >= dual.value - 1e-6


def test_groups_without_an_open_via_part() -> None:
    """Tests that pairs stay as long as a chain of them leads to a net whose via is open."""
    pairs, target = ((0, 1), (3, 4), (2, 1)), np.array([7, 7, OPEN, 7, 7], np.int32)
    terms = Terms(np.arange(12.0).reshape(6, 2), np.arange(6.0), np.zeros(0))
    left, own = undecided(pairs, terms, target)
    assert left == ((0, 1), (2, 1))
    assert own.weights.tolist() == [0.0, 1.0, 4.0, 5.0]
    assert own.shares[:, 0].tolist() == [0.0, 2.0, 8.0, 10.0]
    assert undecided(pairs, terms, np.full(5, 7, np.int32))[0] == ()


@pytest.mark.parametrize("seed", range(8))
def test_settled_nets_can_be_tied(seed: int) -> None:
    """Tests that nets leave their pairs where each line has its via, and the bound holds."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = paired(nets, seed, 30)
    for order, cost in costs.items():
        below = dual.narrowed((np.eye(3, dtype=np.bool_)[list(order)],))
        below.improve(Deadline(60), 20)
        assert not below.paired.any()
        assert below.value <= cost + 1e-6


def crossed_lines() -> Problem:
    """Return a board whose two lines cross on one layer with one choice of vias, on the other too.

    On the upper layer the ends stand as on the lower one, but change places: whoever takes which
    via, one pair of paths is crossed, and half of each choice costs nothing without pairs.
    """
    lines = [((1, 1, 1), (1, 3, 2)), ((1, 3, 1), (1, 1, 2))]
    return Problem(7, 5, 2, lines, {"a": [(5, 1, 1), (5, 1, 2)], "b": [(5, 3, 1), (5, 3, 2)]})


def test_half_of_each_choice_is_not_for_free() -> None:
    """Tests a board on which pairs raise the bound of prices."""
    nets = nets_of(crossed_lines())
    best = exact_routing(nets)
    assert best is not None
    plain = Dual(nets)
    plain.improve(Deadline(60), 300)
    together = plain.paired_with([(0, 2), (1, 3)], np.ones(4))
    assert nets.layer[[0, 2]].tolist() == [0, 0]
    together.improve(Deadline(60), 300)
    cost = best.cost + nets.constant
    assert plain.value + 1.0 < together.value <= cost + 1e-6
