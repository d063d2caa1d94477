"""Tests of what becomes of a draft."""

from __future__ import annotations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.find.draft import Draft, settle
from nlrouter.engine.nets.nets import nets_of
from nlrouter.problem import Problem


@pytest.mark.parametrize(("seconds", "kept"), [(60.0, [0, 2]), (0.0, [2])])
def test_lines_that_overlap_are_dropped(seconds: float, kept: list[int]) -> None:
    """Tests that lines go together whenever it ends: in time one of two that cross is kept."""
    ends = [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1)), ((0, 3, 1), (2, 3, 1))]
    nets = nets_of(Problem(3, 4, 1, ends))
    step = np.array([1, nets.stride, 1])
    paths = [nets.source[k] + step[k] * np.arange(3, dtype=np.int32) for k in range(3)]
    settled = settle(nets, Draft(paths, (), 1), Deadline(seconds))
    there = [net for net, path in enumerate(settled.routing.paths) if len(path)]
    assert there in (kept, [1, 2] if 0 in kept else kept)
    assert sorted([*there, *settled.missing]) == [0, 1, 2]


def test_nothing_is_routed_after_the_deadline() -> None:
    """Tests that a search that has nothing yet ends at once, and else with all that fits."""
    nets = nets_of(Problem(3, 2, 1, [((0, 0, 1), (2, 0, 1)), ((0, 1, 1), (2, 1, 1))]))
    assert len(settle(nets, None, Deadline(0.0)).missing) == 2
    assert len(settle(nets, None, Deadline(60.0)).missing) == 0
