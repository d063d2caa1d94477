"""What a search process does: search all parts in one role."""

from __future__ import annotations

import logging
import os
import traceback
from collections import deque
from contextlib import suppress
from functools import partial
from math import inf
from multiprocessing.connection import Connection, wait

from nlrouter.compiled import is_stored
from nlrouter.deadline import WALL
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.find.group_kernels import rework
from nlrouter.engine.messages import (
    Compiled,
    Counted,
    Failure,
    Found,
    Lent,
    News,
    Repaid,
    Room,
    Write,
    Written,
)
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.loans import work_on
from nlrouter.engine.search import Board, Role, Search, next_part
from nlrouter.engine.sharing import SharingConfig
from nlrouter.result import Progress
from nlrouter.tally import Tallies

_log = logging.getLogger(__name__)


PAUSE = 0.02
"""Seconds to wait at once where nothing is left to prove."""


def run_worker(
    board: Board,
    searches: list[Search],
    link: Connection,
    inherited: list[Connection],
    role: Role,
    leads: frozenset[int],
    seed: int,
    config: SharingConfig,
) -> None:
    """Search in a process of its own, until it is killed or its parent is gone."""
    for other in inherited:
        other.close()
    WALL.tell = lambda seconds: link.send(Compiled(seconds))
    try:
        _work(board, searches, link, role, leads, seed, config)
    except (EOFError, ConnectionError):
        return  # The parent is gone.
    except Exception as error:
        _log.debug("%s", traceback.format_exc())
        words = "out of memory" if isinstance(error, MemoryError) else repr(error)
        with suppress(ConnectionError):
            link.send(Failure(words))


def _work(
    board: Board,
    searches: list[Search],
    link: Connection,
    role: Role,
    leads: frozenset[int],
    seed: int,
    config: SharingConfig,
) -> None:
    """Search all parts in one role."""
    board.observer = _ignore
    for i, search in enumerate(searches):
        search.finder.random.seed(seed + i)
        search.catch_up(board)
    if role is Role.FIND and not is_stored(rework):
        searches[0].finder.compile_ahead()  # Meanwhile another process compiles the dual.
    _Worker(board, searches, link, role, leads, config).run()


class Mailbox:
    """What the parent has written, read as it comes: also while something long goes on.

    Parameters
    ----------
    link
        Where it comes from.
    """

    def __init__(self, link: Connection) -> None:
        self._link = link
        self._letters: list[object] = []
        self._gone = False

    def urgent(self) -> bool:
        """Return whether there is something that long work has to stop for."""
        self._fetch()
        urgent = News | Lent | Write
        return self._gone or any(isinstance(letter, urgent) for letter in self._letters)

    def take(self) -> list[object]:
        """Return what has come since the last time.

        Raises
        ------
        EOFError
            If the parent is gone.
        """
        self._fetch()
        if self._gone:
            raise EOFError
        letters, self._letters = self._letters, []
        return letters

    def wait(self, seconds: float | None = None) -> None:
        """Wait until something comes, or for some seconds."""
        if not self._letters and not self._gone:
            wait([self._link], seconds)

    def _fetch(self) -> None:
        try:
            while not self._gone and self._link.poll():
                self._letters.append(self._link.recv())
        except (EOFError, OSError):
            self._gone = True


