"""One run of the router as a process of its own, with its figures and what it took."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Any

from nlrouter.record import Moment, RunRecord, parse_record

NLROUTE = (sys.executable, "-m", "nlrouter.commands.nlroute")
"""The router's command."""


@dataclass(frozen=True)
class RoutingConfig:
    """How a run is watched, in seconds."""

    look: float = 0.1
    """Between two looks whether it has ended: what an easy board may take longer than needed."""
    memory_look: float | None = 0.5
    """Between two looks at the memory, which needs the extra ``contest``; None for none."""
    grace: float = 5.0
    """Beyond its time limit, after which it is told to end. Loading and the end take 2 or 3."""
    last_grace: float = 10.0
    """From being told until it is killed. The best answer is on disk by then anyway."""


@dataclass(frozen=True)
class Run:
    """What one run of the router said and took.

    Parameters
    ----------
    status
        Its verdict, such as ``optimal``; empty if there is none.
    lower_bound
        Proven bound on the cost, or None.
    seconds, cpu_seconds
        Wall-clock and processor time; the latter of all its processes.
    memory
        The most bytes that its processes held at once. What they share counts for each. Where
        nobody looks, the most that one of them held.
    error
        What it said on standard error, where it gave no figures.
    """

    status: str
    lower_bound: int | None
    seconds: float
    cpu_seconds: float
    memory: int
    error: str


def run_router(
    command: Sequence[str],
    time_limit: float,
    stop: Callable[[], bool],
    config: RoutingConfig,
    hear: Callable[[Moment], None] | None = None,
) -> Run:
    """Run the router until it ends, its time is long over, or it is to stop.

    Parameters
    ----------
    command
        The whole command line; it prints its figures as a line of JSON.
    time_limit
        Seconds that it was given.
    stop
        Tells whether it is to end at once.
    config
        How it is watched.
    hear
        Told of each moment, if the command line has ``--progress json``.
    """
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "nlrouter.runs.leash", *command],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        assert process.stdin is not None
        with ExitStack() as stack:
            stack.enter_context(process.stdin)
            watch = None
            if config.memory_look is not None:
                from nlrouter.runs.memory import MemoryWatch

                watch = stack.enter_context(MemoryWatch(process.pid, config.memory_look))
            talk = _Talk(stack.enter_context(open(err.name, "rb")), hear)

            def look() -> bool:
                talk.listen()
                return stop()

            usage = _wait(process, start + time_limit + config.grace, look, config)
            talk.listen()
        out.seek(0)
        record = parse_record(b"".join(out.read().splitlines()[-1:]), RunRecord)
        error = "" if record else talk.words.strip()
        if not (record or error):
            error = f"no figures, exit code {process.returncode}"
    return Run(
        status=record.status if record else "",
        lower_bound=record.lower_bound if record else None,
        seconds=time.monotonic() - start,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        memory=max(watch.peak if watch else 0, most_held(usage)),
        error=error.splitlines()[-1] if error else "",
    )


class _Talk:
    """What a run says on standard error, taken up while it is written.

    Parameters
    ----------
    file
        Where it stands.
    hear
        Told of each moment.
    """

    def __init__(self, file: IO[bytes], hear: Callable[[Moment], None] | None) -> None:
        self._words = ""
        self._file = file
        self._hear = hear
        self._rest = b""

    @property
    def words(self) -> str:
        """All that is no record."""
        return self._words + self._rest.decode(errors="replace")

    def listen(self) -> None:
        """Take up what has come since the last time."""
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        for line in lines:
            moment = parse_record(line, Moment)
            if moment is None:
                if parse_record(line, RunRecord) is None:  # Which is the last of them.
                    self._words += line.decode(errors="replace") + "\n"
            elif self._hear is not None:
                self._hear(moment)


def _wait(
    process: subprocess.Popen[bytes], end: float, stop: Callable[[], bool], config: RoutingConfig
) -> Any:
    """Wait for the process, make it end where need be, and return its `resource` usage."""
    told = False
    while True:
        # Not `Popen.wait`, which drops the usage.
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage
        if not told and (stop() or time.monotonic() > end):
            told = True
            process.terminate()
            end = time.monotonic() + config.last_grace
        elif told and time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(config.look)


def most_held(usage: Any) -> int:
    """Return the most bytes that a process that has ended, or one that it started, ever held.

    Parameters
    ----------
    usage
        What `os.wait4` told of it.
    """
    return int(usage.ru_maxrss) * (1 if sys.platform == "darwin" else 1024)
