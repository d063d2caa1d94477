"""Tests of judging, cleaning, scoring and spreadsheets from Python: what the commands do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nlrouter
from nlrouter.commands import nlconv

ROOT = Path(__file__).resolve().parents[1]
NAME = "smallest_2x2x2"
PROBLEM = nlrouter.read_problem(ROOT / "problems" / f"{NAME}.txt")
BEST = nlrouter.read_answer(ROOT / "answers" / f"{NAME}.txt")


def test_rules_of_earlier_years() -> None:
    """Tests that the contest's rule can be chosen, as with nlcheck --rule."""
    flat = nlrouter.Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])
    assert nlrouter.judge(flat, [[[1, 1, 1]]], "ADC2014") == (True, 1 / 3)
    with pytest.raises(nlrouter.RuleMismatch, match="rule ADC2015 is for one layer"):
        nlrouter.judge(PROBLEM, BEST, "ADC2015")
    with pytest.raises(ValueError, match="there is no rule 'ADC2017'"):
        nlrouter.judge(flat, [[[1, 1, 1]]], "ADC2017")


def test_one_column() -> None:
    """Tests that the contest's checker reads no answer of one column, and so passes none."""
    board = nlrouter.Problem(1, 2, 1, [((0, 0, 1), (0, 1, 1))])
    assert nlrouter.judge(board, [[[1], [1]]]) == (False, 0.0)


def test_no_way_to_clean() -> None:
    """Tests that an answer whose lines are cut is told to be past cleaning."""
    with pytest.raises(nlrouter.CannotClean, match="do not join the ends of LINE#1"):
        nlrouter.clean(PROBLEM, np.zeros_like(BEST))


def test_points_of_teams() -> None:
    """Tests that a board's points go to teams by what the contest's checker says of their files."""
    best = nlrouter.format_answer(BEST, len(PROBLEM.lines))
    verdicts = [nlrouter.give_verdict(PROBLEM, text) for text in (best, "", "no answer")]
    assert [bool(verdict.note) for verdict in verdicts] == [False, True, True]
    assert nlrouter.points([verdict.quality for verdict in verdicts]) == [11.0, 0.0, 0.0]


def test_spreadsheet_is_the_commands(tmp_path: Path) -> None:
    """Tests that a board and its answer go through a spreadsheet, the same as nlconv writes."""
    nlrouter.write_workbook(tmp_path / "a.xlsx", [nlrouter.DrawnBoard(NAME, PROBLEM, BEST)])
    files = [str(ROOT / folder / f"{NAME}.txt") for folder in ("problems", "answers")]
    assert nlconv.main([*files, "-o", str(tmp_path / "b.xlsx")]) == 0
    for name in ("a.xlsx", "b.xlsx"):
        (board,) = nlrouter.read_workbook(tmp_path / name)
        assert board.name == NAME and board.answer is not None
        assert nlrouter.cost(board.answer) == nlrouter.cost(BEST)
        assert nlrouter.check(board.problem, board.answer) == []


@pytest.mark.parametrize(
    ("name", "boards", "words"),
    [
        ("a.txt", [nlrouter.DrawnBoard("Q1", PROBLEM)], "a.txt: expected an ending of xlsx"),
        ("a.xlsx", [], "boards: found none"),
        ("a.xlsx", [nlrouter.DrawnBoard("a/b", PROBLEM)], "'a/b': expected a name of its own"),
        (
            "a.xlsx",
            [nlrouter.DrawnBoard("Q1", PROBLEM), nlrouter.DrawnBoard("q1", PROBLEM)],
            "'q1': expected a name of its own",
        ),
        (
            "a.xlsx",
            [nlrouter.DrawnBoard("Q1", PROBLEM, np.zeros_like(BEST))],
            "the answer of Q1 is wrong: the answer is empty",
        ),
    ],
)
def test_spreadsheets_that_could_not_be_read(
    tmp_path: Path, name: str, boards: list[nlrouter.DrawnBoard], words: str
) -> None:
    """Tests that a spreadsheet is refused that would not be read as it was meant."""
    with pytest.raises(ValueError, match=words):
        nlrouter.write_workbook(str(tmp_path / name), boards)
    assert list(tmp_path.iterdir()) == []
