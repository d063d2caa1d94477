"""Tests that all sides count, and that a search that may stop early knows no more than it does."""

import random

import pytest

from nlrouter.checker.certificate.board import layers_of
from nlrouter.checker.certificate.limits import CheckLimits, Work
from nlrouter.checker.certificate.paths import UNREACHED, neighbours_of
from nlrouter.checker.certificate.walks import PricedNet, Walks
from nlrouter.files.problem_file import parse_problem

SIZE = 6
DEAR = 60
"""More than most paths cost."""


class Question:
    """What a net of a random layer pays, and two others to pass on some sides."""

    def __init__(self, seed: int) -> None:
        rnd = random.Random(seed)
        cells = rnd.sample(range(SIZE * SIZE), 6)
        ends = [f"({cell % SIZE},{cell // SIZE})" for cell in cells]
        lines = "".join(f"LINE#{k} {ends[2 * k - 2]}-{ends[2 * k - 1]}\n" for k in (1, 2, 3))
        problem = parse_problem(f"SIZE {SIZE}X{SIZE}\nLINE_NUM 3\n{lines}", "three lines")
        self.board = layers_of(problem, (0,))
        self.prices = tuple(rnd.randrange(4) for _ in range(SIZE * SIZE))
        self.priced = PricedNet(0, 0, self.board.target[0])
        self.others = tuple((self.board.source[net], self.board.target[net]) for net in (1, 2))
        self.sides = tuple((ends, rnd.randrange(2)) for ends in self.others)

    def walks(self) -> Walks:
        """Return what has not been asked anything."""
        near = neighbours_of(SIZE, SIZE)
        return Walks(self.board, (self.prices,), 1, near, Work(CheckLimits()))


@pytest.mark.parametrize("seed", range(40))
def test_paths(seed: int) -> None:
    """Tests that a path costs what it costs, or enough where it was said what is enough."""
    asked = Question(seed)
    exact = asked.walks().path(asked.priced, asked.sides)
    for enough in (*range(0, DEAR, 2), UNREACHED):
        walks = asked.walks()
        found = walks.path(asked.priced, asked.sides, enough)
        assert min(enough, exact) <= found <= exact
        assert walks.path(asked.priced, asked.sides) == exact


@pytest.mark.parametrize("seed", range(40))
def test_tables(seed: int) -> None:
    """Tests the same of each way to pass two other nets, found in one search."""
    asked = Question(seed)
    exact = [
        asked.walks().path(asked.priced, tuple(zip(asked.others, (own & 1, own >> 1), strict=True)))
        for own in range(4)
    ]
    assert asked.walks().table(asked.priced, asked.others, (), UNREACHED) == exact
    for enough in (*range(0, DEAR, 2), UNREACHED):
        found = asked.walks().table(asked.priced, asked.others, (), enough)
        for least, cost in zip(found, exact, strict=True):
            assert min(enough, cost) <= least <= cost


@pytest.mark.parametrize("seed", range(40))
def test_however_many_sides(seed: int) -> None:
    """Tests that the last side counts, as many as the search settles of a net and more."""
    asked = Question(seed)
    exact = asked.walks().path(asked.priced, asked.sides)
    first, last = asked.sides
    many = (*[first] * 60, last)
    assert asked.walks().path(asked.priced, many) == exact
    assert asked.walks().table(asked.priced, (), many, UNREACHED) == [exact]
