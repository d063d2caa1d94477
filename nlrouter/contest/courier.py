"""All that goes between the desk and the service: problems, answers and infos.

An answer goes out once: before it does, that is noted on disk, and where its fate is unknown,
after a lost connection or a restart, the service is asked first.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from nlrouter import __version__
from nlrouter.contest.client import Client, Closed, Refused, ServiceError, Unreached, one_line
from nlrouter.contest.desk import Desk, describe
from nlrouter.contest.state import Board, BoardStatus
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem

_LISTED = re.compile(r"^\s*Q0*([1-9]\d{0,5})\b(.*)$", re.MULTILINE)
"""A line of the list: a problem's number, and more about it."""

_SIZE = re.compile(
    r"SIZE\s+(\d{1,4})X(\d{1,4})(?:X(\d{1,4}))?\s+LINE_NUM\s+(\d{1,6})\b", re.IGNORECASE
)
"""What the list says of a problem's size."""


@dataclass(frozen=True)
class CourierConfig:
    """The courier's numbers; times in seconds."""

    round: float = 2.0
    """Between two rounds: what an answer waits before it is sent."""
    list_every: float = 5.0
    """Between two looks at the list of problems, which tell whether the service is open."""
    list_patience: float = 3.0
    """For the list, which must not keep answers waiting."""
    patience: float = 20.0
    """For one errand, before it is the next one's turn. There will be another round."""
    put_pause: float = 0.5
    """After a put whose answer was lost, before asking whether it has arrived."""
    closed_looks: int = 5
    """Looks in a row at a closed service, after which a day without a deadline is over."""
    most_tries: int = 8
    """To read a problem, and to put an answer that is refused but not kept."""
    first_wait: float = 5.0
    """From the first of these tries to the next. It doubles, so that the organisers have ten
    minutes to mend a problem, or a proxy its mood."""


