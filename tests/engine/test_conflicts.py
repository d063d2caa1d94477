"""Tests that pairs of vias are excluded only where no answer within the cost has both."""

import numpy as np
import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.choices import possible, probed, propagate
from nlrouter.engine.bounds.conflicts import Conflicts, find_conflicts
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.domains import full_domains
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.schedule.work import CONFLICT_CELL
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.routing_oracle import exact_routing
from tests.engine.tiny_layers import curves_of, mixed_nets, routable_two_layers


def allows(conflicts: Conflicts, order: tuple[int, ...]) -> bool:
    """Return whether no two choices of an assignment exclude each other."""
    number = {tuple(choice): k for k, choice in enumerate(conflicts.choices.tolist())}
    chosen = [number.get((0, row, column), -1) for row, column in enumerate(order)]
    return -1 not in chosen and not conflicts.excluded[np.ix_(chosen, chosen)].any()


@pytest.mark.parametrize("rounds", [1, 40])
@pytest.mark.parametrize("seed", range(15))
def test_answers_within_the_cost_stay(seed: int, rounds: int) -> None:
    """Tests that the vias of each answer up to some cost go together, and stay when narrowed."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = Dual(nets)
    dual.improve(Deadline(60), rounds)
    for upper in sorted(set(costs.values()))[:3]:
        found = find_conflicts(dual, upper, Deadline(60))
        assert found is not None
        (left,) = found.narrow(full_domains(nets))
        for order, cost in costs.items():
            if cost <= upper:
                assert allows(found, order)
                assert left[range(3), order].all()


@pytest.mark.parametrize("seed", [757, 1029, 1916, 2545, 2617])
def test_nets_that_pay_for_sides_already(seed: int) -> None:
    """Tests that what tied nets, and those with settled sides, pay is not counted once more."""
    nets = mixed_nets(seed)
    best = exact_routing(nets)
    assert best is not None
    dual = Dual(nets)
    dual.curves = curves_of(dual)
    dual.improve(Deadline(60), 60, best.cost)
    assert dual.curves is not None
    dual.tie([(1.0, (i, j)) for i, j in np.argwhere(np.triu(dual.curves.compared, 1)).tolist()])
    dual.improve(Deadline(60), 40, best.cost)
    assert dual.bonds
    assert dual.value <= best.cost + 1e-6
    found = find_conflicts(dual, best.cost, Deadline(60))
    assert found is not None
    number = {tuple(choice): k for k, choice in enumerate(found.choices.tolist())}
    chosen = [
        number[i, row, int(column)]
        for i, columns in enumerate(best.assignment)
        for row, column in enumerate(columns)
    ]
    assert not found.excluded[np.ix_(chosen, chosen)].any()


def crossing_lines() -> Nets:
    """Return two lines between a pair of ends and a pair of vias that are in the same order."""
    ends = [Cell(z, 2 * k, 0) for k in range(2) for z in range(2)]
    lines = (Line(1, (ends[0], ends[1])), Line(2, (ends[2], ends[3])))
    vias = (Via("a", 0, 8, 0, 1), Via("b", 2, 8, 0, 1))
    return nets_of(Problem(9, 3, 2, lines, vias))


def test_lines_that_would_cross() -> None:
    """Tests that lines are not to take each other's via where that is dearer than allowed."""
    nets = crossing_lines()
    dual = Dual(nets)
    dual.improve(Deadline(60), 200)
    found = find_conflicts(dual, nets.constant + 28, Deadline(60))
    assert found is not None
    assert allows(found, (0, 1))
    assert not allows(found, (1, 0))
    assert (found.narrow(full_domains(nets))[0] == np.eye(2, dtype=bool)).all()


def test_pairs_that_need_no_search() -> None:
    """Tests that only pairs whose cheapest paths cross, and that are not out anyway, take work.

    Were all searched for, it would be eight searches.
    """
    nets = crossing_lines()
    dual = Dual(nets)
    dual.improve(Deadline(60), 200)
    search = CONFLICT_CELL * nets.cells
    for upper, searches in ((36, 4), (28, 0)):
        deadline = Deadline(60, WorkClock())
        assert find_conflicts(dual, nets.constant + upper, deadline) is not None
        assert deadline.elapsed() == pytest.approx(searches * search)


def test_too_much_work_and_being_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that nothing is said where it would take too long or somebody asks to stop."""
    dual = Dual(crossing_lines())
    dual.improve(Deadline(60), 10)
    assert find_conflicts(dual, 100, Deadline(60, stopped=lambda: True)) is None
    monkeypatch.setattr("nlrouter.engine.bounds.conflicts.MOST_WORK", 10)
    assert find_conflicts(dual, 100, Deadline(60)) is None


def test_probing_follows_what_a_choice_forces() -> None:
    """Tests that a via goes if taking it leaves a third line without any, however indirectly."""
    choices = np.array([(0, row, column) for row in range(3) for column in range(3)])
    excluded = np.zeros((9, 9), bool)

    def exclude(*pairs: tuple[tuple[int, int], tuple[int, int]]) -> None:
        for (i, a), (j, b) in pairs:
            excluded[3 * i + a, 3 * j + b] = excluded[3 * j + b, 3 * i + a] = True

    for via in range(3):
        exclude(((0, via), (1, via)), ((0, via), (2, via)), ((1, via), (2, via)))
    # Line 0 at via 0 leaves vias 1 and 2 to the others, either way round.
    exclude(((1, 1), (2, 2)), ((1, 2), (2, 1)))
    free = (np.ones((3, 3), bool),)
    beside, prices = np.full(len(choices), -1, np.intp), np.zeros((0, 0))
    conflicts = Conflicts(choices, excluded, beside, prices, ())
    assert propagate(free, conflicts)[0].all()
    left = probed(free, conflicts)
    assert not left[0][0, 0]
    assert possible(left)
