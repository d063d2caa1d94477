"""Tests of the commands explain and grade."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numplace.check.steps import check_steps
from numplace.files.detect import read_puzzle
from tests.numplace.conftest import Outcome

Run = Callable[..., Outcome]


@pytest.fixture
def grid(tmp_path: Path, data: Path) -> Callable[[str], Path]:
    """Return what writes a grid of the ladder to a file of its own."""

    def write(name: str) -> Path:
        for line in (data / "TXT" / "ladder.txt").read_text().splitlines():
            if line.startswith(name):
                path = tmp_path / f"{name}.txt"
                path.write_text(line.split()[1] + "\n")
                return path
        raise AssertionError(name)

    return write


def records(out: str) -> list[dict[str, Any]]:
    """Return the objects of JSON lines."""
    return [json.loads(line) for line in out.splitlines()]


def test_marks_of_the_start(run: Run, data: Path) -> None:
    """Tests that the candidates are shown before any step."""
    outcome = run("explain", data / "TXT-01", "--marks", "--until", "0")
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == "149 . . 12349 1349 124 123 . ."
    assert outcome.out.splitlines()[8] == ". . 136 138 13 168 . . 1238"


def test_steps_and_answer(run: Run, data: Path) -> None:
    """Tests that steps are numbered and the full grid follows in the puzzle's own format."""
    outcome = run("explain", data / "TXT-01", "--techniques", "document")
    steps, _, answer = outcome.out.partition("\n\n")
    assert outcome.code == 0
    assert answer == (data / "TXT-01" / "answer.txt").read_text()
    lines = steps.splitlines()
    assert lines[0] == "1. hidden single 6 in row 3: r3c9 = 6"
    assert [line.split(".")[0] for line in lines] == [str(n + 1) for n in range(len(lines))]


def test_stuck(run: Run, grid: Callable[[str], Path]) -> None:
    """Tests that the document's set says where it stops, shows the candidates and exits 1."""
    path = grid("TXT-10")
    outcome = run("explain", path, "--techniques", "document")
    assert outcome.code == 1
    assert outcome.err == f"{path}: stuck after 26 steps: no technique finds a step\n"
    assert "1345 . 1345 39 . . 489 149 189" in outcome.out


def test_words_of_a_triple(run: Run, grid: Callable[[str], Path]) -> None:
    """Tests the sentence of a naked triple in both languages."""
    english = run("explain", grid("TXT-06"), "--techniques", "document").out
    japanese = run("explain", grid("TXT-06"), "--techniques", "document", "--lang", "ja").out
    assert (
        "20. naked triple 2,6,8 in column 5 (r4c5, r5c5, r9c5): r3c5 loses 2, 6, 8; r7c5 loses 8"
    ) in english.splitlines()
    assert (
        "20. ネイキッドトリプル 2,6,8 ［5列目］ (r4c5, r5c5, r9c5): "
        "r3c5 から 2, 6, 8 を消す; r7c5 から 8 を消す"
    ) in japanese.splitlines()


def test_japanese_names(run: Run, data: Path) -> None:
    """Tests the document's own words for singles."""
    out = run("explain", data / "TXT-01", "--lang", "ja", "--techniques", "document").out
    assert "1. ヒドゥンシングル 6 ［3行目］: r3c9 は 6" in out
    assert ". シングル: " in out


def test_hint(run: Run, data: Path) -> None:
    """Tests that a hint is one step, after so many others, and nothing else."""
    assert run("explain", data / "TXT-01", "--hint").out == (
        "1. hidden single 6 in block 3: r3c9 = 6\n"
    )
    (record,) = records(run("explain", data / "TXT-01", "--hint", "--until", "2", "--json").out)
    assert record["n"] == 3


