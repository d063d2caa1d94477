"""Worker processes: each searches all parts in one role, and tells the others by the parent."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from nlrouter.engine.find.draft import Draft
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board, Role, Search
from nlrouter.result import Progress

_log = logging.getLogger(__name__)


def work_together(
    board: Board,
    searches: list[Search],
    workers: int,
    seed: int,
    heartbeat: float,
    most_lost: int,
) -> bool:
    """Let processes find and prove, and pass on what they report.

    A process that is lost (killed, or ended by an error) is told by a `RuntimeWarning`, and
    another takes its place. After ``most_lost`` of them none does, and without any left the search
    ends.

    Returns
    -------
    bool
        Whether there was any process to be had.
    """
    crew = _Crew(board, searches, seed)
    lost = 0
    try:
        for number in range(workers):
            if not crew.hire(Role.PROVE if number == 0 else Role.FIND):
                break
        started = bool(crew.links)
        crew.open_posts()
        while crew.links and not board.done and not board.deadline.passed():
            for ready in wait(crew.links, timeout=min(heartbeat, board.deadline.remaining())):
                assert isinstance(ready, Connection)
                try:
                    news = ready.recv()
                except (EOFError, OSError):
                    news = _Failure("")
                if isinstance(news, _Failure):
                    lost += 1
                    role, fate = crew.dismiss(ready, news)
                    goes_on = lost <= most_lost and not board.deadline.passed()
                    plan = "another takes its place" if goes_on else "none takes its place"
                    if goes_on:
                        crew.hire(role)
                        crew.open_posts()
                    warnings.warn(f"{fate}, {plan}", RuntimeWarning, stacklevel=2)
                    continue
                i, routing, bound, draft, phase = news
                board.take_draft(i, draft)
                better = board.take_routing(i, routing, phase)
                if bound is not None:
                    board.take_bound(i, bound, phase)
                if better or board.closed(i):
                    crew.tell(i, ready)
            board.report("search")
    finally:
        crew.end()
    return started


@dataclass(frozen=True)
class _Failure:
    """A worker's last words."""

    error: str


@dataclass(frozen=True)
class _Worker:
    """A worker process, as its parent knows it."""

    process: ForkProcess
    role: Role
    post: _Post


class _Crew:
    """The worker processes."""

    def __init__(self, board: Board, searches: list[Search], seed: int) -> None:
        self._board = board
        self._searches = searches
        self._seed = seed
        self._hired = 0
        self._workers: dict[Connection, _Worker] = {}

    @property
    def links(self) -> list[Connection]:
        """The parent's ends of the pipes to all workers."""
        return list(self._workers)

    def hire(self, role: Role) -> bool:
        """Start a worker; return whether there was a process to be had."""
        # The threads of the posts hold no lock that a process forked beside them would need.
        try:
            ours, theirs = multiprocessing.Pipe()
        except OSError as error:
            warnings.warn(f"no search process: {error.strerror}", RuntimeWarning, stacklevel=3)
            return False
        seed = self._seed + 1000 * self._hired
        arguments = (self._board, self._searches, theirs, [*self.links, ours], role, seed)
        process = multiprocessing.get_context("fork").Process(
            target=_run_worker, args=arguments, daemon=True
        )
        try:
            with _no_interrupts():
                process.start()
        except OSError as error:
            ours.close()
            warnings.warn(f"no search process: {error.strerror}", RuntimeWarning, stacklevel=3)
            return False
        finally:
            theirs.close()
        self._hired += 1
        self._workers[ours] = _Worker(process, role, _Post(ours))
        return True

    def open_posts(self) -> None:
        """Let news go to the workers that have been hired since."""
        for worker in self._workers.values():
            if worker.post.ident is None:
                worker.post.start()

    def tell(self, i: int, teller: Connection) -> None:
        """Pass on what is known of part ``i`` to all but the worker that has told it."""
        for link, worker in self._workers.items():
            if link is not teller:
                worker.post.put(i, self._board.routings[i], self._board.bounds[i])

    def dismiss(self, link: Connection, failure: _Failure) -> tuple[Role, str]:
        """Forget a worker that is lost; return its role and, in words, its fate."""
        worker = self._workers.pop(link)
        # Not before its last words, and it has nothing to do after them.
        worker.process.join(_LAST_MOMENT)
        code = worker.process.exitcode
        _end([worker])
        link.close()
        if failure.error:
            return worker.role, f"a search process failed ({failure.error})"
        if code is not None and code < 0:
            return worker.role, f"a search process was killed ({signal.Signals(-code).name})"
        return worker.role, f"a search process ended (exit code {code})"

    def end(self) -> None:
        """End all workers."""
        _end(list(self._workers.values()))


