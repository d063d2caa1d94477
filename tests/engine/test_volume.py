"""Tests that the volume algorithm moves prices towards what paths have too much of."""

import numpy as np
import pytest

from nlrouter.engine.bounds.averages import Averages, AveragesConfig
from nlrouter.engine.bounds.via_pairs import Terms
from nlrouter.engine.bounds.volume import Volume, VolumeConfig
from nlrouter.engine.nets.nets import nets_of
from tests.engine.tiny_layers import random_nets, two_layer_problem

NETS = random_nets(0, 5, 5, 3)
FREE = np.argwhere(NETS.free)
NONE = Terms(np.zeros((0, 0)), np.zeros(0), np.zeros(0))
"""Terms where no vias are open."""


def averages(usage: dict[int, float]) -> Averages:
    """Return averages in which every free cell is held once, but for some by their number."""
    seen = Averages(NETS, AveragesConfig())
    seen.usage[NETS.free] = 1.0
    for number, often in usage.items():
        seen.usage[tuple(FREE[number])] = often
    return seen


def test_prices_move() -> None:
    """Tests that a cell gets dearer by what it is held too much, cheaper by what too little."""
    volume = Volume(NETS.free, VolumeConfig(step=1.0))
    prices = np.where(NETS.free, 2.0, 0.0)
    prices[tuple(FREE[2])] = 0.0
    moved = volume.move(prices, NONE, averages({0: 2.0, 1: 0.5, 2: 0.0}), distance=2.5)
    assert moved is not None
    assert [moved[0][tuple(FREE[number])] for number in range(4)] == [4.0, 1.0, 0.0, 2.0]


def test_no_price_is_below_zero() -> None:
    """Tests that a price falls to 0 at the most."""
    volume = Volume(NETS.free, VolumeConfig(step=1.0))
    moved = volume.move(np.where(NETS.free, 0.1, 0.0), NONE, averages({0: 0.0}), distance=5.0)
    assert moved is not None
    assert moved[0].min() == 0.0


def test_end() -> None:
    """Tests that the search ends where no cell is held too much, nor a dear one too little."""
    volume = Volume(NETS.free, VolumeConfig())
    prices = np.zeros(NETS.free.shape)
    assert volume.move(prices, NONE, averages({0: 0.3}), distance=1.0) is None
    assert volume.converged
    volume.renew()
    assert not volume.converged


def test_shares_move() -> None:
    """Tests that a via gets dearer for a line that takes it more than its pair leads there."""
    nets = nets_of(two_layer_problem(0, 5, 5, 2))
    volume = Volume(nets.free, VolumeConfig(step=1.0))
    seen = Averages(nets, AveragesConfig())
    seen.follow(np.array([0, 1]), (), None)
    seen.usage[nets.free] = 1.0
    seen.taken[0] = 0.75, 0.25
    seen.led[0] = 0.25, 0.75
    terms = Terms(np.zeros((2, 2)), np.ones(2), np.zeros(0))
    moved = volume.move(np.zeros(nets.free.shape), terms, seen, distance=0.5)
    assert moved is not None
    assert moved[1].shares[0].tolist() == [0.5, -0.5]
    assert not moved[1].shares[1:].any()


def test_tolls_move() -> None:
    """Tests that a net pays more for a side that it is on more than the other net has it."""
    nets = nets_of(two_layer_problem(0, 5, 5, 2))
    volume = Volume(nets.free, VolumeConfig(step=1.0))
    seen = Averages(nets, AveragesConfig())
    seen.follow(np.zeros(0, np.intp), ((0, 1), (0, 2)), None)
    seen.usage[nets.free] = 1.0
    seen.apart[:] = 0.5, -0.5
    terms = Terms(np.zeros((0, 2)), np.zeros(0), np.array([1.0, 1.0]))
    moved = volume.move(np.zeros(nets.free.shape), terms, seen, distance=0.5)
    assert moved is not None
    assert moved[1].tolls.tolist() == [1.5, 0.5]


@pytest.mark.parametrize("detours", [(2.0, 0.0, 1.0, 0.0), (50.0, 0.0, 0.0, 0.0)])
def test_weights_move(detours: tuple[float, ...]) -> None:
    """Tests that a net counts more in the pair in which it makes detours, and 1 in all pairs."""
    nets = nets_of(two_layer_problem(0, 5, 5, 2))
    seen = Averages(nets, AveragesConfig())
    seen.follow(np.array([0, 1, 0, 2]), (), None)
    seen.detours[:] = detours
    seen.usage[nets.free] = 2.0
    terms = Terms(np.zeros((4, 2)), np.array([0.5, 1.0, 0.5, 1.0]), np.zeros(0))
    moved = Volume(nets.free, VolumeConfig()).move(np.zeros(nets.free.shape), terms, seen, 1.0)
    assert moved is not None
    weights = moved[1].weights
    assert 0.5 < weights[0] < 0.99
    assert weights[0] + weights[2] == pytest.approx(1.0)
    assert weights[[1, 3]].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("gain", "rounds"), [(-1.0, 6), (0.0, 6), (1e-3, None), (1.0, None)])
def test_patience(gain: float, rounds: int | None) -> None:
    """Tests that the step is cut down after so many rounds that gain nothing, and then again."""
    volume = Volume(NETS.free, VolumeConfig(step=0.4, smallest_step=0.2, cut_down=0.6, patience=5))
    came = 0
    while not volume.converged and came < 50:
        volume.learn(100.0, gain, averages({}))
        came += 1
    assert came == (50 if rounds is None else 2 * rounds)


def test_progress_is_waited_for() -> None:
    """Tests that a gain starts the patience anew, and one that is next to nothing does not."""
    for gain, waits in ((1.0, False), (1e-3, True)):
        volume = Volume(NETS.free, VolumeConfig(step=0.4, smallest_step=0.3, patience=5))
        for each in [-1.0] * 5 + [gain] + [-1.0]:
            volume.learn(100.0, each, averages({}))
        assert volume.converged is waits