class Courier:
    """Does the errands at the service, round after round.

    Parameters
    ----------
    client
        The session.
    desk
        Where problems go and answers come from.
    is_ready
        Tells of a board that is not settled and has an answer whether that is to go now.
    time_left
        Tells the seconds until the deadline.
    stop
        Once set, no errand is begun.
    config
        The courier's numbers.
    dry_run
        Whether nothing is put.

    Attributes
    ----------
    has_looked
        Whether the service has shown its list, and what can be fetched of it now is there.
    shown
        In a dry run, the numbers of the boards whose answers would have been sent.
    """

    def __init__(
        self,
        client: Client,
        desk: Desk,
        is_ready: Callable[[Board], bool],
        time_left: Callable[[], float],
        stop: threading.Event,
        config: CourierConfig,
        *,
        dry_run: bool,
    ) -> None:
        self.has_looked = False
        self.shown: set[int] = set()
        self._client = client
        self._desk = desk
        self._log = desk.log
        self._is_ready = is_ready
        self._time_left = time_left
        self._stop = stop
        self._config = config
        self._dry_run = dry_run
        self._looked = -config.list_every
        self._not_before: dict[int, float] = {}  # Boards that wait after a try, until when.
        self._looks_at_closed = 0
        self._fetched: set[int] = set()  # By this client, not by one before it.

    @property
    def finds_it_closed(self) -> bool:
        """Whether the service seems to be closed for good."""
        return self._looks_at_closed >= self._config.closed_looks

    def go_round(self) -> None:
        """Look for problems, send the answers that are ready, then the infos."""
        try:
            if time.monotonic() - self._looked >= self._config.list_every:
                self._look()
            for board in self._desk.boards:
                if board.number in self._desk.answers and not board.is_settled:
                    self._send(board)
            for board in self._desk.boards:
                if board.info_due and not self._dry_run and not self._is_over():
                    self._put_info(board)
        except ServiceError as error:  # The next errand would fare no better now.
            self._log(f"put off: {error}")
        except Exception as error:  # Even a fault of ours must not end the errands for good.
            self._log(f"put off, internal error: {error!r}")

    def _is_over(self) -> bool:
        return self._stop.is_set() or self._time_left() <= 0

    def _patience(self) -> float:
        return max(0.0, min(self._config.patience, self._time_left()))

    def _look(self) -> None:
        """Read the list and fetch what is new."""
        try:
            listed = self._client.list_problems(min(self._config.list_patience, self._patience()))
        except Closed as error:
            if self._looks_at_closed == 0:
                self._log(f"not open: {error}")
            self._looks_at_closed += 1
            self._looked = time.monotonic()
            return
        except ServiceError as error:
            self._log(f"no list of problems: {error}")
            if not isinstance(error, Unreached):
                self._looked = time.monotonic()
            return
        self._looks_at_closed = 0
        self._looked = time.monotonic()
        sizes = {int(n): words for n, words in _LISTED.findall(listed)}
        numbers = sorted(sizes)
        if not numbers:
            self._log(f"no problem in the list {one_line(listed)!r}")
            return
        for number in numbers:
            self._desk.state.boards.setdefault(number, Board(number))
        try:
            for board in self._desk.boards:
                known = board.is_settled or self._is_here(board, sizes.get(board.number, ""))
                if not (known or self._is_over() or self._waits(board)):
                    self._fetch(board)
        finally:
            self.has_looked = True

    def _is_here(self, board: Board, words: str) -> bool:
        """Whether a board's problem is at hand and, if it was stored, of the size listed."""
        problem = self._desk.problems.get(board.number)
        if problem is None or board.number in self._fetched:
            return problem is not None
        found = _SIZE.search(words)
        if found is None:  # A list in other words than we know.
            return True
        width, height, layers, lines = (int(n or 1) for n in found.groups())
        if (problem.shape, len(problem.lines)) == ((layers, height, width), lines):
            return True
        self._log(f"Q{board.number}: what is stored is another board, the list says {found[0]!r}")
        return False

    def _fetch(self, board: Board) -> None:
        """Fetch a problem; what cannot be read is told and, at last, skipped."""
        number = board.number
        try:
            # A day may have begun elsewhere, or its folder be lost.
            if self._client.is_stored(number, self._patience()):
                self._desk.settle(board, BoardStatus.SENT, "an answer was there already")
                return
            text = self._client.problem(number, self._patience()).decode("utf-8-sig")
            parse_problem(text, f"Q{number}")
        except (Refused, UnicodeDecodeError, FileError) as error:
            board.bad_reads += 1
            self._log(f"Q{number}: not readable: {one_line(str(error))}")
            self._let_wait(board, board.bad_reads, "its problem is not readable")
            return
        try:
            write_atomically(self._desk.state.problem_path(number), text)
        except FileError as error:
            self._log(f"Q{number}: not fetched: {error}")
        self._fetched.add(number)
        self._desk.load(board)

    def _send(self, board: Board) -> None:
        """Send a board's answer if it is to go now."""
        if self._is_over() or self._waits(board) or not self._is_ready(board):
            return
        if not self._dry_run:
            self._put(board)
        elif board.number not in self.shown:
            self.shown.add(board.number)
            self._log(f"A{board.number}: dry run, not sent: {describe(board)}")

    def _put(self, board: Board) -> None:
        """Put an answer unless the service has one; go on until one of both is sure."""
        number = board.number
        text = self._desk.answers[number]
        end = time.monotonic() + self._patience()
        while True:
            try:
                if board.status is BoardStatus.PUTTING and self._is_stored(board):
                    return
                board.status = BoardStatus.PUTTING
                board.sha256 = hashlib.sha256(text.encode()).hexdigest()
                self._desk.save()
                self._log(f"A{number}: about to put, {describe(board)}")
                words = self._client.put_answer(number, text)
                self._desk.settle(board, BoardStatus.SENT, words)
                return
            except Refused as error:
                self._take_refusal(board, error)
                return
            except Unreached as error:
                if time.monotonic() >= end or self._stop.is_set():
                    raise
                self._log(f"{error}; asking whether it has arrived")
                self._stop.wait(self._config.put_pause)

    def _is_stored(self, board: Board) -> bool:
        """Ask the service whether it has a board's answer, and note it if so."""
        stored = self._client.is_stored(board.number, self._patience())
        if stored:
            self._desk.settle(board, BoardStatus.SENT, "stored, the judge's words were lost")
        return stored

    def _take_refusal(self, board: Board, error: Refused) -> None:
        """Note a refused answer: one that was kept all the same counts as sent."""
        if "duplicated" in error.words.lower():
            self._desk.settle(board, BoardStatus.SENT, error.words)
            return
        self._log(f"A{board.number}: refused: {error}")
        if self._client.is_stored(board.number, self._patience()):
            self._desk.settle(board, BoardStatus.SKIPPED, f"stored, but judged wrong: {error}")
            return
        board.refusals += 1
        board.status = BoardStatus.OPEN
        self._desk.save()
        self._let_wait(board, board.refusals, f"refused: {error}")

    def _waits(self, board: Board) -> bool:
        """Whether it is too early for another try."""
        return time.monotonic() < self._not_before.get(board.number, 0.0)

    def _let_wait(self, board: Board, tries: int, reason: str) -> None:
        """Let a board wait after a try that failed for a reason, or skip it after the last."""
        if tries >= self._config.most_tries:
            self._desk.settle(board, BoardStatus.SKIPPED, reason)
            return
        wait = self._config.first_wait * 2 ** (tries - 1)
        # Half of what is left, so that the deadline does not come before the next try.
        wait = min(wait, self._time_left() / 2)
        self._not_before[board.number] = time.monotonic() + wait

    def _put_info(self, board: Board) -> None:
        """Put what the answer took."""
        info = {
            "cpu_sec": round(board.cpu_seconds, 3),
            "mem_byte": board.memory,
            "misc_text": f"nlrouter {__version__}: {describe(board)}",
        }
        try:
            self._client.put_info(board.number, info, self._patience())
            self._log(f"A{board.number}: info put")
        except Refused as error:
            self._log(f"A{board.number}: info refused: {error}")
        board.info_due = False
        self._desk.save()
