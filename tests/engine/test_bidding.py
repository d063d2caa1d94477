"""Tests that lines that negotiate for cells and vias come to share neither where they can."""

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.find.bidding import Bidding, BiddingConfig
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import OPEN, Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import generate
from nlrouter.problem import Problem
from nlrouter.tally import Tallies

REQUESTS = [(8, 7, 1, 6, 0, 0.6), (7, 7, 2, 6, 4, 0.5), (8, 8, 3, 10, 8, 0.5)]


def bidding(nets: Nets, seed: int = 0, rounds: int = 300) -> Bidding:
    prices, rng = np.zeros(nets.free.shape), np.random.default_rng(seed)
    return Bidding(nets, prices, rounds, rng, BiddingConfig())


def far_and_near() -> Nets:
    """Return two lines to whose ends the same of two vias is much the nearer."""
    ends = [((0, 0, 1), (0, 0, 2)), ((0, 4, 1), (0, 4, 2))]
    vias = {"a": [(1, 2, 1), (1, 2, 2)], "b": [(19, 2, 1), (19, 2, 2)]}
    return nets_of(Problem(20, 5, 2, ends, vias))


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_lines_that_share_nothing_in_the_end_have_a_routing(
    request_: tuple[int, int, int, int, int, float], seed: int
) -> None:
    problem = generate(*request_, seed)[0]
    for part in split(nets_of(problem)):
        lines = bidding(part.nets, seed)
        while not lines.step():
            pass
        routing = lines.drawn().routing()
        assert routing is not None
        assert fault(part.nets, routing) == ""


def test_of_two_lines_that_want_a_via_one_is_without_at_first() -> None:
    lines = bidding(far_and_near(), rounds=1)
    assert lines.step()
    drawn = lines.drawn()
    (chosen,) = drawn.chosen
    assert sorted(chosen.tolist()) == [OPEN, 0]
    missing = [net for net, path in enumerate(drawn.paths) if path is None]
    assert len(missing) == 2


def test_what_is_shared_becomes_dearer_until_one_gives_way() -> None:
    lines = bidding(far_and_near())
    while not lines.step():
        pass
    routing = lines.drawn().routing()
    assert routing is not None
    assert sorted(routing.assignment[0].tolist()) == [0, 1]


def test_a_line_without_any_way_ends_it() -> None:
    text = "SIZE 3X3X1\nLINE_NUM 2\nLINE#1 (0,0,1) (2,2,1)\nLINE#2 (1,0,1) (0,1,1)"
    lines = bidding(nets_of(parse_problem(text)))
    assert lines.step()
    assert lines.drawn().routing() is None


def many_vias() -> Nets:
    """Return a crowded part whose lines all take one of as many vias."""
    problem, _ = generate(14, 14, 2, 18, 18, 0.8, seed=0)
    return max(split(nets_of(problem)), key=lambda part: part.nets.count).nets


@pytest.mark.parametrize("without", [frozenset(), frozenset({"bidding"})], ids=len)
def test_a_finder_lets_lines_bid_while_nets_overlap_unless_that_is_off(
    without: frozenset[str],
) -> None:
    tallies = Tallies(without)
    finder = Finder(many_vias(), 0, tallies=tallies)
    for _ in range(3):
        finder.step(Deadline(60))
    assert ("bidding" in tallies) is not bool(without)
