"""What is asked of a search. Light to import: it does not load the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlrouter.answer import Answer, only
from nlrouter.problem import Problem

if TYPE_CHECKING:
    from nlrouter.engine.config import RouterConfig


@dataclass(frozen=True)
class Task:
    """What is asked of a search.

    Parameters
    ----------
    problem
        The board.
    start
        What to start from: lines that are correct and complete (see
        `nlrouter.checker.usable.usable`), 0 elsewhere. With all lines it is the first answer;
        otherwise they are where the search for one begins, and may change.
    fixed
        Numbers of lines of ``start`` that do not change. Answer, bound and status are then those
        of the board on which these lines stay as they are.
    workers
        Processes to use.
    seed
        Seed of all random choices.
    config
        Settings of the engine; None for the usual ones.

    Raises
    ------
    ValueError
        If a fixed line is missing from ``start``.
    """

    problem: Problem
    start: Answer
    fixed: frozenset[int] = frozenset()
    workers: int = 1
    seed: int = 0
    config: RouterConfig | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` if a fixed line is missing."""
        if missing := sorted(self.fixed.difference(np.unique(self.start).tolist())):
            raise ValueError(f"no line {missing[0]} in the start that could be kept")

    @property
    def kept(self) -> Answer:
        """The lines that do not change, 0 elsewhere."""
        return only(self.start, self.fixed)
