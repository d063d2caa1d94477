"""How prices become the charges of the path kernel, and how closely they are compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-6
"""Room for floating-point error when an excess is compared with a gap."""


def half_charges(free: NDArray[np.bool_], prices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what half a cell costs: free ones with their price, the ends of nets nothing."""
    return np.where(free, 0.5 + 0.5 * prices, 0.0)
