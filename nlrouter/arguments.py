"""Checks of numbers that a caller gives, on a command line or in Python. Light to import.

Each returns the number as Python's own type. ``shown`` is how the sentence of the error names
what was given: ``'0'`` as it was typed, or ``time_limit=0``, which is ``f"{time_limit=}"``.
"""

from __future__ import annotations

import math
from numbers import Integral, Real

LARGEST = 2**31 - 1
"""Largest whole number that the engines can take."""


def positive_seconds(shown: str, value: object) -> float:
    """Return a time limit in seconds; ``inf`` is one.

    Raises
    ------
    ValueError
        If it is no number above 0.

    Examples
    --------
    >>> positive_seconds("time_limit=0", 0)
    Traceback (most recent call last):
        ...
    ValueError: time_limit=0 is not a positive number of seconds
    """
    if isinstance(value, Real) and (seconds := _as_float(value)) > 0:
        return seconds
    raise ValueError(f"{shown} is not a positive number of seconds")


def share(shown: str, value: object) -> float:
    """Return a share, from 0 to 1.

    Raises
    ------
    ValueError
        If it is no number, or beyond the limits.

    Examples
    --------
    >>> share("fill=60", 60)
    Traceback (most recent call last):
        ...
    ValueError: fill=60 is not a share from 0 to 1
    """
    if isinstance(value, Real) and 0 <= (part := _as_float(value)) <= 1:
        return part
    raise ValueError(f"{shown} is not a share from 0 to 1")


def whole_number(shown: str, value: object, least: int, most: int = LARGEST) -> int:
    """Return a whole number within limits.

    Raises
    ------
    ValueError
        If it is none, or beyond the limits.

    Examples
    --------
    >>> whole_number("workers=1.5", 1.5, least=1)
    Traceback (most recent call last):
        ...
    ValueError: workers=1.5 is not a whole number from 1 to 2147483647
    """
    if isinstance(value, Integral) and least <= int(value) <= most:
        return int(value)
    raise ValueError(f"{shown} is not a whole number from {least} to {most}")


def _as_float(value: Real) -> float:
    """Return a number as a float: a whole number that is larger than any is infinite."""
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value <= 0 else math.inf
