"""Tests of tools/scaling.py, with a command that answers nothing but tells figures."""

from __future__ import annotations

import json
import runpy
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

SCALING = runpy.run_path(str(Path(__file__).parent.parent.parent / "tools" / "scaling.py"))
Point = SCALING["Point"]

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
    code = SCALING["main"](
        ["6x6x1", "9x8x2", "--json", str(record), "--time-limit", "3"],
        [sys.executable, "-S", str(script)],
    )
    assert code == 1
    points = json.loads(record.read_text())["points"]
    assert [(point["size"], point["cells"], point["lines"]) for point in points] == [
        ("6x6x1", 36, 1),
        ("9x8x2", 144, 4),
    ]
    assert all(point["first"] is None for point in points)
    assert "9x8x2" in capsys.readouterr().out


def test_what_was_measured_is_kept(tmp_path: Path) -> None:
    """Tests that a run that fails loses nothing of the sizes before it."""
    script, record = tmp_path / "fake.py", tmp_path / "scaling.json"
    script.write_text(
        f"import sys\nif any('9x8x2' in word for word in sys.argv):\n    sys.exit(1)\n{FAKE}"
    )
    with pytest.raises(SystemExit, match="9x8x2: FAILED"):
        SCALING["main"](
            ["6x6x1", "9x8x2", "--json", str(record), "--time-limit", "3"],
            [sys.executable, "-S", str(script)],
        )
    assert [point["size"] for point in json.loads(record.read_text())["points"]] == ["6x6x1"]


def test_plot_shows_each_size(tmp_path: Path) -> None:
    """Tests that the plot names each board, and that equal figures draw equal files."""
    points = [
        Point("12x12x2", 288, 9, 0.5, 0.0, 90.0, 1.0),
        Point("120x120x4", 57600, 1920, None, None, 500.0, 120.0),
    ]
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in files:
        SCALING["draw"](points, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    words = [text.text for text in ET.parse(files[0]).iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("12x12x2") == 2  # In both panels.
    assert words.count("120x120x4") == 1  # It has no time, but takes memory.
