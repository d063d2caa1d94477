"""Tests of the criteria that end a search before its time."""

from __future__ import annotations

import pickle
import sys
from math import inf

import pytest

import nlrouter
from nlrouter import CostReached, Elapsed, GapReached, NoImprovement, Progress
from nlrouter.answer import Cost
from nlrouter.stopping import Criterion
from tests.commands.fake_engine import DETOUR_8, PROBLEM, FakeEngine, ending, moment

EMPTY = Progress(9.0, None, None, 50, "prove")
FOUND = Progress(9.0, None, Cost(80, 20), 90, "find", improved=4.0)


@pytest.mark.parametrize(
    ("criterion", "empty", "found"),
    [
        (Elapsed(9), True, True),
        (Elapsed(9.1), False, False),
        (CostReached(100), False, True),
        (CostReached(99), False, False),
        (CostReached(inf), False, True),
        (GapReached(0.1), False, True),
        (GapReached(0.09), False, False),
        (NoImprovement(5), False, True),
        (NoImprovement(5.1), False, False),
        (Elapsed(99) | GapReached(0.1), False, True),
        (Elapsed(9) & GapReached(0.1), False, True),
        (Elapsed(99) & GapReached(0.1), False, False),
        (GapReached(0) | (lambda progress: progress.phase == "prove"), True, False),
    ],
    ids=range(13),  # Names would hold addresses, which differ between processes.
)
def test_criteria(criterion: Criterion, empty: bool, found: bool) -> None:
    """Tests that each ends a search by what it is about, at its limit, and joined ones by both."""
    assert (criterion(EMPTY), criterion(FOUND)) == (empty, found)


def test_a_criterion_can_be_sent() -> None:
    """Tests that criteria can be compared and sent to other processes."""
    criterion = GapReached(0.1) | NoImprovement(5)
    assert pickle.loads(pickle.dumps(criterion)) == criterion != GapReached(0.1) & NoImprovement(5)


def test_it_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a search without a time limit ends, and that the age of an answer is told."""
    moments = [moment(None, 2), moment(DETOUR_8, 2, 3.0), moment(DETOUR_8, 2, 8.0)]
    engine = FakeEngine(moments, ending(DETOUR_8, 2), waits=True)
    for name, module in engine.install().items():
        monkeypatch.setitem(sys.modules, name, module)
    seen: list[Progress] = []
    result = nlrouter.route(
        PROBLEM, time_limit=inf, on_progress=seen.append, stop=NoImprovement(5.0)
    )
    assert result.status == "feasible"
    assert [progress.improved for progress in seen] == [None, 3.0, 3.0]


def test_a_real_search_ends() -> None:
    """Tests that a search ends with its first answer, far from the best one."""
    board, _ = nlrouter.generate("random", (24, 24, 3), seed=1)
    result = nlrouter.route(board, time_limit=inf, deterministic=True, stop=CostReached(inf))
    assert result.status == "feasible"
