"""Tests that lines find the cheapest via, however far they have to look."""

import numpy as np
import pytest

from nlrouter import generate
from nlrouter.engine.find.lines import find_via, lines_of
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.paths.cheapest import INFINITE, NO_TOLLS, arrive, search


@pytest.mark.parametrize("dearest", [0.0, 5.0, 9.0, 9000.0])
@pytest.mark.parametrize("seed", range(12))
def test_cheapest_via(seed: int, dearest: float) -> None:
    """Tests that the via and the last states before it are those of searches of all cells."""
    (part,) = split(nets_of(generate("random", (18, 18, 2), fill=0.7, seed=seed)[0]))
    nets, lines = part.nets, lines_of(part.nets)
    rng = np.random.default_rng(seed)
    half = 0.5 + dearest * rng.random(nets.free.shape)
    price = dearest * rng.random(len(lines.via_cells))
    cells = nets.cells
    heap = np.empty(8 * cells), np.empty(8 * cells, np.int32)
    far = np.empty((2, 2 * cells)), np.empty((2, 2 * cells), np.int32)
    near = np.empty((2, 2 * cells)), np.empty((2, 2 * cells), np.int32)
    for line in np.flatnonzero(lines.second >= 0):
        own = np.array([lines.first[line], lines.second[line]])
        state = np.empty(2, np.int32)
        found = find_via(
            own, lines.open_to[line], lines.via_cells, price, nets.layer, nets.source, nets.free,
            half, nets.stride, *near, *heap, state,
        )  # fmt: skip
        costs, states = [], []
        for k, net in enumerate(own):
            z = nets.layer[net]
            search(
                nets.source[net], -1, nets.free[z], half[z], NO_TOLLS, nets.stride, far[0][k],
                far[1][k], *heap,
            )  # fmt: skip
        for via in range(*lines.open_to[line]):
            ways = [
                arrive(
                    lines.via_cells[via], nets.source[net], half[nets.layer[net]], NO_TOLLS,
                    nets.stride, far[0][k],
                )
                for k, net in enumerate(own)
            ]  # fmt: skip
            costs.append(price[via] + sum(cost for cost, _ in ways))
            states.append([before for _, before in ways])
        assert min(costs) < INFINITE
        assert found == lines.open_to[line][0] + np.argmin(costs)
        assert state.tolist() == states[np.argmin(costs)]


def test_no_via() -> None:
    """Tests that a line that is walled in finds none, and that it comes to an end."""
    (part,) = split(nets_of(generate("random", (8, 8, 2), fill=0.6, seed=1)[0]))
    nets, lines = part.nets, lines_of(part.nets)
    line = int(np.argmax(lines.second))
    cells = nets.cells
    found = find_via(
        np.array([lines.first[line], lines.second[line]]), lines.open_to[line], lines.via_cells,
        np.zeros(len(lines.via_cells)), nets.layer, nets.source, np.zeros_like(nets.free),
        np.full(nets.free.shape, 0.5), nets.stride, np.empty((2, 2 * cells)),
        np.empty((2, 2 * cells), np.int32), np.empty(8 * cells), np.empty(8 * cells, np.int32),
        np.empty(2, np.int32),
    )  # fmt: skip
    assert found == -1
