"""Many boards on this machine: answers, table, resuming and signals."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nlrouter.batch.job import Job, News, run_job
from nlrouter.commands.nlroute import main
from tests.batch import fake_batch
from tests.batch.fake_batch import FAKE_NLROUTE, batch
from tests.batch.fake_nlroute import CUT, DETOUR_8, PROBLEM, STRAIGHT_4

PATIENCE = 20


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder with the problems Q01.txt and board.txt."""
    monkeypatch.chdir(tmp_path)
    Path("Q01.txt").write_text(PROBLEM)
    Path("board.txt").write_text(PROBLEM)
    return tmp_path


def rows() -> dict[str, dict[str, Any]]:
    """Read the table that a batch has left in ``out``."""
    table = json.loads(Path("out/table.json").read_text())
    return {row["board"]: row for row in table["boards"]}


def test_answers_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each board has its answer, and the tables and the output say so."""
    assert batch("optimal", "Q01.txt", "board.txt", "-o", "out", "--json") == 0
    assert Path("out/A01.txt").read_text() == Path("out/board.txt").read_text() == STRAIGHT_4
    out, err = capsys.readouterr()
    assert json.loads(out)["boards"] == list(rows().values())
    assert "2 of 2 boards answered, 2 optimal" in err
    with open("out/table.csv", newline="") as stream:
        table = [(row["board"], row["cost"], row["status"]) for row in csv.DictReader(stream)]
    assert table == [("Q01", "4", "optimal"), ("board", "4", "optimal")]


def test_bad_board_is_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a bad problem has a row with its sentence and does not stop the others."""
    Path("Q02.txt").write_text("SIZE 4X3X1\nLINE_NUM 1\n")
    assert batch("optimal", "Q02.txt", "Q01.txt", "missing.txt", "-o", "out") == 2
    assert Path("out/A01.txt").read_text() == STRAIGHT_4
    assert not Path("out/A02.txt").exists()
    assert rows()["Q02"]["status"] == "bad input"
    assert rows()["Q02"]["note"].startswith("Q02.txt:2: found LINE_NUM 1 but no LINE#1")
    assert "missing.txt: found no readable file" in capsys.readouterr().err


def test_resumes() -> None:
    """Tests that a rerun searches only the boards that are open, and keeps the other rows."""
    assert batch("optimal", "Q01.txt", "-o", "out/") == 0
    before = rows()["Q01"]
    assert batch("slow", "board.txt", "-o", "out/", "--time-limit", "0.3") == 0
    assert batch("crash", "Q01.txt", "board.txt", "-o", "out") == 0
    after = rows()
    assert after["Q01"] == before | {"note": "bound 4 is the word of table.json"}
    assert (after["board"]["cost"], after["board"]["lower_bound"]) == (8, 2)
    assert len(after["board"]["seeds"]) > 1


@pytest.mark.parametrize("content", [CUT, None])
def test_proof_without_answer_is_not_enough(content: str | None) -> None:
    """Tests that an answer that is gone or spoilt is searched for again."""
    batch("optimal", "Q01.txt", "-o", "out/")
    Path("out/A01.txt").unlink()
    if content is not None:
        Path("out/A01.txt").write_text(content)
    assert batch("optimal", "Q01.txt", "-o", "out/") == 0
    assert Path("out/A01.txt").read_text() == STRAIGHT_4


def test_changed_problem_counts_as_new() -> None:
    """Tests that the bound of another problem of the same name is not taken over."""
    batch("optimal", "Q01.txt", "-o", "out/")
    Path("Q01.txt").write_text(PROBLEM.replace("4X3X1", "4X4X1"))
    Path("out/A01.txt").unlink()
    batch("crash", "Q01.txt", "-o", "out/")
    assert rows()["Q01"]["lower_bound"] is None


def test_never_worse() -> None:
    """Tests that a better answer in the folder stays, and is the one of the table."""
    Path("out").mkdir()
    Path("out/A01.txt").write_text(STRAIGHT_4)
    assert batch("slow", "Q01.txt", "-o", "out", "--time-limit", "0.3") == 0
    assert Path("out/A01.txt").read_text() == STRAIGHT_4
    assert rows()["Q01"]["cost"] == 4


def test_failures_are_limited() -> None:
    """Tests that a board whose runs fail is given up, with the reason in its row."""
    assert batch("crash", "Q01.txt", "-o", "out/") == 1
    assert len(rows()["Q01"]["seeds"]) == 3
    assert rows()["Q01"]["note"] == "nlroute: out of luck"


