"""Tests that generated boards are as asked for and that their hidden answers are right."""

import numpy as np
import pytest

from nlrouter.checker.cost import measure
from nlrouter.generators import MAX_VIAS, default_lines, fill_board, generate
from tests.generators.generated_board import check

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
        ((5, 5, 1, 1, 0, 1.0), "no line can grow after"),
    ],
    ids=str,
)
def test_impossible_request(request_: tuple[int, int, int, int, int, float], message: str) -> None:
    """Tests that a request that cannot be met is refused, with the reason."""
    with pytest.raises(ValueError, match=message):
        generate(*request_, seed=0)


@pytest.mark.parametrize("size", [(10, 10, 2), (12, 12, 3)], ids=str)
@pytest.mark.parametrize("fill", [0.7, 0.85])
def test_dense_board(size: tuple[int, int, int], fill: float) -> None:
    """Tests that boards come out as full as asked for where lines alone would get stuck."""
    lines = default_lines(*size, fill)
    for seed in range(20):
        problem, answer = generate(*size, lines, lines // 4, fill, seed)
        check(problem, answer)
        assert np.count_nonzero(answer) == round(fill * answer.size)
        assert (len(problem.lines), len(problem.vias)) == (lines, lines // 4)


def test_long_lines_on_a_dense_board() -> None:
    """Tests lines so long that growing them gets stuck, so that the board has to be packed."""
    problem, answer = generate(10, 10, 2, 5, 2, 0.8, seed=0)
    check(problem, answer)
    assert np.count_nonzero(answer) == 160
    assert (len(problem.lines), len(problem.vias)) == (5, 2)


def test_windiness() -> None:
    """Tests that windy lines have far more bends than straight ones."""

    def bends(windiness: float) -> int:
        _, answer = generate(20, 20, 1, 10, 0, 0.3, seed=0, windiness=windiness)
        return measure(answer).bends

    assert 2 * bends(0.1) < bends(0.9)


def test_spans() -> None:
    """Tests that vias join only layers that they may."""
    spans = [(0, 3), (1, 2)]
    problem, answer = generate(12, 12, 4, 20, 12, 0.5, seed=0, spans=spans)
    check(problem, answer)
    assert {via.span for via in problem.vias} == set(spans)
