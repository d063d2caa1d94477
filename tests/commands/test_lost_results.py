"""Results that standard output does not take: no command ends as if all were well."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pytest

from nlrouter.commands.frame import Exit

ROOT = Path(__file__).resolve().parents[2]
BOARD = str(ROOT / "problems" / "smallest_2x2x2.txt")
ANSWER = str(ROOT / "answers" / "smallest_2x2x2.txt")
ROUTE = f"nlroute {BOARD} --start {ANSWER} --time-limit 0"

COMMANDS = {
    f"{ROUTE} --quiet": "the answer",
    f"{ROUTE} --quiet --json": "the results",
    f"{ROUTE} --quiet --explain": "the explanation",
    f"{ROUTE} --quiet -o a.txt --json": "the results",
    f"nlcheck --input {BOARD}": "the results",
    f"nlcheck --input {BOARD} --target {ANSWER}": "the results",
    f"nlcheck --input {BOARD} --target {ANSWER} --debug": "the results",
    f"nlconv {BOARD} -o q.xlsx": "the results",
    f"nldraw {BOARD}": "the picture",
    "nlgen --size 5x5x2 --quiet": "the problem",
    "nlgen --size 5x5x2 --quiet --json -o q.txt": "the results",
    f"nlscore boards {ROOT / 'answers'}": "the table",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder of its own, with a folder of one problem."""
    monkeypatch.chdir(tmp_path)
    Path("boards").mkdir()
    Path("boards/smallest_2x2x2.txt").write_bytes(Path(BOARD).read_bytes())
    return tmp_path


def run(line: str) -> Exit:
    """Run a command line."""
    name, *arguments = line.split()
    code: Exit = import_module(f"nlrouter.commands.{name}").main(arguments)
    return code


@contextmanager
def standard_output(name: str | int | None) -> Iterator[None]:
    """Let standard output go to a file, each write straight on; None if it is closed."""
    if name is None:
        with patch.object(sys, "stdout", None):
            yield
        return
    with (
        open(name, "wb", buffering=0) as file,
        io.TextIOWrapper(file, write_through=True) as text,
        patch.object(sys, "stdout", text),
    ):
        yield


@pytest.mark.parametrize("name", ["/dev/full", None], ids=["full", "closed"])
@pytest.mark.parametrize("line", COMMANDS)
def test_lost_results(line: str, name: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a full disk and a closed stream are told once, and the exit code is 1."""
    with standard_output(name):
        assert run(line) == Exit.NOT_DONE
    said = f"{line.split()[0]}: standard output did not take {COMMANDS[line]}\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("line", ["nlroute --help", "nlsubmit list --help"])
def test_lost_help(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that help is a result as any other."""
    with standard_output("/dev/full"), pytest.raises(SystemExit) as leaving:
        run(line)
    assert leaving.value.code == Exit.NOT_DONE
    assert "standard output did not take the help" in capsys.readouterr().err


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("nlcheck")])
def test_reader_that_left(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a reader that has what it wants is no fault."""
    ours, theirs = os.pipe()
    os.close(ours)
    with standard_output(theirs):
        assert run(line) == Exit.DONE
    assert capsys.readouterr().err == ""


def test_work_goes_on() -> None:
    """Tests that what goes to files is written all the same."""
    with standard_output("/dev/full"):
        assert run("nlgen --size 5x5x2 --count 2 -o many --json --quiet") == Exit.NOT_DONE
    assert len(list(Path("many").glob("*.txt"))) == 2


def test_next_command() -> None:
    """Tests that what one command has lost is not the fault of the next in the same process."""
    line = f"nlcheck --input {BOARD}"
    with standard_output("/dev/full"):
        assert run(line) == Exit.NOT_DONE
    assert run(line) == Exit.DONE
