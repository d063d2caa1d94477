"""Tests who proves and who finds."""

import pytest

from nlrouter.engine.sharing import SharingConfig, is_far, leaders

CONFIG = SharingConfig(most_open_gap=0.05, far_seconds=5.0)


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
    assert is_far(gap, elapsed, CONFIG, open_vias=vias) == far


@pytest.mark.parametrize(
    ("workers", "parts", "count"), [(2, 5, 1), (3, 5, 1), (4, 1, 1), (4, 5, 2), (8, 3, 3)]
)
def test_leaders(workers: int, parts: int, count: int) -> None:
    """Tests that every part has one leader, and that processes are left that find."""
    led = leaders(workers, parts)
    assert len(led) == count < workers
    assert sorted(part for some in led for part in some) == list(range(parts))
