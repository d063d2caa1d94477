"""Tests that lines find the cheapest via, however far they have to look."""

import numpy as np
import pytest
from numpy.typing import NDArray

from nlrouter import generate
from nlrouter.engine.find.lines import Lines, find_via, lines_of
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.paths.cheapest import INFINITE, Board, Ground, arrive, scratch, search


def find(
    nets: Nets,
    lines: Lines,
    line: int,
    price: NDArray[np.float64],
    free: NDArray[np.bool_],
    half: NDArray[np.float64],
) -> tuple[int, list[int]]:
    """Return the via that a line finds, and the last states before it."""
    state = np.empty(2, np.int32)
    board = Board(nets.layer, nets.source, free, nets.stride)
    rooms = scratch(nets.cells, 0), scratch(nets.cells, 0)
    via = find_via(
        np.array([lines.first[line], lines.second[line]]), lines.open_to[line], lines.via_cells,
        price, board, half, rooms, state,
    )  # fmt: skip
    return via, state.tolist()


@pytest.mark.parametrize("dearest", [0.0, 5.0, 9.0, 9000.0])
@pytest.mark.parametrize("seed", range(12))
def test_cheapest_via(seed: int, dearest: float) -> None:
    """Tests that the via and the last states before it are those of searches of all cells."""
    (part,) = split(nets_of(generate("random", (18, 18, 2), fill=0.7, seed=seed)[0]))
    nets, lines = part.nets, lines_of(part.nets)
    rng = np.random.default_rng(seed)
    half = 0.5 + dearest * rng.random(nets.free.shape)
    price = dearest * rng.random(len(lines.via_cells))
    room = scratch(nets.cells, 0)
    for line in np.flatnonzero(lines.second >= 0).tolist():
        costs = price.copy()
        before = np.empty((len(costs), 2), np.int32)
        for k, net in enumerate((lines.first[line], lines.second[line])):
            z = nets.layer[net]
            ground = Ground(nets.free[z], half[z], nets.stride)
            search(nets.source[net], -1, ground, room)
            for via, cell in enumerate(lines.via_cells):
                cost, before[via, k] = arrive(cell, nets.source[net], ground, room.dist)
                costs[via] += cost
        own = slice(*lines.open_to[line])
        assert costs[own].min() < INFINITE
        cheapest = own.start + int(np.argmin(costs[own]))
        found, state = find(nets, lines, line, price, nets.free, half)
        assert found == cheapest
        assert state == before[cheapest].tolist()


def test_no_via() -> None:
    """Tests that a line that is walled in finds none, and that it comes to an end."""
    (part,) = split(nets_of(generate("random", (8, 8, 2), fill=0.6, seed=1)[0]))
    nets, lines = part.nets, lines_of(part.nets)
    line = int(np.argmax(lines.second))
    price, half = np.zeros(len(lines.via_cells)), np.full(nets.free.shape, 0.5)
    assert find(nets, lines, line, price, np.zeros_like(nets.free), half)[0] == -1
