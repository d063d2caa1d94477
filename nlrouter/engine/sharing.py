"""How the processes of a search share out finding and proving."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SharingConfig:
    """Settings."""

    heartbeat: float = 0.25
    """Seconds between looks at the stop event and the display."""
    net_seconds: float = 4e-4
    """Time between two better routings that a process tells of, per net: to take up, check and
    write one of 2,400 nets takes 0.4 s, and the finder has one every 0.05 s."""
    ahead: int = 2
    """Nodes lent to each process that helps to prove: one that it works on, one that waits."""


def leaders(workers: int, parts: int) -> list[frozenset[int]]:
    """Return which parts each process that proves leads: half of the processes, if there are parts.

    Parameters
    ----------
    workers, parts
        How many there are.
    """
    count = max(1, min(workers // 2, parts))
    return [frozenset(range(k, parts, count)) for k in range(count)]
