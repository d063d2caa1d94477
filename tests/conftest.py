"""What holds for all tests: no deadline for an example, and no skip unseen by CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# On a busy machine any single example can be slow.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

MISSING = {
    "the corpus is not": not (Path(__file__).resolve().parents[2] / "shared" / "corpus").is_dir(),
    "there is no chromium": shutil.which("chromium") is None,
}
"""What a test may be skipped for, by how its reason begins, and whether it is missing here."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test that is skipped without need fail in CI."""
    report = yield
    _judge(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let a module that is skipped without need fail in CI."""
    report = yield
    _judge(report)
    return report


def _judge(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure, in CI, unless what the test needs is missing."""
    if os.environ.get("CI") != "true" or report.outcome != "skipped":
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if not any(missing and reason.startswith(start) for start, missing in MISSING.items()):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI, though nothing it needs is missing: {reason}"
