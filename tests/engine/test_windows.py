"""Tests that windows make a routing cheaper, exactly as much as they say, and never break it."""

import random

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.find.windows import WindowConfig, improve_window
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.generators import generate
from nlrouter.problem import Problem
from tests.engine.routing_oracle import exact_cost
from tests.engine.tiny_layers import check_routing, path_cost, random_nets

Routing = tuple[np.ndarray, np.ndarray]


def hidden_routing(problem: Problem, answer: np.ndarray) -> tuple[Nets, Routing]:
    """Return the nets of a board of one layer and the winding paths of its hidden answer."""
    nets = nets_of(problem)
    paths = np.zeros((nets.count, nets.cells), np.int32)
    lengths = np.zeros(nets.count, np.int32)
    framed = np.pad(answer, ((0, 0), (1, 1), (1, 1)))[0].reshape(-1)
    for net in range(nets.count):
        path = [int(nets.source[net])]
        while path[-1] != nets.target[net]:
            around = (path[-1] + step for step in (1, -1, nets.stride, -nets.stride))
            path.append(
                next(c for c in around if framed[c] == nets.line[net] and c not in path[-2:])
            )
        lengths[net] = len(path)
        paths[net, : len(path)] = path
    return nets, (paths, lengths)


def cost_of(routing: Routing) -> int:
    """Return what a routing costs."""
    return sum(path_cost(path[:length]) for path, length in zip(*routing, strict=True))


def touches_itself(path: np.ndarray, stride: int) -> bool:
    """Return whether two cells of a path are neighbours that do not follow each other."""
    places = np.arange(len(path))
    far = np.subtract.outer(places, places) > 1
    return bool((np.isin(abs(path[:, None] - path), (1, stride)) & far).any())


@pytest.mark.parametrize("seed", range(20))
def test_routings_get_cheaper_and_stay_whole(seed: int) -> None:
    """Tests that each gain is real, no path is broken, and windows as large as the board end it."""
    nets, routing = hidden_routing(*generate(9, 7, 1, 6, 0, 0.6, seed))
    members = np.arange(nets.count, dtype=np.int32)
    rng = random.Random(seed)
    cost = cost_of(routing)
    for k in range(80):
        config = WindowConfig(narrowest=9, widest=9) if k > 60 else WindowConfig(narrowest=2)
        gain = improve_window(nets, members, *routing, rng, Deadline(60), config)
        paths = [path[:length] for path, length in zip(*routing, strict=True)]
        assert check_routing(nets, nets.target, paths) == cost - gain
        assert gain >= 0
        cost -= gain
    assert cost == exact_cost(nets)


@pytest.mark.parametrize("seed", [1, 4, 34])
def test_a_piece_that_comes_to_touch_its_own_net(seed: int) -> None:
    """Tests that no net touches itself, be it inside the window or where it had left it."""
    nets, routing = hidden_routing(*generate(14, 14, 1, 4, 0, 0.75, seed, windiness=1.0))
    members = np.arange(nets.count, dtype=np.int32)
    rng = random.Random(seed)
    for _ in range(15):
        config = WindowConfig(narrowest=3, widest=8)
        improve_window(nets, members, *routing, rng, Deadline(60), config)
        for path, length in zip(*routing, strict=True):
            assert not touches_itself(path[:length], nets.stride)


def test_pieces_of_one_net_that_meet_are_joined() -> None:
    """Tests that a net of which two pieces come to touch takes the short way between them."""
    nets = random_nets(1, 7, 7, 1)
    stride = nets.stride
    start, stop = 3 * stride + 1, 5 * stride + 1
    nets.source[0], nets.target[0] = start, stop
    nets.free[:] = True
    nets.free.reshape(-1, stride)[[0, -1]] = nets.free.reshape(-1, stride)[:, [0, -1]] = False
    nets.free[0, [start, stop]] = False
    # Out to column 7 in row 3, up and down there, and back in row 5.
    out = [3 * stride + x for x in range(1, 8)]
    back = [5 * stride + x for x in range(7, 0, -1)]
    path = [*out, 4 * stride + 7, *back]
    paths = np.zeros((1, nets.cells), np.int32)
    paths[0, : len(path)] = path
    lengths = np.array([len(path)], np.int32)
    for seed in range(60):
        improve_window(
            nets, np.zeros(1, np.int32), paths, lengths, random.Random(seed), Deadline(60),
            WindowConfig(narrowest=3, widest=4),
        )  # fmt: skip
        assert not touches_itself(paths[0, : lengths[0]], nets.stride)
