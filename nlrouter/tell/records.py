"""Moments and ends of searches as JSON has them: for programs, where others tell people."""

from __future__ import annotations

from typing import Any

from nlrouter.result import Outcome, Progress


def progress_record(progress: Progress) -> dict[str, Any]:
    """Return one moment of a search; None for what is not known yet.

    Examples
    --------
    >>> from nlrouter.answer import Cost
    >>> progress_record(Progress(1.5, None, Cost(110, 23), 131, "find"))
    {'seconds': 1.5, 'cost': 133, 'lower_bound': 131, 'gap': 0.015037593984962405, 'phase': 'find'}
    """
    cost = progress.cost
    return {
        "seconds": round(progress.seconds, 3),
        "cost": None if cost is None else cost.total,
        "lower_bound": progress.lower_bound,
        "gap": progress.standing.gap,
        "phase": progress.phase,
    }


def outcome_record(outcome: Outcome) -> dict[str, Any]:
    """Return how a search ended; its ``status`` tells it from a moment."""
    cost = outcome.cost
    return {
        "status": outcome.status,
        "cost": None if cost is None else cost.total,
        "length": None if cost is None else cost.length,
        "bends": None if cost is None else cost.bends,
        "quality": None if cost is None else cost.quality,
        "lower_bound": outcome.lower_bound,
        "gap": outcome.gap,
        "seconds": round(outcome.seconds, 3),
    }
