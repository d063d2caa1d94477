"""Tests of the contest checker's verdicts, its holes and what it reads as an answer."""

import csv

import pytest

from nlrouter.checker import CONTEST_RULES
from nlrouter.checker.contest import ContestCheckerCrash, RuleMismatch, judge
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import format_answer, parse_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from tests.checker.drawing import (
    CORPUS,
    FLAT,
    SHAFT,
    SHAFT_LAYERS,
    TOWER,
    TOWER_LAYERS,
    draw,
    needs_corpus,
)

GOOD = "SIZE 5X3\n1,1,1,1,1\n0,0,0,0,0\n2,2,2,2,2\n"
PASSED = (True, 1 / 10)
FAILED = (False, 0.0)


@needs_corpus
def test_verdicts_of_the_original() -> None:
    """Tests that the original's verdicts are matched, qualities to the last digit."""
    with open(CORPUS / "verdicts" / "verdicts.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 247
    for row in rows:
        problem = read_problem(str(CORPUS / row["board"]))
        text = (CORPUS / "verdicts" / row["answer"]).read_text(encoding="utf-8")
        pairs = judge(problem, text)
        assert len(pairs) == int(row["answers_read"]), row
        for correct, quality in pairs:
            assert (correct, repr(quality)) == (row["correct"] == "1", row["quality"]), row
        # None of these answers falls into a hole, so the rules say the same.
        wrong = bool(violations(problem, parse_answer(text, row["answer"])))
        assert wrong == (pairs == [] or pairs == [FAILED]), row


def test_hole_cut_line() -> None:
    """Tests that a cut line passes and scores better, while the rules see the cut."""
    answer = draw("11.11/...../22222")
    assert judge(FLAT, format_answer(answer, 2)) == [(True, 1 / 9)]
    (violation,) = violations(FLAT, answer)
    assert violation.rule == "cut"


def test_hole_last_middle_cell_empty() -> None:
    """Tests that the last middle cell of four layers may be empty, which the rules forbid."""
    first, second, _, fourth = SHAFT_LAYERS
    answer = draw(first, second, ".../222", fourth)
    assert judge(SHAFT, format_answer(answer, 2)) == [(True, 1 / 8)]
    (violation,) = violations(SHAFT, answer)
    assert violation.rule == "via-shared"


def test_hole_last_middle_cell_of_another_line() -> None:
    """Tests that a line may run through that cell, which the rules forbid."""
    problem = parse_problem(
        "SIZE 3X2X4\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,4)\nLINE#2 (0,1,3) (2,0,3)\n"
        "VIA#a (1,0,1) (1,0,2) (1,0,3) (1,0,4)\n",
        "through",
    )
    first, second, _, fourth = SHAFT_LAYERS
    answer = draw(first, second, ".22/22.", fourth)
    assert judge(problem, format_answer(answer, 2)) == [(True, 1 / 11)]
    (violation,) = violations(problem, answer)
    assert violation.rule == "via-shared"


def test_other_middle_cells_are_seen() -> None:
    """Tests that the first of two middle cells, and the only one of three layers, must be full."""
    first, _, third, fourth = SHAFT_LAYERS
    assert judge(SHAFT, format_answer(draw(first, ".../...", third, fourth), 2)) == [FAILED]
    bottom, _, top = TOWER_LAYERS
    answer = draw(bottom, ".22./..../..../....", top)
    assert judge(TOWER, format_answer(answer, 2)) == [FAILED]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.replace("1", "01"),
        GOOD.replace(",", " , "),
        GOOD.replace("SIZE 5X3", "size 5x3X1\nlayer 1"),
        "\n\n" + GOOD + "\n\n",
    ],
)
def test_reads_variants(text: str) -> None:
    """Tests that byte-order marks, line ends, blanks, zeros and blank lines do not matter."""
    assert judge(FLAT, text) == [PASSED]


def test_blank_line_ends_an_answer() -> None:
    """Tests that there is a pair per answer, with or without a SIZE of its own."""
    assert judge(FLAT, GOOD + "\n" + GOOD) == [PASSED, PASSED]
    assert judge(FLAT, GOOD + "\n" + GOOD.partition("\n")[2]) == [PASSED, PASSED]


