"""Tests of measuring and comparing, most with a command that prints and writes what it is told."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bench
import pytest
from measure import command as measuring
from measure.boards import Board, Known, boards_of
from measure.command import Nlroute, check, trace_run
from measure.records import Figures, Run, RunKey, medians

from nlrouter.runs.router_run import NLROUTE

PROBLEM = "SIZE 3X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,0,1)\n"
DETOUR = "SIZE 3X2X1\nLAYER 1\n1,0,1\n1,1,1\n"
STRAIGHT = "SIZE 3X2X1\nLAYER 1\n1,1,1\n0,0,0\n"
CUT = "SIZE 3X2X1\nLAYER 1\n1,0,1\n0,0,0\n"
LOG = """\
{"seconds": 0.1, "cost": null, "lower_bound": 3, "gap": null, "phase": "prove"}
{"seconds": 0.2, "cost": 7, "lower_bound": 3, "gap": 0.571, "phase": "find"}
{"seconds": 0.3, "cost": 3, "lower_bound": 3, "gap": 0.0, "phase": "find"}
"""
OPTIMAL = {"status": "optimal", "cost": 3, "lower_bound": 3, "gap": 0.0}
INFEASIBLE = {"status": "infeasible", "cost": None, "lower_bound": None, "gap": None}
GOOD = Figures(
    first=1.0,
    cost_at={"5": 12},
    cost=10,
    bound=8,
    gap=0.2,
    status="feasible",
    seconds=9.0,
    memory=100.0,
    error="",
)

Command = Callable[..., list[str]]


def changed(**changes: Any) -> Any:
    """Return good figures with changes."""
    return Figures(**(vars(GOOD) | changes))


def board_of(path: Path) -> Board:
    """Return the board of a file."""
    (board,) = boards_of(argparse.ArgumentParser(), [path])
    return board


def measure_run(command: Sequence[str], path: Path, limit: float) -> Run:
    """Measure a run by the clock."""
    return Nlroute(limit, 1, command)(board_of(path), RunKey("one", 0, "", ""))


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A board in a folder of its own."""
    path = tmp_path / "boards" / "one.txt"
    path.parent.mkdir()
    path.write_text(PROBLEM)
    return path


@pytest.fixture
def nlroute(tmp_path: Path) -> Command:
    """Makes commands that give one result whatever the board."""

    def make(record: dict[str, Any] | None, answer: str = STRAIGHT, log: str = LOG) -> list[str]:
        script = tmp_path / "fake.py"
        script.write_text(
            "import sys\n"
            f"open(sys.argv[sys.argv.index('-o') + 1], 'w').write({answer!r})\n"
            f"sys.stderr.write({log + ('' if record is None else json.dumps(record))!r})\n"
        )
        return [sys.executable, "-S", str(script)]

    return make


def test_figures_of_a_run(board: Path, nlroute: Command) -> None:
    """Tests that progress and figures are taken up."""
    figures = measure_run(nlroute(OPTIMAL), board, 30.0)
    assert (figures.cost, figures.bound, figures.gap) == (3, 3, 0.0)
    assert (figures.status, figures.error) == ("optimal", "")
    assert set(figures.cost_at) == {"5", "20"}
    assert figures.cost_at["20"] == 3
    assert figures.first is not None and 0 < figures.first <= figures.seconds
    assert figures.spread == 0 and figures.cpu is not None and figures.cpu > 0


def test_answer_without_progress(board: Path, nlroute: Command) -> None:
    """Tests that an answer that only comes at the end counts from then on."""
    command = nlroute(OPTIMAL, log="")
    figures = measure_run(command, board, 30.0)
    assert figures.first is not None and 0 < figures.first <= figures.seconds
    assert figures.spread == 0 and figures.cpu is not None and figures.cpu > 0
    assert figures.cost_at["20"] == 3


def test_infeasible_board(board: Path, nlroute: Command) -> None:
    """Tests that a proof that there is no answer is not an error."""
    command = nlroute(INFEASIBLE, log="")
    figures = measure_run(command, board, 1.0)
    assert (figures.status, figures.error) == ("infeasible", "")
    assert figures.first is figures.cost is figures.bound is None


