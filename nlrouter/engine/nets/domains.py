"""Which vias the lines of each span class may still take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import Nets

Domains = tuple[NDArray[np.bool_], ...]
"""Per span class, ``(n, n)``: which via (column) each line (row) may take."""


def full_domains(nets: Nets) -> Domains:
    """Return domains that leave every via open to every line of its class."""
    return tuple(np.ones((len(span.vias), len(span.vias)), np.bool_) for span in nets.classes)
