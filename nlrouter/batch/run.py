"""The loop of a batch: gives runs to whoever has room for them, and takes up their news."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from nlrouter.batch.board import Board
from nlrouter.batch.job import Job, News
from nlrouter.batch.plan import Plan, Turn

TICK = 0.5
"""Seconds between two looks at the clock, the slots and the display."""


class Runner(Protocol):
    """Where jobs are run."""

    async def slots(self) -> int:
        """Return how many jobs can run at the same time, raise `ConnectionError` if never again."""

    async def run(self, job: Job) -> News:
        """Run a job and return its end."""

    async def stop(self, job: Job) -> None:
        """Let a running job end early."""


@dataclass(frozen=True)
class Search:
    """How boards are searched.

    Parameters
    ----------
    cores
        Processes of one machine, shared out among the boards that run at the same time.
    workers
        Processes for each run; None for a share of the ``cores``.
    seed
        The first seed; runs of the same board have different ones.
    options
        More options for nlroute.
    command
        Stands in for nlroute, in tests.
    """

    cores: int
    workers: int | None
    seed: int
    options: tuple[str, ...] = ()
    command: tuple[str, ...] | None = None

    def job(self, turn: Turn, seeds: set[int], at_once: int) -> Job:
        """Return the job of a turn.

        Parameters
        ----------
        turn
            Which board, and for how long.
        seeds
            The board's seeds that have been used.
        at_once
            Runs that share the cores.
        """
        seed = self.seed
        while seed in seeds:
            seed += 1
        board = turn.board
        return Job(
            board=board.key,
            problem=board.text,
            start=board.start(),
            seconds=turn.seconds,
            workers=self.workers or max(1, self.cores // at_once),
            seed=seed,
            options=self.options,
            command=self.command,
        )


@dataclass
class _Run:
    """A run that goes on."""

    turn: Turn
    job: Job
    is_told: bool = False  # To stop.

    async def stop(self, runner: Runner) -> None:
        """Let it end early."""
        if not self.is_told:
            self.is_told = True
            await runner.stop(self.job)

    def end(self, plan: Plan, news: News) -> None:
        """Take up how it ended."""
        if self.is_told:  # It may have had no time for a verdict, which is no fault.
            news = replace(news, error="")
        self.turn.board.learn(news)
        plan.finish(self.turn, failed=not news.status)


async def run_batch(
    plan: Plan,
    runner: Runner,
    search: Search,
    stop: asyncio.Event,
    save: Callable[[], object],
    show: Callable[[Sequence[Board]], None],
) -> None:
    """Search the boards until all are closed, the time is up or the batch is stopped.

    Parameters
    ----------
    plan
        The boards and their time.
    runner
        Where runs go on.
    search
        How they are made.
    stop
        Ends the batch early when it is set.
    save
        Called when a run has ended.
    show
        Called all the time, with the boards that are being searched.

    Raises
    ------
    ConnectionError
        If the runner is lost.
    """
    running: dict[asyncio.Task[News], _Run] = {}
    try:
        while True:
            over = stop.is_set() or plan.remaining() == 0
            slots = 0 if over else await runner.slots()
            while len(running) < slots and (turn := plan.next(slots)):
                seeds = {run.job.seed for run in running.values() if run.turn.board is turn.board}
                at_once = min(slots, len(plan.open_boards()))
                job = search.job(turn, seeds | turn.board.seeds, at_once)
                running[asyncio.create_task(runner.run(job))] = _Run(turn, job)
            show([run.turn.board for run in running.values()])
            if running:
                await asyncio.wait(running, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
            elif over or not plan.open_boards():
                return
            else:  # A cluster without workers may get some.
                await asyncio.sleep(TICK)
            for task in [task for task in running if task.done()]:
                running.pop(task).end(plan, task.result())
                save()
            over = stop.is_set() or plan.remaining() == 0
            for run in running.values():
                if over or run.turn.board.closed:
                    await run.stop(runner)
    finally:
        for task in running:
            task.cancel()
