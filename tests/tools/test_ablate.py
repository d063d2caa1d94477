"""Tests that the ablation runs what a method was at work on, and tells what it is worth."""

import json
from pathlib import Path

import pytest
from ablate import lines_of, main, row
from measure.boards import of_survey
from measure.records import Run, RunKey

SMALL = of_survey("escape", "6x6x2", None, 1)


def run(status: str, cost: int | None, counted: float = 1.0) -> Run:
    """Return how a run of some board ended."""
    key = RunKey("some", 0, "", "")
    return Run(None, {}, cost, 1, None, status, counted, 0.0, "", 2 * counted, key=key)


def test_row() -> None:
    """Tests that what a method is worth is told as ratios, of what both runs have."""
    pairs = [
        (run("optimal", 10), run("feasible", 11, 2.1)),
        (run("optimal", 10), run("unknown", None)),
        (run("infeasible", None), run("infeasible", None)),
    ]
    runs = {("some", seed, ""): pair[0] for seed, pair in enumerate(pairs)}
    runs |= {("some", seed, "x"): pair[1] for seed, pair in enumerate(pairs)}
    assert row("x", runs) == [
        "x", "3", "3 → 1", "2 → 1", "+10.00 %", "+26 %", "+27 %", "0", "0",
    ]  # fmt: skip
    assert row("y", runs) == ["y", "0", "", "", "", "", "", "0", "0"]


def test_a_method_that_was_not_at_work_is_not_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that only boards are run again on which the method was at work, and only once."""
    file = tmp_path / "runs.jsonl"
    arguments = [str(file), "--time-limit", "5", "--jobs", "1", "--methods", "prices", "covers"]
    assert main(arguments, [SMALL]) == 0
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    base = kept[0]
    assert base["key"]["version"] == ""
    at_work = [method for method in ("prices", "covers") if base["calls"].get(method)]
    assert [record["key"]["version"] for record in kept[1:]] == [
        f"without {method}" for method in at_work
    ]
    assert "| covers | 0 |" in capsys.readouterr().out
    assert main(arguments, [SMALL]) == 0
    assert len(file.read_text().splitlines()) == len(kept)


def test_lines() -> None:
    """Tests that a method's modules are there and are counted, and their tests."""
    assert min(lines_of("bonds")) > 0