@pytest.mark.parametrize(
    ("record", "answer", "known", "error"),
    [
        (OPTIMAL, CUT, None, "WRONG ANSWER: "),
        (OPTIMAL, "", None, "WRONG ANSWER: "),
        (OPTIMAL, DETOUR, None, "WRONG COST: 3, the answer costs 7"),
        (OPTIMAL, STRAIGHT, 2, "WRONG BOUND: 3, a cost of 2 is known"),
        (INFEASIBLE, "", 3, "WRONG PROOF: infeasible"),
    ],
    ids=["rules", "empty", "cost", "bound", "proof"],
)
def test_wrong_answer(
    board: Path, nlroute: Command, record: dict[str, Any], answer: str, known: Any, error: str
) -> None:
    """Tests that what cannot be right is told and gives no cost."""
    if known is not None:
        row = f"board,winner_cost,best_cost,bound\nboards/one,,{known},\n"
        (board.parents[1] / "best_known.csv").write_text(row)
    figures = measure_run(nlroute(record, answer), board, 1.0)
    assert figures.status == "wrong"
    assert figures.error.startswith(error)
    assert figures.cost is figures.bound is None


def test_command_that_fails(board: Path, nlroute: Command) -> None:
    """Tests that a command without figures has failed, with its last words."""
    figures = measure_run(nlroute(None, log="nlroute: no\n"), board, 1.0)
    assert figures.status == "failed"
    assert figures.error == "FAILED with exit code 0; STANDARD ERROR: nlroute: no"


def test_complaint(board: Path, nlroute: Command) -> None:
    """Tests that a complaint beside a good answer is told."""
    command = nlroute(OPTIMAL, log=f"nlroute: internal error: no\n{LOG}")
    figures = measure_run(command, board, 1.0)
    assert (figures.cost, figures.status) == (3, "optimal")
    assert figures.error == "STANDARD ERROR: nlroute: internal error: no"


def test_memory_of_all_processes() -> None:
    """Tests that the memory of a child counts."""
    hold = "b = b'x' * 60_000_000; import time; time.sleep(0.5)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {hold!r}])"
    trace = trace_run([sys.executable, "-S", "-c", script], 20.0)
    assert trace.code == 0
    assert trace.memory > 60


def test_memory_that_no_look_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that what is held only between two looks counts."""
    monkeypatch.setattr(measuring, "SAMPLING", 60.0)
    trace = trace_run([sys.executable, "-S", "-c", "b = b'x' * 60_000_000"], 20.0)
    assert trace.code == 0
    assert trace.memory > 60


@pytest.mark.parametrize(
    ("said", "code", "bound", "refused"),
    [
        ("bound 97: verified", 0, 97, ""),
        ("bound 97: 92 verified, 97 by CP-SAT", 0, 92, ""),
        ("bound 97: verified", 1, None, "bound 97: verified"),
        ("nothing of the kind", 0, None, "nothing of the kind"),
    ],
)
def test_what_the_check_says(
    said: str,
    code: int,
    bound: int | None,
    refused: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that only what is verified counts, and that a check that fails is told."""
    monkeypatch.setattr(measuring, "NLCHECK", ("sh", "-c", f'echo "{said}"; exit {code}'))
    verified, _, told = check(tmp_path, tmp_path, tmp_path)
    assert (verified, told) == (bound, refused)


def test_certificates(board: Path) -> None:
    """Tests that what a certificate shows is told, and nothing where none is asked for."""
    runs = [
        Nlroute(60.0, None, certify=certify)(board_of(board), RunKey("one", 0, "", ""))
        for certify in (True, False)
    ]
    assert [(run.verified, run.error) for run in runs] == [(3, ""), (None, "")]


def test_command_that_hangs() -> None:
    """Tests that a command is killed when patience ends."""
    trace = trace_run(["sleep", "60"], 0.3)
    assert trace.code == -9


