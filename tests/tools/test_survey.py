"""Tests that the survey keeps its runs, and tells of them what they gave."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from measure.boards import SURVEY, fresh, of_survey
from measure.records import Run, RunKey
from survey import main, row

SMALL = of_survey("escape", "6x6x2", None, 1)


def run(status: str, cost: int | None, bound: int | None, seconds: float = 1.0) -> Run:
    """Return how a run of some board ended, with its first answer halfway."""
    first = None if cost is None else seconds / 2
    key = RunKey("some", 0, "", "")
    return Run(first, {}, cost, bound, None, status, seconds, 0.0, "", key=key)


def test_the_boards() -> None:
    """Tests that there are 200, each by a name of its own."""
    assert len(SURVEY) == len({board.name for board in SURVEY}) == 200


def test_fresh_boards() -> None:
    """Tests that a seed draws its boards again, and another one others, of all mixes in turn."""
    draws = [[board.make() for board in fresh(seed, 4)] for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    spans = [{via.span for via in board.vias} for board in draws[0]]
    assert (len(spans[0]), len(spans[3])) == (0, 1)
    assert len(draws[0][2].vias) == len(draws[0][2].lines)


def test_row() -> None:
    """Tests that what is proven in every seed, the spread and the gap of what is open are told."""
    proven = [run("optimal", 10, 10, 2.0), run("optimal", 10, 10, 4.0)]
    partly = [run("optimal", 20, 20), run("feasible", 22, 19, 60.0)]
    left = [run("feasible", 100, 80, 60.0), run("feasible", 101, 90, 60.0)]
    nothing = [run("unknown", None, 5, 60.0), run("feasible", 40, 20, 60.0)]
    assert row([proven]) == ["1", "1", "1", "0", "1.5", "2.0", "3.0", "0", "0"]
    assert row([proven, partly, left, nothing]) == [
        "4", "3", "1", "1", "30.0", "30.0", "60.0", "2, up to 2", "2 (30.0, 50.0 %)",
    ]  # fmt: skip


def test_runs_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a run is written down as the program ends it, and is not done again."""
    file = tmp_path / "runs.jsonl"
    arguments = [str(file), "--seeds", "0", "--time-limit", "5", "--jobs", "1"]
    assert main(arguments, [SMALL]) == 0
    (line,) = file.read_text().splitlines()
    kept = json.loads(line)
    assert (kept["key"]["board"], kept["status"]) == ("escape_6x6x2_1", "optimal")
    assert kept["cost"] == kept["bound"]
    assert "| escape | 1 | 1 | 1 | 0 |" in capsys.readouterr().out

    file.write_text(json.dumps(kept | {"cost": None, "status": "unknown"}) + "\n")
    assert main(arguments, [SMALL]) == 1
    assert "| escape | 1 | 0 | 0 | 0 |" in capsys.readouterr().out
    assert main([*arguments, "--time-limit", "4"], [SMALL]) == 0  # Which are other runs.


def test_another_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that another version runs on the same boards, and has rows of its own."""
    other = shlex.join([sys.executable, "-c", "raise SystemExit(1)"])
    arguments = [str(tmp_path / "runs.jsonl"), "--seeds", "0", "--time-limit", "5"]
    assert main([*arguments, "--against", other], [SMALL]) == 1
    rows = capsys.readouterr().out.splitlines()
    assert "| all | 1 | 1 | 1 | 0 |" in rows[-3]
    assert rows[-2].startswith(f"| all: {other} | 1 | 0 | 0 | 0 |")


@pytest.mark.parametrize("words", [[], ["runs.jsonl", "--fresh", "1"]])
def test_fresh_boards_are_not_kept(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that fresh boards have no file of runs, and that others need one."""
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "expected either a file of runs or --fresh SEED" in capsys.readouterr().err
