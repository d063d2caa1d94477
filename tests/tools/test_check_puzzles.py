"""Tests of the comparison with a second model of puzzles."""

import random

import check_puzzles
import pytest
from check_puzzles import count, draw_puzzle, main

from nlrouter.files.problem_file import parse_problem
from nlrouter.rule_sets import Rules
from tests.puzzle_boards import all_answers

BOARDS = "AA\n..\n", "AB\nBA\n", "A.B\n...\nA.B\n", "A...\n....\n...A\n", "AA.\n...\n"


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("rows", BOARDS)
def test_second_model_counts(rows: str, rules: Rules) -> None:
    """Tests that the second model counts what trying everything does."""
    problem = parse_problem(rows, "board")
    assert count(problem, rules) == min(2, len(list(all_answers(problem, rules))))


def test_no_verdict_differs(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a few small puzzles of each rule set have the same verdicts."""
    assert main(["--count", "4", "--most", "8"]) == 0
    assert capsys.readouterr().out.endswith("\n0 differ\n")


def test_difference_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a verdict that differs is shown with its board, and ends with code 1."""
    monkeypatch.setattr(check_puzzles, "count", lambda problem, rules: 0)
    problem = draw_puzzle(random.Random("0 adc"), Rules.ADC, 8)
    monkeypatch.setattr(check_puzzles, "draw_puzzle", lambda *_: problem)
    assert main(["--count", "1"]) == 1
    assert "adc: " in capsys.readouterr().err
