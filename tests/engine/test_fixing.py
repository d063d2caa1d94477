"""Tests that reduced-cost fixing leaves every routing within the cost of interest."""

import numpy as np
import pytest
from minilsap import linear_sum_assignment

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.fixing import allowed_vias, forced_extra
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.schedule.work import VIA_CELL
from tests.engine.tiny_layers import (
    only_domains,
    routable_two_layers,
    two_layer_problem,
)


def improved(dual: Dual) -> Dual:
    """Improve a dual for a while."""
    dual.improve(Deadline(60), 40)
    return dual


@pytest.mark.parametrize("seed", range(12))
def test_vias_of_good_answers_stay(seed: int) -> None:
    """Tests that each line keeps the vias that it takes in answers up to some cost."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = improved(Dual(nets))
    best = min(costs.values())
    for upper in (best, best + 2, best + 5):
        (allowed,) = allowed_vias(dual, upper, Deadline(60))
        for order, cost in costs.items():
            if cost <= upper:
                assert allowed[np.arange(3), order].all()


@pytest.mark.parametrize("seed", range(8))
def test_vias_beside_settled_lines(seed: int) -> None:
    """Tests that vias are kept rightly where some lines are settled."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    via = next(iter(costs))[0]
    domains = np.ones((3, 3), np.bool_)
    domains[0], domains[:, via] = False, False
    domains[0, via] = True
    dual = improved(Dual(nets, (domains,)))
    for order, best in costs.items():
        if order[0] != via:
            continue
        (allowed,) = allowed_vias(dual, best, Deadline(60))
        assert allowed[np.arange(3), order].all()


def test_a_single_line_keeps_its_via() -> None:
    """Tests a class of one line."""
    nets = nets_of(two_layer_problem(4, 4, 4, 1))
    dual = Dual(nets, only_domains((np.array([0]),)))
    relaxed = dual.improve(Deadline(60), 5)
    assert relaxed.lengths.all()
    deadline = Deadline(60, WorkClock())
    (allowed,) = allowed_vias(dual, 100, deadline)
    assert allowed.tolist() == [[True]]
    assert deadline.elapsed() == pytest.approx(VIA_CELL * nets.cells)  # Of one via.


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
