"""Sharing out time, by a clock that stands still unless it is told."""

from dataclasses import dataclass
from math import inf
from typing import cast

import pytest

from nlrouter.batch.plan import Plan, Turn
from nlrouter.result import Standing

UNKNOWN = Standing()


@dataclass(eq=False)
class FakeBoard:
    """A board that is closed once it has had some seconds."""

    needs: float
    had: float = 0.0
    standing: Standing = UNKNOWN

    @property
    def closed(self) -> bool:
        return self.had >= self.needs


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def play(needs: list[float], board_limit: float, total_limit: float) -> list[FakeBoard]:
    """Run a plan with one slot to its end."""
    clock = Clock()
    boards = [FakeBoard(seconds) for seconds in needs]
    plan = Plan(boards, board_limit, total_limit, seeds=False, clock=clock)  # type: ignore[arg-type]
    while turn := plan.next(slots=1):
        board = cast(FakeBoard, turn.board)
        used = min(turn.seconds, board.needs - board.had)
        clock.now += used
        board.had += used
        plan.finish(turn, failed=False)
    assert clock.now <= 100.0 + total_limit + 1e-6
    return boards


def test_hard_boards_get_what_easy_ones_leave() -> None:
    """Tests that the total is used up, most of it by the one board that can use it."""
    *easy, hard = play([3.0, 3.0, 3.0, inf], inf, 100.0)
    assert all(board.closed for board in easy)
    assert hard.had >= 100.0 - 9.0 - 2.0


def test_equal_boards_get_equal_shares() -> None:
    """Tests that boards that stay open have nearly the same time, whatever their order."""
    boards = play([inf] * 5, inf, 100.0)
    assert min(board.had for board in boards) > 15
    assert sum(board.had for board in boards) > 97


def test_board_limit_holds() -> None:
    """Tests that no board gets more than its own limit, also where the total has room."""
    boards = play([inf, 4.0], 10.0, 1000.0)
    assert [board.had for board in boards] == [pytest.approx(10.0), pytest.approx(4.0)]


def test_without_total_one_turn_each() -> None:
    """Tests that without a total a board has all its time in one run."""
    plan = Plan([FakeBoard(inf)], 60.0, inf, seeds=False, clock=Clock())  # type: ignore[list-item]
    turn = plan.next(slots=1)
    assert turn is not None and turn.seconds == 60.0
    plan.finish(turn, failed=False)
    assert plan.next(slots=1) is None
    assert plan.open_boards() == []


def test_failed_run_is_repeated() -> None:
    """Tests that the time of a run that failed is given again."""
    plan = Plan([FakeBoard(inf)], 60.0, inf, seeds=False, clock=Clock())  # type: ignore[list-item]
    for _ in range(2):
        turn = plan.next(slots=1)
        assert turn is not None and turn.seconds == 60.0
        plan.finish(turn, failed=True)


@pytest.mark.parametrize(("seeds", "expected"), [(True, 4), (False, 2)])
def test_free_slots_try_other_seeds(seeds: bool, expected: int) -> None:
    """Tests that slots beyond the boards are used only where seeds may run side by side."""
    boards = [FakeBoard(inf), FakeBoard(inf)]
    plan = Plan(boards, 60.0, inf, seeds=seeds, clock=Clock())  # type: ignore[arg-type]
    turns: list[Turn] = []
    while turn := plan.next(slots=4):
        turns.append(turn)
    assert len(turns) == expected
    assert sum(turn.board is boards[0] for turn in turns) == expected // 2
