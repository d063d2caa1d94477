"""Routes a board: shares the work out among processes and gathers what they find.

A part of the board (see ``engine.parts``) is searched by a `Finder`, for answers, and by a
`Prover`, for bounds. First both work here for a moment, which is all that a small board needs.
Then each worker process takes up one of the two roles for all parts, from the state reached so
far; the first proves, the others find, and this process only passes on what they report.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from nlrouter.answer import Answer, Cost
from nlrouter.deadline import Deadline
from nlrouter.engine.feasibility import infeasible_reason
from nlrouter.engine.finder import Finder
from nlrouter.engine.nets import Nets, nets_of
from nlrouter.engine.parts import Part, Routing, merge, split
from nlrouter.engine.prover import NO_ANSWER, Prover
from nlrouter.problem import Problem
from nlrouter.result import Observer, Progress, Result, Status


@dataclass(frozen=True)
class RouterConfig:
    """Settings of the portfolio."""

    opening_seconds: float = 0.7
    """Time of the opening in this process; most small boards are closed by then."""
    heartbeat: float = 0.25
    """Seconds between looks at the stop event and the display."""


class _Board:
    """What is known of the board so far."""

    def __init__(self, nets: Nets, parts: list[Part], deadline: Deadline, observer: Observer):
        self.nets = nets
        self.parts = parts
        self.deadline = deadline
        self.observer = observer
        self.routings: list[Routing | None] = [None] * len(parts)
        self.bounds = [0] * len(parts)
        self.answer: Answer | None = None
        self.cost: Cost | None = None
        self.impossible = False

    @property
    def lower_bound(self) -> int:
        """The bound on the board's cost."""
        return self.nets.constant + sum(
            min(bound, NO_ANSWER) * part.copies
            for bound, part in zip(self.bounds, self.parts, strict=True)
        )

    def closed(self, i: int) -> bool:
        """Whether the cost of part ``i`` is known."""
        routing = self.routings[i]
        return routing is not None and routing.cost <= self.bounds[i]

    @property
    def done(self) -> bool:
        """Whether nothing is left to be known."""
        return self.impossible or all(self.closed(i) for i in range(len(self.parts)))

    def take_routing(self, i: int, routing: Routing | None, phase: str) -> bool:
        """Take up a routing of part ``i``; return whether it is the best so far."""
        known = self.routings[i]
        if routing is None or (known is not None and known.cost <= routing.cost):
            return False
        self.routings[i] = routing
        complete = [found for found in self.routings if found is not None]
        if len(complete) == len(self.parts):
            self.answer = merge(self.nets, self.parts, complete)
            length = int((self.answer != 0).sum())
            total = self.nets.constant + sum(
                found.cost * part.copies for found, part in zip(complete, self.parts, strict=True)
            )
            self.cost = Cost(length, total - length)
            self.report(phase)
        return True

    def take_bound(self, i: int, bound: int, phase: str) -> None:
        """Take up a bound of part ``i``."""
        if bound <= self.bounds[i]:
            return
        self.bounds[i] = bound
        routing = self.routings[i]
        if bound >= NO_ANSWER and routing is None:
            self.impossible = True
        else:
            self.report(phase)

    def report(self, phase: str) -> None:
        """Tell the observer how things stand."""
        self.observer(
            Progress(self.deadline.elapsed(), self.answer, self.cost, self.lower_bound, phase)
        )

    def result(self) -> Result:
        """Return the result as things stand."""
        seconds = self.deadline.elapsed()
        if self.impossible:
            reason = "the exact search found none"
            return Result(Status.INFEASIBLE, None, None, None, seconds, reason)
        status = Status.UNKNOWN
        if self.cost is not None:
            optimal = self.cost.total <= self.lower_bound
            status = Status.OPTIMAL if optimal else Status.FEASIBLE
        return Result(status, self.answer, self.cost, self.lower_bound, seconds)


