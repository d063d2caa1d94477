"""Tests who proves and who finds."""

from dataclasses import replace

import pytest

from nlrouter.engine.sharing import SharingConfig, help_share, is_far, leaders

CONFIG = SharingConfig(most_open_gap=0.05, least_find=0.25)


@pytest.mark.parametrize(
    ("gap", "improved", "elapsed", "share"),
    [
        (None, 0.0, 10.0, 0.0),
        (0.9, 5.0, 10.0, 0.5),
        (0.1, 10.0, 10.0, 0.0),
        (0.1, 5.0, 10.0, 0.5),
        (0.1, 0.0, 10.0, 0.75),
        (0.1, 0.0, 0.0, 0.0),
    ],
    ids=["no answer", "however far off", "just found", "half way", "long ago", "at once"],
)
def test_help(gap: float | None, improved: float, elapsed: float, share: float) -> None:
    """Tests that those who find help the more the longer the answer stands, but never wholly."""
    assert help_share(gap, improved, elapsed, CONFIG, open_vias=False) == share


@pytest.mark.parametrize(("gap", "share"), [(0.1, 0.0), (0.04, 0.5)])
def test_help_with_vias(gap: float, share: float) -> None:
    """Tests that where vias are open, those who find go on for longer."""
    assert help_share(gap, 5.0, 10.0, CONFIG, open_vias=True) == share


@pytest.mark.parametrize(
    ("gap", "elapsed", "vias", "far"),
    [
        (None, 10.0, True, False),
        (0.1, 10.0, True, True),
        (0.1, 4.0, True, False),
        (0.04, 10.0, True, False),
        (0.1, 10.0, False, False),
        (0.3, 10.0, False, False),
    ],
    ids=["no answer", "vias", "early", "near with vias", "no vias", "far off, no vias"],
)
def test_far(gap: float | None, elapsed: float, vias: bool, far: bool) -> None:
    """Tests that those who prove find where vias are open and far from settled, not too early."""
    config = replace(CONFIG, far_seconds=5.0)
    assert is_far(gap, elapsed, config, open_vias=vias) == far
    assert not (far and help_share(gap, 0.0, elapsed, config, open_vias=vias))


@pytest.mark.parametrize(
    ("workers", "parts", "count"), [(2, 5, 1), (3, 5, 1), (4, 1, 1), (4, 5, 2), (8, 3, 3)]
)
def test_leaders(workers: int, parts: int, count: int) -> None:
    """Tests that every part has one leader, and that processes are left that find."""
    led = leaders(workers, parts)
    assert len(led) == count < workers
    assert sorted(part for some in led for part in some) == list(range(parts))
