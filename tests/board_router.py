"""Routes a board by the engine, from nothing drawn and in one process if nothing else is said."""

from __future__ import annotations

from typing import Any

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.router import route
from nlrouter.engine.task import Task
from nlrouter.problem import Problem
from nlrouter.result import Observer, Outcome, unobserved


def route_board(
    problem: Problem, deadline: Deadline, observer: Observer = unobserved, **asked: Any
) -> Outcome:
    """Route a board; ``asked`` are fields of its `Task`."""
    asked.setdefault("start", np.zeros(problem.shape, np.int32))
    return route(Task(problem, **asked), deadline, observer)
