"""Tests that nets whose vias are decided together cost no more than in any answer."""

import numpy as np
import pytest
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.conflicts import find_conflicts
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.fixing import extras
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.problem import Problem
from tests.engine.routing_oracle import exact_routing
from tests.engine.test_conflicts import allows
from tests.engine.tiny_layers import mixed_nets, routable_two_layers


def paired(nets: Nets, seed: int, rounds: int) -> Dual:
    """Return a dual, improved for some rounds, that pairs nets of each layer at random."""
    random = np.random.default_rng(seed)
    pairs = []
    for z in range(nets.layers):
        members = random.permutation(np.flatnonzero(nets.layer == z)).tolist()
        pairs += [(min(two), max(two)) for two in zip(members[::2], members[1::2], strict=False)]
    dual = Dual(nets).paired_with(pairs)
    dual.improve(Deadline(60), rounds)
    return dual


def some_shares(dual: Dual, seed: int) -> NDArray[np.float64]:
    """Return shares of the paired nets, near the best ones."""
    near = dual.shares + np.random.default_rng(seed).normal(0.0, 1.0, dual.shares.shape)
    return np.where(dual.paired[:, None], near, 0.0)


@pytest.mark.parametrize("seed", range(15))
def test_answers_cost_no_less(seed: int) -> None:
    """Tests bounds at random shares, and those with a via forced, against all answers."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = paired(nets, seed, 30)
    assert dual.value <= min(costs.values()) + 1e-6
    dual.shares = some_shares(dual, seed)
    dual.value = nets.constant + dual.route(dual.prices).value - float(dual.prices.sum())
    (extra,) = extras(dual, Deadline(60))
    for order, cost in costs.items():
        assert dual.value + extra[np.arange(3), order].max() <= cost + 1e-6


@pytest.mark.parametrize("rounds", [1, 30])
@pytest.mark.parametrize("seed", range(15))
def test_conflicts_of_paired_nets(seed: int, rounds: int) -> None:
    """Tests that the vias of each answer up to some cost go together where nets are paired."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = paired(nets, seed, rounds)
    dual.shares = some_shares(dual, seed)
    dual.value = nets.constant + dual.route(dual.prices).value - float(dual.prices.sum())
    for upper in sorted(set(costs.values()))[:3]:
        found = find_conflicts(dual, upper, Deadline(60))
        assert found is not None
        for order, cost in costs.items():
            if cost <= upper:
                assert allows(found, order)


@pytest.mark.parametrize("seed", range(60))
def test_conflicts_beside_lines_of_one_layer(seed: int) -> None:
    """Tests the same where nets between two ends are paired with nets that lead to vias."""
    nets = mixed_nets(seed, (5, 5, 3, 1))
    best = exact_routing(nets)
    if best is not None:
        found = find_conflicts(paired(nets, seed, 30), best.cost, Deadline(60))
        assert found is not None
        assert allows(found, tuple(best.assignment[0].tolist()))


@pytest.mark.parametrize("seed", range(20))
def test_beside_lines_of_one_layer(seed: int) -> None:
    """Tests the bound where nets between two ends are paired with nets that lead to vias."""
    nets = mixed_nets(seed)
    best = exact_routing(nets)
    if best is not None:
        assert paired(nets, seed, 60).value <= best.cost + 1e-6


@pytest.mark.parametrize("seed", range(8))
def test_fewer_vias(seed: int) -> None:
    """Tests that pairs and shares stay, and bounds hold, where a line is given its via."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = paired(nets, seed, 30)
    for via in range(3):
        allowed = np.ones((3, 3), np.bool_)
        allowed[0], allowed[:, via] = False, False
        allowed[0, via] = True
        below = dual.restricted((allowed,))
        below.improve(Deadline(60), 20)
        assert below.via_pairs == dual.via_pairs
        with_via = [cost for order, cost in costs.items() if order[0] == via]
        assert below.value <= min(with_via, default=np.inf) + 1e-6
        assert below.value >= dual.value - 1e-6


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
    together = plain.paired_with([(0, 2), (1, 3)])
    assert nets.layer[[0, 2]].tolist() == [0, 0]
    together.improve(Deadline(60), 300)
    cost = best.cost + nets.constant
    assert plain.value + 1.0 < together.value <= cost + 1e-6
