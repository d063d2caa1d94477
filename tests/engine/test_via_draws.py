"""Tests that moves of vias are matchings, and that they are drawn by their prices."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from nlrouter.engine.find.config import ViaMoveConfig
from nlrouter.engine.find.via_chains import PresentPrices, draw_chain, present_prices
from nlrouter.engine.find.via_swaps import draw_swap
from nlrouter.engine.nets.nets import nets_of
from nlrouter.generators import generate
from nlrouter.problem import Problem

CONFIG = ViaMoveConfig()


def present(costs: NDArray[np.float64], chosen: NDArray[np.intp]) -> PresentPrices:
    """Prices of all lines of a class, by line and via."""
    return PresentPrices(np.arange(len(costs)), chosen, costs[:, chosen])


@pytest.mark.parametrize("size", [2, 3, 12])
@pytest.mark.parametrize("kind", ["swap", "chain"])
def test_moves_are_matchings(kind: str, size: int) -> None:
    """Tests that the lines of a move take each other's vias, whatever is drawn."""
    noise = np.random.default_rng(size)
    rng = random.Random(size)
    for _ in range(100):
        costs = noise.exponential(10, (size, size))
        chosen = noise.permutation(size)
        first = rng.randrange(size)
        if kind == "chain":
            lines, vias = draw_chain(present(costs, chosen), chosen, rng, CONFIG)
        else:
            lines, vias = draw_swap(costs, chosen, first, rng, CONFIG)
            assert lines[0] == first
        assert len(set(lines.tolist())) == len(lines)
        assert sorted(vias) == sorted(chosen[lines])
        assert (vias != chosen[lines]).all()


def test_a_chain_is_found_where_no_swap_pays() -> None:
    """Tests that where all lines had better move on by one, a chain of all of them is drawn."""
    size = 5
    costs = np.full((size, size), 1000.0)
    chosen = np.arange(size)
    costs[chosen, chosen] = 100.0
    costs[chosen, (chosen + 1) % size] = 0.0
    lines, vias = draw_chain(present(costs, chosen), chosen, random.Random(0), CONFIG)
    assert sorted(lines) == list(range(size))
    assert (vias == (lines + 1) % size).all()


def test_a_chain_of_some_lines_only() -> None:
    """Tests that lines that are not priced stay, and vias that have moved on are followed."""
    prices = PresentPrices(np.array([4, 1]), np.array([0, 3]), np.array([[5.0, 0], [0, 5]]))
    chosen = np.array([1, 0, 2, 4, 3])  # Since the prices were taken, 4 and 1 have traded.
    lines, vias = draw_chain(prices, chosen, random.Random(0), CONFIG)
    assert dict(zip(lines.tolist(), vias.tolist(), strict=True)) == {4: 0, 1: 3}


def test_focused_chains() -> None:
    """Tests that a focused chain mostly starts from the first line that is priced."""
    noise = np.random.default_rng(0)
    costs, chosen = noise.exponential(10, (8, 8)), np.arange(8)
    order = np.array([5, 0, 1, 2, 3, 4, 6, 7])
    prices = PresentPrices(order, order, costs[np.ix_(order, order)])
    rng = random.Random(0)
    first = {
        focused: [
            int(draw_chain(prices, chosen, rng, CONFIG, focused=focused)[0][0]) for _ in range(50)
        ]
        for focused in (True, False)
    }
    assert first[True].count(5) > 20
    assert first[False].count(5) < 20


@pytest.mark.parametrize("most", [1.0, 7.0])
def test_present_prices(most: float) -> None:
    """Tests that a line pays for its own via what its path costs, and elsewhere for the others.

    Two lines lie in two rows, alike on both layers. To get to the other's via a line takes three
    cells, one of them the other's, and two bends, where it now takes two cells.
    """
    problem = Problem(
        4, 2, 2,
        [((0, 0, 1), (0, 0, 2)), ((0, 1, 1), (0, 1, 2))],
        {"a": [(3, 0, 1), (3, 0, 2)], "b": [(3, 1, 1), (3, 1, 2)]},
    )  # fmt: skip
    nets = nets_of(problem)
    (span,) = nets.classes
    chosen = np.array([0, 1])
    target = nets.targets((chosen,))
    paths = np.zeros((nets.count, nets.cells), np.int32)
    lengths = np.full(nets.count, 4, np.int32)
    for net in range(nets.count):
        paths[net, :4] = np.arange(nets.source[net], target[net] + 1)
    config = ViaMoveConfig(most_charge=most)
    charge = random.Random(0).uniform(1.0, most)
    rng = random.Random(0)
    found = present_prices(nets, span, np.zeros((2, 2)), chosen, 1, paths, lengths, rng, config)
    costs = found.costs[np.argsort(found.lines)][:, np.argsort(found.vias)]
    assert costs[0, 0] == costs[1, 1]
    assert costs[0, 1] - costs[0, 0] == costs[1, 0] - costs[1, 1]
    assert costs[0, 1] - costs[0, 0] == pytest.approx(2 * (3 + charge + 2 - 2))


def test_present_prices_of_a_large_class() -> None:
    """Tests that no more lines are priced than the settings allow, each with its own via."""
    problem, _ = generate(16, 16, 2, 12, 12, 0.4, seed=1)
    nets = nets_of(problem)
    (span,) = nets.classes
    chosen = np.random.default_rng(0).permutation(12)
    found = present_prices(
        nets, span, np.zeros((12, 12)), chosen, 7, np.zeros((nets.count, nets.cells), np.int32),
        np.zeros(nets.count, np.int32), random.Random(0), ViaMoveConfig(chain_lines=5),
    )  # fmt: skip
    assert found.costs.shape == (5, 5)
    assert found.lines[0] == 7
    assert len(set(found.lines.tolist())) == 5
    assert (found.vias == chosen[found.lines]).all()
