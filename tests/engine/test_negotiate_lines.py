"""Tests that lines that negotiate for vias share them out, and trade those that are in the way."""

from dataclasses import replace

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.find.lines import lines_of
from nlrouter.engine.find.negotiate import seed_random
from nlrouter.engine.find.negotiate_lines import (
    NegotiateLinesConfig,
    negotiate_lines,
    shared_out,
)
from nlrouter.engine.nets.nets import nets_of
from nlrouter.generators import generate
from nlrouter.problem import Problem

CONFIG = NegotiateLinesConfig()

CROSSED = Problem(
    5, 3, 2,
    [((0, 0, 1), (0, 0, 2)), ((0, 2, 1), (0, 2, 2)), ((2, 1, 1), (0, 1, 1))],
    {"a": [(4, 0, 1), (4, 0, 2)], "b": [(4, 2, 1), (4, 2, 2)]},
)  # fmt: skip
"""Two lines along the upper and the lower row, kept apart by a third on the first layer."""


def negotiated(
    problem: Problem, seed: int, config: NegotiateLinesConfig = CONFIG
) -> list[list[int]]:
    """Return the vias that the lines of each class negotiate where cells have no prices."""
    nets = nets_of(problem)
    seed_random(seed)
    found = negotiate_lines(nets, np.zeros(nets.free.shape), config)
    return [chosen.tolist() for chosen in found]


@pytest.mark.parametrize("seed", range(3))
def test_vias_that_are_not_in_the_way(seed: int) -> None:
    """Tests that lines take the vias that they can reach without crossing."""
    assert negotiated(CROSSED, seed) == [[0, 1]]


@pytest.mark.parametrize("seed", range(3))
def test_who_gives_way(seed: int) -> None:
    """Tests that of two lines that want one via, the one gives way to which the other is nearer."""
    problem = Problem(
        8, 3, 2,
        [((2, 0, 1), (2, 0, 2)), ((6, 2, 1), (6, 2, 2))],
        {"a": [(3, 1, 1), (3, 1, 2)], "b": [(0, 1, 1), (0, 1, 2)]},
    )  # fmt: skip
    assert negotiated(problem, seed) == [[1, 0]]


@pytest.mark.parametrize("seed", range(4))
def test_each_via_is_taken_once(seed: int) -> None:
    """Tests that what comes out is a matching of each class, however few rounds there are."""
    problem, _ = generate(14, 14, 3, 20, 12, 0.7, seed=seed)
    classes = nets_of(problem).classes
    for rounds in (1, 40):
        found = negotiated(problem, seed, replace(CONFIG, rounds=rounds))
        assert len(found) == len(classes)
        for span, chosen in zip(classes, found, strict=True):
            assert sorted(chosen) == list(range(len(span.vias)))


def test_shared_vias() -> None:
    """Tests that of lines that share a via one keeps it, and lines that share none keep theirs."""
    problem, _ = generate(12, 12, 2, 8, 5, 0.4, seed=3)
    lines = lines_of(nets_of(problem))
    crossing = lines.second >= 0
    via = np.full(lines.count, -1, np.int32)
    via[crossing] = [3, 1, 1, 4, -1]
    (chosen,) = shared_out(lines, via)
    assert sorted(chosen) == list(range(5))
    assert chosen[0] == 3 and chosen[3] == 4
    assert 1 in chosen[1:3]


def test_lines_without_vias() -> None:
    """Tests that where no line changes its layer, there is nothing to choose."""
    problem, _ = generate(8, 8, 1, 5, 0, 0.4, seed=0)
    nets = nets_of(problem)
    assert negotiate_lines(nets, np.zeros(nets.free.shape), CONFIG) == ()


def test_assignments_there_and_back() -> None:
    """Tests that vias of lines and assignments of classes are two ways to say the same."""
    problem, _ = generate(14, 14, 3, 20, 12, 0.5, seed=1)
    nets = nets_of(problem)
    rng = np.random.default_rng(0)
    assignment = tuple(rng.permutation(len(span.vias)) for span in nets.classes)
    lines = lines_of(nets)
    via = lines.vias(assignment)
    for there, back in zip(lines.assignment(via), assignment, strict=True):
        assert there.tolist() == back.tolist()
    targets = nets.targets(assignment)
    for line in np.flatnonzero(via >= 0):
        cell = lines.via_cells[via[line]]
        assert targets[lines.first[line]] == targets[lines.second[line]] == cell


def test_starting_over_takes_other_vias() -> None:
    """Tests that a finder without an answer starts over with vias that lines have negotiated."""
    nets = nets_of(CROSSED)
    finder = Finder(nets, 0)
    finder.working.set_assignment((np.array([1, 0]),))
    finder._start_over()
    assert finder.working.assignment[0].tolist() == [0, 1]
    assert finder.working.standing[0] == 0
    assert finder.step(Deadline(10)) or finder.best is not None
