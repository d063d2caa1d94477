"""What a team's day has come to, on disk at every step so that a restarted client goes on.

A folder, for its owner alone, holds ``state.json``, the problems ``Q<n>.txt`` and the best
answers ``A<n>.txt``. Knows no service and no router.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError

LOCK = "lock"
"""Name of the file that a client at work holds."""


class BoardStatus(StrEnum):
    """How far a board is."""

    OPEN = "open"
    """To be fetched, routed or sent."""
    PUTTING = "putting"
    """Its answer was about to be sent: only the service knows whether it has arrived."""
    SENT = "sent"
    """The service has an answer."""
    SKIPPED = "skipped"
    """There is nothing to send: `Board.note` says why."""


@dataclass
class Board:
    """One problem of the contest.

    Parameters
    ----------
    number
        Its number at the service, from 1; there may be gaps.
    status, note
        How far it is, and the judge's words or the reason for it.
    cost, lower_bound
        Cost of the best answer on disk and the best proven bound, or None.
    runs, failures
        How often it was routed, and how often the router gave no figures.
    seconds, cpu_seconds, memory
        Wall-clock and processor time of its runs, and their peak memory in bytes.
    bad_reads
        How often its text was fetched and could not be read.
    refusals
        How often the service refused its answer without keeping it.
    sha256
        Hash of the answer that was sent, or was about to be.
    info_due
        Whether the answer's info is still to be put.
    """

    number: int
    status: BoardStatus = BoardStatus.OPEN
    note: str = ""
    cost: int | None = None
    lower_bound: int | None = None
    runs: int = 0
    failures: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int = 0
    bad_reads: int = 0
    refusals: int = 0
    sha256: str = ""
    info_due: bool = False

    @property
    def is_optimal(self) -> bool:
        """Whether no answer is better than the one on disk."""
        return self.cost is not None and self.cost == self.lower_bound

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be routed or sent, but perhaps its info."""
        return self.status in (BoardStatus.SENT, BoardStatus.SKIPPED)


class DayState:
    """The state of a day, for one client at a time.

    Parameters
    ----------
    folder
        Where it is kept; made if there is none.
    service, user
        Whose day it is: a folder serves one account at one service.

    Attributes
    ----------
    started
        When the folder was first used, in seconds since the epoch.
    boards
        The boards by number.

    Raises
    ------
    FileError
        If the folder cannot be used, or belongs to another day or a running client.
    """

    def __init__(self, folder: str, service: str, user: str) -> None:
        self.folder = Path(folder)
        self.service = service
        self.user = user
        self.started = time.time()
        self.boards: dict[int, Board] = {}
        self._saving = threading.Lock()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._require_own()
            self.folder.chmod(0o700)  # Answers are worth points to others too.
            self._lock = _lock(self.folder / LOCK)
            try:
                self._load()
            except BaseException:
                self._lock.close()
                raise
        except OSError as error:
            found = f"no way to use it ({error.strerror or error})"
            raise FileError(folder, None, found, "a folder for the day's state") from error

    def close(self) -> None:
        """Let another client use the folder."""
        self._lock.close()

    def problem_path(self, number: int) -> str:
        """Return the path of a problem."""
        return str(self.folder / f"Q{number}.txt")

    def answer_path(self, number: int) -> str:
        """Return the path of the best answer to a problem."""
        return str(self.folder / f"A{number}.txt")

    def save(self) -> None:
        """Write the state to disk; several threads may.

        Raises
        ------
        FileError
            If that fails.
        """
        with self._saving:  # Else an older state could replace a newer one.
            record = {
                "service": self.service,
                "user": self.user,
                "started": self.started,
                "boards": [dataclasses.asdict(self.boards[n]) for n in sorted(self.boards)],
            }
            write_atomically(str(self.folder / "state.json"), json.dumps(record, indent=1) + "\n")

    def _require_own(self) -> None:
        """Refuse a folder of other things: it would be shut to others, and files replaced."""
        # Hidden files may be what a client left that was killed while it wrote its first state.
        names = {path.name for path in self.folder.iterdir() if not path.name.startswith(".")}
        if "state.json" not in names and (foreign := names - {LOCK}):
            found = f"{min(foreign)!r}, but no state of a day"
            raise FileError(str(self.folder), None, found, "an empty or a new folder")

    def _load(self) -> None:
        """Take over what an earlier client left."""
        path = self.folder / "state.json"
        if not path.exists():
            self.save()
            return
        try:
            record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            whose = record["service"], record["user"]
            self.started = float(record["started"])
            for fields in record["boards"]:
                board = Board(**fields | {"status": BoardStatus(fields["status"])})
                self.boards[board.number] = board
        except (ValueError, TypeError, KeyError) as error:
            found = f"no state of a day ({type(error).__name__}: {error})"
            raise FileError(str(path), None, found, "what nlsubmit wrote") from error
        if whose != (self.service, self.user):
            found = f"the day of {whose[1]!r} at {whose[0]}"
            expected = f"that of {self.user!r} at {self.service}, or another --state folder"
            raise FileError(str(path), None, found, expected)


def _lock(path: Path) -> IO[str]:
    """Hold the folder against a second client; the kernel lets go when this process ends."""
    file = open(path, "w")  # noqa: SIM115 - held open as long as the state is used.
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        found = "another nlsubmit at work in it"
        raise FileError(str(path.parent), None, found, "one client at a time") from error
    return file
