"""When what is done: how long to route which board, and when its answer is to go.

Easy boards come first and all get a short run; those left open get longer ones, as long as
there is time. Knows no service and no router.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nlrouter.contest.state import Board, BoardStatus
from nlrouter.problem import Problem
from nlrouter.runs.router_run import NLROUTE


@dataclass(frozen=True)
class PlanConfig:
    """The plan's numbers, in seconds."""

    first_run: float = 20.0
    """Of the router on each board. Most boards are proven optimal by then; runs then double."""
    least_run: float = 3.0
    """Below which a run is not worth starting: loading the router takes 2."""
    closing: float = 20.0
    """Before the deadline, in which nothing is routed and all that is left is sent,"""
    closing_per_board: float = 2.0
    """and as much more for each answer not sent by then: a put takes up to 2, if all is well."""
    most_failures: int = 3
    """Runs without figures, after which the router is not tried on a board any more."""


@dataclass(frozen=True)
class Plan:
    """What the team wants, and what follows from it at each moment.

    Parameters
    ----------
    deadline
        When all must be sent, in seconds since the epoch; inf to go by `board_time` alone.
    board_time
        Seconds of routing that a board gets at most.
    dry_run
        Whether nothing is put.
    router
        The router's command, without files and time limit.
    config
        The plan's numbers.
    clock
        What tells the time, in seconds since the epoch.
    """

    deadline: float = math.inf
    board_time: float = math.inf
    dry_run: bool = False
    router: Sequence[str] = NLROUTE
    config: PlanConfig = PlanConfig()
    clock: Callable[[], float] = time.time

    def time_left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - self.clock()

    def routing_time_left(self, boards: Iterable[Board]) -> float:
        """Seconds until only sending is left to do."""
        unsent = sum(not board.is_settled and board.cost is not None for board in boards)
        return self.time_left() - self.config.closing - self.config.closing_per_board * unsent

    def is_used_up(self, board: Board) -> bool:
        """Whether a board's own time is used, or the router does not cope with it."""
        left = self.board_time - board.seconds
        return left < self.config.least_run or board.failures >= self.config.most_failures

    def next_pass(self, boards: Iterable[Board], problems: dict[int, Problem]) -> list[Board]:
        """Return the boards that wait for as many runs as others had, the next one first.

        Boards without an answer are worth most, and small ones are easy.
        """

        def hardness(board: Board) -> tuple[bool, int, int]:
            problem = problems[board.number]
            return board.cost is not None, math.prod(problem.shape), len(problem.lines)

        waiting = [
            board
            for board in boards
            if board.number in problems
            and board.status is BoardStatus.OPEN
            and not board.is_optimal
            and not self.is_used_up(board)
        ]
        least = min((board.runs for board in waiting), default=0)
        return sorted((board for board in waiting if board.runs == least), key=hardness)

    def run_time(self, waiting: Sequence[Board], left: float) -> float:
        """Return the seconds for the first of the boards of a pass.

        Runs double from pass to pass. Where another pass of that length would not fit in, this
        one gets all the time instead, in equal shares; what easy boards leave of theirs goes
        to those after them.

        Parameters
        ----------
        waiting
            The boards of the pass.
        left
            Seconds until only sending is left to do.
        """
        board = waiting[0]
        seconds = self.config.first_run * 2**board.runs
        share = left / len(waiting)
        if share < 2 * seconds:
            seconds = max(share, self.config.least_run)
        return min(seconds, left, self.board_time - board.seconds)
