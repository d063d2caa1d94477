"""Worker processes: each searches all parts in one role, and tells the others by the parent."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection, wait

from nlrouter.engine.find.draft import Draft
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board, Role, Search
from nlrouter.result import Progress


def work_together(
    board: Board,
    searches: list[Search],
    workers: int,
    seed: int,
    stopped: Callable[[], bool],
    heartbeat: float,
) -> None:
    """Let processes find and prove, and pass on what they report."""
    context = multiprocessing.get_context("fork")
    links: list[Connection] = []
    processes = []
    for number in range(workers):
        ours, theirs = context.Pipe()
        role = Role.PROVE if number == 0 else Role.FIND
        arguments = (board, searches, theirs, [*links, ours], role, seed + 1000 * number)
        process = context.Process(target=_run_worker, args=arguments, daemon=True)
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
            for ready in wait(links, timeout=min(heartbeat, board.deadline.remaining())):
                assert isinstance(ready, Connection)
                try:
                    i, routing, bound, draft, phase = ready.recv()
                except (EOFError, OSError):
                    links.remove(ready)
                    continue
                board.take_draft(i, draft)
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for link in inherited:
        link.close()


_Standing = tuple[Routing | None, int, Draft | None]


def _standing(board: Board, i: int) -> _Standing:
    """Return what is known of part ``i``."""
    return board.routings[i], board.bounds[i], board.drafts[i]


class _Reporter:
    """Stands for the display in a worker: passes news of the board on to the parent."""

    def __init__(self, link: Connection) -> None:
        self.link = link

    def hear(self, board: Board, searches: list[Search]) -> None:
        """Take in the parent's news; end the process if it is gone."""
        try:
            while self.link.poll():
                i, routing, bound = self.link.recv()
                board.bounds[i] = max(board.bounds[i], bound)
                known = board.routings[i]
                if routing is not None and (known is None or routing.cost < known.cost):
                    board.routings[i] = routing
                    searches[i].finder.adopt(routing)
        except (EOFError, OSError):
            raise SystemExit(0) from None

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
    """Search all parts in one role, in a process of its own."""
    _leave_parent(inherited)
    board.observer = _ignore
    reporter = _Reporter(link)
    for i, search in enumerate(searches):
        search.listen(link.poll)
        search.finder.random.seed(seed + i)
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
        searches[i].step(board, board.deadline, role)
        reporter.tell(board, i, before)


def _ignore(progress: Progress) -> None:
    """Show nothing: the parent shows what workers report."""
