"""Tests that reduced-cost fixing leaves every routing within the cost of interest."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.fixing import allowed_cells, allowed_vias, forced_extra
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.paths.cheapest import INFINITE
from tests.engine.tiny_layers import (
    every_routing,
    only_choice,
    path_cost,
    random_nets,
    routable_nets,
    routable_two_layers,
    two_layer_problem,
)

SIZES = [(3, 4, 3), (4, 4, 2), (4, 4, 3), (1, 8, 3), (5, 3, 3)]


def improved(dual: Dual) -> Dual:
    """Improve a dual for a while."""
    dual.improve(Deadline(60), 40)
    return dual


def costs_of(nets: Nets, paths: list[tuple[int, ...]]) -> int:
    """Return what a routing costs, ends and vias included."""
    return nets.constant + sum(path_cost(path) for path in paths)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_cells_of_good_routings_stay(seed: int, size: tuple[int, int, int]) -> None:
    """Tests that each cell of each routing up to some cost is allowed to its net."""
    nets, routings = routable_nets(seed, *size)
    dual = improved(Dual(nets))
    best = min(costs_of(nets, paths) for paths in routings)
    for upper in (best, best + 2):
        allowed = allowed_cells(dual, upper)
        assert not allowed[~nets.free[nets.layer]].any()
        for paths in routings:
            if costs_of(nets, paths) <= upper:
                for net, path in enumerate(paths):
                    assert allowed[net, path[1:-1]].all()


def test_cells_go_where_no_good_routing_uses_them() -> None:
    """Tests that cells far from a straight line go, and all stay while the value is unknown."""
    nets = random_nets(1, 7, 7, 1)
    dual = Dual(nets)
    assert np.array_equal(allowed_cells(dual, 10), nets.free[nets.layer])
    dual.improve(Deadline(60), 10)
    best = int(np.ceil(dual.value))
    assert allowed_cells(dual, best).sum() < nets.free.sum()
    assert not allowed_cells(dual, best - 1).any()


@pytest.mark.parametrize("seed", range(12))
def test_vias_of_good_answers_stay(seed: int) -> None:
    """Tests that each line keeps the vias that it takes in answers up to some cost."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = improved(Dual(nets))
    best = min(costs.values())
    for upper in (best, best + 2, best + 5):
        (allowed,) = allowed_vias(dual, upper)
        for order, cost in costs.items():
            if cost <= upper:
                assert allowed[np.arange(3), order].all()


@pytest.mark.parametrize("seed", range(8))
def test_vias_beside_settled_lines(seed: int) -> None:
    """Tests that vias are kept rightly where some lines are settled."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    via = next(iter(costs))[0]
    choice = np.ones((3, 3), np.bool_)
    choice[0], choice[:, via] = False, False
    choice[0, via] = True
    dual = improved(Dual(nets, (choice,)))
    for order, best in costs.items():
        if order[0] != via:
            continue
        (allowed,) = allowed_vias(dual, best)
        assert allowed[np.arange(3), order].all()
        cells = allowed_cells(dual, best)
        for paths in every_routing(nets, nets.targets((np.array(order),))):
            if costs_of(nets, paths) == best:
                for net in dual.settled:
                    assert cells[net, paths[net][1:-1]].all()


def test_a_single_line_keeps_its_via() -> None:
    """Tests a class of one line."""
    nets = nets_of(two_layer_problem(4, 4, 4, 1))
    dual = Dual(nets, only_choice((np.array([0]),)))
    relaxed = dual.improve(Deadline(60), 5)
    assert relaxed.lengths.all()
    (allowed,) = allowed_vias(dual, 100)
    assert allowed.tolist() == [[True]]


@pytest.mark.parametrize("seed", range(20))
def test_forced_pairs_cost_what_a_matching_anew_costs(seed: int) -> None:
    """Tests that the extra of a forced pair is that of the best matching of all others."""
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 7))
    costs = random.integers(0, 9, (size, size)).astype(float)
    costs[random.random((size, size)) < 0.2] = INFINITE
    best = costs[linear_sum_assignment(costs)].sum()
    extra = forced_extra(costs)
    for row in range(size):
        for column in range(size):
            others = np.delete(np.delete(costs, row, 0), column, 1)
            forced = costs[row, column] + others[linear_sum_assignment(others)].sum()
            if best >= INFINITE or forced >= INFINITE:
                assert extra[row, column] >= INFINITE / 2
            else:
                assert extra[row, column] == pytest.approx(forced - best)