def test_blank_line_between_layers_makes_two_answers() -> None:
    """Tests that an otherwise correct answer is read as two wrong ones."""
    text = format_answer(draw(*TOWER_LAYERS), 2)
    assert [correct for correct, _ in judge(TOWER, text)] == [True]
    assert judge(TOWER, text.replace("LAYER 2", "\nLAYER 2")) == [FAILED, FAILED]


@pytest.mark.parametrize("text", ["", "\n\n", "SIZE 5X3\n", "SIZE 5X3\n0,0,0,0,0\n" * 2])
def test_zeros_alone_give_no_pair(text: str) -> None:
    """Tests that an answer of zeros is skipped."""
    assert judge(FLAT, text) == []
    assert judge(FLAT, text + "\n" + GOOD) == [PASSED]


def test_short_rows_are_filled_with_zeros() -> None:
    """Tests that a correct answer stays correct without its zeros."""
    assert judge(FLAT, GOOD.replace("0,0,0,0,0", "0,0")) == [PASSED]
    assert judge(FLAT, GOOD.replace("1,1,1,1,1", "1,1,1,1")) == [FAILED]


@pytest.mark.parametrize("token", ["x", "", "-1", "1.0", "3", "9" * 30, "9" * 5000])
def test_odd_tokens_are_wrong(token: str) -> None:
    """Tests that what is no number of a line makes the answer wrong, not unreadable."""
    assert judge(FLAT, GOOD.replace("0,0,0", f"0,{token},0")) == [FAILED]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("0,0,0", "0,0,0,0"), "line 3: row 2 of layer 1 with 6 numbers goes beyond"),
        (GOOD + "0,0,0\n", "line 5: row 4 of layer 1 with 3 numbers goes beyond SIZE 5X3X1"),
        (GOOD + "LAYER 2\n0,0\n", "line 6: row 1 of layer 2"),
        (GOOD.replace("5X3", "5X3\nLAYER １"), "line 2: 'LAYER １' is no row"),
        ("1,1\n" + GOOD, "line 1: a row before any SIZE"),
    ],
)
def test_where_the_original_stops(text: str, message: str) -> None:
    """Tests that the text that stops the original is named, and raises an error of its own."""
    with pytest.raises(ContestCheckerCrash, match=message):
        judge(FLAT, text)


def test_layer_0_is_the_last_one() -> None:
    """Tests that LAYER 0 is read as numpy reads the index -1."""
    bottom, middle, top = format_answer(draw(*TOWER_LAYERS), 2).split("LAYER ")[1:]
    text = f"SIZE 4X4X3\nLAYER {bottom}LAYER {middle}LAYER {top.replace('3', '0', 1)}"
    assert judge(TOWER, text) == judge(TOWER, format_answer(draw(*TOWER_LAYERS), 2))
    assert judge(FLAT, GOOD.replace("5X3", "5X3\nLAYER 0")) == [PASSED]


def test_lines_without_a_comma_are_passed_over() -> None:
    """Tests that what is no row is no part of an answer, also a row of one column."""
    assert judge(FLAT, GOOD.replace("\n", "\nrubbish\n")) == [PASSED]
    assert judge(FLAT, GOOD.replace(",", ";")) == []
    assert judge(FLAT, "SIZE 1X2\n1\n1\n") == []


@pytest.mark.parametrize("size", ["4X3", "5X3X2", "999999999X999999999X999999999"])
def test_other_sizes_are_wrong(size: str) -> None:
    """Tests that a SIZE that is not the problem's is wrong, and costs no memory."""
    assert judge(FLAT, f"SIZE {size}\n1,1,1\n") == [FAILED]


@pytest.mark.parametrize("rule", CONTEST_RULES)
def test_rules_of_a_year_on_one_layer(rule: str) -> None:
    """Tests that on one layer every year's rules say the same."""
    assert judge(FLAT, GOOD, rule) == [PASSED]
    assert judge(FLAT, GOOD.replace("0,0,0", "0,1,0"), rule) == [FAILED]


def test_rules_that_do_not_apply() -> None:
    """Tests that one-layer rules are not bent to more layers, and others are unknown."""
    with pytest.raises(RuleMismatch, match="rule ADC2015 is for one layer, the board has 3"):
        judge(TOWER, GOOD, "ADC2015")
    with pytest.raises(ValueError, match="no rule 'ADC1999'"):
        judge(FLAT, GOOD, "ADC1999")
