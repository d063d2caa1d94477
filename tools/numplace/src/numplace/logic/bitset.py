"""Sets of small whole numbers as the bits of an `int`: candidates of a cell, cells of a house."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def members(bits: int) -> tuple[int, ...]:
    """Return the members of a set, in rising order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)


def bitset(numbers: Iterable[int]) -> int:
    """Return a set of numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def lowest(bits: int) -> int:
    """Return the smallest member of a set that is not empty."""
    return (bits & -bits).bit_length() - 1
