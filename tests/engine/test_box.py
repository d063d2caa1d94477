"""Tests that a box holds what lies in it, and gives back what was done there."""

import numpy as np
import pytest

from nlrouter.engine.find.box import BoxConfig, box_around, passing, sharing
from nlrouter.engine.find.improve import improve, overlaps_of
from nlrouter.engine.find.negotiate import NO_LIMIT, NegotiateConfig, negotiate, seed_random
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.paths.cost import total_cost
from nlrouter.generators import generate
from tests.engine.tiny_layers import check_routing

BOXES = BoxConfig(cells=1, margin=3)


def routed(seed: int) -> tuple[Nets, np.ndarray, np.ndarray, np.ndarray]:
    """Return a layer, its nets, and a routing: paths and lengths."""
    problem, _ = generate(24, 22, 1, 20, 0, 0.4, seed=seed)
    nets = nets_of(problem)
    members = np.arange(nets.count, dtype=np.int32)
    paths = np.zeros((nets.count, nets.cells), np.int32)
    lengths = np.zeros(nets.count, np.int32)
    seed_random(seed)
    left = negotiate(
        members, nets.source, nets.target, nets.free[0], np.zeros(nets.cells), nets.stride,
        NegotiateConfig().pressure(), 300, NO_LIMIT, paths, lengths, np.zeros(nets.cells, np.int32),
    )  # fmt: skip
    assert left == 0
    return nets, members, paths, lengths


@pytest.mark.parametrize("seed", range(8))
def test_improved_in_boxes(seed: int) -> None:
    """Tests that improving boxes keeps a routing valid, and moves only nets that lie in them."""
    nets, members, paths, lengths = routed(seed)
    boxed = 0
    for net in members:
        before, standing = total_cost(members, paths, lengths), (paths.copy(), lengths.copy())
        box = box_around(
            np.array([net], np.int32), nets, 0, members, nets.target, np.zeros(nets.cells), paths,
            lengths, BOXES,
        )  # fmt: skip
        assert net in box.nets
        assert overlaps_of(box.members, box.paths, box.lengths, np.zeros(len(box.free), int)) == 0
        boxed += box.offset is not None
        improve(
            box.members, box.source, box.target, box.free, box.price, box.stride, 2, 6, 30,
            NegotiateConfig(noise=0.3).pressure(), 5, box.paths, box.lengths,
        )  # fmt: skip
        box.put_back(nets.stride, paths, lengths)
        after = check_routing(
            nets, nets.target, [paths[k, : lengths[k]] for k in range(nets.count)]
        )
        assert after <= before
        others = np.setdiff1d(members, box.nets)
        assert np.array_equal(lengths[others], standing[1][others])
        assert np.array_equal(paths[others], standing[0][others])
    assert boxed > 0


def test_nets_that_share_a_cell() -> None:
    """Tests that exactly the nets are told that share an inner cell with another."""
    paths = np.array([[1, 2, 3, 0], [5, 2, 7, 0], [1, 8, 9, 3]], np.int32)
    members = np.arange(3, dtype=np.int32)
    shares = sharing(members, paths, np.array([3, 3, 4], np.int32), 10)
    assert shares.tolist() == [True, True, False]


@pytest.mark.parametrize("reach", [0, 1, 3])
def test_nets_that_pass_a_cell(reach: int) -> None:
    """Tests that a net passes where one of its cells is within so many rows and columns."""
    stride = 10
    paths = np.array([[11, 12, 13, 0], [34, 44, 54, 64], [18, 28, 0, 0]], np.int32)
    lengths = np.array([3, 4, 2], np.int32)
    members = np.array([2, 0, 1], np.int32)
    for place in range(100):
        y, x = divmod(place, stride)
        expected = [
            any(
                max(abs(cell // stride - y), abs(cell % stride - x)) <= reach
                for cell in paths[net, : lengths[net]].tolist()
            )
            for net in members
        ]
        assert passing(members, paths, lengths, stride, place, reach).tolist() == expected
