"""Tests of the searches that carry parities, where tests of bonds and questions do not come to."""

from __future__ import annotations

import numpy as np
import pytest

from nlrouter.engine.bounds.sided_paths import Sought, edges_back, search_sides
from nlrouter.engine.paths.cheapest import INFINITE, Ground

SIDE = 40
STRIDE = SIDE + 2
CELLS = STRIDE * STRIDE


@pytest.mark.parametrize("seed", range(4))
def test_a_search_that_comes_to_too_many_states(seed: int) -> None:
    """Tests that it says what walks cost at least, and gives the start of one."""
    random = np.random.default_rng(seed)
    free = np.zeros((STRIDE, STRIDE), np.bool_)
    free[1:-1, 1:-1] = True
    half = np.where(free, 0.5 + random.exponential(0.5, free.shape), 0.0).ravel()
    source, target = STRIDE + 1, SIDE * STRIDE + SIDE
    half[[source, target]] = 0.0
    ground = Ground(free.ravel(), half, STRIDE)
    marks = random.integers(0, 1 << 12, (1, 2, CELLS))
    sought = Sought(marks, np.zeros(1, np.int64), 0, 0, 0, np.empty(0), 12)
    found = search_sides(source, target, sought, INFINITE, ground)
    assert not found.complete
    plain = sought._replace(marks=np.zeros_like(marks), free=0)
    least = search_sides(source, target, plain, INFINITE, ground)
    assert found.costs.min() <= least.costs[0] + 1e-9
    for end in set(found.ends.tolist()):
        here = source
        for edge in edges_back(end, found, CELLS).tolist():
            first, step = edge % CELLS, 1 if edge < CELLS else STRIDE
            assert here in (first, first + step)
            here = 2 * first + step - here
        assert here == found.states[end >> 1] >> found.bits
