"""The command nlroute as a process of its own: signals, terminals, pipes and imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nlrouter.files.answer_file import format_answer
from nlrouter.signals import SECOND_SIGNAL_AFTER
from tests.commands import fake_engine
from tests.commands.fake_engine import DETOUR_8, PROBLEM_TEXT, STRAIGHT_4
from tests.tell.terminal import Terminal

FAKE = [sys.executable, fake_engine.__file__]
PATIENCE = 20


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder that holds problem.txt alone."""
    monkeypatch.chdir(tmp_path)
    Path("problem.txt").write_text(PROBLEM_TEXT)
    return tmp_path


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def start(scenario: str, *options: str) -> subprocess.Popen[str]:
    """Start a run on problem.txt."""
    command = [*FAKE, scenario, "problem.txt", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_keeps_the_best(number: int) -> None:
    """Tests that a signal in mid-run ends it with summary, figures, best answer and code 0."""
    process = start("waits", "-o", "answer.txt", "--json")
    wait_for(Path("answer.txt").exists)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert json.loads(out)["status"] == "feasible"
    assert err.startswith("feasible  cost 8 = 6 cells + 2 bends") and err.count("\n") == 1
    assert Path("answer.txt").read_text() == format_answer(DETOUR_8, 1)


def test_signal_without_answer() -> None:
    """Tests that a signal before any answer gives code 1."""
    process = start("waits empty-handed", "--verbose")
    assert process.stderr is not None
    first = process.stderr.readline()
    assert "cost -" in first
    process.terminate()
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert err.splitlines()[-1] == "unknown  bound 2  4.2 s"


def test_twin_signal_is_one() -> None:
    """Tests that a signal sent twice in a row, as by timeout, does not cut the end short."""
    process = start("waits", "-o", "answer.txt")
    wait_for(Path("answer.txt").exists)
    process.terminate()
    process.terminate()
    assert process.communicate(timeout=PATIENCE)[1].startswith("feasible")
    assert process.returncode == 0


def test_second_signal_leaves_at_once() -> None:
    """Tests that a second signal ends an engine that does not listen, with what is on disk."""
    process = start("deaf", "-o", "answer.txt")
    wait_for(Path("answer.txt").exists)
    start_of_signals = time.monotonic()

    def killed() -> bool:
        process.terminate()
        return process.poll() is not None

    wait_for(killed)
    assert time.monotonic() - start_of_signals >= SECOND_SIGNAL_AFTER
    assert process.communicate() == ("", "")
    assert process.returncode == 0
    assert Path("answer.txt").read_text() == format_answer(DETOUR_8, 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("scenario", "code"), [("optimal", 0), ("infeasible", 3)])
def test_signal_that_comes_too_late(scenario: str, code: int, number: int) -> None:
    """Tests that after the verdict a signal does not make the exit code another one."""
    words = [fake_engine.__file__, scenario, "problem.txt", "--json"]
    script = (
        "import atexit, os, runpy, sys\n"
        f"atexit.register(os.kill, os.getpid(), {int(number)})\n"
        f"sys.argv = {words}\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == code
    assert json.loads(done.stdout)["status"] == scenario
    assert done.stderr.count("\n") == 1


def test_terminal_shows_live_line() -> None:
    """Tests that on a terminal one line is redrawn, then wiped before the summary."""
    shown = run_on_terminal("optimal")
    assert "   0.5 s  cost 8  bound 2  gap 75.0 %" in shown
    terminal = Terminal()
    terminal.write(shown)
    (summary,) = terminal.lines()
    assert summary.startswith("optimal  cost 4")


def test_quiet_terminal() -> None:
    """Tests that --quiet leaves a terminal alone."""
    assert run_on_terminal("optimal", "--quiet") == ""


def run_on_terminal(scenario: str, *options: str) -> str:
    """Return what a run shows whose standard error is a terminal."""
    ours, theirs = os.openpty()
    command = [*FAKE, scenario, "problem.txt", "-o", "answer.txt", *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    while chunk := read_terminal(ours):
        shown += chunk
    os.close(ours)
    assert process.wait(timeout=PATIENCE) == 0
    return shown.decode()


def read_terminal(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # Linux says so where the other side is closed.
        return b""


def test_reader_that_left() -> None:
    """Tests that a broken pipe is no traceback, but no success either."""
    process = start("optimal")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    with process.stderr:
        err = process.stderr.read()
    assert process.wait(timeout=PATIENCE) == 1
    complaint, summary = err.splitlines()
    assert complaint == "nlroute: standard output did not take the answer"
    assert summary.startswith("optimal")


def test_reader_of_progress_that_left() -> None:
    """Tests that the search goes on for its file where nobody reads the progress."""
    process = start("optimal", "-o", "answer.txt", "--verbose")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stderr.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert Path("answer.txt").read_text() == format_answer(STRAIGHT_4, 1)


def test_closed_streams() -> None:
    """Tests that a run whose standard streams are closed writes its file."""
    command = " ".join([*FAKE, "optimal", "problem.txt", "-o", "answer.txt", ">&-", "2>&-"])
    assert subprocess.run(["sh", "-c", command], timeout=PATIENCE).returncode == 0
    assert Path("answer.txt").read_text() == format_answer(STRAIGHT_4, 1)


@pytest.mark.parametrize("options", [["--help"], ["--version"], ["--workers", "0"]])
def test_help_needs_no_heavy_import(options: list[str]) -> None:
    """Tests that help and usage errors do not wait for numpy or an engine to load."""
    script = (
        "import sys\n"
        "from nlrouter.commands.nlroute import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit:\n"
        "    heavy = {'numpy', 'ortools', 'numba', 'scipy', 'networkx'}\n"
        "    print(sorted(heavy & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", script, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == "[]"
