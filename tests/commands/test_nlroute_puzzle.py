"""The command nlroute --puzzle."""

import json
from pathlib import Path

import pytest

from nlrouter.commands.nlcheck import main as nlcheck
from nlrouter.commands.nlroute import main

PAIR = "https://puzz.link/p?numlin/2/2/11h"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("rows", "rules", "code", "words"),
    [
        ("AA\n..\n", "adc", 0, "only one answer (adc)"),
        ("AA\n..\n", "flow", 0, "only one answer (flow)"),
        ("AA\n..\n", "nikoli", 4, "several answers (nikoli)  2 found, the first two differ in 4 "
         "cells:  (0,0) (1,0) (0,1) (1,1)"),
        ("AB\nBA\n", "adc", 3, "no answer (adc)"),
        ("AA.\n", "flow", 3, "no answer (flow)"),
    ],
)  # fmt: skip
def test_verdicts(
    rows: str, rules: str, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests each verdict, its exit code, and that the answers are written and correct."""
    Path("board.txt").write_text(rows)
    assert main(["board.txt", "--puzzle", rules, "-o", "answers.txt"]) == code
    assert capsys.readouterr().err.startswith(f"{words}  ")
    assert Path("answers.txt").exists() == (code != 3)
    if code != 3:
        rule = "ADC2016" if rules == "adc" else rules
        assert nlcheck(["--input", "board.txt", "--target", "answers.txt", "--rule", rule]) == 0
        assert main(["board.txt", "--puzzle", rules, "-o", "answers.txt"]) == code


def test_limit(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that one answer can be enough, and that more can be counted."""
    assert main([PAIR, "--puzzle", "nikoli", "--limit", "1", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "not known"
    assert main([PAIR, "--puzzle", "nikoli", "--limit", "9", "--json", "--quiet"]) == 4
    record = json.loads(capsys.readouterr().out)
    assert len(record["answers"]) == 2
    assert record["differing"] == [[0, 0], [1, 0], [0, 1], [1, 1]]


def test_time_that_is_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that nothing is said where the time is up, in work as well."""
    Path("board.txt").write_text("A..B\n....\nB..A\n....\n")
    for options in ([], ["--deterministic"]):
        assert main(["board.txt", "--puzzle", "adc", "--time-limit", "1e-9", *options]) == 1
        assert capsys.readouterr().err.startswith("not known (adc)")


@pytest.mark.parametrize(
    ("rows", "rules", "said"),
    [("AB\n..\nAB\n", "flow", "only one answer"), ("AB\nBA\n", "adc", "no answer")],
)
def test_certificate(rows: str, rules: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that nlcheck verifies what is certified, of that board alone."""
    Path("board.txt").write_text(rows)
    Path("other.txt").write_text("AB\nAB\n")
    main(["board.txt", "--puzzle", rules, "--certificate", "c.json"])
    assert capsys.readouterr().err.endswith(f"certificate c.json: {said} ({rules})\n")
    assert nlcheck(["--input", "board.txt", "--certificate", "c.json"]) == 0
    assert capsys.readouterr().out.endswith(f"{said} ({rules}): verified\n")
    assert nlcheck(["--input", "other.txt", "--certificate", "c.json"]) == 1
    assert "refused: the certificate is of another problem" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "options", "code", "found"),
    [
        ("AA\n..\n", ["nikoli"], 4, "several answers"),
        ("AA\n..\n", ["adc"], 1, "an only answer that leaves cells empty"),
        ("A..B\n....\nB..A\n....\n", ["adc", "--time-limit", "1e-9"], 1, "not known"),
    ],
)
def test_nothing_to_certify(
    rows: str, options: list[str], code: int, found: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that it is said why there is no certificate."""
    Path("board.txt").write_text(rows)
    assert main(["board.txt", "--certificate", "c.json", "--puzzle", *options]) == code
    expected = "only one answer, which fills the board, or none, in time"
    assert f"nlroute: c.json: found {found}, expected {expected}\n" in capsys.readouterr().err
    assert not Path("c.json").exists()


def test_other_files_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a file that is no answer gives way with --force only."""
    Path("mine.txt").write_text("A B\n")
    assert main([PAIR, "--puzzle", "adc", "-o", "mine.txt"]) == 2
    assert "found a file that is no answer" in capsys.readouterr().err
    assert main([PAIR, "--puzzle", "adc", "-o", "mine.txt", "--force"]) == 0
    Path("mine.txt").write_text("A B\n")
    assert main([PAIR, "--puzzle", "adc", "--certificate", "mine.txt"]) == 2
    assert "found a file that is no certificate" in capsys.readouterr().err


def test_boards_and_options_that_are_not_for_puzzles(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that layers, several boards and options about the cost are refused."""
    Path("layers.txt").write_text("SIZE 2X1X2\nLINE_NUM 1\nLINE#1 (0,0,1) (1,0,1)\n")
    assert main(["layers.txt", "--puzzle", "adc"]) == 2
    assert "found 2 layers, expected one layer, for --puzzle" in capsys.readouterr().err
    for wrong in (["--explain"], ["--history", "h"], ["b.txt", "-o", "."], ["--start", "x"]):
        with pytest.raises(SystemExit):
            main(["board.txt", "--puzzle", "adc", *wrong])
    with pytest.raises(SystemExit):
        main(["board.txt", "--limit", "3"])