ROW = (
    '{"boards": [{"board": "Q01", "key": "k", "status": "s", "lower_bound": null, '
    '"seeds": [0], "seconds": 1.5}]}'
)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"boards": {"Q01": 1}}',
        "[" * 100_000,
        ROW.replace("[0]", '["x", 1]'),
        ROW.replace("[0]", "0"),
        ROW.replace("1.5", '"1.5"'),
        ROW.replace("null", '"4"'),
        ROW.replace('"Q01"', "[1]"),
    ],
)
def test_foreign_table_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a table.json of something else is told and stays."""
    Path("out").mkdir()
    Path("out/table.json").write_text(text)
    assert main(["Q01.txt", "board.txt", "-o", "out"]) == 2
    assert "out/table.json: found no table of a batch" in capsys.readouterr().err
    assert Path("out/table.json").read_text() == text


@pytest.mark.parametrize(("bound", "status"), [(5, "feasible"), (3, "feasible")])
def test_bound_that_an_answer_refutes(bound: int, status: str) -> None:
    """Tests that a bound of the table that is above the cost proves nothing."""
    assert batch("optimal", "Q01.txt", "-o", "out/") == 0
    table = Path("out/table.json")
    table.write_text(table.read_text().replace('"lower_bound": 4', f'"lower_bound": {bound}'))
    assert batch("crash", "Q01.txt", "-o", "out/") == 0
    assert rows()["Q01"]["status"] == status


def test_infeasible_board_is_remembered() -> None:
    """Tests that a board without an answer is not searched again, and whose word that is."""
    assert batch("infeasible", "Q01.txt", "-o", "out/") == 3
    before = rows()["Q01"]
    assert (before["status"], before["note"], before["seeds"]) == ("infeasible", "", [0])
    assert batch("crash", "Q01.txt", "-o", "out/") == 3
    after = rows()["Q01"]
    assert after == before | {"note": "that there is no answer is the word of table.json"}
    assert batch("optimal", "Q01.txt", "-o", "out/", "--force") == 0
    assert (rows()["Q01"]["status"], rows()["Q01"]["note"]) == ("optimal", "")


def test_infeasible_board_that_has_an_answer() -> None:
    """Tests that an answer in the folder refutes the table."""
    assert batch("infeasible", "Q01.txt", "-o", "out/") == 3
    Path("out/A01.txt").write_text(DETOUR_8)
    assert batch("optimal", "Q01.txt", "-o", "out/") == 0
    assert (rows()["Q01"]["status"], rows()["Q01"]["cost"]) == ("optimal", 4)


def test_bound_of_the_table_is_told_until_it_is_proven() -> None:
    """Tests that an edited bound is not told as proven here, and one that is proven again is."""
    assert batch("slow", "Q01.txt", "-o", "out", "--time-limit", "0.3") == 0
    table = Path("out/table.json")
    table.write_text(table.read_text().replace('"lower_bound": 2', '"lower_bound": 3'))
    assert batch("slow", "Q01.txt", "-o", "out", "--time-limit", "0.3") == 0
    row = rows()["Q01"]
    assert (row["lower_bound"], row["note"]) == (3, "bound 3 is the word of table.json")
    assert batch("optimal", "Q01.txt", "-o", "out") == 0
    row = rows()["Q01"]
    assert (row["lower_bound"], row["note"]) == (4, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_keeps_everything(number: int) -> None:
    """Tests that a signal ends all runs, with their answers and the table on disk."""
    arguments = ["slow", "Q01.txt", "board.txt", "-o", "out", "--jobs", "2"]
    process = subprocess.Popen([sys.executable, fake_batch.__file__, *arguments])
    end = time.monotonic() + PATIENCE
    while not (Path("out/A01.txt").exists() and Path("out/board.txt").exists()):
        assert time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(PATIENCE) == 0
    assert [row["lower_bound"] for row in rows().values()] == [2, 2]
    assert Path("out/A01.txt").read_text() == DETOUR_8


def test_bounds_are_told_on_the_way() -> None:
    """Tests that a run that has not ended yet has a bound to show beside its answer."""
    command = (sys.executable, FAKE_NLROUTE, "later1")
    told: list[News] = []
    end = run_job(
        Job("one", PROBLEM, None, 60.0, 1, 7, command=command), told.append, lambda: False
    )
    assert News(7, lower_bound=1) in told
    assert (end.status, end.lower_bound, end.error) == ("optimal", 4, "")


def test_total_time_limit_ends_runs() -> None:
    """Tests that the total limit ends boards without a limit of their own."""
    total = ["--total-time-limit", "2", "--jobs", "2"]
    assert batch("slow", "Q01.txt", "board.txt", "-o", "out", *total) == 0
    assert [row["status"] for row in rows().values()] == ["feasible", "feasible"]


def test_real_nlroute() -> None:
    """Tests that nlroute itself takes the arguments of a run, with and without a start."""
    Path("out").mkdir()
    Path("out/A01.txt").write_text(DETOUR_8)
    assert main(["Q01.txt", "board.txt", "-o", "out", "--jobs", "2", "--quiet"]) == 0
    assert [row["status"] for row in rows().values()] == ["optimal", "optimal"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["Q01.txt", "board.txt"], "several problems need -o DIR"),
        (["Q01.txt", "board.txt", "-o", "Q01.txt"], "several problems need -o DIR"),
        (["Q01.txt", "-", "-o", "out"], "standard input cannot be one of several"),
        (["Q01.txt", "-o", "out/", "--start", "x"], "--start is for one problem"),
        (["Q01.txt", "--jobs", "2"], "--jobs is for many problems"),
        (["Q01.txt", "--total-time-limit", "9"], "--total-time-limit is for many problems"),
        (["Q01.txt", "-o", "x/", "--total-time-limit", "0"], "not a positive number"),
        (["Q01.txt", "-o", "x/", "--jobs", "2", "--scheduler", "tcp://x:1"], "--jobs is for this"),
    ],
)
def test_bad_usage(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that options that do not go together are told, with code 2."""
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == 2
    assert complaint in capsys.readouterr().err


def test_problems_of_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that two problems whose answers would be one file are refused."""
    Path("x").mkdir()
    Path("x/Q01.txt").write_text(PROBLEM)
    assert main(["Q01.txt", "x/Q01.txt", "-o", "out"]) == 2
    assert "2 problems that are named Q01" in capsys.readouterr().err
