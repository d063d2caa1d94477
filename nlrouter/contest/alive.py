"""Reports that the team is at work, in a thread of their own: no routing holds them up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from nlrouter.contest.client import Client, ServiceError


@dataclass(frozen=True)
class AliveConfig:
    """How often to report, in seconds."""

    every: float = 90.0
    """From one report to the next: the rules ask for one about every 180, and a try that meets
    an ended session and a slow service may take a minute before it fails."""
    retry: float = 5.0
    """From a failed report to the next try."""


class AliveReports:
    """Reports at once and then steadily, from entering the context until leaving it.

    Parameters
    ----------
    client
        The session.
    text
        Gives the text of a report.
    log
        Takes one line per event.
    config
        Times.
    """

    def __init__(
        self,
        client: Client,
        text: Callable[[], str],
        log: Callable[[str], None],
        config: AliveConfig,
    ) -> None:
        self._client = client
        self._text = text
        self._log = log
        self._config = config
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="alive", daemon=True)

    def __enter__(self) -> AliveReports:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._done.wait(self.report()):
            pass

    def report(self) -> float:
        """Report once; return the seconds until the next report is due."""
        try:
            self._client.report_alive(self._text())
        except ServiceError as error:
            self._log(f"alive report failed: {error}")
            return self._config.retry
        except Exception as error:  # No fault of ours may end the reports unseen.
            self._log(f"alive report failed, internal error: {error!r}")
            return self._config.retry
        self._log("reported alive")
        return self._config.every
