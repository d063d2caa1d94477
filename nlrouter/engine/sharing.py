"""How the processes of a search share out finding and proving."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SharingConfig:
    """Settings."""

    heartbeat: float = 0.25
    """Seconds between looks at the stop event and the display."""
    vain: float = 10.0
    """Time until a piece is asked for again where there was none, in times that the answer took:
    with a large board the parent is long at checking."""
    net_seconds: float = 4e-4
    """Time between two better routings that a process tells of, per net: to take up, check and
    write one of 2,400 nets takes 0.4 s, and the finder has one every 0.05 s."""
    most_lost: int = 3
    """Search processes that are replaced when they are lost: a fault that ends one after another,
    such as too little memory, is no accident."""
    slice_seconds: float = 1.0
    """Time for a piece of another's proof at the most: some nodes on the largest boards."""
    slice_share: float = 0.1
    """That time in shares of the time so far, as nobody is to wait for long in a short proof."""
    stock: int = 2
    """Pieces that lie ready for each process that helps: leaders look up after each of their own
    steps only, which may take as long as a piece."""
    wait_seconds: float = 0.02
    """Time to wait at once where all that is left of a proof is lent."""
    patience: float = 3.0
    """Seconds after which a piece that nobody takes goes back."""
    most_open_gap: float = 0.03
    """Share of the cost that lines can save, up to which those who find help to prove where vias
    are to be chosen: from further off the proof hardly ends in time, and finding still gains. On
    30x30x2 with 30 vias it has the best answer after 10 to 59 s. Where none are to be chosen they
    help however far it is: adc2015 Q17, a third off at first, is proven after 30 instead of 33 s
    (five runs each), and the bounds of adc2016 Q17 and Q18 stand 36 and 38 higher after 60 s, at
    the same costs."""
    far_seconds: float = 10.0
    """Seconds from which on who proves helps to find where the bound is further off than that: of
    the random boards of the survey that one process proves in 60 s, all are nearer after 20.
    Where no vias are to be chosen it goes on proving: the bounds of adc2016 Q17 and Q18 stand 20
    and 40 higher after 60 s, at the same costs."""
    least_find: float = 0.2
    """Share of their time that they go on finding: the answer may not be the best."""
    least_change: float = 0.1
    """Change of that share that is told."""


def help_share(
    gap: float | None, improved: float, elapsed: float, config: SharingConfig, *, open_vias: bool
) -> float:
    """Return the share of the time in which those who find had better help to prove.

    Parameters
    ----------
    gap
        Distance of the bound from the cost, in shares of it without ends and vias; None without
        an answer.
    improved, elapsed
        When the answer was last improved, and how late it is, in seconds. What took so long will
        take as long again.
    config
        Settings.
    open_vias
        Whether lines of a part that is not proven may take several vias.
    """
    if gap is None or elapsed <= 0 or (open_vias and gap > config.most_open_gap):
        return 0.0
    return min(1.0 - config.least_find, 1.0 - improved / elapsed)


def is_far(gap: float | None, elapsed: float, config: SharingConfig, *, open_vias: bool) -> bool:
    """Return whether those who prove had better find and polish as well: where vias are open.

    Parameters
    ----------
    gap, elapsed, config, open_vias
        See `help_share`.
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
