"""Tests that the spread over seeds is measured from what the seeds gave."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from via_spread import Spread, find, main, measure

from nlrouter.files.problem_file import read_problem
from nlrouter.routing import search

BOARD = Path(__file__).parents[2] / "problems" / "shared_span_8x8x2.txt"
EASY = BOARD.parent / "strip_12x1x3.txt"


def test_row() -> None:
    """Tests that best, median, worst, bound, spread and share are told, and seeds without cost."""
    assert Spread([7, 5, 9], 1, 4).row == "5 | 7 | 9 (1 without) | 4 | 4 | 25%"
    assert Spread([], 2, 4).row == "- | - | - | 4 | - | 0"


def test_finder_alone() -> None:
    """Tests that the finder alone ends at a cost that is no less than the optimum."""
    cost = find(read_problem(BOARD), 0, 1.0)
    assert cost is not None and cost >= 81


def test_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that the best cost known is kept, and that costs are compared with it."""
    known = tmp_path / "known.json"
    known.write_text(json.dumps({EASY.stem: 20}))
    arguments = [str(EASY), "--seeds", "0", "--time-limit", "2", "--known", str(known)]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert f"| {EASY.stem} | 25 | 25 | 25 | 25 |" in printed
    assert "median 25.00 %, worst 25.00 %" in printed
    assert json.loads(known.read_text()) == {EASY.stem: 20}


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that Ctrl-C ends the measurement, and does not pass for the end of a run."""

    def interrupted(*_: Any, **__: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(search, "search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measure(read_problem(EASY), [0], 1.0, finder=False)
