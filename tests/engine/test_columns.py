"""Tests that the proximal bundle method finds the best prices there are, and no better ones."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.averages import AveragesConfig
from nlrouter.engine.bounds.columns import Columns, ColumnsConfig, Walk
from nlrouter.engine.bounds.cuts import Cuts
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.proximal import ProximalConfig, groups
from nlrouter.engine.bounds.sides import Passage, draw_curves
from nlrouter.engine.nets.nets import Nets
from tests.engine.test_dual import any_cut, left_side
from tests.engine.tiny_layers import (
    path_cost,
    random_nets,
    routable_nets,
    routable_two_layers,
)

FINE = DualConfig(
    proximal=ProximalConfig(least_gain=1e-4, columns=ColumnsConfig(passes=5000, accuracy=1e-3))
)

ENDLESS = 1000.0
"""Above what any routing here costs: where there is none, prices rise without end."""


def refined(dual: Dual) -> Dual:
    """Find the best prices of a dual, by both methods."""
    while not dual.converged and dual.value < ENDLESS:
        dual.improve(Deadline(60), 50)
    while dual.value < ENDLESS and dual.refine():
        dual.improve(Deadline(60), 10)
    return dual


def columns_of(dual: Dual) -> Columns:
    """Return the columns of a dual that has some."""
    assert dual.proximal is not None
    assert dual.proximal.columns is not None
    return dual.proximal.columns


def cost_of_walk(nets: Nets, edges: NDArray[np.int32]) -> int:
    """Return inner cells and bends of a walk by its edges in order."""
    cells = [edge % nets.cells for edge in edges]
    axes = [edge // nets.cells for edge in edges]
    assert len(set(zip(cells, axes, strict=True))) == len(edges)
    return len(edges) - 1 + int(np.count_nonzero(np.diff(axes)))


def least_fractional(nets: Nets, walks: list[Walk]) -> float:
    """Return what nets pay at least that take fractions of some walks, no cell more than once."""
    used = np.zeros((nets.cells, len(walks)))
    chosen = np.zeros((nets.count, len(walks)))
    for k, walk in enumerate(walks):
        for edge in walk.edges:
            axis, cell = divmod(int(edge), nets.cells)
            used[[cell, cell + (1, nets.stride)[axis]], k] += 0.5
        chosen[walk.net, k] = 1.0
    used[~nets.free[0]] = 0.0
    costs = [cost_of_walk(nets, walk.edges) for walk in walks]
    found = linprog(costs, used, np.ones(nets.cells), chosen, np.ones(nets.count))
    return float(found.fun) + nets.constant


CROWDED = [(seed, 8, 8, 6) for seed in (0, 1, 6, 7, 9, 10, 14, 15)] + [
    (11, 9, 9, 8), (9, 10, 10, 9), (14, 10, 10, 9),
]  # fmt: skip
"""Layers whose nets are in each other's way, but not so that there is no fractional routing."""


@pytest.mark.parametrize("board", CROWDED)
def test_the_best_prices(board: tuple[int, int, int, int]) -> None:
    """Tests that the bound comes to the cost of a fractional routing, so there is no better one."""
    dual = refined(Dual(random_nets(*board), config=FINE))
    walks = [walk for column in columns_of(dual).columns for walk in column]
    assert dual.bound == pytest.approx(least_fractional(dual.nets, walks), abs=5e-3)


def test_more_than_the_volume_algorithm_finds() -> None:
    """Tests that the bound is no lower than where the volume algorithm ends, and mostly higher."""
    higher = 0
    for board in CROWDED:
        dual = Dual(random_nets(*board))
        while not dual.converged:
            dual.improve(Deadline(60), 50)
        before = dual.bound
        assert refined(dual).bound >= before
        higher += dual.bound > before + 0.05
    assert higher >= 5


