"""The command nlroute where memory or disk have come to their end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nlrouter.files.answer_file import format_answer
from tests.commands import fake_engine
from tests.commands.fake_engine import PROBLEM_TEXT, STRAIGHT_4

REAL = f"{sys.executable} -m nlrouter.commands.nlroute"
FAKE = f"{sys.executable} {fake_engine.__file__}"
PATIENCE = 120


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder that holds problem.txt alone."""
    monkeypatch.chdir(tmp_path)
    Path("problem.txt").write_text(PROBLEM_TEXT)
    return tmp_path


def run(limit: str, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command under a limit of the shell."""
    return subprocess.run(
        ["bash", "-c", f"ulimit {limit}; exec {command}"],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("kilobytes", [120_000, 280_000])
def test_no_memory(kilobytes: int) -> None:
    """Tests that too little memory to begin is told in one sentence."""
    # Too large to be closed before the engine is loaded.
    Path("large.txt").write_text("SIZE 20X20X1\nLINE_NUM 1\nLINE#1 (0,0,1) (19,19,1)\n")
    done = run(f"-v {kilobytes}", f"{REAL} large.txt -o answer.txt")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("nlroute: ")
    assert done.stderr.count("\n") == 1


def test_full_disk() -> None:
    """Tests that an answer that the disk does not take is told once, and not lost."""
    done = run("-f 0", f"{FAKE} optimal problem.txt -o answer.txt --quiet")
    assert done.returncode == 1
    assert done.stdout == format_answer(STRAIGHT_4, 1)
    assert done.stderr == (
        "nlroute: answer.txt: found no way to write it (File too large), expected a file in a "
        "folder that can be written\nnlroute: the answer is on standard output instead\n"
    )
    assert sorted(path.name for path in Path().iterdir()) == ["problem.txt"]
