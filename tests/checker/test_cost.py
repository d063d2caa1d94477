"""Tests of length and bends."""

import numpy as np

from nlrouter.answer import Cost
from nlrouter.checker.cost import bends, measure
from tests.checker.drawing import TOWER_LAYERS, draw


def test_measure_counts_cells_and_bends() -> None:
    """Tests that via cells count as length, and that climbing through a via is no bend."""
    cost = measure(draw(*TOWER_LAYERS))
    assert cost == Cost(length=15, bends=3)
    assert cost.quality == 0.05555555555555555


def test_measure_of_nothing() -> None:
    """Tests that an empty answer costs nothing."""
    assert measure(np.zeros((2, 3, 4), dtype=np.int32)).total == 0


def test_bends_where_lines_cross_each_other() -> None:
    """Tests that neighbours of another number make no bend, and a crossing makes one."""
    assert not bends(draw("12/22")).ravel()[0]
    assert bends(draw(".1./111/.1.")).sum() == 1
