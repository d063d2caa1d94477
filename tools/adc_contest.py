"""A contest as the stand-in service `adc_server` keeps it: what teams did, and what goes wrong.

Knows no HTTP. Everything is in memory.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from nlrouter.checker.contest import ContestCheckerCrash, judge
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem

STATES = ("init", "im0", "Qup", "im1", "Aup", "im2")

FAULTS = {
    "drop": "close the connection instead of taking the call",
    "lose": "take the call, then close the connection instead of answering",
    "half": "take the call, then close the connection in the middle of the answer",
    "busy": "answer 503 Service Unavailable instead of taking the call",
    "expire": "forget all sessions before taking the call",
    "page": "answer 200 and a page for people, as a proxy may, instead of taking the call",
    "slow": "wait for some seconds before taking the call",
}


@dataclass
class Fault:
    """A way to misbehave.

    Parameters
    ----------
    kind
        One of `FAULTS`.
    chance
        Probability that it strikes a call.
    count
        How often it strikes at most; None for no limit.
    calls
        Pattern for the calls it concerns, such as ``PUT /A/.*``; the whole must match.
    seconds
        How long a slow call waits.
    """

    kind: str
    chance: float = 1.0
    count: int | None = None
    calls: str = ".*"
    seconds: float = 2.0

    def strikes(self, call: str, rng: random.Random) -> bool:
        """Decide whether it strikes a call, and count that."""
        if self.count == 0 or not re.fullmatch(self.calls, call) or rng.random() >= self.chance:
            return False
        if self.count is not None:
            self.count -= 1
        return True


@dataclass
class Stored:
    """An answer as stored, with its verdict and info."""

    text: str
    correct: bool
    quality: float
    cpu_sec: float | None = None
    mem_byte: int | None = None
    misc_text: str | None = None


@dataclass
class Put:
    """One put of an answer that reached the service."""

    time: float
    user: str
    number: int
    status: int


@dataclass
class Contest:
    """A contest: its accounts, its problems and what the teams have done.

    Parameters
    ----------
    problems
        The problems' texts by number; they need not be well-formed.
    accounts
        Passwords by user name.
    schedule
        States in order, each with the seconds from `started` at which it begins.
    faults
        How to misbehave.
    test_mode
        Whether answers can be read and deleted.
    seed
        Of the faults' chances.
    """

    problems: dict[int, str]
    accounts: dict[str, str] = field(default_factory=lambda: {"team": "practice"})
    schedule: Sequence[tuple[str, float]] = (("Aup", 0.0),)
    faults: list[Fault] = field(default_factory=list)
    test_mode: bool = False
    seed: int = 0
    started: float = field(default_factory=time.time)
    sessions: dict[str, str] = field(default_factory=dict)
    answers: dict[tuple[str, int], Stored] = field(default_factory=dict)
    own: dict[tuple[str, str], str] = field(default_factory=dict)
    puts: list[Put] = field(default_factory=list)
    alive: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    struck: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)

    @property
    def state(self) -> str:
        """The state by the clock."""
        now = time.time() - self.started
        return next((state for state, at in reversed(self.schedule) if at <= now), STATES[0])

    def set_state(self, state: str) -> None:
        """Set the state by hand; the clock does not change it any more."""
        if state not in STATES:
            raise ValueError(f"{state!r} is no state, expected one of {', '.join(STATES)}")
        self.schedule = ((state, 0.0),)

    def strike(self, call: str) -> Fault | None:
        """Return the fault that befalls a call, if one does."""
        for fault in self.faults:
            if fault.strikes(call, self._rng):
                self.struck[fault.kind] += 1
                return fault
        return None

    def store(self, user: str, number: int, text: str) -> tuple[int, str]:
        """Judge an answer and store it, right or wrong; return HTTP's status and the words."""
        if (user, number) in self.answers:
            return 403, "ERROR: duplicated answer\n"
        try:
            problem = parse_problem(self.problems[number].removeprefix("\ufeff"), f"Q{number}")
            verdicts = judge(problem, text)
            reason = "" if len(verdicts) == 1 else f"{len(verdicts)} answers, expected one"
        except (ContestCheckerCrash, FileError) as error:
            verdicts, reason = [], str(error)
        correct, quality = verdicts[0] if not reason else (False, 0.0)
        self.answers[user, number] = Stored(text, correct, quality)
        if not correct:
            return 403, f"ERROR: A{number} is not correct {reason}\n"
        return 200, f"PUT A{number} OK\njudges = [[True, {quality}]]\nQuality factor = {quality}\n"

    def score(self) -> dict[str, float]:
        """Return the points: one per correct answer, ten per problem shared by quality."""
        points = dict.fromkeys(self.accounts, 0.0)
        for number in self.problems:
            right = {u: a.quality for (u, n), a in self.answers.items() if n == number}
            total = sum(right.values())
            for user, quality in right.items():
                points[user] += (1 + 10 * quality / total) if quality else 0
        return points

    def record(self) -> dict[str, Any]:
        """Return what has happened, ready for JSON."""
        return {
            "state": self.state,
            "puts": [asdict(put) for put in self.puts],
            "answers": [
                {"user": user, "number": number, **asdict(stored)}
                for (user, number), stored in self.answers.items()
            ],
            "alive": self.alive,
            "struck": self.struck,
        }


def parse_fault(text: str) -> Fault:
    """Read a fault such as ``busy,chance=0.1,count=3,calls=PUT /A/.*``."""
    kind, *settings = text.split(",")
    readers: dict[str, Callable[[str], Any]] = {
        "chance": float,
        "count": int,
        "calls": lambda calls: re.compile(calls).pattern,
        "seconds": float,
    }
    try:
        pairs = [setting.split("=", 1) for setting in settings]
        values = {name: readers[name](value) for name, value in pairs}
    except (ValueError, KeyError, re.error):
        raise argparse.ArgumentTypeError(f"{text!r} has a setting that is none") from None
    if kind not in FAULTS:
        raise argparse.ArgumentTypeError(f"{kind!r} is none of {', '.join(FAULTS)}")
    return Fault(kind, **values)


def parse_schedule(text: str) -> list[tuple[str, float]]:
    """Read states and the seconds at which they begin, such as ``Qup=0,Aup=60,im2=660``."""
    schedule = []
    for step in text.split(","):
        state, _, seconds = step.partition("=")
        if state not in STATES or not re.fullmatch(r"\d+(\.\d+)?", seconds):
            message = f"{step!r} is not STATE=SECONDS with a state of {', '.join(STATES)}"
            raise argparse.ArgumentTypeError(message)
        schedule.append((state, float(seconds)))
    return sorted(schedule, key=lambda step: step[1])
