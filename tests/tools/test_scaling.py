"""Tests of tools/scaling.py, with a command that answers nothing but tells figures."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import scaling
from measure.records import Figures

FAKE = """\
import json, sys
from pathlib import Path
sys.stderr.write(json.dumps({"seconds": 0.1, "cost": None, "lower_bound": 5, "gap": None,
                             "phase": "prove"}) + "\\n")
sys.stderr.write(json.dumps({"status": "unknown", "cost": None, "lower_bound": 5, "gap": None}))
"""


def test_a_board_without_an_answer_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that each size is made and run, and that the exit code tells of one unanswered."""
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    record = tmp_path / "scaling.json"
    code = scaling.main(
        ["6x6x1", "9x8x2", "--json", str(record), "--time-limit", "3"],
        [sys.executable, "-S", str(script)],
    )
    assert code == 1
    assert len(record.read_text().splitlines()) == 2
    *_, small, large = capsys.readouterr().out.splitlines()
    assert small.startswith("| 6x6x1 | 36 | 1 | - |")
    assert large.startswith("| 9x8x2 | 144 | 4 | - |")


def test_a_run_that_fails_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a run that fails loses nothing of the other sizes, and gives exit code 1."""
    command = [sys.executable, "-c", "raise SystemExit(1)"]
    assert scaling.main(["6x6x1", "9x8x2", "--time-limit", "3"], command) == 1
    assert "9x8x2 seed 0: failed None: FAILED with exit code 1" in capsys.readouterr().err


def test_plot_shows_each_size(tmp_path: Path) -> None:
    """Tests that the plot names each board, and that equal figures draw equal files."""
    points = [
        ("12x12x2", 288, 9, Figures(0.5, {}, 9, 9, 0.0, "optimal", 1.0, 90.0, "")),
        ("120x120x4", 57600, 1920, Figures(None, {}, None, 9, None, "unknown", 60.0, 500.0, "")),
    ]
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in files:
        scaling.draw(points, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    words = [text.text for text in ET.parse(files[0]).iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("12x12x2") == 2  # In both panels.
    assert words.count("120x120x4") == 1  # It has no time, but takes memory.
