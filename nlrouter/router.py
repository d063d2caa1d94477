"""Routes a board: shares the work out among processes and gathers what they find.

A part of the board (see ``engine.parts``) is searched by a `Finder`, for answers, and by a
`Prover`, for bounds. First both work here for a moment, which is all that a small board needs.
Then each worker process takes up one of the two roles for all parts, from the state reached so
far; the first proves, the others find, and this process only passes on what they report.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from multiprocessing.connection import Connection, wait

from nlrouter.answer import Answer, Cost
from nlrouter.deadline import Deadline
from nlrouter.engine.feasibility import infeasible_reason
from nlrouter.engine.finder import Finder
from nlrouter.engine.nets import Nets, nets_of
from nlrouter.engine.parts import Part, Routing, merge, split
from nlrouter.engine.prover import NO_ANSWER, Prover
from nlrouter.engine.whole_proof import WholeProof
from nlrouter.problem import Problem
from nlrouter.result import Observer, Progress, Result, Status


@dataclass(frozen=True)
class RouterConfig:
    """Settings of the portfolio."""

    opening_seconds: float = 0.7
    """Time of the opening in this process; most small boards are closed by then."""
    heartbeat: float = 0.25
    """Seconds between looks at the stop event and the display."""


class Role(Enum):
    """What a process does for the parts."""

    OPEN = auto()
    """Find and prove, for a moment."""
    ALL = auto()
    """Find and prove, in turns."""
    FIND = auto()
    """Find, and prove with CP-SAT once finding flags."""
    PROVE = auto()
    """Prove by branch and bound."""


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

    searches = [_Search(i, part, seed, stopped) for i, part in enumerate(board.parts)]
    if workers == 1 or "fork" not in multiprocessing.get_all_start_methods():
        _work_alone(board, searches, deadline, Role.ALL, stopped)
    else:
        opening = deadline.within(config.opening_seconds)
        _work_alone(board, searches, opening, Role.OPEN, stopped)
        if not board.done and not stopped():
            _work_together(board, searches, workers, seed, stopped, config)
    return board.result()


class _Search:
    """All that is done for one part: finding, and two ways of proving, in turns.

    Parameters
    ----------
    index
        The part's place on the board.
    part
        The part.
    seed
        Seed of all random choices.
    stopped
        Asked during long work whether to stop at once.
    """

    def __init__(self, index: int, part: Part, seed: int, stopped: Callable[[], bool]) -> None:
        self.index = index
        self.finder = Finder(part.nets, seed + index)
        self.prover = Prover(part.nets, seed, stopped)
        self.whole = WholeProof(part.nets, seed, stopped)
        self._spent = {self._find: 0.0, self._prove: 0.0, self._solve: 0.0}
        # Where CP-SAT has a turn at all, finding has flagged.
        self._weight = {self._find: 1.0, self._prove: 2.0, self._solve: 2.5}

    def listen(self, should_stop: Callable[[], bool]) -> None:
        """Let long work stop for another reason from now on."""
        self.prover.listen(should_stop)
        self.whole.listen(should_stop)

    def step(self, board: _Board, deadline: Deadline, role: Role) -> None:
        """Do a piece of work of the role and let the board know what came out."""
        works = []
        if role is not Role.PROVE:
            works.append(self._find)
        if role is not Role.FIND:
            works.append(self._prove)
        # CP-SAT has long runs: the opening is too short for it, and an answer comes first.
        settled = self.finder.idle > self.finder.patience / 4 or board.routings[self.index] is None
        if role is not Role.PROVE and role is not Role.OPEN and settled and self.whole.pays:
            works.append(self._solve)
        work = min(works, key=lambda work: self._spent[work] / self._weight[work])
        start = time.perf_counter()
        work(board, deadline)
        self._spent[work] += time.perf_counter() - start

    def _find(self, board: _Board, deadline: Deadline) -> None:
        if self.finder.step(deadline):
            board.take_routing(self.index, self.finder.best, "find")

    def _prove(self, board: _Board, deadline: Deadline) -> None:
        self._take(board, self.prover, deadline, "prove")

    def _solve(self, board: _Board, deadline: Deadline) -> None:
        self._take(board, self.whole, deadline, "solve")

    def _take(
        self, board: _Board, prover: Prover | WholeProof, deadline: Deadline, phase: str
    ) -> None:
        known = board.routings[self.index]
        prover.step(deadline, None if known is None else known.cost)
        if board.take_routing(self.index, prover.routing, phase) and prover.routing is not None:
            self.finder.adopt(prover.routing)
        board.take_bound(self.index, prover.bound, phase)


def _work_alone(
    board: _Board,
    searches: list[_Search],
    deadline: Deadline,
    role: Role,
    stopped: Callable[[], bool],
) -> None:
    """Search all parts in turns, in this process."""
    while not board.done and not deadline.passed():
        for search in searches:
            if stopped() or board.done:
                return
            if not board.closed(search.index):
                search.step(board, deadline, role)
        board.report("search")


def _work_together(
    board: _Board,
    searches: list[_Search],
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


class _Reporter:
    """Stands for the display in a worker: passes news of the board on to the parent."""

    def __init__(self, link: Connection) -> None:
        self.link = link

    def hear(self, board: _Board, searches: list[_Search]) -> None:
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

    def tell(self, board: _Board, i: int, before: tuple[Routing | None, int]) -> None:
        """Pass on what is new about part ``i``."""
        routing, bound = board.routings[i], board.bounds[i]
        if routing is not before[0] or bound > before[1]:
            news = routing if routing is not before[0] else None
            self.link.send((i, news, bound if bound > before[1] else None))


def _run_worker(
    board: _Board,
    searches: list[_Search],
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
        before = board.routings[i], board.bounds[i]
        searches[i].step(board, board.deadline, role)
        reporter.tell(board, i, before)


def _ignore(progress: Progress) -> None:
    """Show nothing: the parent shows what workers report."""
