"""Tests of the plan: whose turn it is, for how long, and when routing ends."""

from __future__ import annotations

import math

import pytest

from nlrouter.contest.plan import Plan, PlanConfig
from nlrouter.contest.state import Board, BoardStatus
from nlrouter.files.problem_file import parse_problem
from tests.contest.fake_router import board

CONFIG = PlanConfig(first_run=20, least_run=3, closing=20, closing_per_board=2)
PROBLEMS = {number: parse_problem(board(10 - number), "Q") for number in range(1, 6)}


def turns(boards: list[Board], plan: Plan | None = None) -> list[int]:
    return [board.number for board in (plan or Plan()).next_pass(boards, PROBLEMS)]


def test_easy_ones_first() -> None:
    """Tests that small boards come first, but those with an answer last."""
    assert turns([Board(1), Board(2), Board(4, cost=9), Board(3)]) == [3, 2, 1, 4]


def test_pass_by_pass() -> None:
    """Tests that a board waits while another has had fewer runs."""
    assert turns([Board(1, runs=1), Board(2, runs=2), Board(3, runs=1)]) == [3, 1]


def test_left_alone() -> None:
    """Tests that boards that are settled, optimal, used up or not there are not routed."""
    boards = [
        Board(1, status=BoardStatus.SENT),
        Board(2, status=BoardStatus.PUTTING),
        Board(3, cost=7, lower_bound=7),
        Board(4, seconds=98),
        Board(5, failures=3),
        Board(6),
    ]
    assert turns(boards, Plan(board_time=100)) == []


@pytest.mark.parametrize(
    ("runs", "waiting", "left", "seconds"),
    [
        (0, 1, math.inf, 20),
        (2, 1, math.inf, 80),
        (0, 10, 600, 20),  # A second pass of 40 s each fits in.
        (0, 20, 600, 30),  # It does not, so this one gets all.
        (1, 5, 300, 60),
        (0, 100, 60, 3),  # Not all boards get a run, but none is in vain.
        (0, 1, 2, 2),
    ],
)
def test_time_of_a_run(runs: int, waiting: int, left: float, seconds: float) -> None:
    """Tests that runs double, and that the last pass gets all the time that is left."""
    boards = [Board(number, runs=runs) for number in range(waiting)]
    assert Plan(config=CONFIG).run_time(boards, left) == seconds


def test_own_time_of_a_board() -> None:
    """Tests that a board gets no more than its own time."""
    assert Plan(board_time=30, config=CONFIG).run_time([Board(1, seconds=25)], math.inf) == 5


def test_time_to_send() -> None:
    """Tests that the time kept for sending grows with the answers that are not sent."""
    plan = Plan(deadline=1000, config=CONFIG, clock=lambda: 900.0)
    sent = [Board(n, status=BoardStatus.SENT) for n in range(5)]
    assert plan.time_left() == 100
    assert plan.routing_time_left(sent) == 80
    assert plan.routing_time_left([*sent, Board(8, cost=5), Board(9, cost=5), Board(10)]) == 76
