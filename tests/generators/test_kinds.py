"""Tests that each kind of board is what its name says, and right."""

from collections import Counter

import numpy as np
import pytest

from nlrouter.commands.nlgen import KINDS as TOLD_KINDS
from nlrouter.generators import KINDS, NoBoard, Request, make
from nlrouter.problem import Cell, Problem
from tests.generators.generated_board import check

SIZES = [(8, 8, 1), (12, 9, 2), (9, 14, 4)]


def rim(problem: Problem, cell: Cell) -> bool:
    """Whether a cell lies on a side of the board."""
    return cell.y in (0, problem.height - 1) or cell.x in (0, problem.width - 1)


def test_kinds_of_the_command() -> None:
    """Tests that the command tells of all kinds, and of no other."""
    assert list(TOLD_KINDS) == list(KINDS)
    for name, kind in KINDS.items():
        for field in ("fill", "windiness"):
            assert (f"--{field}" in TOLD_KINDS[name]) == (field in kind.takes)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_board_is_right(kind: str, size: tuple[int, int, int]) -> None:
    """Tests that size and vias are as asked for, and that the hidden answer is right."""
    for seed in range(6):
        vias = min(2, size[2] - 1)
        problem, answer = make(kind, Request(*size, vias=vias, seed=seed))
        check(problem, answer)
        assert problem.shape == size[::-1]
        assert len(problem.vias) == vias


@pytest.mark.parametrize("kind", KINDS)
def test_number_of_lines(kind: str) -> None:
    """Tests that there are as many lines and vias as asked for, by number or by share."""
    request = Request(10, 10, 3, lines=12, vias=4, seed=1)
    for vias in (4, 1 / 3):
        problem, answer = make(kind, Request(10, 10, 3, lines=12, vias=vias, seed=1))
        check(problem, answer)
        assert (len(problem.lines), len(problem.vias)) == (12, 4)
    assert make(kind, request)[0] == problem


@pytest.mark.parametrize("kind", KINDS)
def test_spans(kind: str) -> None:
    """Tests that vias join only layers that they may."""
    problem, answer = make(kind, Request(9, 9, 4, lines=12, vias=4, spans=((0, 1), (0, 3))))
    check(problem, answer)
    assert {via.span for via in problem.vias} <= {(0, 1), (0, 3)}


def test_channel_pins() -> None:
    """Tests that lines of a channel join the first and the last row."""
    problem, _ = make("channel", Request(20, 8, 2, seed=2))
    assert all({end.y for end in line.ends} == {0, 7} for line in problem.lines)


def test_switchbox_pins() -> None:
    """Tests that all ends of a switchbox lie on its sides, and all sides have some."""
    problem, answer = make("switchbox", Request(14, 12, 2, seed=3))
    ends = [end for line in problem.lines for end in line.ends]
    assert all(rim(problem, end) for end in ends)
    assert {0, 11} <= {end.y for end in ends} and {0, 13} <= {end.x for end in ends}
    assert np.count_nonzero(answer) > 2 * len(problem.lines)


def test_escape_block() -> None:
    """Tests that one end of each line lies in a block on layer 1, the other on the rim."""
    problem, _ = make("escape", Request(24, 24, 3, lines=25, vias=9))
    balls = [line.ends[0] for line in problem.lines]
    assert {ball.z for ball in balls} == {0}
    assert len({ball.y for ball in balls}) == len({ball.x for ball in balls}) == 5
    assert all(rim(problem, line.ends[1]) and not rim(problem, line.ends[0])
               for line in problem.lines)  # fmt: skip


def test_detours_are_nested() -> None:
    """Tests that lines of a nest lead around each other: the way is longer than the distance."""
    problem, answer = make("detours", Request(15, 15, 1, lines=7, seed=0))
    cells = Counter(answer.ravel().tolist())
    longer = 0
    for line in problem.lines:
        first, second = line.ends
        longer += cells[line.number] > abs(first.y - second.y) + abs(first.x - second.x) + 1
    assert longer >= 3


def test_buses_run_side_by_side() -> None:
    """Tests that most cells of a bus board have a neighbour of the next line's number."""
    _, answer = make("bus", Request(24, 24, 1, lines=12, seed=1))
    filled = answer > 0
    beside = np.zeros_like(filled)
    for axis in (1, 2):
        for step in (1, -1):
            near = np.roll(answer, step, axis)
            beside |= (abs(near - answer) == 1) & (near > 0)
    assert (beside & filled).sum() > 0.8 * filled.sum()


@pytest.mark.parametrize(
    ("kind", "request_", "message"),
    [
        ("channel", Request(9, 9, 1, fill=0.5), "a fill of its own"),
        ("full", Request(9, 9, 1, windiness=0.5), "a windiness of its own"),
        ("random", Request(9, 9, 1, vias=1), "one layer has no vias"),
        ("random", Request(9, 9, 2, lines=2, vias=3), "number of lines"),
        ("random", Request(9, 9, 2, windiness=1.5), "windiness"),
        ("bus", Request(9, 9, 2, spans=((0, 2),)), "layers 1 and 3 of 2"),
        ("escape", Request(9, 9, 3, spans=((1, 2),)), "begin on layer 1"),
        ("escape", Request(9, 9, 1, lines=50), "does not fit"),
        ("switchbox", Request(9, 2, 1), "three rows"),
        ("bus", Request(0, 2, 1), "1 or more"),
    ],
)
def test_refused_request(kind: str, request_: Request, message: str) -> None:
    """Tests that what cannot be is refused, with the reason."""
    with pytest.raises(ValueError, match=message) as caught:
        make(kind, request_)
    assert not isinstance(caught.value, NoBoard)


@pytest.mark.parametrize("kind", ["detours", "bus", "channel", "switchbox", "random"])
def test_no_board(kind: str) -> None:
    """Tests that a board that is too crowded is told to be so."""
    with pytest.raises(NoBoard, match="no such board found"):
        make(kind, Request(6, 6, 1, lines=30))
