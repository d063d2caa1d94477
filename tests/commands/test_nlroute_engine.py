"""The engine that nlroute is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nlrouter.commands.nlroute import main
from nlrouter.files.answer_file import read_answer

TWO_LINES = "SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n"
BENT = "SIZE 5X3\n1,1,0,1,1\n0,1,1,1,0\n2,2,2,2,2\n"
NO_ANSWER = "SIZE 4X4\nLINE_NUM 3\nLINE#1 (1,1)-(2,3)\nLINE#2 (2,1)-(1,3)\nLINE#3 (0,2)-(3,1)\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with problems and an answer."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"problem": TWO_LINES, "bent": BENT, "none": NO_ANSWER}.items():
        Path(f"{name}.txt").write_text(text)


def test_cp_sat(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that it proves, says so as always, and writes the answer."""
    options = ["--engine", "cp-sat", "-o", "answer.txt", "--json", "--verbose"]
    assert main(["problem.txt", *options]) == 0
    out, err = capsys.readouterr()
    record = json.loads(out)
    assert (record["status"], record["cost"], record["lower_bound"]) == ("optimal", 10, 10)
    assert "solve" in err and "find" not in err and "maxsat" not in err
    assert read_answer("answer.txt")[0].tolist() == [[1] * 5, [0] * 5, [2] * 5]


def test_infeasible() -> None:
    """Tests the exit code where it proves that there is no answer."""
    assert main(["none.txt", "--engine", "cp-sat", "--quiet"]) == 3


def test_fixed_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that lines of a start stay as they are."""
    options = ["--engine", "cp-sat", "--start", "bent.txt", "--fix", "1", "--json", "--quiet"]
    assert main(["problem.txt", *options]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["status"], record["cost"], record["fixed"]) == ("optimal", 16, [1])


def test_many_boards(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each of many boards is routed by it."""
    Path("other.txt").write_text(TWO_LINES)
    assert main(["problem.txt", "other.txt", "--engine", "cp-sat", "-o", "answers/"]) == 0
    assert len(list(Path("answers").glob("*.txt"))) == 2


def test_no_such_engine(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that others than those that there are are refused."""
    with pytest.raises(SystemExit, match="2"):
        main(["problem.txt", "--engine", "sat"])
    assert "invalid choice: 'sat'" in capsys.readouterr().err
