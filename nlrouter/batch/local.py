"""Runs jobs on this machine, some at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from nlrouter.batch.job import Job, News, run_job


class LocalRunner:
    """Runs each job in processes of its own.

    Parameters
    ----------
    jobs
        How many run at the same time.
    tell
        Told the key of a board and its news, in the loop's own thread.
    """

    def __init__(self, jobs: int, tell: Callable[[str, News], None]) -> None:
        self._jobs = jobs
        self._tell = tell
        self._pool = ThreadPoolExecutor(jobs)
        self._stops: dict[Job, threading.Event] = {}

    async def slots(self) -> int:
        """Return how many jobs can run at the same time."""
        return self._jobs

    async def run(self, job: Job) -> News:
        """Run a job and return its end."""
        loop = asyncio.get_running_loop()
        stop = self._stops[job] = threading.Event()

        def tell(news: News) -> None:
            loop.call_soon_threadsafe(self._tell, job.board, news)

        try:
            return await loop.run_in_executor(self._pool, run_job, job, tell, stop.is_set)
        except OSError as error:  # No room for its files, or no process to be had.
            return News(job.seed, ended=True, error=str(error))
        finally:
            del self._stops[job]

    async def stop(self, job: Job) -> None:
        """Let a running job end early."""
        if job in self._stops:
            self._stops[job].set()

    async def close(self) -> None:
        """Release what it holds."""
        self._pool.shutdown()
