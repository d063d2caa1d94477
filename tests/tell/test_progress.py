"""What nlroute says: the summary line and the three ways to show progress."""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace

import pytest

from nlrouter.answer import Cost
from nlrouter.result import COMPILING, Outcome, Progress, Standing, format_gap
from nlrouter.tell.displays import LiveLine, Log, Silence, as_json, in_words
from nlrouter.tell.stream import emit
from nlrouter.tell.words import format_progress, format_summary
from tests.commands.fake_engine import DETOUR_8, PROBLEM, STRAIGHT_4, ending, moment
from tests.tell.terminal import Terminal


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (
            Outcome(PROBLEM, STRAIGHT_4, Standing(Cost(84, 13), 97), 4.23),
            "optimal  cost 97 = 84 cells + 13 bends  quality 0.010309  bound 97  4.2 s",
        ),
        (
            Outcome(PROBLEM, STRAIGHT_4, Standing(Cost(84, 14), 97), 60),
            "feasible  cost 98 = 84 cells + 14 bends  quality 0.010204"
            "  bound 97  gap 1.0 %  60.0 s",
        ),
        (
            Outcome(PROBLEM, STRAIGHT_4, Standing(Cost(84, 14)), 60),
            "feasible  cost 98 = 84 cells + 14 bends  quality 0.010204  60.0 s",
        ),
        (
            ending(None, infeasible=True, reason="no via reaches from layer 1 to 3"),
            "infeasible  no via reaches from layer 1 to 3  4.2 s",
        ),
        (ending(None, 90), "unknown  bound 90  4.2 s"),
        (ending(None), "unknown  4.2 s"),
    ],
)
def test_summary(result: Outcome, line: str) -> None:
    """Tests that the summary says what is known, and only that."""
    assert format_summary(result) == line


def test_gap_never_rounds_to_nothing() -> None:
    """Tests that an open gap does not read as closed."""
    assert [format_gap(gap) for gap in (0.0, 1 / 5000, 0.012, 1.0)] == [
        "0.0 %",
        "0.02 %",
        "1.2 %",
        "100.0 %",
    ]


def test_progress_text() -> None:
    """Tests that a moment shows time, cost, bound and gap, with hyphens for the unknown."""
    assert format_progress(moment(DETOUR_8, 4)) == "   0.5 s  cost 8  bound 4  gap 50.0 %"
    assert format_progress(moment(None)) == "   0.5 s  cost -  bound -  gap -"


@pytest.mark.parametrize(
    ("missing", "words"),
    [((3,), "1 line left: 3"), (tuple(range(1, 9)), "8 lines left: 1, 2, 3, 4, 5, 6, ...")],
)
def test_lines_that_are_left(missing: tuple[int, ...], words: str) -> None:
    """Tests that while there is no answer a few of the lines that do not fit are named."""
    progress = replace(moment(None, 4), missing=lambda: missing)
    assert format_progress(progress) == f"   0.5 s  cost -  bound 4  gap -  {words}"
    assert json.loads(as_json(progress))["missing"] == list(missing)


def test_live_line() -> None:
    """Tests that the line is redrawn in place, without rests of a longer one, and wiped."""
    terminal = Terminal()
    live = LiveLine(terminal)
    live.show(moment(DETOUR_8, 4))
    live.show(moment(STRAIGHT_4, 4))
    assert terminal.lines() == ["   0.5 s  cost 4  bound 4  gap 0.0 %"]
    live.clear()
    live.clear()
    terminal.write("done\n")
    assert terminal.lines() == ["done"]
    live.show(moment(DETOUR_8, 4))
    assert terminal.lines() == ["done", "   0.5 s  cost 8  bound 4  gap 50.0 %"]
    # Whoever is killed with a hidden cursor leaves the terminal without one.
    assert "\x1b[?25l" not in terminal.getvalue()


def test_live_line_while_compiling() -> None:
    """Tests that the line says why nothing moves, on a first run."""
    terminal = Terminal()
    live = LiveLine(terminal)
    live.show(Progress(0.5, None, None, 4, COMPILING))
    (line,) = terminal.lines()
    assert line.endswith("compiling, on the first run alone")
    live.show(moment(DETOUR_8, 4))
    assert terminal.lines() == ["   0.5 s  cost 8  bound 4  gap 50.0 %"]


def test_live_line_whose_reader_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a terminal that is gone does not end the search."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
        live = LiveLine(stream)
        live.show(moment(DETOUR_8, 4))
        live.clear()


def test_log() -> None:
    """Tests that the log has a line for each better cost or bound, or every 5 seconds."""
    stream = io.StringIO()
    log = Log(stream, in_words)
    for seconds, answer, bound in [
        (0.1, None, None),
        (0.6, None, None),
        (1.1, DETOUR_8, None),
        (1.6, DETOUR_8, 3),
        (2.1, DETOUR_8, 3),
        (6.7, DETOUR_8, 3),
        (7.2, STRAIGHT_4, 3),
    ]:
        log.show(moment(answer, bound, seconds))
    log.clear()
    lines = stream.getvalue().splitlines()
    assert [line.split()[0] for line in lines] == ["0.1", "1.1", "1.6", "6.7", "7.2"]
    assert lines[-1] == "   7.2 s  cost 4  bound 3  gap 25.0 %  fake"


def test_silence() -> None:
    """Tests that silence takes what the others take."""
    silence = Silence()
    silence.show(moment(DETOUR_8))
    silence.clear()


def test_emit_outlives_reader() -> None:
    """Tests that a reader that has left is reported once and does no harm after."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        assert not emit(stream, "first\n")
        assert emit(stream, "second\n")
    assert not emit(None, "to a closed stream\n")
