"""Ctrl-C: a tool ends at once, with the sentence and the exit code of the commands.

What it has written by then is whole; what it was about to do is not done.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from nlrouter.commands.frame import Exit, complain


def interruptible(main: Callable[[], int]) -> int:
    """Run a tool and return its exit code."""
    try:
        return main()
    except (KeyboardInterrupt, SystemError) as error:
        # Compiled code makes the one from the other, and more of it on each of its floors.
        first: BaseException = error
        while first.__cause__ is not None:
            first = first.__cause__
        if not isinstance(first, KeyboardInterrupt):
            raise
        complain(Path(sys.argv[0]).name, "interrupted")
        return Exit.NOT_DONE


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Yield processes for pieces of work, which Ctrl-C or an error ends in the middle of theirs."""
    # They hear nothing of it themselves: what it cuts short would be handed in as done.
    deaf = (signal.SIG_BLOCK, {signal.SIGINT})
    with ProcessPoolExecutor(count, initializer=signal.pthread_sigmask, initargs=deaf) as pool:
        try:
            yield pool
        except BaseException:
            for process in psutil.Process().children(recursive=True):  # And what they started.
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            raise