def test_all_now(run: Run, data: Path) -> None:
    """Tests that all steps there are now are told, those of singles by house, as alternatives."""
    outcome = run("explain", data / "TXT-01", "--all-now", "--json")
    told = records(outcome.out)
    assert outcome.code == 0
    assert {record["n"] for record in told} == {1}
    by_row = [
        record["places"][0]
        for record in told
        if record["technique"] == "hidden single" and record["houses"][0].startswith("row")
    ]
    assert by_row == [["r3c9", 6], ["r5c7", 5], ["r8c1", 9], ["r9c9", 2]]
    assert check_steps(read_puzzle(str(data / "TXT-01")), outcome.out, "log") == []


def test_json_is_a_valid_log(run: Run, tmp_path: Path, grid: Callable[[str], Path]) -> None:
    """Tests that the log passes the checker, and is refused at the step that was tampered with."""
    path = grid("TXT-12")
    outcome = run("explain", path, "--json")
    *steps, end = records(outcome.out)
    assert (end["status"], end["stuck"], end["steps"]) == ("unique", False, len(steps))
    log = tmp_path / "log.json"
    log.write_text(outcome.out)
    assert run("check", path, "--steps", log).code == 0
    steps[4]["places"][0][1] = steps[4]["places"][0][1] % 9 + 1
    log.write_text("\n".join(map(json.dumps, steps)))
    outcome = run("check", path, "--steps", log)
    assert outcome.code == 1
    assert "step 5" in outcome.out + outcome.err


def test_without(run: Run, grid: Callable[[str], Path]) -> None:
    """Tests that techniques, groups and families can be left out by name."""
    path = grid("TXT-13")
    assert "x-wing" in run("explain", path).out
    for names in ("x-wing", "X-Wings", "fish", "skyscraper,fish"):
        assert " x-wing" not in run("explain", path, "--without", names).out


def test_unknown_technique(run: Run, data: Path) -> None:
    """Tests that a name that is none is refused with the known ones."""
    for option in ("--techniques", "--without"):
        outcome = run("explain", data / "TXT-01", option, "z-wing")
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.startswith("numplace explain: 'z-wing' is no technique; known are")


def test_no_assumption(run: Run, grid: Callable[[str], Path]) -> None:
    """Tests that the hardest grid is stuck where assumptions are forbidden."""
    outcome = run("explain", grid("TXT-03"), "--no-assumption")
    assert outcome.code == 1
    assert "stuck after 0 steps" in outcome.err


def test_no_solution(run: Run, tmp_path: Path, data: Path) -> None:
    """Tests that a contradiction is told in words, with exit code 3."""
    path = tmp_path / "wrong.txt"
    text = (data / "TXT-01" / "grid.txt").read_text()
    path.write_text("9" + text[1:])
    outcome = run("explain", path)
    assert outcome.code == 3
    assert ": no solution: " in outcome.err


def test_several_solutions(run: Run, tmp_path: Path, data: Path) -> None:
    """Tests that a puzzle with several answers is stuck and says why."""
    path = tmp_path / "several.txt"
    text = (data / "TXT-01" / "grid.txt").read_text()
    path.write_text(text.replace(" 65", " 6 ", 1))
    outcome = run("explain", path)
    assert outcome.code == 1
    assert "the puzzle has several solutions" in outcome.err
    assert run("grade", path).out.startswith(f"{path}: several solutions, ")


def test_time_limit(run: Run, grid: Callable[[str], Path]) -> None:
    """Tests that the limit ends it honestly."""
    outcome = run("explain", grid("TXT-03"), "--time-limit", "0.000001")
    assert outcome.code == 1
    assert outcome.err.endswith("the time is up\n")


def test_grade(run: Run, data: Path) -> None:
    """Tests one line for each grid of a list, and the same as JSON."""
    outcome = run("grade", data / "TXT-01")
    path = data / "TXT-01"
    assert outcome.out.startswith(f"{path}: easy, score ")
    (record,) = records(run("grade", path, "--json").out)
    assert record["level"] == "easy"
    assert record["hardest"] == "hidden single"
    assert sum(record["counts"].values()) == record["steps"]
    assert run("grade", path, "--lang", "ja").out.startswith(f"{path}: やさしい、得点 ")