class _Worker:
    """A search process at work."""

    def __init__(
        self,
        board: Board,
        searches: list[Search],
        link: Connection,
        role: Role,
        leads: frozenset[int],
        config: SharingConfig,
    ) -> None:
        self._board = board
        self._searches = searches
        self._link = link
        self._role = role
        self._leads = leads
        self._config = config
        self._mail = Mailbox(link)
        self._deadline = board.deadline.unless(self._mail.urgent)
        self._counted = -inf
        self._unsaid: dict[int, Known] = {}
        self._said = [-inf] * len(searches)
        self._loans: deque[Lent] = deque()
        for i, search in enumerate(searches):
            search.tallies.clear()  # The parent has its own share of them.
            search.proof.lender.send = partial(self._lend, i)

    def run(self) -> None:
        """Work until the parent is gone."""
        while True:
            self._hear()
            for i in list(self._unsaid):
                self._tell(i, standing(self._board, i))
            self._tell_counted()
            if self._loans:
                self._work_on(self._loans.popleft())
                continue
            parts, role = self._duty()
            if not parts:
                self._mail.wait()
                continue
            self._search(next_part(self._board, self._searches, parts), role)

    def _hear(self) -> None:
        """Take in what the parent has written."""
        for letter in self._mail.take():
            match letter:
                case News():
                    self._learn(letter)
                case Lent():
                    self._loans.append(letter)
                case Repaid((_, part, number), result):
                    self._searches[part].proof.lender.take_back(number, result)
                case Room(loans):
                    for i in self._leads:
                        self._searches[i].proof.lender.room = loans
                case Write():
                    for i in sorted(self._leads):
                        self._board.write(i, self._searches[i].proof)
                        self._link.send(Written(i, self._board.proofs[i]))

    def _lend(self, part: int, number: int, loan: bytes) -> None:
        """Lend a node of a part to whoever has nothing to prove."""
        self._link.send(Lent((os.getpid(), part, number), loan))

    def _work_on(self, lent: Lent) -> None:
        """Work on a node that another process has lent."""
        _, part, _ = lent.ticket
        make = self._searches[part].proof.borrowed
        self._link.send(Repaid(lent.ticket, work_on(make, lent.loan, self._board.deadline)))

    def _tell_counted(self) -> None:
        """Tell what the methods have cost and gained, now and then."""
        now = self._deadline.elapsed()
        if now < self._counted + self._config.heartbeat:
            return
        self._counted = now
        counted = Tallies()
        for search in self._searches:
            counted.merge(search.tallies)
            search.tallies.clear()
        self._link.send(Counted(dict(counted)))

    def _learn(self, news: News) -> None:
        """Take in what is known of a part."""
        board, i = self._board, news.part
        board.bounds[i] = max(board.bounds[i], news.bound)
        known = board.routings[i]
        if news.routing is not None and (known is None or news.routing.cost < known.cost):
            board.routings[i] = news.routing
            self._unsaid.pop(i, None)
            self._searches[i].finder.adopt(news.routing)

    def _duty(self) -> tuple[list[int], Role]:
        """Return which parts to search, and in which role: who has nothing to prove finds."""
        todo = self._board.open_parts()
        led = [i for i in todo if i in self._leads]
        if self._role is Role.PROVE and led:
            return led, Role.PROVE
        return todo, Role.FIND if self._role is Role.PROVE else self._role

    def _search(self, i: int, role: Role) -> None:
        """Work on a part, and tell what is new."""
        before = standing(self._board, i)
        self._searches[i].step(self._board, self._deadline, role)
        self._tell(i, before)
        proves = role is Role.PROVE
        if proves and all(self._searches[part].proof.waits for part in self._duty()[0]):
            self._mail.wait(PAUSE)

    def _tell(self, i: int, before: Known) -> None:
        """Tell what is new of a part; a better routing of a large one is kept back for a moment."""
        board = self._board
        routing, bound, draft = before = self._unsaid.pop(i, before)
        better = board.routings[i] is not routing
        wait = self._config.net_seconds * self._searches[i].finder.nets.count
        now = self._deadline.elapsed()
        if better and routing is not None and not board.closed(i) and now < self._said[i] + wait:
            self._unsaid[i] = routing, board.bounds[i], board.drafts[i]
            tell(self._link, board, i, (board.routings[i], bound, draft))
            return
        if better:
            self._said[i] = now
        tell(self._link, board, i, before)


Known = tuple[Routing | None, int, Draft | None]


def standing(board: Board, i: int) -> Known:
    """Return what is known of part ``i``."""
    return board.routings[i], board.bounds[i], board.drafts[i]


def tell(link: Connection, board: Board, i: int, before: Known) -> None:
    """Pass on what is new about part ``i``."""
    routing, bound, draft = standing(board, i)
    if routing is not before[0] or bound > before[1] or draft is not before[2]:
        news = routing if routing is not before[0] else None
        attempt = draft if draft is not before[2] else None
        raised = bound > before[1]
        phase = board.phases[i] if raised else "find"
        link.send(Found(i, news, bound if raised else None, attempt, phase))


def _ignore(progress: Progress) -> None:
    """Show nothing: the parent shows what workers report."""
