"""Settings of CP-SAT, apart from it: that takes long to import."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FlowConfig:
    """Settings of the solver. What is not here was measured and left at its default."""

    linearization_level: int = 2
    """Everything goes into the relaxation, which is what proves; at 1, clauses stay out."""
    add_lp_constraints_lazily: bool = False
    """The relaxation starts complete; filled row by row, its bound lags for minutes."""
    poll_seconds: float = 0.02
    """Time between looks at whether somebody wants to stop: much less than a person notices."""
    most_arcs: int = 1_000_000
    """Largest part of a board that is solved by this alone: its model takes 12 s to make."""
