"""Tests of runs of the router, with small scripts in its place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from nlrouter.runs.router_run import RoutingConfig, Run, run_router

QUICK = RoutingConfig(look=0.02, memory_look=0.02, grace=0.0, last_grace=0.5)
PATIENCE = 20.0


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def run(code: str, seconds: float = PATIENCE, stop: Callable[[], bool] = lambda: False) -> Run:
    return run_router([sys.executable, "-c", code], seconds, stop, QUICK)


def test_figures() -> None:
    """Tests that status and bound are read, and time and memory measured, of all processes."""
    child = "x = bytearray(50_000_000); sum(range(10**6))"
    code = (
        "import subprocess, sys\n"
        f"subprocess.run([sys.executable, '-c', {child!r}])\n"
        """print('{"status": "feasible", "lower_bound": 7}')"""
    )
    result = run(code)
    assert (result.status, result.lower_bound, result.error) == ("feasible", 7, "")
    assert result.memory > 50_000_000
    assert result.cpu_seconds > 0 and result.seconds > 0


def test_no_figures() -> None:
    """Tests that a router that fails is told by its last words, or its exit code."""
    assert run("raise SystemExit('first\\nout of luck')").error == "out of luck"
    assert run("raise SystemExit(5)").error == "no figures, exit code 5"
    assert run("print('optimal')").status == ""
    assert run("print([1])").status == ""


def test_ends_on_demand(tmp_path: Path) -> None:
    """Tests that a router is told to end, and may then still give its figures."""
    started = tmp_path / "started"
    code = f"""
import signal, time
def end(*_):
    print('{{"status": "feasible"}}')
    raise SystemExit
signal.signal(signal.SIGTERM, end)
open({str(started)!r}, "w").close()
time.sleep(60)
"""
    assert run(code, stop=started.exists).status == "feasible"


def test_ends_after_its_time() -> None:
    """Tests that a router that goes on after its time is told to end."""
    assert run("import time; time.sleep(60)", seconds=0.3).error.startswith("no figures")


def test_kills_the_deaf(tmp_path: Path) -> None:
    """Tests that a router that goes on after a SIGTERM is killed."""
    started = tmp_path / "started"
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(started)!r}, 'w').close(); time.sleep(60)"
    )
    assert run(code, stop=started.exists).error == "no figures, exit code -9"


def test_ends_with_its_owner(tmp_path: Path) -> None:
    """Tests that the router ends when the process that runs it is killed."""
    pid = tmp_path / "pid"
    router = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    owner = (
        "import sys; from nlrouter.runs.router_run import RoutingConfig, run_router\n"
        f"run_router([sys.executable, '-c', {router!r}], 60, lambda: False, RoutingConfig())"
    )
    process = subprocess.Popen([sys.executable, "-c", owner])
    wait_for(lambda: pid.exists() and bool(pid.read_text()))
    process.send_signal(signal.SIGKILL)
    process.wait()

    def gone() -> bool:
        try:
            os.kill(int(pid.read_text()), 0)
        except ProcessLookupError:
            return True
        return False

    wait_for(gone)
