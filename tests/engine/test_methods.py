"""Tests that methods are counted by their names, and that none is called that is switched off."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import inf

import pytest

from nlrouter import generate
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.prove.config import ProofConfig
from nlrouter.engine.search import METHOD_NAMES, SearchConfig
from nlrouter.engine.sharing import SharingConfig
from nlrouter.problem import Problem
from nlrouter.result import Outcome, Status
from nlrouter.tally import Tally
from tests.board_router import route_board
from tests.engine.test_tree import EAGER

HASTY = SearchConfig(
    finder=FinderConfig(rounds=1),
    proof=ProofConfig(tree=EAGER),
)
"""Comes to everything soon."""


@cache
def boards() -> list[Problem]:
    """Return boards on which every method has something to do, but for a few."""
    largest, _ = generate("random", (10, 10, 2), fill=0.6, seed=20)
    return [largest, generate("random", (8, 8, 1), fill=0.7, seed=4)[0]]


def routed(problem: Problem, without: frozenset[str] = frozenset(), workers: int = 1) -> Outcome:
    """Route a board without some methods: in one process by work, in several by time."""
    clock = Deadline(4, WorkClock()) if workers == 1 else Deadline(inf)
    config = RouterConfig(
        search=HASTY, without=without, opening_seconds=0.0, sharing=SharingConfig(heartbeat=0.01)
    )
    return route_board(problem, clock, workers=workers, config=config)


def names(methods: Mapping[str, Tally]) -> set[str]:
    """Return the names of methods that were at work."""
    return {name for name, tally in methods.items() if tally.calls}


def test_all_are_at_work() -> None:
    """Tests that on some boards or other nearly all are called, by known names."""
    known = METHOD_NAMES | {"layers", "negotiation"}
    called = set[str]()
    better = 0
    larger, _ = generate("random", (12, 12, 2), fill=0.7, seed=4)
    sparse, _ = generate("switchbox", (20, 20, 2), seed=1)
    for problem in (*boards(), larger, sparse):
        result = routed(problem)
        assert result.status is Status.OPTIMAL
        assert result.methods.keys() <= known
        called |= names(result.methods)
        assert sum(tally.raised for tally in result.methods.values()) > 0
        better += sum(tally.better for tally in result.methods.values())
        assert all(tally.seconds >= 0 for tally in result.methods.values())
    assert better
    assert len(known - called) <= 5  # Covers at the least, and what comes late.


@pytest.mark.parametrize("name", sorted(METHOD_NAMES))
def test_one_is_switched_off(name: str) -> None:
    """Tests that it is never called, and that the others end at no other optimum."""
    for problem, best in zip(boards(), (122, 31), strict=True):
        result = routed(problem, frozenset({name}))
        assert name not in result.methods
        assert result.cost is not None and result.lower_bound is not None
        assert result.lower_bound <= best <= result.cost.total


@pytest.mark.parametrize("problem", boards(), ids=str)
def test_all_are_switched_off(problem: Problem) -> None:
    """Tests that a search that is left nothing but its first steps ends, in time."""
    result = routed(problem, METHOD_NAMES)
    assert result.methods.keys() <= {"layers", "negotiation"}


def test_counted_in_all_processes() -> None:
    """Tests that what search processes count reaches their parent."""
    result = routed(boards()[0], frozenset({"maxsat"}), workers=3)
    assert result.status is Status.OPTIMAL
    assert {"negotiation", "prices"} <= names(result.methods)
    assert "maxsat" not in result.methods


def test_unknown_names() -> None:
    """Tests that a name that is none is refused, and the known ones are told."""
    with pytest.raises(
        ValueError, match=r"found the method 'frontier', expected one of: bidding, "
    ):
        RouterConfig(without=frozenset({"groups", "frontier"}))