def route(
    problem: Problem,
    deadline: Deadline,
    *,
    workers: int,
    seed: int,
    deterministic: bool,
    observer: Observer,
    stop: threading.Event,
    config: RouterConfig | None = None,
) -> Result:
    """Search for the best answer to a board, and for a proof that it is.

    Parameters
    ----------
    problem
        The board.
    deadline
        When to stop.
    workers
        Processes to use.
    seed
        Seed of all random choices.
    deterministic
        Whether equal seeds are to give equal answers; everything then runs in this process.
    observer
        Told of every better answer and bound, and now and then in between.
    stop
        Ends the search early when it is set.
    config
        Settings.

    Returns
    -------
    Result
        The best answer and bound found.
    """
    config = config or RouterConfig()
    reason = infeasible_reason(problem)
    if reason:
        return Result(Status.INFEASIBLE, None, None, None, deadline.elapsed(), reason)
    nets = nets_of(problem)
    board = _Board(nets, split(nets), deadline, observer)

    def stopped() -> bool:
        return stop.is_set() or deadline.passed()

    finders = [Finder(part.nets, seed + i) for i, part in enumerate(board.parts)]
    provers = [Prover(part.nets, seed, stopped) for part in board.parts]
    alone = workers == 1 or "fork" not in multiprocessing.get_all_start_methods()
    opening = deadline if alone else deadline.within(config.opening_seconds)
    _work_alone(board, finders, provers, opening, stopped)
    if not alone and not board.done and not stopped():
        _work_together(board, finders, provers, workers, seed, stopped, config)
    return board.result()


def _work_alone(
    board: _Board,
    finders: list[Finder],
    provers: list[Prover],
    deadline: Deadline,
    stopped: Callable[[], bool],
) -> None:
    """Find and prove in turns, in this process."""
    while not board.done and not deadline.passed() and not stopped():
        for i, (finder, prover) in enumerate(zip(finders, provers, strict=True)):
            if board.closed(i) or stopped() or board.impossible:
                continue
            start = deadline.elapsed()
            if finder.step(deadline):
                board.take_routing(i, finder.best, "find")
            spent = deadline.elapsed() - start
            while not (board.closed(i) or deadline.passed() or stopped()):
                start = deadline.elapsed()
                _prove(board, i, prover, finder, deadline)
                spent -= deadline.elapsed() - start
                if spent <= 0:
                    break
            board.report("search")


def _prove(board: _Board, i: int, prover: Prover, finder: Finder, deadline: Deadline) -> None:
    """Let a prover work on part ``i`` and take up what comes out."""
    known = board.routings[i]
    prover.step(deadline, None if known is None else known.cost)
    if board.take_routing(i, prover.routing, "prove") and prover.routing is not None:
        finder.adopt(prover.routing)
    board.take_bound(i, prover.bound, "prove")


def _work_together(
    board: _Board,
    finders: list[Finder],
    provers: list[Prover],
    workers: int,
    seed: int,
    stopped: Callable[[], bool],
    config: RouterConfig,
) -> None:
    """Let processes find and prove, and pass on what they report."""
    context = multiprocessing.get_context("fork")
    links: list[Connection] = []
    processes = []
    for number in range(workers):
        ours, theirs = context.Pipe()
        role = _run_prover if number == 0 else _run_finder
        searchers: list[Any] = list(provers if number == 0 else finders)
        arguments = (board, searchers, theirs, [*links, ours], seed + 1000 * number)
        process = context.Process(target=role, args=arguments, daemon=True)
        process.start()
        theirs.close()
        links.append(ours)
        processes.append(process)
    # Only now, as no process is to be forked beside a thread.
    posts = {link: _Post(link) for link in links}
    for post in posts.values():
        post.start()
    try:
        while links and not board.done and not stopped():
            for ready in wait(links, timeout=min(config.heartbeat, board.deadline.remaining())):
                assert isinstance(ready, Connection)
                try:
                    i, routing, bound = ready.recv()
                except (EOFError, OSError):
                    links.remove(ready)
                    continue
                phase = "prove" if bound is not None else "find"
                news = board.take_routing(i, routing, phase)
                if bound is not None:
                    board.take_bound(i, bound, phase)
                if news or board.closed(i):
                    for link, post in posts.items():
                        if link is not ready or board.routings[i] is None:
                            post.put(i, board.routings[i], board.bounds[i])
            board.report("search")
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        for post in posts.values():
            post.close()


