"""Tests of the frontier search against trying everything and against the flow model."""

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.flow_model import solve_flow
from nlrouter.engine.exact.frontier import (
    MOST_NETS,
    FrontierConfig,
    Layer,
    layer_of,
    search_frontier,
)
from nlrouter.engine.nets.nets import Nets
from nlrouter.generators import fill_board
from tests.engine.test_fixing import improved
from tests.engine.tiny_layers import check_routing, every_routing, path_cost, random_nets

SMALL = FrontierConfig(most=1 << 10, most_total=200_000)
LARGE = FrontierConfig(most=1 << 14, most_total=4_000_000)

SIZES = [
    (1, 7, 2), (7, 1, 2), (2, 5, 3), (5, 2, 3), (4, 4, 1), (4, 4, 3), (3, 5, 3), (5, 3, 3),
    (3, 4, 5),
]  # fmt: skip


def priced(nets: Nets, seed: int, scale: float) -> Layer:
    """Return the layer with prices drawn at random."""
    dual = Dual(nets)
    random = np.random.default_rng(seed)
    dual.prices = np.where(nets.free, random.exponential(scale, nets.free.shape), 0.0)
    return layer_of(dual, 0)


def check(nets: Nets, layer: Layer, best: float) -> None:
    """Check what is found within limits above, at and below the best cost."""
    if best == float("inf"):
        for limit in (5, 40):
            result = search_frontier(layer, limit, SMALL)
            assert result.complete and result.paths is None
        return
    for limit in (int(best) + 4, int(best)):
        result = search_frontier(layer, limit, SMALL)
        assert result.complete and result.paths is not None and result.cost == best
        paths = [result.paths[net] for net in range(nets.count)]
        assert check_routing(nets, nets.target, paths) == best
    result = search_frontier(layer, int(best) - 1, SMALL)
    assert result.complete and result.paths is None


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(10))
def test_all_of_it(size: tuple[int, int, int], seed: int) -> None:
    """Tests that the best routing is found and nothing below it, at any charges."""
    nets = random_nets(seed, *size)
    best = min(
        (sum(map(path_cost, paths)) for paths in every_routing(nets, nets.target)),
        default=float("inf"),
    )
    check(nets, priced(nets, seed, 0.0), best)
    check(nets, priced(nets, seed, 0.7), best)
    check(nets, priced(nets, seed, 8.0), best)
    if best < float("inf"):
        check(nets, layer_of(improved(Dual(nets), True, seed), 0), best)


@pytest.mark.parametrize("size", [(6, 6, 4), (5, 8, 4), (8, 5, 5), (7, 7, 3)], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_larger_layers_with_cuts(size: tuple[int, int, int], seed: int) -> None:
    """Tests that it agrees with the flow model where the dual pays tolls of either sign."""
    nets = random_nets(seed, *size)
    members = np.arange(nets.count, dtype=np.int32)
    exact = solve_flow(nets, members, nets.target, nets.free, Deadline(60))
    layer = layer_of(improved(Dual(nets), True, seed), 0)
    if exact.cost is None:
        result = search_frontier(layer, 60, LARGE)
        assert result.paths is None
        return
    result = search_frontier(layer, exact.cost, LARGE)
    assert result.complete and result.paths is not None and result.cost == exact.cost
    assert check_routing(nets, nets.target, list(result.paths.values())) == exact.cost
    below = search_frontier(layer, exact.cost - 1, LARGE)
    assert below.complete and below.paths is None


@pytest.mark.parametrize("config", [FrontierConfig(20, 10_000), FrontierConfig(1 << 10, 300)])
def test_giving_up_proves_nothing(config: FrontierConfig) -> None:
    """Tests that a search without the room it needs says so, and claims nothing."""
    gave_up = 0
    for seed in range(12):
        nets = random_nets(seed, 5, 5, 3)
        layer = priced(nets, seed, 0.0)
        full = search_frontier(layer, 30, LARGE)
        result = search_frontier(layer, 30, config)
        if result.complete:
            assert (result.cost, result.paths is None) == (full.cost, full.paths is None)
        else:
            gave_up += 1
            assert result.paths is None and result.bound == 0
    assert gave_up


def test_a_full_board() -> None:
    """Tests a layer whose every cell is taken, and whose states are many bytes wide."""
    problem, _ = fill_board(13, 4, seed=2)
    from nlrouter.engine.nets.nets import nets_of

    nets = nets_of(problem)
    members = np.arange(nets.count, dtype=np.int32)
    exact = solve_flow(nets, members, nets.target, nets.free, Deadline(60))
    assert exact.cost is not None
    layer = layer_of(improved(Dual(nets), True, 0), 0)
    result = search_frontier(layer, exact.cost, LARGE)
    assert result.paths is not None and result.cost == exact.cost


def test_no_nets() -> None:
    """Tests that a layer without nets costs nothing."""
    nets = random_nets(0, 3, 3, 1)
    layer = layer_of(Dual(nets), 0)
    nothing = np.zeros(0, np.int32)
    empty = Layer(
        layer.height, layer.stride, nothing, nothing, nothing, layer.free, layer.price,
        layer.tolls, nothing, 0.0,
    )  # fmt: skip
    result = search_frontier(empty, 0, SMALL)
    assert (result.complete, result.paths, result.cost) == (True, {}, 0)


@pytest.mark.parametrize("count", [MOST_NETS, MOST_NETS + 1])
def test_as_many_nets_as_a_byte_holds(count: int) -> None:
    """Tests that the most nets are routed, and one more is given up without a verdict."""
    nets = random_row(count)
    result = search_frontier(layer_of(Dual(nets), 0), 2 * count, SMALL)
    if count > MOST_NETS:
        assert not result.complete and result.paths is None and result.bound == 0
    else:
        assert result.complete and result.paths is not None and result.cost == count
        assert check_routing(nets, nets.target, list(result.paths.values())) == count


def random_row(count: int) -> Nets:
    """Return nets that lie side by side, each with one cell between its ends."""
    from nlrouter.engine.nets.nets import nets_of
    from nlrouter.problem import Cell, Line, Problem

    lines = [Line(k + 1, (Cell(0, k, 0), Cell(0, k, 2))) for k in range(count)]
    return nets_of(Problem(3, count, 1, tuple(lines)))
