"""Many boards on a Dask cluster of two worker processes, some of which die."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nlrouter.files.errors import FileError
from tests.batch import fake_batch
from tests.batch.fake_batch import batch
from tests.batch.fake_nlroute import PROBLEM, STRAIGHT_4

distributed = pytest.importorskip("distributed")

PATIENCE = 40


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start two workers of one thread each."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_problems(*names: str) -> list[str]:
    """Write problem files; a name makes a board, which no other test should have."""
    for name in names:
        Path(f"{name}.txt").write_text(PROBLEM)
    return [f"{name}.txt" for name in names]


def start(cluster: Any, scenario: str, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, fake_batch.__file__, scenario, *arguments, "-o", "out/"]
    return subprocess.Popen([*command, "--scheduler", cluster.scheduler_address])


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def figures(folder: str) -> list[tuple[object, ...]]:
    """Read what a table says of each board, except the time that it took."""
    table = json.loads(Path(folder, "table.json").read_text())
    columns = ("board", "status", "cost", "length", "bends", "lower_bound", "gap", "note", "key")
    return [tuple(row[column] for column in columns) for row in table["boards"]]


def test_killed_worker(cluster: Any) -> None:
    """Tests that a killed worker costs no board, and that the table is that of one machine."""
    problems = write_problems("Q1", "Q2", "Q3", "Q4")
    process = start(cluster, "later1", *problems)
    wait_for(lambda: len(list(Path().glob("out/A*.txt"))) == 2)
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    assert process.wait(PATIENCE) == 0
    assert all(Path(f"out/A{n}.txt").read_text() == STRAIGHT_4 for n in (1, 2, 3, 4))
    assert batch("optimal", *problems, "-o", "here/", "--quiet") == 0
    assert figures("out") == figures("here")


@pytest.mark.parametrize(("ended", "names"), [(False, ("Q5", "Q6")), (True, ("Q9", "Q10"))])
def test_killed_client(cluster: Any, ended: bool, names: tuple[str, ...]) -> None:
    """Tests that the next client has what still runs, or has ended, since one was killed."""
    problems = write_problems(*names)
    process = start(cluster, "later1" if ended else "later2.5", *problems)
    wait_for(lambda: len(list(Path().glob("out/A*.txt"))) == 2)
    process.kill()
    process.wait()
    wait_for(lambda: not ended or not cluster.scheduler.total_occupancy)
    # A run of its own would crash, so that only those of the killed client can be optimal.
    assert start(cluster, "crash", *problems).wait(PATIENCE) == 0
    assert [row[1] for row in figures("out")] == ["optimal", "optimal"]


def test_signal(cluster: Any) -> None:
    """Tests that a signal ends the runs on the workers, whose last figures still arrive."""
    process = start(cluster, "slow", *write_problems("Q7", "Q8"))
    wait_for(lambda: len(list(Path().glob("out/A*.txt"))) == 2)
    process.terminate()
    assert process.wait(PATIENCE) == 0
    assert [row[5] for row in figures("out")] == [2, 2]


def test_no_scheduler() -> None:
    """Tests that an address without a scheduler is told in a sentence."""
    from nlrouter.batch.cluster import ClusterConfig, ClusterRunner

    async def connect() -> None:
        await ClusterRunner.connect("tcp://127.0.0.1:9", print, ClusterConfig(patience=0.5))

    with pytest.raises(FileError, match=r"--scheduler tcp://127.0.0.1:9: found no scheduler"):
        asyncio.run(connect())


def test_no_address() -> None:
    """Tests that what is no address is told in a sentence, and nothing after it."""
    Path("Q1.txt").write_text(PROBLEM)
    command = [sys.executable, "-m", "nlrouter.commands.nlroute", "Q1.txt", "-o", "out/"]
    command += ["--scheduler", "foo"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 2
    assert "found no scheduler (missing port number in address 'foo')" in run.stderr
    assert run.stderr.count("\n") == 1
