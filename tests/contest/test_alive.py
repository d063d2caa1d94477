"""Tests of the alive reports."""

from __future__ import annotations

import threading
from typing import cast

from nlrouter.contest.alive import AliveConfig, AliveReports
from nlrouter.contest.client import Client, ClientConfig, Unreached


class Service:
    """Takes reports, after some that fail."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.reports: list[str] = []
        self.enough = threading.Event()

    def report_alive(self, text: str) -> None:
        if self.failures:
            self.failures -= 1
            raise Unreached("no service")
        self.reports.append(text)
        if len(self.reports) == 3:
            self.enough.set()


def reports(service: Service, log: list[str], config: AliveConfig) -> AliveReports:
    return AliveReports(cast(Client, service), lambda: "at work", log.append, config)


def test_reports_until_left() -> None:
    """Tests that the first report comes at once, others follow, and leaving ends them."""
    service = Service(failures=2)
    log: list[str] = []
    with reports(service, log, AliveConfig(every=0.01, retry=0.01)):
        assert service.enough.wait(20)
    count = len(service.reports)
    assert set(service.reports) == {"at work"}
    assert log[:2] == ["alive report failed: no service"] * 2
    assert not any(thread.name == "alive" for thread in threading.enumerate())
    assert len(service.reports) == count


def test_early_enough() -> None:
    """Tests that reports are due before 180 s even if several tries fail in the slowest way."""
    config, client = AliveConfig(), ClientConfig()
    service = Service(failures=3)
    report = reports(service, [], config).report
    waits = [report() for _ in range(4)]
    assert waits == [config.retry] * 3 + [config.every]
    # A try is at most three exchanges: the session has ended, a login, the call once more.
    assert config.every + 3 * client.exchange + config.retry + client.exchange < 180
