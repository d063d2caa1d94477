"""Tests that generated boards are as asked for and that their hidden answers are right."""

import numpy as np
import pytest

from nlrouter.answer import Answer
from nlrouter.check.rules import violations
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.generate import MAX_VIAS, fill_board, generate
from nlrouter.problem import Problem

REQUESTS = [
    # width, height, layers, lines, vias, fill
    (2, 2, 2, 1, 1, 0.5),
    (9, 1, 1, 2, 0, 0.6),
    (1, 9, 2, 3, 1, 0.6),
    (5, 5, 8, 6, 6, 0.4),
    (10, 10, 1, 10, 0, 0.7),
    (10, 10, 2, 12, 4, 0.7),
    (13, 7, 3, 20, 20, 0.6),
    (24, 24, 3, 100, 20, 0.6),
]


def check(problem: Problem, answer: Answer) -> None:
    """Check that the answer is right and that the problem is one that a file can hold."""
    assert violations(problem, answer) == []
    assert parse_problem(format_problem(problem), "generated") == problem


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_board_is_as_asked_for(request_: tuple[int, int, int, int, int, float], seed: int) -> None:
    """Tests that size, lines, vias and fill are met, and that the hidden answer is right."""
    width, height, layers, lines, vias, fill = request_
    problem, answer = generate(*request_, seed=seed)
    check(problem, answer)
    assert problem.shape == (layers, height, width)
    assert (len(problem.lines), len(problem.vias)) == (lines, vias)
    assert np.count_nonzero(answer) == round(fill * answer.size)


def test_largest_board() -> None:
    """Tests the contest's largest board with 400 lines."""
    check(*generate(36, 36, 8, lines=400, vias=40, fill=0.57, seed=0))


def test_names_of_many_vias() -> None:
    """Tests that vias beyond the 26th are named by two letters, each once."""
    problem, answer = generate(30, 30, 2, lines=60, vias=60, fill=0.3, seed=0)
    check(problem, answer)
    names = [via.name for via in problem.vias]
    assert [names[0], names[25], names[26], names[52]] == ["a", "z", "aa", "ba"]
    assert len(set(names)) == 60


def test_seed_decides() -> None:
    """Tests that the same seed makes the same board and another one another."""
    first, same, other = (generate(10, 10, 2, 12, 4, 0.6, seed) for seed in (1, 1, 2))
    assert first[0] == same[0]
    assert np.array_equal(first[1], same[1])
    assert first[0] != other[0]
    assert fill_board(8, 8, 1)[0] == fill_board(8, 8, 1)[0]
    assert fill_board(8, 8, 1)[0] != fill_board(8, 8, 2)[0]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ((0, 5, 1, 1, 0, 0.5), "1 or more"),
        ((5, 5, 1, 0, 0, 0.5), "1 or more"),
        ((5, 5, 2, 1, 2, 0.5), "number of lines"),
        ((5, 5, 2, 1, -1, 0.5), "from 0"),
        ((99, 99, 2, MAX_VIAS + 1, MAX_VIAS + 1, 0.5), str(MAX_VIAS)),
        ((5, 5, 1, 2, 1, 0.5), "one layer has no vias"),
        ((5, 5, 1, 2, 0, 0.0), "fill"),
        ((5, 5, 1, 2, 0, 1.1), "fill"),
        ((5, 5, 1, 10, 0, 0.3), "the lines alone need more than 8 cells"),
        ((3, 3, 1, 5, 0, 1.0), "no room for 5 lines"),
        ((2, 2, 2, 4, 4, 1.0), "no room for a via over layers 1 to 2"),
        ((9, 9, 1, 1, 0, 1.0), "no line can grow after"),
    ],
    ids=str,
)
def test_impossible_request(request_: tuple[int, int, int, int, int, float], message: str) -> None:
    """Tests that a request that cannot be met is refused, with the reason."""
    with pytest.raises(ValueError, match=message):
        generate(*request_, seed=0)


@pytest.mark.parametrize("size", [(3, 1), (1, 7), (2, 3), (3, 3), (5, 4), (12, 7), (36, 36)])
@pytest.mark.parametrize("seed", range(24))
def test_full_board(size: tuple[int, int], seed: int) -> None:
    """Tests that a full board is full, with lines of three cells or more."""
    width, height = size
    problem, answer = fill_board(width, height, seed)
    check(problem, answer)
    assert problem.shape == (1, height, width)
    assert np.bincount(answer.ravel())[1:].min() >= 3
    assert answer.all()


@pytest.mark.parametrize("size", [(0, 3), (1, 2), (2, 2)])
def test_no_full_board(size: tuple[int, int]) -> None:
    """Tests that a size that no lines fill is refused."""
    with pytest.raises(ValueError, match="full board"):
        fill_board(*size, seed=0)
