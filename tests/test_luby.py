"""Tests of the universal restart sequence."""

from nlrouter.luby import luby


def test_luby() -> None:
    """Tests its first numbers."""
    assert [luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
