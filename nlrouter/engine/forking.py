"""Processes forked from this one."""

from __future__ import annotations

import errno
import multiprocessing
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkProcess


def can_fork() -> bool:
    """Return whether this system forks processes."""
    return "fork" in multiprocessing.get_all_start_methods()


def forked(target: Callable[..., None], *arguments: object) -> ForkProcess:
    """Start a process that no signal to the group of this one ends: this one does.

    Raises
    ------
    OSError
        If there is no process to be had.
    """
    if multiprocessing.current_process().daemon:  # Else an assertion of multiprocessing fails.
        reason = "a daemonic process, as in multiprocessing.Pool, starts none and searches alone"
        raise OSError(errno.EPERM, reason)
    process = multiprocessing.get_context("fork").Process(
        target=target, args=arguments, daemon=True
    )
    with _no_interrupts(), warnings.catch_warnings():
        # Python 3.12 and later warn of other threads: a search's hold no lock that a child needs.
        warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
        process.start()
    return process


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Keep signals from a process that is forked meanwhile, for good: its parent ends it."""
    # Blocked and not ignored: solvers put handlers of their own in the place of any.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
