"""Tests that crossing cuts hold for every routing, and what they do to the bound."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.cuts import Cut, SeparationConfig, separate
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.flow_model import FlowResult, solve_flow
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.result import Status, ceil_bound
from tests.engine.tiny_layers import only_choice, random_nets, routable_nets, two_layer_problem


def cuts_of(dual: Dual, paths: np.ndarray, lengths: np.ndarray, flow: np.ndarray) -> list[Cut]:
    """Separate every cut that a flow violates, even by little."""
    nets = dual.nets
    return separate(
        nets.layer, nets.source, dual.target, nets.free, flow, paths, lengths, nets.stride,
        SeparationConfig(violation=0.0, contact=0.0),
    )  # fmt: skip


def left_side(cut: Cut, paths: list[tuple[int, ...]]) -> int:
    """Count the edges of a cut that a routing takes."""
    count = 0
    for net, edges in zip(cut.nets, cut.edges, strict=True):
        named = set(map(tuple, edges.tolist()))
        assert len(named) == len(edges)
        path = paths[net]
        for a, b in pairwise(path):
            count += (0 if abs(a - b) == 1 else 1, min(a, b)) in named
    return count


def with_detours(
    nets: Nets, paths: np.ndarray, lengths: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Let paths step aside and back, as they may where tolls make steps cost nothing."""
    paths, lengths = paths.copy(), lengths.copy()
    for net in range(nets.count):
        path = paths[net, : lengths[net]].tolist()
        for at in range(len(path) - 2, 0, -1):
            step = int(random.choice([1, -1, nets.stride, -nets.stride]))
            if nets.free[nets.layer[net], path[at] + step] and random.random() < 0.5:
                path[at + 1 : at + 1] = [path[at] + step, path[at]]
        path = path[: nets.cells]
        if path[-1] == nets.target[net]:
            paths[net, : len(path)] = path
            lengths[net] = len(path)
    return paths, lengths


SIZES = [(1, 8, 3), (4, 4, 2), (4, 4, 3), (3, 5, 3), (5, 3, 2), (2, 6, 3), (4, 3, 4)]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_cuts_hold_for_every_routing(size: tuple[int, int, int], seed: int) -> None:
    """Tests that whatever the routing, each cut's left side is at least 1."""
    nets, routings = routable_nets(seed, *size)
    dual = Dual(nets)
    first = dual.improve(Deadline(60), 20)
    random = np.random.default_rng(seed)
    found = cuts_of(dual, first.paths, first.lengths, dual.averages.flow)
    for _ in range(4):
        noise = random.random((nets.count, 2, nets.cells)).astype(np.float32) / 30
        paths, lengths = with_detours(nets, first.paths, first.lengths, random)
        found += cuts_of(dual, paths, lengths, noise)
    dual.add_cuts(found)
    for _ in range(4):
        # Paths that pay tolls may go to and fro; they serve as well.
        tolled = dual.improve(Deadline(60), 15)
        random_cuts = dual.cuts.moved(random.exponential(1.0, len(dual.cuts.cuts)))
        other = dual.route(dual.prices, random_cuts)
        for relaxed in (tolled, other):
            found += cuts_of(dual, relaxed.paths, relaxed.lengths, dual.averages.flow)
        noise = random.random((nets.count, 2, nets.cells)).astype(np.float32) / 30
        found += cuts_of(dual, other.paths, other.lengths, noise)
    assert found
    for routing in routings:
        assert all(left_side(cut, routing) >= 1 for cut in found)


@cache
def exact(nets_key: tuple[int, ...]) -> float:
    """Return the cost of the best routing of a random layer; infinite if there is none."""
    nets = random_nets(*nets_key)
    result = solve_flow(
        nets, np.arange(nets.count, dtype=np.int32), nets.target, nets.free, Deadline(60)
    )
    assert result.status in (Status.OPTIMAL, Status.INFEASIBLE)
    return float("inf") if result.cost is None else nets.constant + result.cost


def raise_with_cuts(dual: Dual, separations: int) -> list[float]:
    """Add cuts a few times; return the bounds on the way."""
    nets = dual.nets
    routed = dual.improve(Deadline(60), 80)
    bounds = [dual.bound]
    if dual.bound > NO_ANSWER:
        return bounds
    for k in range(separations):
        found = separate(
            nets.layer, nets.source, dual.target, nets.free, dual.averages.flow, routed.paths,
            routed.lengths, nets.stride, SeparationConfig(),
        )  # fmt: skip
        if not found:
            break
        dual.add_cuts(found)
        if k % 3 == 2:
            dual.drop_slack_cuts()
        routed = dual.improve(Deadline(60), 50)
        bounds.append(dual.bound)
    return bounds


@pytest.mark.parametrize("count", [3, 4, 5])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_bound_with_cuts_is_not_above_the_optimum(size: int, count: int) -> None:
    """Tests the bound on random layers, and that cuts close most of them."""
    closed = known = 0
    for seed in range(12):
        key = (seed, size, size, count)
        bounds = raise_with_cuts(Dual(random_nets(*key)), 8)
        assert bounds == sorted(bounds)
        assert ceil_bound(min(bounds[-1], NO_ANSWER)) <= exact(key)
        if exact(key) < NO_ANSWER:
            known += 1
            closed += ceil_bound(bounds[-1]) == exact(key)
    assert closed >= 0.5 * known


@pytest.mark.parametrize("seed", range(15))
def test_two_layers_with_vias_settled(seed: int) -> None:
    """Tests the bound with cuts on two layers at once, for a random assignment of vias."""
    nets = nets_of(two_layer_problem(seed, 5, 5, 3))
    assignment = (np.random.default_rng(seed).permutation(3),)
    dual = Dual(nets, only_choice(assignment))
    bounds = raise_with_cuts(dual, 6)
    result = solve_flow(
        nets, np.arange(nets.count, dtype=np.int32), nets.targets(assignment), nets.free,
        Deadline(60),
    )  # fmt: skip
    best = float("inf") if result.cost is None else nets.constant + result.cost
    assert ceil_bound(min(bounds[-1], NO_ANSWER)) <= best


def test_cuts_between_settled_nets_among_open_ones() -> None:
    """Tests that nets whose via is open take part in no cut, and that the bound still holds."""
    for seed in range(8):
        problem = two_layer_problem(seed, 5, 5, 3)
        nets = nets_of(problem)
        allowed = np.ones((3, 3), np.bool_)
        allowed[0] = [True, False, False]
        allowed[1:, 0] = False
        dual = Dual(nets, (allowed,))
        bounds = raise_with_cuts(dual, 5)
        settled = set(dual.settled.tolist())
        assert all(settled.issuperset(cut.nets) for cut in dual.cuts.cuts)
        best = min(
            (
                nets.constant + result.cost
                for order in ([0, 1, 2], [0, 2, 1])
                if (result := solve_with(nets, np.array(order))).cost is not None
            ),
            default=float("inf"),
        )
        assert ceil_bound(min(bounds[-1], NO_ANSWER)) <= best


def solve_with(nets: Nets, chosen: np.ndarray) -> FlowResult:
    """Solve a board whose one class has its vias settled."""
    members = np.arange(nets.count, dtype=np.int32)
    return solve_flow(nets, members, nets.targets((chosen,)), nets.free, Deadline(60))
