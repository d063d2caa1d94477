"""The search processes, seen from their parent: they start, report and end; it passes on the news.

What a process does is in ``worker``.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from nlrouter.deadline import WALL, Deadline
from nlrouter.engine.forking import forked
from nlrouter.engine.messages import (
    Compiled,
    Counted,
    Failure,
    Found,
    Lent,
    News,
    Repaid,
    Room,
    Ticket,
    Write,
    Written,
)
from nlrouter.engine.search import Board, Role, Search
from nlrouter.engine.sharing import SharingConfig, leaders
from nlrouter.engine.worker import run_worker

MOST_LOST = 3
"""Search processes that are replaced when they are lost: a fault that ends one after another, such
as too little memory, is no accident."""

Report = Found | Compiled | Counted | Lent | Repaid | Written
"""What a worker tells while all is well."""


def work_together(
    board: Board, searches: list[Search], workers: int, seed: int, config: SharingConfig
) -> bool:
    """Let processes find and prove, and pass on what they report.

    A process that is lost (killed, or ended by an error) is told by a `RuntimeWarning`, and
    another takes its place.

    Returns
    -------
    bool
        Whether they have done all there is to do. False where there are too few processes to be
        had, or too many were lost: what is left is this process's, which has what they have found.
    """
    crew = _Crew(board, searches, seed, config)
    lost = 0
    duties = [_Duty(Role.PROVE, led) for led in leaders(workers, len(searches))]
    duties += [_Duty(Role.PROVE)] * (workers // 2 - len(duties))
    duties += [_Duty(Role.FIND)] * (workers - len(duties))
    try:
        if not all(crew.hire(duty) for duty in duties):
            return False
        crew.open_posts()
        while not board.done and not board.deadline.passed():
            for link, message in crew.reports(min(config.heartbeat, board.deadline.remaining())):
                if not isinstance(message, Failure):
                    crew.hear(link, message)
                    continue
                lost += 1
                duty, fate = crew.dismiss(link, message)
                replaced = lost <= MOST_LOST and crew.hire(duty)
                plan = "another takes its place" if replaced else "this process goes on alone"
                warnings.warn(f"{fate}, {plan}", RuntimeWarning, stacklevel=2)
                if not replaced:
                    return False
                crew.open_posts()
            crew.stand_still()
            crew.tell_room()
            board.report("search")
        crew.collect()
    finally:
        crew.end()
    return True


@dataclass(frozen=True)
class _Duty:
    """What a worker is hired for."""

    role: Role
    leads: frozenset[int] = frozenset()
    """The parts whose proofs it leads."""


@dataclass(frozen=True)
class _Worker:
    """A worker process, as its parent knows it."""

    process: ForkProcess
    duty: _Duty
    post: _Post


class _Crew:
    """The worker processes."""

    def __init__(
        self, board: Board, searches: list[Search], seed: int, config: SharingConfig
    ) -> None:
        self._board = board
        self._searches = searches
        self._seed = seed
        self._config = config
        self._hired = 0
        self._workers: dict[Connection, _Worker] = {}
        self._compiled: dict[Connection, float] = {}
        self._compiling: dict[Connection, float] = {}
        self._excluded = 0.0
        self._loans: dict[Ticket, tuple[Connection, Connection]] = {}
        self._room = 0

    @property
    def links(self) -> list[Connection]:
        """The parent's ends of the pipes to all workers."""
        return list(self._workers)

    def hire(self, duty: _Duty) -> bool:
        """Start a worker; return whether there was a process to be had."""
        try:
            ours, theirs = multiprocessing.Pipe()
        except OSError as error:
            warnings.warn(f"no search process: {error.strerror}", RuntimeWarning, stacklevel=3)
            return False
        seed = self._seed + 1000 * self._hired
        arguments = (
            self._board, self._searches, theirs, [*self.links, ours], duty.role, duty.leads, seed,
            self._config,
        )  # fmt: skip
        try:
            process = forked(run_worker, *arguments)
        except OSError as error:
            ours.close()
            warnings.warn(f"no search process: {error.strerror}", RuntimeWarning, stacklevel=3)
            return False
        finally:
            theirs.close()
        self._hired += 1
        self._workers[ours] = _Worker(process, duty, _Post(ours))
        return True

    def reports(self, seconds: float) -> Iterator[tuple[Connection, Report | Failure]]:
        """Yield what workers report within some seconds: each of them one thing at the most."""
        for link in wait(self.links, timeout=seconds):
            assert isinstance(link, Connection)
            try:
                yield link, link.recv()
            except (EOFError, OSError):
                yield link, Failure("")

    def open_posts(self) -> None:
        """Let news go to the workers that have been hired since."""
        for worker in self._workers.values():
            if worker.post.ident is None:
                worker.post.start()

    def hear(self, link: Connection, message: Report) -> None:
        """Take in what a worker has reported."""
        match message:
            case Found():
                self._take(link, message)
            case Counted():
                self._board.tallies.merge(message.tallies)
            case Written():
                self._board.proofs[message.part] = message.proof
            case Lent():
                self._pass_on(link, message)
            case Repaid():
                self._give_back(message)
            case Compiled(seconds):
                self._compiling[link] = time.monotonic() if seconds is None else inf
                self._compiled[link] = self._compiled.get(link, 0.0) + (seconds or 0.0)
                self.stand_still()

    def _helpers(self) -> list[Connection]:
        """Return the links to those who prove and have nothing of their own to prove."""
        closed = self._board.closed
        return [
            link
            for link, worker in self._workers.items()
            if worker.duty.role is Role.PROVE and all(closed(i) for i in worker.duty.leads)
        ]

    def tell_room(self) -> None:
        """Tell those who lead proofs how many nodes they may lend, where that is new."""
        helpers = self._helpers()
        leading = [
            worker
            for link, worker in self._workers.items()
            if worker.duty.role is Role.PROVE and link not in helpers
        ]
        room = self._config.ahead * len(helpers) // max(1, len(leading))
        if room != self._room:
            self._room = room
            for worker in leading:
                worker.post.put(Room(room))

    def _pass_on(self, lender: Connection, lent: Lent) -> None:
        """Pass a node on to the helper that has fewest."""
        busy = Counter(helper for _, helper in self._loans.values())
        helper = min(self._helpers(), key=lambda link: busy[link], default=lender)
        self._loans[lent.ticket] = lender, helper
        if helper is lender:  # There is none.
            self._give_back(Repaid(lent.ticket, None))
        else:
            self._workers[helper].post.put(lent)

    def _give_back(self, repaid: Repaid) -> None:
        """Give a node back to its lender, if that is still there."""
        lender, _ = self._loans.pop(repaid.ticket)
        if lender in self._workers:
            self._workers[lender].post.put(repaid)

    def stand_still(self) -> None:
        """Take off the time for which the worker that has compiled longest has done so by now."""
        now, since = time.monotonic(), self._compiling
        by_now = (done + max(0.0, now - since[link]) for link, done in self._compiled.items())
        longest = max([self._excluded, *by_now])
        WALL.excluded += longest - self._excluded
        self._excluded = longest

    def _take(self, link: Connection, found: Found) -> None:
        """Take up what a worker has found, and pass on what the others want to know."""
        board, i = self._board, found.part
        board.take_draft(i, found.draft)
        better = board.take_routing(i, found.routing, found.phase)
        if found.bound is not None:
            board.take_bound(i, found.bound, found.phase)
        if better or board.closed(i):
            for other, worker in self._workers.items():
                if other is not link:
                    worker.post.put(News(i, board.routings[i], board.bounds[i]))

    def collect(self) -> None:
        """Have those who lead proofs write them, if that is wanted."""
        if self._board.writer is None:
            return
        led = {i for worker in self._workers.values() for i in worker.duty.leads}
        for worker in self._workers.values():
            if worker.duty.leads:
                worker.post.put(Write())
        patience = Deadline(_WRITING)
        while led - self._board.proofs.keys() and self.links and not patience.passed():
            for link, message in self.reports(patience.remaining()):
                if isinstance(message, Failure):  # Its parts stay as this process has them.
                    self.dismiss(link, message)
                else:
                    self.hear(link, message)

    def dismiss(self, link: Connection, failure: Failure) -> tuple[_Duty, str]:
        """Forget a worker that is lost; return its duty and, in words, its fate."""
        worker = self._workers.pop(link)
        self._compiling[link] = inf
        for ticket in [ticket for ticket, (_, helper) in self._loans.items() if helper is link]:
            self._give_back(Repaid(ticket, None))
        self._room = -1  # To be told anew, to who takes its place.
        # Not before its last words, and it has nothing to do after them.
        patience = self._board.deadline.within(_LAST_MOMENT)
        while worker.process.is_alive() and not patience.passed():
            worker.process.join(_GLANCE)
        code = worker.process.exitcode
        _end([worker])
        link.close()
        if failure.error:
            return worker.duty, f"a search process failed ({failure.error})"
        if code is not None and code < 0:
            return worker.duty, f"a search process was killed ({signal.Signals(-code).name})"
        return worker.duty, f"a search process ended (exit code {code})"

    def end(self) -> None:
        """End all workers."""
        _end(list(self._workers.values()))


