"""Which vias the lines of each span class may still take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import Nets

Choice = tuple[NDArray[np.bool_], ...]
"""Per span class, ``(n, n)``: which via (column) each line (row) may take."""


def free_choice(nets: Nets) -> Choice:
    """Return the choice that leaves every via open to every line of its class."""
    return tuple(np.ones((len(span.vias), len(span.vias)), np.bool_) for span in nets.classes)