@pytest.mark.parametrize("seed", range(12))
def test_open_vias_are_chosen_together(seed: int) -> None:
    """Tests that the bound overstates nothing where lines share vias, nor where they have them."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    free = refined(Dual(nets, config=FINE))
    assert free.bound <= min(costs.values()) + 1e-6
    assert {len(column) for column in columns_of(free).columns} == {nets.count}
    for order, cost in costs.items():
        choice = (np.eye(3, dtype=np.bool_)[list(order)],)
        settled = refined(free.restricted(choice))
        assert free.bound - 1e-3 <= settled.bound <= cost + 1e-6


@pytest.mark.parametrize("seed", range(20))
def test_cuts_are_paid_for(seed: int) -> None:
    """Tests that the bound overstates nothing with valid cuts, and does not fall by them."""
    nets, routings = routable_nets(seed, 3, 4, 3)
    cuts = [cut for k in range(12) if (cut := any_cut(nets, 100 * seed + k))]
    cuts = [cut for cut in cuts if all(left_side(cut, paths) >= 1 for paths in routings)]
    dual = refined(Dual(nets, config=FINE))
    before = dual.bound
    dual.add_cuts(cuts)
    best = min(sum(map(path_cost, paths)) for paths in routings) + nets.constant
    assert before - 1e-6 <= refined(dual).bound <= best + 1e-6


def sided(dual: Dual, parity: int) -> Dual:
    """Return a dual whose first net passes the second one on a side."""
    nets = dual.nets
    relaxed = dual.route(np.zeros_like(dual.prices), Cuts(nets.count, nets.cells))
    curves = draw_curves(
        nets.source, dual.target, relaxed.paths, relaxed.lengths, nets.cells, nets.stride
    )
    crossed = np.broadcast_to(curves.crossed[1], (2, *curves.crossed.shape[1:]))
    return dual.sided([(0, Passage((1, -1), crossed, parity))])


@pytest.mark.parametrize("board", CROWDED)
def test_columns_that_fit_are_inherited(board: tuple[int, int, int, int]) -> None:
    """Tests that a side that is settled leaves those walks that keep to it, and the same bound."""
    parent = refined(Dual(random_nets(*board), config=FINE))
    for parity in (0, 1):
        heir = sided(parent, parity)
        assert heir.proximal is not None
        alone = sided(Dual(parent.nets, config=FINE), parity)
        bounds = [min(refined(dual).bound, ENDLESS) for dual in (heir, alone)]
        assert bounds[0] == pytest.approx(bounds[1], abs=5e-3)
        if heir.value < ENDLESS:
            passage = heir.passages[0][0]
            for walk, _ in columns_of(heir).weighted():
                if walk.net == 0:
                    crossings = passage.crossed[0].reshape(-1)[walk.edges].sum()
                    assert crossings % 2 == parity


def test_tied_nets_are_a_group() -> None:
    """Tests that the columns of tied nets agree on the side on which they pass."""
    for seed in range(20):
        nets, routings = routable_nets(seed, 4, 4, 3)
        dual = Dual(nets, config=FINE)
        relaxed = dual.route(dual.prices, dual.cuts)
        curves = draw_curves(
            nets.source, dual.target, relaxed.paths, relaxed.lengths, nets.cells, nets.stride
        )
        dual.watch(curves)
        before = refined(dual).bound
        if not dual.tie([(1.0, (0, 1)), (1.0, (1, 2))]):
            continue
        best = min(sum(map(path_cost, paths)) for paths in routings) + nets.constant
        assert before - 1e-3 <= refined(dual).bound <= best + 1e-6
        assert {len(column) for column in columns_of(dual).columns} == {3}


def test_weights_are_a_fractional_routing() -> None:
    """Tests that weights of a group sum up to 1, and that no cell is used more than once."""
    for board in CROWDED:
        nets = random_nets(*board)
        dual = refined(Dual(nets, config=FINE))
        columns = columns_of(dual)
        total: NDArray[np.float64] = np.zeros(nets.count)
        for walk, weight in columns.weighted():
            total[walk.net] += weight
        assert total == pytest.approx(np.ones(nets.count))
        assert dual.averages.usage.max() < 1.05
        flow = dual.averages.flow.astype(float)
        for net, (along, down) in enumerate(flow):
            for end in (int(nets.source[net]), int(nets.target[net])):
                around = along[end] + along[end - 1] + down[end] + down[end - nets.stride]
                assert around == pytest.approx(1.0, abs=1e-5)


def test_a_resting_dual_keeps_what_weighs_something() -> None:
    """Tests that columns that weigh nothing are dropped, and that the search goes on without."""
    nets = random_nets(*CROWDED[1])
    config = ProximalConfig(columns=ColumnsConfig(resting=0))
    dual = refined(Dual(nets, config=DualConfig(proximal=config)))
    before = len(columns_of(dual).columns)
    dual.rest()
    assert len(columns_of(dual).columns) < before
    assert (columns_of(dual).weights > 0).all()
    assert dual.proximal is not None
    dual.proximal.gain = np.inf
    bound = dual.bound
    assert refined(dual).bound >= bound


def test_columns_are_dropped_in_time() -> None:
    """Tests that a column that weighs nothing for long is dropped, and found again if need be."""
    nets = random_nets(*CROWDED[1])
    config = ProximalConfig(columns=ColumnsConfig(idle=0))
    dual = refined(Dual(nets, config=DualConfig(proximal=config)))
    columns = columns_of(dual)
    columns.prune()
    assert 0 < len(columns.columns) == len(columns.weights) == len(columns._idle)
    assert sorted(columns._known.values()) == list(range(len(columns.columns)))


def test_weighing_is_work() -> None:
    """Tests that weighing columns takes its share of a work clock's time."""
    nets = random_nets(*CROWDED[1])
    spent = []
    for seconds in (0.0, 1.0):
        dual = Dual(nets, config=DualConfig(proximal=ProximalConfig(entry_seconds=seconds)))
        while not dual.converged:
            dual.improve(Deadline(60), 50)
        dual.refine()
        deadline = Deadline(1e9, WorkClock())
        dual.improve(deadline, 3)
        spent.append(deadline.elapsed())
    assert spent[1] > spent[0] + 50


