"""Tests of the command nlsubmit, where it matters with the real router."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from adc_contest import Contest, Fault
from adc_server import serve

from nlrouter.commands.nlsubmit import _until, main
from tests.contest.fake_router import board

VIA = "SIZE 2X2X2\nLINE_NUM 1\nLINE#1 (0,0,1) (1,1,2)\nVIA#a (1,0,1) (1,0,2)\n"

Run = Callable[..., int]


@pytest.fixture
def contest() -> Contest:
    """A contest of two boards."""
    return Contest({1: board(3), 5: VIA})


@pytest.fixture
def nlsubmit(contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs the command in an empty folder, with service, user and password known."""
    monkeypatch.chdir(tmp_path)
    with serve(contest, "/adc") as url:
        monkeypatch.setenv("NLSUBMIT_SERVICE", url)
        monkeypatch.setenv("NLSUBMIT_USER", "team")
        monkeypatch.setenv("NLSUBMIT_PASSWORD", "practice")
        yield lambda *arguments: main(arguments)


def test_own_problems(nlsubmit: Run, contest: Contest, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests the way of a problem of one's own: checked, uploaded, listed, deleted."""
    contest.set_state("Qup")
    Path("Q.txt").write_text(VIA)
    assert nlsubmit("check", "Q.txt") == 0
    assert capsys.readouterr().out.startswith("OK\nSIZE 2X2X2")
    assert nlsubmit("upload", "2", "Q.txt") == 0
    assert nlsubmit("list") == 0
    assert capsys.readouterr().out.endswith("1  -\n2  SIZE 2X2X2, 1 lines\n3  -\n")
    assert nlsubmit("delete", "2") == 0
    assert nlsubmit("delete", "2") == 1
    assert contest.own == {}


def test_bad_problem_stays_here(
    nlsubmit: Run, contest: Contest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a malformed problem is told by file and line, before anything is sent."""
    contest.set_state("Qup")
    Path("Q.txt").write_text("SIZE 2X2X2\nLINE\n")
    assert nlsubmit("upload", "1", "Q.txt") == 2
    assert "Q.txt:2: found 'LINE'" in capsys.readouterr().err
    assert contest.sessions == {}


def test_not_now(nlsubmit: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that the service's state is told in one line."""
    Path("Q.txt").write_text(VIA)
    assert nlsubmit("upload", "1", "Q.txt") == 1
    error = capsys.readouterr().err
    assert error.endswith("PUT /user/team/Q/1: 503 deadline passed\n") and error.count("\n") == 1


def test_wrong_password(
    nlsubmit: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a wrong password ends the command at once and is not shown."""
    monkeypatch.setenv("NLSUBMIT_PASSWORD", "pa55word")
    assert nlsubmit("run") == 2
    error = capsys.readouterr().err
    assert error.endswith("the service does not know 'team' by this password\n")
    assert "pa55word" not in error


def test_open_password_file(nlsubmit: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a password file that others can read is refused."""
    Path("password").write_text("practice\n")
    Path("password").chmod(0o644)
    assert nlsubmit("list", "--password-file", "password") == 2
    assert "chmod 600" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--service", "https://team:pa55word@adc/"],
        ["run", "--service", "ftp://adc"],
        ["run", "--service", "adc"],
        ["run", "--user", ""],
        ["run", "--until", "noon"],
        ["run", "--until", "25:00"],
        ["upload", "4", "Q.txt"],
        [],
    ],
)
def test_bad_usage(nlsubmit: Run, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a mistake on the command line is told, without showing a password."""
    with pytest.raises(SystemExit) as caught:
        nlsubmit(*arguments)
    assert caught.value.code == 2
    assert "pa55word" not in capsys.readouterr().err


def test_deadlines() -> None:
    """Tests that a deadline is a time of the day of the start, or seconds after it."""
    started = time.mktime((2016, 9, 1, 9, 30, 0, 0, 0, -1))
    assert _until("10:45")(started) == started + 75 * 60
    assert _until("90")(started) == started + 90
    assert _until("inf")(started) == math.inf


def test_deadline_is_over(nlsubmit: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that the seconds count from the first start, so a restart does not prolong them."""
    assert nlsubmit("run", "--until", "0.01") == 1
    time.sleep(0.02)
    assert nlsubmit("run", "--until", "0.01") == 1
    assert "the deadline passed at" in capsys.readouterr().err


def test_signals_afterwards(nlsubmit: Run) -> None:
    """Tests that whoever calls the command keeps his handlers of signals."""
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert nlsubmit("run", "--until", "0.1") == 1
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_day_with_nlroute(contest: Contest, tmp_path: Path) -> None:
    """Tests a day with the real router, whose password shows nowhere."""
    contest.faults = [Fault("lose", count=1, calls="PUT .*/A/team/Q/5")]
    del contest.problems[1]
    password = tmp_path / "password"
    password.write_text("practice\n")
    password.chmod(0o600)
    with serve(contest) as url:
        command = [sys.executable, "-m", "nlrouter.commands.nlsubmit", "run", "--user", "team"]
        command += ["--service", url, "--password-file", str(password), "--until", "120"]
        command += ["--state", str(tmp_path / "state"), "--workers", "1"]
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 0
    assert result.stderr.endswith("1 of 1 sent, 1 of them optimal\n")
    assert [put.number for put in contest.puts] == [5]
    assert contest.answers["team", 5].correct
    assert "practice" not in result.stderr
    assert not any(b"practice" in path.read_bytes() for path in (tmp_path / "state").iterdir())
