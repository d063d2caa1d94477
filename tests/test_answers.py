"""Tests of the recorded answers and bounds in answers/, and of tools/make_answers.py."""

from __future__ import annotations

import csv
import json
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import read_problem
from nlrouter.result import Status
from tests.board_router import route_board

ROOT = Path(__file__).parent.parent
TOOL = runpy.run_path(str(ROOT / "tools" / "make_answers.py"))
PATHS = {path.stem: path for path in sorted((ROOT / "problems").glob("*.txt"))}
with (ROOT / "answers" / "table.csv").open(newline="") as stream:
    ROWS = {row["board"]: row for row in csv.DictReader(stream)}

SLOW = {
    "all_vias_14x20x4",
    "random_24x24x3",
    "random_30x30x1",
    "random_36x36x8",
    "sparse_36x36x2",
}
"""Boards that one process takes more than a few seconds to close, if it does."""

PATIENCE = 300.0
"""Seconds within which any machine closes any other board, first compiling what it needs."""

PROBLEM = "SIZE 3X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,0,1)\n"
DETOUR = "SIZE 3X2X1\nLAYER 1\n1,0,1\n1,1,1\n"
STRAIGHT = "SIZE 3X2X1\nLAYER 1\n1,1,1\n0,0,0\n"
CUT = "SIZE 3X2X1\nLAYER 1\n1,0,1\n0,0,0\n"


def test_boards() -> None:
    """Tests that each board has a row, and only infeasible and unknown ones no answer."""
    assert list(ROWS) == list(PATHS)
    answered = {name for name, row in ROWS.items() if row["cost"]}
    assert {path.stem for path in (ROOT / "answers").glob("*.txt")} == answered
    infeasible = {name for name, row in ROWS.items() if row["status"] == Status.INFEASIBLE}
    assert infeasible == {name for name in PATHS if name.startswith("infeasible_")}


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row["cost"]])
def test_answer(name: str) -> None:
    """Tests that an answer is correct and costs what its row says."""
    row = ROWS[name]
    answer = read_answer(str(ROOT / "answers" / f"{name}.txt"))
    assert violations(read_problem(str(PATHS[name])), answer) == []
    cost = measure(answer)
    assert [row["cost"], row["cells"], row["bends"]] == [
        str(cost.total),
        str(cost.length),
        str(cost.bends),
    ]


@pytest.mark.parametrize("name", ROWS)
def test_status(name: str) -> None:
    """Tests that a row's status is what its cost and its bound say."""
    row = ROWS[name]
    if not row["cost"]:
        assert row["status"] in (Status.INFEASIBLE, Status.UNKNOWN)
        return
    assert int(row["bound"]) <= int(row["cost"])
    optimal = row["bound"] == row["cost"]
    assert row["status"] == (Status.OPTIMAL if optimal else Status.FEASIBLE)


@pytest.mark.parametrize("name", [name for name in PATHS if name not in SLOW])
def test_no_worse_than_recorded(name: str) -> None:
    """Tests that a board that closes quickly still does, with what is recorded."""
    problem = read_problem(str(PATHS[name]))
    result = route_board(problem, Deadline(PATIENCE))
    row = ROWS[name]
    assert result.status == row["status"]
    if row["cost"]:
        assert result.answer is not None
        assert violations(problem, result.answer) == []
        assert measure(result.answer).total <= int(row["cost"])


def test_shown_results() -> None:
    """Tests that the README shows rows of the recorded table."""
    table = TOOL["format_markdown"](TOOL["read_table"](ROOT / "answers" / "table.csv"))
    rows = re.findall(r"^\| (?:board|`\w+`) \|.*\n", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(rows) == 6 and set(rows) <= set(table.splitlines(keepends=True))


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Runs the tool with a command that gives the figures told; returns the table's row."""
    board = tmp_path / "one.txt"
    board.write_text(PROBLEM)
    answers = tmp_path / "answers"
    answers.mkdir()

    def run(status: str, bound: int | None, answer: str | None = None) -> str:
        if answer is not None:
            (answers / "one.txt").write_text(answer)
        figures = json.dumps({"status": status, "lower_bound": bound})
        command = [sys.executable, "-c", f"print({figures!r})"]
        assert TOOL["main"]([str(board), "--directory", str(answers)], command) == 0
        title, row = (answers / "table.csv").read_text().splitlines()
        assert title == "board,cost,cells,bends,bound,status"
        return row

    return run


def test_merge(run: Callable[..., str]) -> None:
    """Tests that the best bound is kept, and that the row's cost is that of the answer file."""
    assert run("unknown", 2) == "one,,,,2,unknown"
    assert run("feasible", None, DETOUR) == "one,7,5,2,2,feasible"
    assert run("feasible", 3) == "one,7,5,2,3,feasible"
    assert run("feasible", 1) == "one,7,5,2,3,feasible"
    assert run("unknown", None, STRAIGHT) == "one,3,3,0,3,optimal"


def test_infeasible_stays(run: Callable[..., str]) -> None:
    """Tests that a board once proven infeasible stays so, unless an answer says otherwise."""
    assert run("infeasible", None) == "one,,,,,infeasible"
    assert run("unknown", None) == "one,,,,,infeasible"
    with pytest.raises(SystemExit, match=r"one.txt is not infeasible: .* costs 3"):
        run("optimal", 3, STRAIGHT)


def test_contradictions(run: Callable[..., str]) -> None:
    """Tests that neither a wrong bound nor a wrong answer is recorded."""
    with pytest.raises(SystemExit, match=r"one.txt is not bounded by 4: .* costs 3"):
        run("feasible", 4, STRAIGHT)
    with pytest.raises(SystemExit, match=r"one.txt is wrong: "):
        run("feasible", 3, CUT)


def test_no_figures(tmp_path: Path) -> None:
    """Tests that a run that fails ends the tool."""
    command = [sys.executable, "-c", "raise SystemExit(2)"]
    with pytest.raises(SystemExit, match="no figures from"):
        TOOL["main"]([str(PATHS["smallest_2x2x2"]), "--directory", str(tmp_path)], command)


def test_nlroute(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests the tool with the real command, and the table in Markdown."""
    boards = ["smallest_2x2x2", "infeasible_spans_4x4x3"]
    there = ["--directory", str(tmp_path)]
    assert TOOL["main"]([*(str(PATHS[name]) for name in boards), *there]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "smallest_2x2x2 6 6 0 6 optimal",
        "infeasible_spans_4x4x3 - - - - infeasible",
    ]
    assert TOOL["main"](["--markdown", *there]) == 0
    assert capsys.readouterr().out == (
        "| board | cost | cells | bends | bound | gap % | status |\n"
        "| --- | --: | --: | --: | --: | --: | --- |\n"
        "| `infeasible_spans_4x4x3` | – | – | – | – | – | infeasible |\n"
        "| `smallest_2x2x2` | 6 | 6 | 0 | 6 | 0.00 | optimal |\n"
    )
