"""Tests that connected cells get one number, and others another."""

import numpy as np
import pytest
from scipy.ndimage import label

from nlrouter.engine.nets.regions import regions_of


@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_regions(seed: int, corners: bool) -> None:
    """Tests boards of all densities against SciPy, whatever the order of the numbers."""
    random = np.random.default_rng(seed)
    height, width = random.integers(1, 15, 2)
    cells = random.random((height, width)) < random.random()
    regions = regions_of(cells, corners=corners)
    expected, count = label(cells, np.ones((3, 3)) if corners else None)
    assert ((regions > 0) == cells).all()
    pairs = set(zip(regions[cells].tolist(), expected[cells].tolist(), strict=True))
    assert len(pairs) == count == regions.max(initial=0)