class _Post(threading.Thread):
    """Passes news on to one worker, from a thread: a busy worker reads late, a pipe holds little.

    Of the news about a part, only the latest is kept until the worker reads.
    """

    def __init__(self, link: Connection) -> None:
        super().__init__(daemon=True)
        self._link = link
        self._news: dict[int, tuple[int, Routing | None, int]] = {}
        self._change = threading.Condition()
        self._over = False

    def put(self, i: int, routing: Routing | None, bound: int) -> None:
        """Leave news about part ``i``; never waits."""
        with self._change:
            self._news[i] = i, routing, bound
            self._change.notify()

    def close(self) -> None:
        """End the thread, once the worker is gone."""
        with self._change:
            self._over = True
            self._change.notify()
        self.join()

    def run(self) -> None:
        """Send what there is until it is over or the worker is gone."""
        while True:
            with self._change:
                self._change.wait_for(lambda: self._over or self._news)
                if self._over:
                    return
                _, news = self._news.popitem()
            try:
                self._link.send(news)
            except OSError:
                return


def _leave_parent(inherited: list[Connection]) -> None:
    """Become a worker: leave signals to the parent, and close its ends of the pipes."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for link in inherited:
        link.close()


def _hear(board: _Board, link: Connection, finders: list[Finder] | None) -> None:
    """Take in the parent's news; end the process if it is gone."""
    try:
        while link.poll():
            i, routing, bound = link.recv()
            board.bounds[i] = max(board.bounds[i], bound)
            known = board.routings[i]
            if routing is not None and (known is None or routing.cost < known.cost):
                board.routings[i] = routing
                if finders is not None:
                    finders[i].adopt(routing)
    except (EOFError, OSError):
        raise SystemExit(0) from None


def _run_finder(
    board: _Board, finders: list[Finder], link: Connection, inherited: list[Connection], seed: int
) -> None:
    """Find better and better answers to all parts, in a process of its own."""
    _leave_parent(inherited)
    for i, finder in enumerate(finders):
        finder.random.seed(seed + i)
    turn = 0
    while True:
        _hear(board, link, finders)
        todo = [i for i in range(len(finders)) if not board.closed(i)]
        if not todo:
            wait([link])
            continue
        todo = [i for i in todo if board.routings[i] is None] or todo
        turn += 1
        i = todo[turn % len(todo)]
        if finders[i].step(board.deadline):
            board.routings[i] = finders[i].best
            link.send((i, finders[i].best, None))


def _run_prover(
    board: _Board, provers: list[Prover], link: Connection, inherited: list[Connection], seed: int
) -> None:
    """Raise the bounds of all parts, in a process of its own."""
    _leave_parent(inherited)
    turn = 0

    def outdated() -> bool:
        return link.poll()

    for prover in provers:
        prover.listen(outdated)
    while True:
        _hear(board, link, None)
        todo = [i for i in range(len(provers)) if not board.closed(i)]
        if not todo:
            wait([link])
            continue
        turn += 1
        i = todo[turn % len(todo)]
        known = board.routings[i]
        found = provers[i].routing
        provers[i].step(board.deadline, None if known is None else known.cost)
        routing = provers[i].routing
        news = None
        if (
            routing is not found
            and routing is not None
            and (known is None or routing.cost < known.cost)
        ):
            board.routings[i] = news = routing
        if news is not None or provers[i].bound > board.bounds[i]:
            board.bounds[i] = provers[i].bound
            link.send((i, news, provers[i].bound))
