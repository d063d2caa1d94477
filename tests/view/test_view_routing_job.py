"""Tests of the process that routes for the page, apart from it."""

import asyncio
import subprocess

import pytest

from nlrouter.view.routing_job import RoutingJob, RoutingOptions


def test_an_end_is_left_to_asyncio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that stopping a search never asks by itself whether its process has just ended.

    Of a process that somebody else has waited for asyncio says that it is lost, on the terminal.
    """

    def poll(process: subprocess.Popen[bytes]) -> int | None:
        raise AssertionError("asyncio waits for it")

    async def news(job: RoutingJob) -> list[bytes]:
        return [line async for line in job.run(b"{}")]

    async def begin_and_stop() -> None:
        job = RoutingJob(RoutingOptions(60, 1))
        search = asyncio.create_task(news(job))
        while job._process is None:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(subprocess.Popen, "poll", poll)
        await job.stop()
        monkeypatch.undo()
        assert await search == []
        assert job._process.returncode
        await job.stop()

    asyncio.run(begin_and_stop())
