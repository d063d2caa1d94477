"""Tests that walks that nets have taken are rounded to the cheapest routing they make up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.rounding import cheapest_routing
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import Routing
from nlrouter.problem import Problem
from tests.engine.tiny_layers import check_routing, path_cost, routable_nets

APART = [((0, 0, 1), (4, 1, 1)), ((0, 3, 1), (4, 4, 1))]
CROSSING = [((0, 0, 1), (4, 4, 1)), ((0, 4, 1), (4, 0, 1))]


def nets_between(*ends: tuple[tuple[int, int, int], tuple[int, int, int]]) -> Nets:
    """Return the nets of a board of 5x5x1."""
    return replace(nets_of(Problem(5, 5, 1, list(ends))), constant=0)


def cheapest(nets: Nets, *walks: list[int], below: int = 1000) -> Routing | None:
    """Return the cheapest routing of walks, each of them a net and cells ``y * 5 + x``."""
    edges = [(net, walk_of(nets, cells)) for net, *cells in walks]
    return cheapest_routing(nets, edges, below)


def walk_of(nets: Nets, cells: list[int]) -> NDArray[np.int32]:
    """Return the edges of a walk along cells of a board of 5x5x1."""
    return edges_of(nets, framed(nets, cells))


def framed(nets: Nets, cells: list[int]) -> list[int]:
    """Return the framed numbers of cells ``y * 5 + x``."""
    return [(cell // 5 + 1) * nets.stride + cell % 5 + 1 for cell in cells]


def edges_of(nets: Nets, path: Sequence[int]) -> NDArray[np.int32]:
    """Return the edges of a walk along framed cells."""
    return np.array(
        [min(a, b) + nets.cells * (abs(a - b) > 1) for a, b in pairwise(path)], np.int32
    )


def test_paths_apart() -> None:
    """Tests that paths that do not meet are a routing."""
    nets = nets_between(*APART)
    walks = enumerate(Dual(nets).improve(Deadline(60), 1).walks)
    routing = cheapest_routing(nets, walks, 100)
    assert routing is not None
    assert check_routing(nets, nets.target, routing.paths) == routing.cost == 10


def test_paths_that_meet() -> None:
    """Tests that paths that share a cell are none."""
    nets = nets_between(*CROSSING)
    walks = enumerate(Dual(nets).improve(Deadline(60), 1).walks)
    assert cheapest_routing(nets, walks, 100) is None


def test_walks_that_are_no_paths() -> None:
    """Tests that walks are passed over that come to a cell twice, go aside or stop short."""
    nets = nets_between(((0, 0, 1), (2, 0, 1)))
    assert cheapest(nets, [0, 0, 1, 2]) is not None
    assert cheapest(nets, [0, 0, 1, 6, 5, 10, 11, 6, 7, 2]) is None
    assert cheapest(nets, [0, 0, 1]) is None
    aside = np.concatenate([walk_of(nets, [0, 1, 2]), walk_of(nets, [20, 21])])
    assert cheapest_routing(nets, [(0, aside)], 100) is None


def test_a_net_without_a_walk() -> None:
    """Tests that there is no routing where a net has none."""
    assert cheapest(nets_between(*APART), [0, 0, 1, 2, 3, 4, 9]) is None


WAYS = [[0, 1, 2], [0, 5, 6, 7, 2], [10, 11, 12], [10, 5, 6, 7, 12], [10, 15, 16, 17, 12]]


def test_the_cheapest_choice() -> None:
    """Tests that of walks that meet the cheapest choice is made in which they do not."""
    nets = nets_between(((0, 0, 1), (2, 0, 1)), ((0, 2, 1), (2, 2, 1)))
    ways = [[0, *WAYS[1]], [1, *WAYS[3]], [1, *WAYS[4]]]
    routing = cheapest(nets, *ways)
    assert routing is not None and routing.cost == 10
    routing = cheapest(nets, *ways, [0, *WAYS[0]])
    assert routing is not None and routing.cost == 6
    assert cheapest(nets, *ways, [0, *WAYS[0]], below=6) is None
    assert cheapest(nets, *ways[:2]) is None


def test_a_choice_that_leaves_others_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a walk is given up if it leaves two other nets only walks that meet."""
    nets = nets_between(((4, 2, 1), (2, 2, 1)), ((0, 0, 1), (0, 4, 1)), ((2, 1, 1), (2, 3, 1)))
    across = [[14, 13, 12], [14, 19, 24, 23, 22, 21, 16, 11, 12]]
    left = [[0, 5, 10, 15, 20], [0, 1, 2, 3, 8, 13, 18, 23, 22, 21, 20]]
    inside = [[7, 6, 5, 10, 15, 16, 17], [7, 8, 13, 18, 17]]
    ways = [[net, *way] for net, own in enumerate([across, left, inside]) for way in own]
    routing = cheapest(nets, *ways)
    assert routing is not None
    assert [len(path) for path in routing.paths] == [9, 5, 5]
    monkeypatch.setattr("nlrouter.engine.bounds.rounding.MOST_WAYS", 6)
    assert cheapest(nets, *ways) is None  # It ends in time.


@pytest.mark.parametrize("seed", range(20))
def test_against_every_choice(seed: int) -> None:
    """Tests that it costs as little as the best of all choices of walks, and is a routing."""
    nets, routings = routable_nets(seed, 4, 5, 3)
    nets = replace(nets, constant=0)
    rng = np.random.default_rng(seed)
    some = [routings[k] for k in rng.integers(len(routings), size=6)]
    walks = [(net, edges_of(nets, path)) for each in some for net, path in enumerate(each)]
    routing = cheapest_routing(nets, walks, 1000)
    assert routing is not None
    choices = product(*zip(*some, strict=True))
    costs = [sum(map(path_cost, choice)) for choice in choices if apart(choice)]
    assert check_routing(nets, nets.target, routing.paths) == routing.cost == min(costs)


def apart(paths: tuple[tuple[int, ...], ...]) -> bool:
    """Return whether no paths share a cell."""
    cells = np.concatenate(paths)
    return len(np.unique(cells)) == len(cells)
