"""How much memory a process and all that it started hold, looked at again and again."""

from __future__ import annotations

import threading

import psutil


class MemoryWatch:
    """Watches a process and its descendants in a thread, from entering to leaving.

    Parameters
    ----------
    pid
        The process.
    period
        Seconds between two looks, each of which goes through all processes of the machine.

    Attributes
    ----------
    peak
        The most bytes that they held at once. What they share counts for each of them.
    """

    def __init__(self, pid: int, period: float) -> None:
        self.peak = 0
        self._pid = pid
        self._period = period
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> MemoryWatch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self.peak = max(self.peak, _resident(self._pid))
            if self._done.wait(self._period):
                return


def _resident(pid: int) -> int:
    """Return the bytes that a process and its descendants hold in memory."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:  # It has just ended.
        return 0
    held = 0
    for member in family:
        try:
            held += member.memory_info().rss
        except psutil.Error:
            continue
    return held