@pytest.mark.parametrize(("passes", "most"), [(1, 10**9), (4, 10**9), (300, 0)])
def test_weighing_ends_in_time(passes: int, most: int) -> None:
    """Tests that columns are looked at as often as is allowed, and weights sum up to 1 then."""
    dual = refined(Dual(random_nets(*CROWDED[1])))
    label = groups(dual.nets, dual.target, dual.bonds)
    config = ColumnsConfig(passes=passes, most_entries=most, accuracy=0.0)
    columns = Columns(dual.nets, label, dual.cuts, config)
    columns.inherit(columns_of(dual), lambda walk: True)
    columns.weights[:] = 0.0
    entries = sum(len(walk.rows) for column in columns.columns for walk in column)
    move = columns.move(np.zeros(dual.prices.size), 10.0, 1.0)
    assert move.work == (2 + (passes if most else 1)) * entries
    assert columns.weights.sum() == pytest.approx(dual.nets.count)


def test_groups() -> None:
    """Tests that nets are a group that are tied, also by way of others."""
    dual = Dual(random_nets(0, 5, 5, 5))
    relaxed = dual.route(dual.prices, dual.cuts)
    dual.bonds = ((1, 4), (2, 3), (3, 4))
    label = groups(dual.nets, dual.target, dual.bonds)
    assert label.tolist() == [0, 1, 1, 1, 1]
    columns = Columns(dual.nets, label, dual.cuts, ColumnsConfig())
    columns.add(relaxed, np.zeros(dual.prices.size))
    assert [[walk.net for walk in column] for column in columns.columns] == [[0], [1, 2, 3, 4]]


@pytest.mark.parametrize("rays", [False, True])
def test_columns_without_flow_or_rays(rays: bool) -> None:
    """Tests that columns weigh on layers so large that no flow is kept, and with no end's ray."""
    nets = random_nets(*CROWDED[1])
    dual = Dual(nets, config=DualConfig(averages=AveragesConfig(most_flow=0)))
    relaxed = dual.route(dual.prices, dual.cuts)
    curves = draw_curves(
        nets.source, nets.target, relaxed.paths, relaxed.lengths, nets.cells, nets.stride
    )
    dual.watch(curves if rays else replace(curves, rays=curves.rays[:0]))
    assert refined(dual).proximal is not None
    assert 0 < dual.averages.usage.max() < 1.05
    assert dual.averages.sides.any()
