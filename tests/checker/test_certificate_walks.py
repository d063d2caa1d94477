"""Tests that all sides count, and that a search that may stop early knows no more than it does."""

import random
from itertools import product

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
        found = walks.path(asked.priced, asked.sides, (), enough)
        assert min(enough, exact) <= found <= exact
        assert walks.path(asked.priced, asked.sides) == exact


@pytest.mark.parametrize("seed", range(40))
def test_tolls(seed: int) -> None:
    """Tests the same of a net that pays for a side of one or two others."""
    asked, rnd = Question(seed), random.Random(seed)
    tolls = tuple((ends, rnd.randrange(2), rnd.randrange(30)) for ends in asked.others)
    count = rnd.randrange(2)
    paid, settled = tolls[count:], asked.sides[:count]
    exact = min(
        asked.walks().path(
            asked.priced,
            (*settled, *((ends, s) for (ends, _, _), s in zip(paid, own, strict=True))),
        )
        + sum(toll for (_, free, toll), s in zip(paid, own, strict=True) if s != free)
        for own in product((0, 1), repeat=len(paid))
    )
    for enough in (*range(0, 2 * DEAR, 2), UNREACHED):
        walks = asked.walks()
        found = walks.path(asked.priced, settled, paid, enough)
        assert min(enough, exact) <= found <= exact
        assert walks.path(asked.priced, settled, paid) == min(exact, UNREACHED)


@pytest.mark.parametrize("seed", range(40))
def test_however_many_sides(seed: int) -> None:
    """Tests that the last side counts, as many as the search settles of a net and more."""
    asked = Question(seed)
    exact = asked.walks().path(asked.priced, asked.sides)
    first, last = asked.sides
    many = (*[first] * 60, last)
    assert asked.walks().path(asked.priced, many) == exact
