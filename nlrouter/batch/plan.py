"""Whose turn it is, and for how long: the time of easy boards goes to the hard ones.

In the first pass every board has a part of its fair share, which closes the easy ones. In the
passes after it, the boards still open share what is left; those that are nearly closed come
first, as what they leave is for the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, inf

from nlrouter.batch.board import Board


@dataclass(frozen=True)
class PlanConfig:
    """How time is shared out."""

    opening: float = 0.25
    """Part of its fair share that a board has in the first pass. Most boards that can be closed
    are closed early; the rest starts again from its answer, but with its proof lost."""
    least: float = 2.0
    """Seconds that a run should have at least: loading alone takes one or two."""


@dataclass(frozen=True)
class Turn:
    """A run of a board that is to be started.

    Parameters
    ----------
    board
        The board.
    seconds
        Its time limit.
    extra
        Whether it goes beside another run of the board, at no cost to the board's time.
    """

    board: Board
    seconds: float
    extra: bool = False


@dataclass
class _Turns:
    """What a board was given so far: passes, seconds, runs going on, when its last turn ends."""

    passes: int = 0
    seconds: float = 0.0
    running: int = 0
    end: float = 0.0


class Plan:
    """The time budget of a batch.

    Parameters
    ----------
    boards
        The boards.
    board_limit
        Seconds for each board, all passes together; ``inf`` for no limit.
    total_limit
        Seconds for all, from now on; ``inf`` for no limit.
    seeds
        Whether a board may be searched by several runs at once, with a seed each, where there
        are more slots than boards.
    config
        Settings.
    clock
        What tells the time.
    """

    def __init__(
        self,
        boards: Sequence[Board],
        board_limit: float,
        total_limit: float,
        *,
        seeds: bool,
        config: PlanConfig | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._turns = {board: _Turns() for board in boards}
        self._board_limit = board_limit
        self._seeds = seeds
        self._config = config or PlanConfig()
        self._least = self._config.least
        self._clock = clock
        self._end = clock() + total_limit

    def remaining(self) -> float:
        """Seconds left of the total."""
        return max(0.0, self._end - self._clock())

    def open_boards(self) -> list[Board]:
        """Return the boards that are being run, or that a turn may still help."""
        return [
            board
            for board, turns in self._turns.items()
            if not board.closed and (turns.running or self._worth_a_turn(turns))
        ]

    def next(self, slots: int) -> Turn | None:
        """Choose a board to run now, and note that it runs.

        Parameters
        ----------
        slots
            Runs that can go on at the same time.

        Returns
        -------
        Turn or None
            None if there is nothing to start now.
        """
        boards = self.open_boards()
        idle = [board for board in boards if not self._turns[board].running]
        turn = self._turn(min(idle, key=self._order), boards, slots) if idle else None
        if boards and not idle and self._seeds:
            turn = self._extra_turn(boards, slots)
        if turn is not None:
            self._turns[turn.board].running += 1
        return turn

    def finish(self, turn: Turn, *, failed: bool) -> None:
        """Note that a run has ended; one that failed does not count, so it can be repeated."""
        turns = self._turns[turn.board]
        turns.running -= 1
        if failed and not turn.extra:
            turns.passes -= 1
            turns.seconds -= turn.seconds

    def _turn(self, board: Board, boards: list[Board], slots: int) -> Turn:
        """Give a board its share of the time that is left, among those due in the same pass."""
        turns = self._turns[board]
        due = sum(self._turns[other].passes <= turns.passes for other in boards)
        share = self.remaining() / ceil(due / slots)
        if turns.passes == 0 and share < self._board_limit:
            share = max(share * self._config.opening, min(share, self._least))
        seconds = min(share, self._left(turns))
        turns.passes += 1
        turns.seconds += seconds
        turns.end = self._clock() + seconds
        return Turn(board, seconds)

    def _extra_turn(self, boards: list[Board], slots: int) -> Turn | None:
        """Let a free slot try another seed, for as long as the board's own turn lasts."""
        board = min(boards, key=lambda board: self._turns[board].running)
        turns = self._turns[board]
        seconds = turns.end - self._clock()
        at_once = -(-slots // len(boards))
        if turns.running >= at_once or seconds < self._least:
            return None
        return Turn(board, seconds, extra=True)

    def _worth_a_turn(self, turns: _Turns) -> bool:
        """Tell whether there is time for a turn; for the first one, any time is enough."""
        least = self._least if turns.passes else 0.0
        return min(self.remaining(), self._left(turns)) > least

    def _left(self, turns: _Turns) -> float:
        return self._board_limit - turns.seconds

    def _order(self, board: Board) -> tuple[int, float]:
        return self._turns[board].passes, inf if board.standing.gap is None else board.standing.gap