_LAST_MOMENT = 5.0
"""Seconds from a worker's last words to its end, by when it is killed."""

_WRITING = 60.0
"""Seconds at the most to wait for proofs to be written, once the search has ended."""

_GLANCE = 0.05
"""Seconds between two looks at whether the search is to stop meanwhile."""


def _end(workers: list[_Worker]) -> None:
    """End workers and the threads that write to them."""
    for worker in workers:
        worker.process.kill()
    for worker in workers:
        worker.process.join()
    for worker in workers:
        worker.post.close()


class _Post(threading.Thread):
    """Passes messages on to a worker, from a thread: it may read late, and a pipe holds little.

    Of the news about a part, only the latest is kept until the worker reads.
    """

    def __init__(self, link: Connection) -> None:
        super().__init__(daemon=True)
        self._link = link
        self._news: dict[int, News] = {}
        self._letters: deque[object] = deque()
        self._change = threading.Condition()
        self._over = False

    def put(self, message: object) -> None:
        """Leave a message; never waits."""
        with self._change:
            if isinstance(message, News):
                self._news[message.part] = message
            else:
                self._letters.append(message)
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
                self._change.wait_for(lambda: self._over or self._news or self._letters)
                if self._over:
                    return
                message = self._letters.popleft() if self._letters else self._news.popitem()[1]
            try:
                self._link.send(message)
            except OSError:
                return
