"""A team's day: boards are routed, while a courier fetches problems and sends answers.

Routing never waits for the service, nor the service's reports for the routing. Whatever
happens is told in one line, and the day goes on.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field

from nlrouter.contest.alive import AliveConfig, AliveReports
from nlrouter.contest.client import Client, LoginFailed, ServiceError
from nlrouter.contest.courier import Courier, CourierConfig
from nlrouter.contest.desk import Desk, describe
from nlrouter.contest.plan import Plan
from nlrouter.contest.state import Board, BoardStatus, DayState
from nlrouter.runs.router_run import RoutingConfig, Run, run_router


@dataclass(frozen=True)
class DayConfig:
    """The day's numbers; times in seconds."""

    login_patience: float = 5.0
    """For the first login, which tells a wrong password; later ones come with the calls."""
    idle: float = 0.2
    """Between two looks for something to route."""
    courier: CourierConfig = field(default_factory=CourierConfig)
    alive: AliveConfig = field(default_factory=AliveConfig)
    routing: RoutingConfig = field(default_factory=RoutingConfig)


class Day:
    """One client at work.

    Parameters
    ----------
    client
        The session.
    state
        What earlier clients came to.
    plan
        What the team wants.
    log
        Takes one line per event, from any thread.
    stop
        Set to end the day early; the state then waits for the next client.
    config
        The day's numbers.
    """

    def __init__(
        self,
        client: Client,
        state: DayState,
        plan: Plan,
        log: Callable[[str], None],
        stop: threading.Event,
        config: DayConfig | None = None,
    ) -> None:
        self._client = client
        self._plan = plan
        self._config = config or DayConfig()
        self._log = log
        self._stop = stop
        for sentence in state.told:
            log(sentence)
        self._desk = Desk(state, log)
        self._courier = Courier(
            client,
            self._desk,
            self._is_ready,
            plan.time_left,
            stop,
            self._config.courier,
            dry_run=plan.dry_run,
        )
        self._routed: Board | None = None  # The board that is being routed.
        self._closing = False

    def run(self) -> bool:
        """Play the day to its end; return whether every board was answered and all sent.

        Raises
        ------
        LoginFailed
            If the account is wrong.
        """
        try:
            self._client.login(self._config.login_patience)
        except LoginFailed:
            raise
        except ServiceError as error:
            self._log(f"not logged in yet: {error}")
        goes_on = bool(self._desk.problems)
        with ExitStack() as stack:
            courier = stack.enter_context(ThreadPoolExecutor(1, "courier")).submit(self._carry)
            # Easy boards first: not before all are there, unless an earlier client saw to that.
            while not (self._courier.has_looked or goes_on or courier.done()):
                time.sleep(self._config.idle)
            if not self._plan.dry_run:
                reports = AliveReports(self._client, self._describe, self._log, self._config.alive)
                stack.enter_context(reports)
            self._route_all(courier)
        courier.result()  # Raises what has stopped it, if anything has.
        return self._sum_up()

    def _carry(self) -> None:
        """Let the courier go round until the day is over: a thread of its own."""
        while not self._is_over() and not self._is_done():
            self._courier.go_round()
            if not self._is_done():
                self._stop.wait(max(0.0, min(self._config.courier.round, self._plan.time_left())))

    def _route_all(self, courier: Future[None]) -> None:
        """Route what waits, until the courier has nothing left to do."""
        while not courier.done():
            boards = self._desk.boards
            waiting = (
                [] if self._is_closing() else self._plan.next_pass(boards, self._desk.problems)
            )
            if waiting and not self._is_over():
                left = self._plan.routing_time_left(boards)
                self._route(waiting[0], self._plan.run_time(waiting, left))
            else:
                # Not `Event.wait`: a signal's handler sets the event, and would find it locked.
                time.sleep(self._config.idle)

    def _is_over(self) -> bool:
        """Whether the day has ended, by the deadline, the service or a signal."""
        closed = (
            self._plan.deadline == math.inf
            and bool(self._desk.boards)
            and self._courier.finds_it_closed
        )
        return self._stop.is_set() or self._plan.time_left() <= 0 or closed

    def _is_closing(self) -> bool:
        """Whether the time for routing is over; once it is, it stays so."""
        left = self._plan.routing_time_left(self._desk.boards)
        self._closing |= left < self._plan.config.least_run
        return self._closing

    def _is_done(self) -> bool:
        """Whether nothing is left to send, and to route for it."""
        boards = self._desk.boards
        return bool(boards) and all(
            board.number in self._courier.shown
            or (board.is_settled and not board.info_due)
            or (
                self._plan.is_used_up(board)
                and board.number not in self._desk.answers
                and board is not self._routed
            )
            for board in boards
        )

    def _is_ready(self, board: Board) -> bool:
        """Whether a board's answer, which is correct, is to be sent now."""
        return board.status is BoardStatus.PUTTING or (
            board is not self._routed
            and (board.is_optimal or self._plan.is_used_up(board) or self._is_closing())
        )

    def _describe(self) -> str:
        """Return the text of an alive report."""
        boards = self._desk.boards
        sent = sum(board.status is BoardStatus.SENT for board in boards)
        routed = self._routed
        doing = "sending" if routed is None else f"routing Q{routed.number}"
        return f"{sent} of {len(boards)} sent, {doing}"

    def _route(self, board: Board, seconds: float) -> None:
        """Route a board once and take over what came of it."""
        number = board.number
        problem = self._desk.problems[number]
        size = f"{problem.size}, {len(problem.lines)} lines"
        known = "" if board.cost is None else f", {describe(board)}"
        self._log(f"Q{number}: {size}{known}: routing, {seconds:.0f} s")
        self._routed = board
        board.runs += 1  # Before the run, so that one that kills the client is not the next too.
        self._desk.save()
        paths = self._desk.state
        files = [paths.problem_path(number), "-o", paths.answer_path(number)]
        options = ["--time-limit", f"{seconds:.3f}", "--json", "--quiet"]
        if number in self._desk.answers:
            options += ["--start", paths.answer_path(number)]
        try:
            run = run_router(
                [*self._plan.router, *files, *options],
                seconds,
                lambda: self._is_over() or self._plan.routing_time_left(self._desk.boards) < 0,
                self._config.routing,
            )
            self._take_over(board, run)
        except OSError as error:  # The machine is short of something, and that may pass.
            self._log(f"Q{number}: no way to run the router: {error}")
            time.sleep(self._config.courier.round)
        except Exception as error:  # The other boards are not to suffer by it.
            board.failures += 1
            self._log(f"Q{number}: internal error: {error!r}")
        finally:
            self._routed = None

    def _take_over(self, board: Board, run: Run) -> None:
        """Note and tell what a run came to."""
        number = board.number
        board.seconds += run.seconds
        board.cpu_seconds += run.cpu_seconds
        board.memory = max(board.memory, run.memory)
        if not run.status and not self._stop.is_set():
            board.failures += 1
            self._log(f"Q{number}: the router gave no figures: {run.error}")
        if run.lower_bound is not None:
            board.lower_bound = max(run.lower_bound, board.lower_bound or 0)
        self._desk.weigh(board, self._desk.problems[number])
        self._desk.save()
        if board.cost is not None:
            self._log(f"Q{number}: {describe(board)}, {run.seconds:.1f} s")
        elif run.status == "infeasible":
            self._desk.settle(board, BoardStatus.SKIPPED, "proven to have no answer")
        else:
            self._log(f"Q{number}: no answer yet, {run.seconds:.1f} s")

    def _sum_up(self) -> bool:
        """Tell how the day ended; return whether nothing is missing."""
        boards = self._desk.boards
        shown = self._courier.shown
        for board in boards:
            if board.status is BoardStatus.SKIPPED:
                self._log(f"Q{board.number}: skipped: {board.note}")
            elif board.status is not BoardStatus.SENT and board.number not in shown:
                held = "no answer" if board.cost is None else f"answer of {describe(board)}"
                self._log(f"Q{board.number}: NOT SENT, {held}")
        sent = [board for board in boards if board.status is BoardStatus.SENT]
        optimal = sum(board.is_optimal for board in sent)
        uninformed = sum(board.info_due for board in sent)
        self._log(
            f"{len(sent)} of {len(boards)} sent, {optimal} of them optimal"
            + (f", {uninformed} without info" if uninformed else "")
        )
        answered = shown | {board.number for board in sent}
        return bool(boards) and len(answered) == len(boards) and not uninformed
