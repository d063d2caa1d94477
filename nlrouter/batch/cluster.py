"""Runs jobs on an existing Dask cluster.

Workers log their news as events under a topic per board, which the scheduler keeps and passes
on. So a client that dies loses nothing: its runs go on (they are fire-and-forget), and the next
client reads what they found meanwhile and, as keys are made of board and seed alone, joins those
that are not at their end yet. A run whose worker dies is started again by Dask on another one,
a few times; answers found before that are with the client already.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import distributed
import msgspec
from distributed.comm import resolve_address

from nlrouter.batch.job import Job, News, run_job
from nlrouter.files.errors import FileError


@dataclass(frozen=True)
class ClusterConfig:
    """How a cluster is used, in seconds."""

    patience: float = 10.0
    """For the connection to the scheduler."""
    grace: float = 15.0
    """For the last news of a run that was stopped."""


class ClusterRunner:
    """Runs each job as a task on some worker.

    Parameters
    ----------
    client
        The connection, of this event loop.
    tell
        Told the key of a board and its news.
    config
        Settings.
    """

    def __init__(
        self,
        client: distributed.Client,
        tell: Callable[[str, News], None],
        config: ClusterConfig,
    ) -> None:
        self._client = client
        self._tell = tell
        self._config = config
        self._futures: dict[Job, distributed.Future] = {}
        self._ends: dict[str, asyncio.Future[News]] = {}
        self._stopped: set[Job] = set()

    @classmethod
    async def connect(
        cls,
        address: str,
        tell: Callable[[str, News], None],
        config: ClusterConfig | None = None,
    ) -> ClusterRunner:
        """Connect to the scheduler.

        Raises
        ------
        FileError
            If there is none at this address.
        """
        config = config or ClusterConfig()
        # What it would say of a lost scheduler or worker is told by the table.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            resolve_address(address)  # A client that fails by it leaves coroutines that complain.
            client = await distributed.Client(
                address, asynchronous=True, timeout=config.patience, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as error:
            found = f"no scheduler ({error})"
            expected = "the address of a Dask scheduler, such as tcp://host:8786"
            raise FileError(f"--scheduler {address}", None, found, expected) from error
        return cls(client, tell, config)

    async def recover(self, boards: Iterable[str]) -> None:
        """Tell the news of earlier runs on these boards, and from now on those of all runs."""
        for board in boards:
            self._client.subscribe_topic(_topic(board), self._handler(board))
            for event in await self._client.get_events(_topic(board)):
                self._tell(board, msgspec.convert(event[1]["news"], News))

    async def slots(self) -> int:
        """Return how many jobs can run at the same time: the threads of all workers.

        Raises
        ------
        ConnectionError
            If the scheduler is lost.
        """
        if self._client.status not in ("running", "connecting"):
            raise ConnectionError("the scheduler is lost")
        try:
            return sum((await self._client.nthreads()).values())
        except OSError:  # It may come back.
            return 0

    async def run(self, job: Job) -> News:
        """Run a job and return its end."""
        key = _key(job)
        self._ends[key] = asyncio.get_running_loop().create_future()
        future = self._client.submit(_work, job, key=key)
        distributed.fire_and_forget(future)
        self._futures[job] = future
        try:
            return msgspec.convert(await future, News)
        except Exception as error:
            if job in self._stopped:
                with suppress(TimeoutError):
                    return await asyncio.wait_for(self._ends[key], self._config.grace)
            reason = f"the cluster gave up a run: {type(error).__name__}: {error}"
            return News(job.seed, ended=True, error=" ".join(reason.split()))
        finally:
            del self._futures[job], self._ends[key]
            self._stopped.discard(job)

    async def stop(self, job: Job) -> None:
        """Let a running job end early."""
        if job in self._futures:
            self._stopped.add(job)
            await self._client.cancel([self._futures[job]], force=True)

    async def close(self) -> None:
        """Leave the cluster as it is."""
        await self._client.close()

    def _handler(self, board: str) -> Callable[[tuple[float, dict[str, Any]]], None]:
        """Return what takes up the events of a board."""

        def handle(event: tuple[float, dict[str, Any]]) -> None:
            news = msgspec.convert(event[1]["news"], News)
            self._tell(board, news)
            end = self._ends.get(f"nlroute-{board}-{news.seed}")
            if news.ended and end is not None and not end.done():
                end.set_result(news)

        return handle


def _topic(board: str) -> str:
    return f"nlroute-{board}"


def _key(job: Job) -> str:
    return f"nlroute-{job.board}-{job.seed}"


def _work(job: Job) -> Any:
    """Run a job on a worker of the cluster."""
    worker = distributed.get_worker()
    key = worker.get_current_task()

    def tell(news: News) -> None:
        # In a dictionary of its own, as Dask adds to the outer one.
        worker.log_event(_topic(job.board), {"news": msgspec.to_builtins(news)})

    def stopped() -> bool:
        # What Dask makes of a running task that was cancelled: its thread is left alone.
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    # Dask removes what a dead worker leaves in its folder.
    end = run_job(job, tell, stopped, worker.local_directory)
    tell(end)
    return msgspec.to_builtins(end)
