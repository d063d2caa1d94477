"""What a board can be routed by. Light to import."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal


class Engine(StrEnum):
    """A way to route a board."""

    PORTFOLIO = "portfolio"
    """All methods, in several processes."""
    CP_SAT = "cp-sat"
    """One integer program per part of the board, solved by CP-SAT in one thread."""


EngineName = Literal["portfolio", "cp-sat"]
"""The same as a caller writes it."""


def engine_named(shown: str, value: str) -> Engine:
    """Return an engine by its name.

    Raises
    ------
    ValueError
        If there is none of this name.

    Examples
    --------
    >>> engine_named("engine='sat'", "sat")
    Traceback (most recent call last):
        ...
    ValueError: engine='sat' is none of portfolio, cp-sat
    """
    if value in tuple(Engine):
        return Engine(value)
    raise ValueError(f"{shown} is none of {', '.join(Engine)}")
