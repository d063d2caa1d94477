"""Tests of the search for an answer that fills every cell."""

import dataclasses

import numpy as np
import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.exact import full_answer
from nlrouter.engine.exact.full_answer import FullAnswer, balanced
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import Routing
from nlrouter.generators import fill_board
from nlrouter.problem import Cell, Line, Problem
from nlrouter.tally import Tallies
from tests.engine.tiny_layers import check_routing


def full_part(seed: int) -> Nets:
    """Return the nets of a full board of two layers, tied by vias."""
    problem, _ = fill_board(12, 12, seed, layers=2, lines=14, vias=3)
    (part,) = split(nets_of(problem))
    assert part.nets.classes
    return part.nets


def answer_of(search: FullAnswer) -> Routing | None:
    """Go on until there is an answer or nothing is left to do."""
    routing = None
    while search.due:
        routing = search.step(Deadline(60, WorkClock()))
    return routing


@pytest.mark.parametrize("seed", range(4))
def test_full_boards_are_filled(seed: int) -> None:
    """Tests that a full board is seen to be one, and gets an answer that leaves nothing empty."""
    nets = full_part(seed)
    routing = answer_of(FullAnswer(nets))
    assert routing is not None
    check_routing(nets, nets.targets(routing.assignment), routing.paths)
    assert sum(len(path) - 2 for path in routing.paths) == nets.free.sum()


def test_a_cell_less_is_not_balanced() -> None:
    """Tests that a board with a cell less than its lines can fill is not asked about."""
    nets = full_part(0)
    free = nets.free.copy()
    free[1, np.flatnonzero(free[1])[5]] = False
    less = dataclasses.replace(nets, free=free)
    assert balanced(nets)
    assert not balanced(less)
    assert not FullAnswer(less).due


def test_what_cannot_be_filled() -> None:
    """Tests that where colours balance but lines cannot fill the cells, none is found."""
    ends = (Cell(0, 0, 0), Cell(0, 0, 3))
    nets = nets_of(Problem(4, 2, 1, (Line(1, ends),)))
    assert balanced(nets)
    assert answer_of(FullAnswer(nets)) is None  # It would touch itself.


def test_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that it is not due any more after as many conflicts as are worth while."""
    monkeypatch.setattr(full_answer, "MOST_CONFLICTS", 0)
    monkeypatch.setattr(full_answer, "SLICE", 1)
    problem, _ = fill_board(24, 24, 0, layers=2, lines=40, vias=3)
    search = FullAnswer(nets_of(problem))
    assert search.step(Deadline(60, WorkClock())) is None
    assert not search.due


def test_large_parts_are_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a part of more cells than can be written as clauses is left out."""
    monkeypatch.setattr(full_answer, "MOST_CELLS", 50)
    assert not FullAnswer(full_part(0)).due


@pytest.mark.parametrize("without", [(), ("full answers",)])
def test_a_finder_asks_where_nets_overlap(without: tuple[str, ...]) -> None:
    """Tests that overlaps of the first negotiation end in a full answer, unless switched off."""
    nets = full_part(1)
    tallies = Tallies(frozenset({"bidding", *without}))
    finder = Finder(nets, 0, FinderConfig(rounds=1), tallies)
    deadline = Deadline(60, WorkClock())
    finder.step(deadline)
    assert finder.working.overlaps.any()
    while finder.best is None and not without:
        finder.step(deadline)
    finder.step(deadline)
    assert ("full answers" in tallies) == (not without)
    assert without or not finder.working.overlaps.any()


def test_a_finder_without_overlaps_does_not_ask() -> None:
    """Tests that where the first negotiation has an answer no long one is looked for."""
    problem, _ = fill_board(12, 12, 0, lines=12)
    tallies = Tallies()
    finder = Finder(nets_of(problem), 0, None, tallies)
    for _ in range(5):
        finder.step(Deadline(60, WorkClock()))
    assert balanced(finder.nets)
    assert "full answers" not in tallies