def test_medians() -> None:
    """Tests that a missing figure counts as worse than any, and the worst status is taken."""
    runs = [
        changed(cost=None, first=None, bound=None, status="unknown", cost_at={"5": None}),
        changed(cost=30, bound=20, cost_at={"5": None}),
        changed(cost=20, bound=19, error="bad"),
    ]
    median = medians(runs)
    assert (median.cost, median.bound, median.first) == (30, 19, 1.0)
    assert median.cost_at == {"5": None}
    assert median.spread is None and medians(runs[1:]).spread == 10
    assert (median.status, median.error) == ("unknown", "bad")
    assert median.verified is None
    verified = [changed(verified=bound) for bound in (18, 20, 20)]
    assert medians(verified).verified == 18


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"cost": 11}, ["cost 10 -> 11"]),
        ({"cost": None, "status": "unknown"}, ["cost 10 -> -", "status feasible -> unknown"]),
        ({"bound": 7}, ["bound 8 -> 7"]),
        ({"bound": None}, ["bound 8 -> -"]),
        ({"first": 2.5}, ["first answer 1.0 -> 2.5 s"]),
        ({"first": 2.0}, []),
        ({"memory": 131.0}, ["memory 100 -> 131 MB"]),
        ({"memory": 129.0}, []),
        ({"cost": 9, "bound": 9, "status": "optimal", "first": 0.1, "memory": 1.0}, []),
    ],
    ids=str,
)
def test_what_is_worse(changes: dict[str, Any], words: list[str]) -> None:
    """Tests that what got worse is told, and nothing else."""
    assert bench.worsened(GOOD, changed(**changes)) == words


def test_memory_that_was_missed() -> None:
    """Tests that a recorded figure that no run could have is not compared with."""
    assert bench.worsened(changed(memory=2.1), changed(memory=43.0)) == []


def test_infeasible_is_the_highest_bound() -> None:
    """Tests that a proof of infeasibility is no worse than a bound, and a bound worse than it."""
    nothing = {"cost": None, "first": None}
    unknown = changed(status="unknown", **nothing)
    infeasible = changed(status="infeasible", bound=None, **nothing)
    assert bench.worsened(unknown, infeasible) == []
    assert bench.worsened(infeasible, infeasible) == []
    expected = ["bound - -> 8", "status infeasible -> unknown"]
    assert bench.worsened(infeasible, unknown) == expected


@pytest.mark.parametrize(
    ("cost", "winner", "shares"),
    [
        (100, 100, (5.0, 5.0)),
        (100, 300, (7.5, 2.5)),
        (100, None, (10.0, 0.0)),
        (None, 100, (0.0, 10.0)),
        (None, None, (0.0, 0.0)),
    ],
)
def test_points(cost: int | None, winner: int | None, shares: tuple[float, float]) -> None:
    """Tests that points are shared in proportion to quality."""
    assert bench.points(cost, winner) == pytest.approx(shares)


