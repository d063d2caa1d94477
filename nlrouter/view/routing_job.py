"""A search in a process of its own, so that the server goes on answering."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

LONGEST_LINE = 2**26
"""Bytes of one line of news, which may hold an answer: far more than any board needs."""

PATIENCE = 3.0
"""Seconds that a search is given to end by itself when it is told to."""


@dataclass(frozen=True)
class RoutingOptions:
    """How to route.

    Parameters
    ----------
    time_limit
        Seconds after which a search ends, unless the page's user wants others.
    workers
        Processes that search.
    """

    time_limit: float
    workers: int


class RoutingJob:
    """One run of ``nlrouter.view.routing``.

    Parameters
    ----------
    options
        How to route.
    """

    def __init__(self, options: RoutingOptions) -> None:
        self._options = options
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, document: bytes) -> AsyncIterator[bytes]:
        """Start the process, hand it the document and give its lines of news as they come."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "nlrouter.view.routing",
            str(self._options.workers),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(document)
        self._process.stdin.close()
        async for line in self._process.stdout:
            yield line
        await self._process.wait()

    async def stop(self) -> None:
        """End the process, if it still runs, and wait until it has ended."""
        if self._process is None or self._process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            # Not `terminate`: it takes note of an end before asyncio does, which then complains.
            os.kill(self._process.pid, signal.SIGTERM)
            try:
                await asyncio.wait_for(self._process.wait(), PATIENCE)
            except TimeoutError:
                os.kill(self._process.pid, signal.SIGKILL)
                await self._process.wait()
