"""Tests that what standard output does not take is not passed over."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "numplace"
FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="a device that is always full")


def numplace(words: list[str], redirection: str) -> tuple[int, str]:
    """Run a command whose standard output takes nothing; return exit code and last complaint."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
    command = [sys.executable, "-m", "numplace.commands.numplace", *words]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *command],
        env=os.environ | {"PYTHONPATH": paths},
        stderr=subprocess.PIPE,
        text=True,
    )
    return done.returncode, (done.stderr.splitlines() or [""])[-1]


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "CSV-03"],
        ["count", "CSV-03", "--quiet"],
        ["print", "CSV-03"],
        ["generate", "plain", "--quiet"],
        ["cdok", "print", "-i", "KEN-01/puzzle.txt"],
        ["csv", "--help"],
    ],
)
@pytest.mark.parametrize("redirection", [f"> {FULL}", ">&-"])
def test_output_is_not_taken(words: list[str], redirection: str) -> None:
    """Tests that output lost on a full or closed standard output is told, with exit code 1."""
    code, complaint = numplace(
        [str(DATA / word) if word[:3].isupper() else word for word in words], redirection
    )
    assert (code, complaint) == (1, f"numplace {words[0]}: standard output did not take it all")


def test_files_are_written_all_the_same(tmp_path: Path) -> None:
    """Tests that a full standard output does not keep answers from their file."""
    puzzles, answers = tmp_path / "puzzles", tmp_path / "answers"
    puzzles.write_text(f"{'.' * 81}\n" * 2)
    words = ["solve", str(puzzles), "--json", "--count", "1", "-o", str(answers)]
    assert numplace(words, f"> {FULL}")[0] == 1
    assert len(answers.read_text().split()) == 2


@pytest.mark.parametrize(
    "words",
    [
        ["solve", DATA / "CSV-03", "-o"],
        ["solve", DATA / "CSV-03", "--proof"],
        ["solve", "--lines", DATA / "TXT" / "ladder.txt", "-o"],
        ["sdq", DATA / "SDQ-01" / "puzzle.sdq", "-o"],
        ["generate", "plain", "--to", "text", "-o"],
        ["convert", "--to", "json", DATA / "CSV-03"],
        ["cdok", "print", "-i", DATA / "KEN-01" / "puzzle.txt", "-o"],
    ],
)
def test_full_file_is_told_after_the_work(words: list[object], run: Callable) -> None:
    """Tests that a file that takes nothing is told, with exit code 1 (A14)."""
    outcome = run(*words, FULL)
    assert outcome.code == 1 and "found no way to write it (No space" in outcome.err


def test_nothing_said_is_nothing_lost(tmp_path: Path) -> None:
    """Tests that a command with nothing to say needs no standard output."""
    words = ["solve", str(DATA / "CSV-03"), "-o", str(tmp_path / "answer"), "--quiet"]
    assert numplace(words, ">&-") == (0, "")