def test_record_then_compare(
    board: Path, nlroute: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a recorded table compares equal, and that what is worse gives exit code 1."""
    recorded, table = tmp_path / "recorded.json", tmp_path / "table.json"
    arguments = [str(board.parent), "--time-limit", "5", "--seeds", "0", "1"]
    arguments += ["--recorded", str(recorded)]

    def run(command: list[str], *options: str) -> tuple[int, str]:
        return bench.main([*arguments, *options], command), capsys.readouterr().out

    code, out = run(nlroute(OPTIMAL))
    assert code == 0 and "nothing to compare with" in out
    code, out = run(nlroute(OPTIMAL), "--record", "--json", str(table))
    assert code == 0 and out.splitlines()[1].startswith("boards/one")
    assert "points" not in out
    assert recorded.read_text() == table.read_text()
    data = json.loads(table.read_text())
    assert data["settings"]["seeds"] == [0, 1]
    assert data["boards"]["boards/one"]["cost"] == 3

    # How long a run takes is not what this is about.
    data["boards"]["boards/one"] |= {"first": 99.0, "memory": 9999.0}
    recorded.write_text(json.dumps(data))
    code, out = run(nlroute(OPTIMAL))
    assert code == 0 and "nothing worse than recorded on 1 of 1 boards" in out
    detour = OPTIMAL | {"status": "feasible", "cost": 7, "gap": 4 / 7}
    code, out = run(nlroute(detour, DETOUR), "--workers", "99")
    assert code == 1 and "recorded with other settings" in out
    assert "worse: boards/one: cost 3 -> 7, status optimal -> feasible" in out


def test_record_keeps_other_boards(board: Path, nlroute: Command, tmp_path: Path) -> None:
    """Tests that rows of other boards stay in a recorded table of the same settings only."""
    recorded = tmp_path / "recorded.json"
    other = board.with_name("two.txt")
    other.write_text(PROBLEM)
    tables = []
    for path, workers in ((board, "1"), (other, "1"), (board, "2")):
        arguments = [str(path), "--time-limit", "5", "--workers", workers, "--record"]
        assert bench.main([*arguments, "--recorded", str(recorded)], nlroute(OPTIMAL)) == 0
        tables.append(sorted(json.loads(recorded.read_text())["boards"]))
    assert tables == [["boards/one"], ["boards/one", "boards/two"], ["boards/one"]]


def test_other_version(
    board: Path, nlroute: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that another version runs on the same boards and seeds, and is compared with."""
    other = tmp_path / "other.py"
    detour = OPTIMAL | {"status": "feasible", "cost": 7, "gap": 4 / 7}
    Path(nlroute(detour, DETOUR)[-1]).rename(other)
    good = nlroute(OPTIMAL)
    arguments = [str(board), "--seeds", "0", "1", "--against"]
    assert bench.main([*arguments, f"{sys.executable} -S {other}"], good) == 0
    _, row, against, ratios, verdict = capsys.readouterr().out.splitlines()
    assert row.split()[0] == "boards/one" and against.split()[0] == "against"
    assert "cpu" in ratios and verdict.startswith("nothing worse than in the other version")
    worse = [sys.executable, "-S", str(other)]
    assert bench.main([*arguments, " ".join(good)], worse) == 1
    assert "worse: boards/one: cost 3 -> 7" in capsys.readouterr().out


def test_first_run(board: Path, nlroute: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each first run finds an empty folder for compiled code."""
    command = nlroute(OPTIMAL)
    script = Path(command[-1])
    look = "import os; assert os.listdir(os.environ['NUMBA_CACHE_DIR']) == []\n"
    script.write_text(look + script.read_text())
    arguments = [str(board), "--recorded", str(board.with_name("none.json")), "--first-run"]
    assert bench.main([*arguments, "--seeds", "0", "1"], command) == 0
    assert "FAILED" not in capsys.readouterr().out


def test_error_gives_exit_code(
    board: Path, nlroute: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a wrong answer stands out in the table and gives exit code 1."""
    arguments = [str(board), "--recorded", str(tmp_path / "none.json")]
    assert bench.main(arguments, nlroute(OPTIMAL, CUT)) == 1
    assert "**WRONG ANSWER: " in capsys.readouterr().out


def test_known_costs(board: Path, nlroute: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that known costs beside the board's folder give columns and points."""
    known = "board,winner_cost,best_cost,bound\nboards/one,9,3,\nboards/two,,,\n"
    (board.parent.parent / "best_known.csv").write_text(known)
    assert board_of(board).known == Known(9, 3, None)
    assert replace(board_of(board), name="boards/three").known is None
    arguments = [str(board), "--recorded", str(board.with_name("none.json"))]
    assert bench.main(arguments, nlroute(OPTIMAL)) == 0
    head, row, total, _ = capsys.readouterr().out.splitlines()
    assert head.split()[-5:] == ["best", "winner", "known", "bd", "points"]
    assert row.split()[-4:] == ["3", "9", "-", "7.50"]
    assert total == "points on 1 boards: 7.50, the winner 2.50"


def test_no_boards(tmp_path: Path) -> None:
    """Tests that a path that is not there and an empty folder are bad usage."""
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(SystemExit) as exit_:
            bench.main([str(path)])
        assert exit_.value.code == 2


def test_folders_that_are_not_there(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a folder of boards that is not there is told, and the others are measured."""
    gone = tmp_path / "gone"
    assert bench._there([gone, board.parent]) == [board.parent]
    assert capsys.readouterr().err == f"not measured, as it is not there: {gone}\n"


def test_real_command(board: Path) -> None:
    """Tests that the output of nlroute itself is understood."""
    figures = measure_run(NLROUTE, board, 60.0)
    assert (figures.cost, figures.bound, figures.status, figures.error) == (3, 3, "optimal", "")