_LAST_MOMENT = 5.0
"""Seconds from a worker's last words to its end, by when it is killed."""


def _end(workers: list[_Worker]) -> None:
    """End workers and the threads that write to them."""
    for worker in workers:
        worker.process.kill()
    for worker in workers:
        worker.process.join()
    for worker in workers:
        worker.post.close()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Keep signals from a process that is forked meanwhile, for good: its parent ends it."""
    # Blocked and not ignored: solvers put handlers of their own in the place of any.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
        if self.ident is not None:
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


_Standing = tuple[Routing | None, int, Draft | None]


def _standing(board: Board, i: int) -> _Standing:
    """Return what is known of part ``i``."""
    return board.routings[i], board.bounds[i], board.drafts[i]


class _Reporter:
    """Stands for the display in a worker: passes news of the board on to the parent."""

    def __init__(self, link: Connection) -> None:
        self.link = link

    def hear(self, board: Board, searches: list[Search]) -> None:
        """Take in the parent's news."""
        while self.link.poll():
            i, routing, bound = self.link.recv()
            board.bounds[i] = max(board.bounds[i], bound)
            known = board.routings[i]
            if routing is not None and (known is None or routing.cost < known.cost):
                board.routings[i] = routing
                searches[i].finder.adopt(routing)

    def tell(self, board: Board, i: int, before: _Standing) -> None:
        """Pass on what is new about part ``i``."""
        routing, bound, draft = _standing(board, i)
        if routing is not before[0] or bound > before[1] or draft is not before[2]:
            news = routing if routing is not before[0] else None
            attempt = draft if draft is not before[2] else None
            raised = bound > before[1]
            phase = board.phases[i] if raised else "find"
            self.link.send((i, news, bound if raised else None, attempt, phase))


def _run_worker(
    board: Board,
    searches: list[Search],
    link: Connection,
    inherited: list[Connection],
    role: Role,
    seed: int,
) -> None:
    """Search in a process of its own, until it is killed or its parent is gone."""
    for other in inherited:
        other.close()
    try:
        _work(board, searches, link, role, seed)
    except (EOFError, ConnectionError):
        return  # The parent is gone.
    except Exception as error:
        _log.debug("%s", traceback.format_exc())
        words = "out of memory" if isinstance(error, MemoryError) else repr(error)
        with suppress(ConnectionError):
            link.send(_Failure(words))


def _work(board: Board, searches: list[Search], link: Connection, role: Role, seed: int) -> None:
    """Search all parts in one role."""
    board.observer = _ignore
    reporter = _Reporter(link)
    for i, search in enumerate(searches):
        search.finder.random.seed(seed + i)
        if (routing := board.routings[i]) is not None:
            search.finder.adopt(routing)  # Others may have found it since the opening.
    deadline = board.deadline.unless(link.poll)  # Long work stops where there is news.
    turn = 0
    while True:
        reporter.hear(board, searches)
        todo = [i for i in range(len(searches)) if not board.closed(i)]
        if role is Role.FIND:
            todo = [i for i in todo if board.routings[i] is None] or todo
        if not todo:
            wait([link])
            continue
        turn += 1
        i = todo[turn % len(todo)]
        before = _standing(board, i)
        searches[i].step(board, deadline, role)
        reporter.tell(board, i, before)


def _ignore(progress: Progress) -> None:
    """Show nothing: the parent shows what workers report."""
