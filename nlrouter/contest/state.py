"""What a team's day has come to, on disk at every step so that a restarted client goes on.

A folder, for its owner alone, holds ``state.json``, the problems ``Q<n>.txt`` and the best
answers ``A<n>.txt``. Knows no service and no router.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import reprlib
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated, Any, get_type_hints

import msgspec

from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError, quote

LOCK = "lock"
"""Name of the file that a client at work holds."""

DAMAGED = ".damaged"
"""What is put after the name of a file that cannot be used, to keep it."""

LAST_START = 4_000_000_000
"""Seconds since the epoch that a day can begin at most: some time in 2096."""


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


def _range(noun: str, least: float, most: float) -> msgspec.Meta:
    """Return the limits of a number, and how they are told."""
    return msgspec.Meta(ge=least, le=most, description=f"a {noun} from {least} to {most}")


# The fields of a board: what they may be, and what is told where they are something else.
Count = Annotated[int, _range("whole number", 0, 10**6)]
_COST = _range("whole number", 0, 10**9)
Cost = Annotated[Annotated[int, _COST] | None, msgspec.Meta(description=_COST.description)]
Seconds = Annotated[float, _range("number", 0.0, 1e9)]
Text = Annotated[str, msgspec.Meta(description="text")]
Flag = Annotated[bool, msgspec.Meta(description="true or false")]
Fate = Annotated[BoardStatus, msgspec.Meta(description=f"one of {', '.join(BoardStatus)}")]


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

    number: Annotated[int, _range("whole number", 1, 999_999)]
    status: Fate = BoardStatus.OPEN
    note: Text = ""
    cost: Cost = None
    lower_bound: Cost = None
    runs: Annotated[int, _range("whole number", 0, 1000)] = 0
    failures: Count = 0
    seconds: Seconds = 0.0
    cpu_seconds: Seconds = 0.0
    memory: Annotated[int, _range("whole number", 0, 2**60)] = 0
    bad_reads: Count = 0
    refusals: Count = 0
    sha256: Text = ""
    info_due: Flag = False

    @property
    def is_optimal(self) -> bool:
        """Whether no answer is better than the one on disk."""
        return self.cost is not None and self.cost == self.lower_bound

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be routed or sent, but perhaps its info."""
        return self.status in (BoardStatus.SENT, BoardStatus.SKIPPED)


def _fault(hint: Any, value: Any) -> str:
    """Return what was expected in a field of this type instead of a value; empty if it is fine."""
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return str(hint.__metadata__[0].description)
    return ""


def _mended(record: Any, where: str, told: list[str]) -> Board | None:
    """Return a board as it was stored, what is wrong of it as new; None without its number."""
    fields = record if isinstance(record, dict) else {}
    board = Board(0, BoardStatus.PUTTING)  # If that is lost, only the service knows.
    for name, hint in get_type_hints(Board, include_extras=True).items():
        if name not in fields and name not in ("number", "status"):
            continue  # What an older version did not know.
        value = fields.get(name)
        if expected := _fault(hint, value):
            told.append(f"found {reprlib.repr(value)} as {where}.{name}, expected {expected}")
        else:
            setattr(board, name, msgspec.convert(value, hint))
    return board if board.number else None


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
    told
        What was wrong in the stored state, in sentences. It is taken as new, and the file as it
        was is kept as ``state.json.damaged``.

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
        self.told: list[str] = []
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
            started, records = record["started"], list(record["boards"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            found = f"no state of a day ({type(error).__name__}: {quote(str(error))})"
            raise FileError(str(path), None, found, "what nlsubmit wrote") from error
        if type(started) not in (int, float) or not 0 <= started <= LAST_START:
            found = f"{reprlib.repr(started)} as started"
            raise FileError(str(path), None, found, "seconds since 1970, as nlsubmit wrote")
        if whose != (self.service, self.user):
            found = f"the day of {whose[1]!r} at {whose[0]}"
            expected = f"that of {self.user!r} at {self.service}, or another --state folder"
            raise FileError(str(path), None, found, expected)
        self.started = float(started)
        for k, fields in enumerate(records):
            if board := _mended(fields, f"boards[{k}]", self.told):
                self.boards[board.number] = board
        if self.told:
            kept = path.with_name(path.name + DAMAGED)
            write_atomically(str(kept), path.read_bytes())
            self.told = [f"{path}: {fault}" for fault in self.told]
            self.told.append(f"what is wrong there is taken as new; the file is kept as {kept}")


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
