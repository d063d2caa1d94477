"""Tests that Ctrl-C ends the tools, with one sentence."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import fuzz
import pytest
from interrupt import interruptible, processes
from measure.loop import tell
from measure.records import read_runs

ROOT = Path(__file__).parents[2]
TOOLS = [path for path in sorted((ROOT / "tools").glob("*.py")) if "__main__" in path.read_text()]


def interrupted(*_: Any, **__: Any) -> Any:
    """Do what Ctrl-C does."""
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("path", TOOLS, ids=lambda path: path.stem)
def test_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that each tool says that it was interrupted, and gives exit code 1."""
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", interrupted)
    with pytest.raises((SystemExit, KeyboardInterrupt)) as end:
        runpy.run_path(str(path), run_name="__main__")
    assert getattr(end.value, "code", None) == 1
    assert capsys.readouterr().err == f"{path.name}: interrupted\n"


def test_other_errors() -> None:
    """Tests that an interrupt in compiled code is one, and other errors stay what they are."""

    def fail(cause: BaseException | None) -> int:
        raise SystemError("a result with an exception set") from cause

    inner = SystemError()
    inner.__cause__ = KeyboardInterrupt()
    assert interruptible(partial(fail, inner)) == 1
    for cause in (None, MemoryError()):
        with pytest.raises(SystemError):
            interruptible(partial(fail, cause))


def test_processes() -> None:
    """Tests that what is running and what waits is given up."""
    work: list[Future[None]] = []

    def give_up() -> None:
        with processes(2) as pool:
            work.extend(pool.submit(time.sleep, 100) for _ in range(4))
            interrupted()

    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert all(future.exception() for future in work)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["process", "group"])
def test_survey(
    send: Callable[[int, int], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a survey ends in the middle of its runs, and keeps those that are done."""
    kept = tmp_path / "runs.jsonl"
    command = [sys.executable, str(ROOT / "tools" / "survey.py"), str(kept), "--time-limit", "5"]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        send(process.pid, signal.SIGINT)
        _, rest = process.communicate(timeout=100)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    *told, last = [first, *rest.splitlines(keepends=True)]
    assert (last, process.returncode) == ("survey.py: interrupted\n", 1)
    for run in read_runs(kept)[: len(told)]:
        tell(run)
    assert capsys.readouterr().err == "".join(told)


def test_fuzz_in_one_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that an interrupt is no fault of the board that is being routed."""
    route = fuzz.route

    def compiled(*given: Any) -> Any:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise SystemError from error
        return route(*given)

    monkeypatch.setattr(fuzz, "route", compiled)
    with pytest.raises(KeyboardInterrupt):
        fuzz.main(["--boards", "9", "--cells", "9", "--workers", "1"])
    assert capsys.readouterr().out == ""
