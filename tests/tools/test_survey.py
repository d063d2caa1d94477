"""Tests that the survey keeps its runs, and tells of them what they gave."""

import json
from pathlib import Path

import pytest
from survey import BOARDS, Board, Run, main, row

SMALL = Board("escape", "6x6x2", None, 1)


def run(status: str, cost: int | None, bound: int | None, seconds: float = 1.0) -> Run:
    """Return how a run of some board ended."""
    return Run("some", 0, status, cost, bound, seconds)


def test_the_boards() -> None:
    """Tests that there are 200, each by a name of its own."""
    assert len(BOARDS) == len({board.name for board in BOARDS}) == 200


def test_row() -> None:
    """Tests that what is proven in every seed, the spread and the gap of what is open are told."""
    proven = [run("optimal", 10, 10, 2.0), run("optimal", 10, 10, 4.0)]
    partly = [run("optimal", 20, 20), run("feasible", 22, 19, 60.0)]
    left = [run("feasible", 100, 80, 60.0), run("feasible", 101, 90, 60.0)]
    nothing = [run("unknown", None, 5, 60.0), run("feasible", 40, 20, 60.0)]
    assert row([proven]) == "1 | 1 | 1 | 0 | 3.0 | 0 | 0"
    assert row([proven, partly, left, nothing]) == (
        "4 | 3 | 1 | 1 | 60.0 | 2, up to 2 | 2 (30.0, 50.0 %)"
    )


def test_runs_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a run is written down as the program ends it, and is not done again."""
    file = tmp_path / "runs.jsonl"
    arguments = [str(file), "--seeds", "0", "--time-limit", "5", "--jobs", "1"]
    assert main(arguments, [SMALL]) == 0
    (line,) = file.read_text().splitlines()
    kept = json.loads(line)
    assert (kept["board"], kept["status"]) == ("escape_6x6x2_1", "optimal")
    assert kept["cost"] == kept["lower_bound"]
    assert "| escape | 1 | 1 | 1 | 0 |" in capsys.readouterr().out

    file.write_text(json.dumps(kept | {"cost": None, "status": "unknown"}) + "\n")
    assert main(arguments, [SMALL]) == 1
    assert "| escape | 1 | 0 | 0 | 0 |" in capsys.readouterr().out
