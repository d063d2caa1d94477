"""The table of many boards."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Any

import pytest

from nlrouter.record import BoardRow
from nlrouter.tell.tables import LiveTable, format_table
from tests.tell.terminal import Terminal


def row(board: str, **fields: Any) -> BoardRow:
    """Return a row of an open board, but for the fields given."""
    found: dict[str, Any] = {"answer": "Q.txt", "status": "feasible", "cost": 98}
    found |= {"lower_bound": 97, "gap": 1 / 98, "seconds": 60.0}
    return BoardRow(board=board, seeds=[], key=board, **found | fields)


def test_lines_of_the_table() -> None:
    """Tests that the table has a line per board, and hyphens for what is not known."""
    unknown = {"cost": None, "lower_bound": None, "gap": None, "status": "unknown", "answer": None}
    lines = format_table([row("Q01"), row("[red]Q2", **unknown, note="cut short")])
    assert lines == [
        "board        cost   bound       gap  status      seconds",
        "Q01            98      97     1.0 %  feasible       60.0",
        "[red]Q2         -       -         -  unknown        60.0  cut short",
    ]


def test_standard_output_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the lines are made where standard output takes nothing, not even nothing."""
    with TextIOWrapper(open("/dev/full", "wb", buffering=0), write_through=True) as full:
        monkeypatch.setattr(sys, "stdout", full)
        lines = format_table([row("Q01")])
        monkeypatch.undo()
    assert len(lines) == 2


def test_live_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the table is redrawn in place, cut to the screen, those searched first."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "7")
    terminal = Terminal()
    table = LiveTable(terminal)
    rows = [row(f"Q{n}", status="optimal", note="x" * 100) for n in range(9)]
    table.show(rows, [], 12.3)
    table.show(rows, ["Q7"], 9.3)
    lines = terminal.lines()
    assert [line.split()[:2] for line in lines[1:3]] == [["Q7", "*"], ["Q0", "98"]]
    assert len(lines) == 5 and max(map(len, lines)) == 80
    assert lines[-1] == "9 of 9 boards answered, 9 optimal, 9 s left"
    table.clear()
    assert terminal.lines() == []


def test_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a terminal shows the status in colour, and none where none is wanted."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured, plain = Terminal(), Terminal()
    LiveTable(coloured).show([row("Q1")], [], 1.0)
    monkeypatch.setenv("NO_COLOR", "1")
    LiveTable(plain).show([row("Q1")], [], 1.0)
    assert "\x1b[33mfeasible" in coloured.getvalue() and "\x1b[33m" not in plain.getvalue()
    assert coloured.lines() == plain.lines()
