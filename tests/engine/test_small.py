"""Tests that the attempt on small boards closes what it can, and gives up soon where it cannot."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pytest

from nlrouter import RouterConfig, route
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.small import SmallConfig, close_small
from nlrouter.files.problem_file import read_problem
from nlrouter.problem import Problem
from nlrouter.result import Outcome, Progress, Status
from nlrouter.tally import Tallies

BOARDS = Path(__file__).parents[2] / "problems"


def close(board: str, seconds: float, config: SmallConfig | None = None) -> Outcome | None:
    """Try to close a board within some seconds of counted work."""
    problem = read_problem(str(BOARDS / f"{board}.txt"))
    kept = np.zeros(problem.shape, np.int32)
    deadline = Deadline(seconds, WorkClock())
    return close_small(problem, deadline, lambda _: None, kept, Tallies(), config)


def test_a_board_that_closes() -> None:
    """Tests that the answer is correct and optimal."""
    outcome = close("random_10x10x2", 60)
    assert outcome is not None
    assert outcome.status is Status.OPTIMAL
    assert outcome.standing.cost is not None
    assert outcome.standing.cost.total == 133
    assert outcome.answer is not None
    assert not violations(outcome.problem, outcome.answer)


@pytest.mark.parametrize("board", ["crossing_5x5x1", "spans_4x4x3", "walled_5x5x2"])
def test_no_answer(board: str) -> None:
    """Tests that it says why a board has no answer, so that nothing else has to be loaded."""
    outcome = close(f"infeasible_{board}", 0)
    assert outcome is not None
    assert outcome.status is Status.INFEASIBLE
    assert outcome.answer is None
    assert outcome.reason == infeasible_reason(outcome.problem) != ""


@pytest.mark.parametrize(("off", "seen"), [("small boards", False), ("maxsat", False), ("", True)])
def test_switched_off(off: str, seen: bool) -> None:
    """Tests that the attempt can be switched off, and is where MaxSAT is."""
    problem = read_problem(str(BOARDS / "random_10x10x2.txt"))
    phases: list[str] = []
    result = route(
        problem, time_limit=0.3, deterministic=True,
        config=RouterConfig(without=frozenset({off} - {""})),
        on_progress=lambda progress: phases.append(progress.phase),
    )  # fmt: skip
    assert ("sat" in phases) == ("small boards" in result.methods) == seen


def test_the_first_answer() -> None:
    """Tests that a board it does not close has its first answer from it, before it is given up."""
    problem = read_problem(str(BOARDS / "random_10x10x2.txt"))
    told: list[Progress] = []
    kept = np.zeros(problem.shape, np.int32)
    deadline = Deadline(60, WorkClock())
    assert (
        close_small(problem, deadline, told.append, kept, Tallies(), SmallConfig(seconds=0.1))
        is None
    )
    (first,) = told
    assert first.answer is not None and first.cost is not None and first.seconds < 0.25
    assert not violations(problem, first.answer)
    assert first.cost == measure(first.answer)


@pytest.mark.parametrize(
    ("seconds", "config"),
    [
        (60, SmallConfig(seconds=0.1)),
        (0.2, SmallConfig(engine_seconds=0.01)),
    ],
    ids=["limit", "half the time"],
)
def test_giving_up(seconds: float, config: SmallConfig) -> None:
    """Tests that it ends at its limit, and when half the time is up."""
    problem = read_problem(str(BOARDS / "random_10x10x2.txt"))
    deadline = Deadline(seconds, WorkClock())
    kept = np.zeros(problem.shape, np.int32)
    assert close_small(problem, deadline, lambda _: None, kept, Tallies(), config) is None
    assert 0.09 < deadline.elapsed() < 0.2


class Starved(WorkClock):
    """The clock of a process that has 15 % of a core."""

    def __call__(self) -> float:
        """Return the time that passes until so much work is done."""
        return self.seconds / 0.15

    def effort(self) -> float:
        """Return the seconds of work."""
        return self.seconds


@pytest.mark.parametrize(
    ("seconds", "status"), [(20, Status.OPTIMAL), (1, Status.FEASIBLE), (0, Status.UNKNOWN)]
)
def test_a_starved_process(seconds: float, status: Status) -> None:
    """Tests that work counts, not time, and that nothing is left to an engine that comes too late.

    How far its bound has come is told with the answer.

    The board takes 0.4 seconds of work.
    """
    problem = read_problem(str(BOARDS / "random_10x10x2.txt"))
    deadline, kept = Deadline(seconds, Starved()), np.zeros(problem.shape, np.int32)
    outcome = close_small(
        problem, deadline, lambda _: None, kept, Tallies(), SmallConfig(seconds=0.5)
    )
    assert outcome is not None
    assert outcome.status is status
    if status is Status.FEASIBLE:
        constant = nets_of(problem).constant
        assert outcome.cost is not None and outcome.lower_bound is not None
        assert constant < outcome.lower_bound < outcome.cost.total
    assert deadline.elapsed() < seconds + 0.2


def test_a_large_board() -> None:
    """Tests that a board with too many cells is left alone."""
    assert close("random_24x24x3", 60) is None


def test_many_vias_of_one_span() -> None:
    """Tests that a board whose clauses would take long to write is left alone, few cells or not."""
    lines = [((x, 0, 1), (x, 0, 2)) for x in range(101)]
    names = ("".join(two) for two in product(ascii_lowercase, repeat=2))
    vias = {name: [(x, 1, 1), (x, 1, 2)] for x, name in zip(range(101), names, strict=False)}
    problem = Problem(101, 2, 2, lines, vias)
    deadline = Deadline(60, WorkClock())
    kept = np.zeros(problem.shape, np.int32)
    assert close_small(problem, deadline, lambda _: None, kept, Tallies()) is None


def test_what_it_loads() -> None:
    """Tests that nothing is loaded that takes longer than most small boards do."""
    code = "import sys, nlrouter.engine.small; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "pysat" in loaded
    assert not loaded & {"scipy", "numba", "ortools", "networkx", "matplotlib"}
