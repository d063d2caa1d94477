"""An engine that finds what it is told to, and the small board that it finds it on.

Run as a script, it is ``nlroute`` with such an engine: the first argument is a scenario.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import ModuleType

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.cost import measure
from nlrouter.deadline import Deadline
from nlrouter.engine.task import Task
from nlrouter.files.problem_file import parse_problem
from nlrouter.result import Observer, Outcome, Progress, Standing

PROBLEM_TEXT = "SIZE 4X3X1\nLINE_NUM 1\nLINE#1 (0,0,1) (3,0,1)\n"
PROBLEM = parse_problem(PROBLEM_TEXT, "fake")

DETOUR_10 = np.array([[[1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1]]], dtype=np.int32)
DETOUR_8 = np.array([[[1, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]]], dtype=np.int32)
STRAIGHT_4 = np.array([[[1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]], dtype=np.int32)
CUT = np.array([[[1, 1, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]], dtype=np.int32)


def moment(answer: Answer | None, bound: int | None = None, seconds: float = 0.5) -> Progress:
    """Return one moment of a search."""
    cost = None if answer is None else measure(answer)
    return Progress(seconds, answer, cost, bound, "fake")


def ending(
    answer: Answer | None,
    bound: int | None = None,
    *,
    infeasible: bool = False,
    reason: str = "",
) -> Outcome:
    """Return how a search of 4.2 seconds ended."""
    cost = None if answer is None else measure(answer)
    return Outcome(PROBLEM, answer, Standing(cost, bound, infeasible), 4.2, reason)


class FakeEngine:
    """Reports moments and returns an ending; can wait for the stop in between."""

    def __init__(
        self, moments: Sequence[Progress], end: Outcome, *, waits: bool = False, deaf: bool = False
    ) -> None:
        self.moments = moments
        self.end = end
        self.waits = waits
        self.deaf = deaf
        self.asked: dict[str, float] = {}
        self.given: Task | None = None

    def route(self, task: Task, deadline: Deadline, observer: Observer) -> Outcome:
        """Stand in for `nlrouter.engine.router.route`."""
        self.asked = {
            "remaining": deadline.remaining(),
            "workers": task.workers,
            "seed": task.seed,
            "deterministic": deadline.counts_work,
        }
        self.given = task
        for progress in self.moments:
            observer(progress)
        while self.waits and deadline.remaining() and (self.deaf or not deadline.passed()):
            time.sleep(0.02)
        return self.end

    def install(self) -> dict[str, ModuleType]:
        """Return the entry of `sys.modules` that puts this engine in place."""
        module = ModuleType("nlrouter.engine.router")
        module.route = self.route  # type: ignore[attr-defined]
        small = ModuleType("nlrouter.engine.small")
        small.close_small = lambda *_: None  # type: ignore[attr-defined]
        return {"nlrouter.engine.router": module, "nlrouter.engine.small": small}


SCENARIOS = {
    "optimal": FakeEngine([moment(DETOUR_8, 2), moment(STRAIGHT_4, 4)], ending(STRAIGHT_4, 4)),
    "infeasible": FakeEngine([], ending(None, infeasible=True, reason="no room")),
    "waits": FakeEngine([moment(DETOUR_8, 2)], ending(DETOUR_8, 2), waits=True),
    "waits empty-handed": FakeEngine([moment(None, 2)], ending(None, 2), waits=True),
    "deaf": FakeEngine([moment(DETOUR_8, 2)], ending(DETOUR_8, 2), waits=True, deaf=True),
}


if __name__ == "__main__":
    from nlrouter.commands.nlroute import main

    sys.modules.update(SCENARIOS[sys.argv.pop(1)].install())
    sys.exit(main())
