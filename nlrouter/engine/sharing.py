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
    most_open_gap: float = 0.03
    """Share of the cost that lines can save from which on a proof is far from its end where vias
    are to be chosen: it hardly ends in time, and finding still gains. On 30x30x2 with 30 vias it
    has the best answer after 10 to 59 s."""
    far_seconds: float = 10.0
    """Seconds from which on who proves helps to find where the bound is further off than that: of
    the random boards of the survey that one process proves in 60 s, all are nearer after 20.
    Where no vias are to be chosen it goes on proving: the bounds of adc2016 Q17 and Q18 stand 20
    and 40 higher after 60 s, at the same costs."""


def is_far(gap: float | None, elapsed: float, config: SharingConfig, *, open_vias: bool) -> bool:
    """Return whether those who prove had better find as well: where vias are open.

    Parameters
    ----------
    gap
        Distance of the bound from the cost, in shares of it without ends and vias; None without
        an answer.
    elapsed
        Seconds so far.
    config
        Settings.
    open_vias
        Whether lines of a part that is not proven may take several vias.
    """
    late = elapsed >= config.far_seconds
    return open_vias and late and gap is not None and gap > config.most_open_gap


def leaders(workers: int, parts: int) -> list[frozenset[int]]:
    """Return which parts each process that proves leads: half of the processes, if there are parts.

    Parameters
    ----------
    workers, parts
        How many there are.
    """
    count = max(1, min(workers // 2, parts))
    return [frozenset(range(k, parts, count)) for k in range(count)]
