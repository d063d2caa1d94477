"""A solver's call in a thread of its own, so that Ctrl-C and the time limit reach it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from nlrouter.deadline import Deadline

WAKE_SECONDS = 0.05
"""How often the waiting thread looks for Ctrl-C and at the time."""

T = TypeVar("T")


def run_beside(
    call: Callable[[], T], stop: Callable[[], None], deadline: Deadline | None = None
) -> T:
    """Return what a call returns; have it stopped at the deadline or on Ctrl-C.

    However this ends, the call has ended.

    Parameters
    ----------
    call
        Runs in a thread of its own.
    stop
        Makes the call return soon, from any thread.
    deadline
        When to stop it; never by default.
    """
    future: Future[T] = Future()

    def run() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    # Not by `threading.Thread.join`, which takes a thread for ended once Ctrl-C interrupted it
    # (Python 3.11).
    try:
        threading.Thread(target=run, daemon=True).start()
        while not future.done():
            left = math.inf if deadline is None else deadline.remaining()
            if left <= 0:
                stop()  # Again and again, as it is lost on a call that has hardly begun.
            wait([future], min(WAKE_SECONDS, left) if left > 0 else WAKE_SECONDS)
    except BaseException:
        while not (future.cancel() or future.done()):
            stop()
            wait([future], WAKE_SECONDS)
        raise
    return future.result()
