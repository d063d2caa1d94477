"""Tests of the rules of puzzles, against all answers that are there."""

from itertools import product

import numpy as np
import pytest

from nlrouter.checker import drawn
from nlrouter.checker.drawn import CannotTell, strokes_of, violations_by
from nlrouter.files.problem_file import parse_problem
from nlrouter.files.pzpr_file import parse_pzprv3_answer
from nlrouter.problem import Problem
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes
from tests.puzzle_boards import all_answers

BOARDS = "A.B/..B/A..", "AB./.../.AB", "A..A/.BB.", "A./../A.", "A../..A"
COUNTS = {"adc": [2, 3, 1, 2, 3], "nikoli": [6, 3, 1, 4, 4], "flow": [1, 0, 0, 0, 1]}


def board(rows: str) -> Problem:
    return parse_problem(rows.replace("/", "\n"), rows)


def keys(rows: str, rules: Rules) -> set[tuple[bytes, bytes, bytes]]:
    return {
        (answer.tobytes(), strokes.right.tobytes(), strokes.down.tobytes())
        for answer, strokes in all_answers(board(rows), rules)
    }


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("rows", BOARDS)
def test_all_drawings(rows: str, rules: Rules) -> None:
    """Tests that of all drawings of a tiny board, those without violation are the answers."""
    problem = board(rows)
    correct = keys(rows, rules)
    assert len(correct) == COUNTS[rules][BOARDS.index(rows)]
    found = set()
    height, width = problem.height, problem.width
    sides = height * (width - 1)
    labellings = {answer.tobytes(): answer for r in Rules for answer, _ in all_answers(problem, r)}
    for answer in labellings.values():
        for bits in product((False, True), repeat=sides + (height - 1) * width):
            strokes = Strokes(
                np.array(bits[:sides]).reshape(height, width - 1),
                np.array(bits[sides:]).reshape(height - 1, width),
            )
            if not violations_by(problem, answer, rules, strokes):
                found.add((answer.tobytes(), strokes.right.tobytes(), strokes.down.tobytes()))
    assert found == correct


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("rows", BOARDS)
def test_all_labellings(rows: str, rules: Rules) -> None:
    """Tests that numbers alone are correct exactly if lines can be drawn through them."""
    problem = board(rows)
    correct = {answer.tobytes() for answer, _ in all_answers(problem, rules)}
    for filling in product(range(len(problem.lines) + 1), repeat=problem.width * problem.height):
        answer = np.array(filling, np.int32).reshape(problem.shape)
        passes = not violations_by(problem, answer, rules)
        assert passes == (answer.tobytes() in correct), answer
        if passes:
            assert not violations_by(problem, answer, rules, strokes_of(problem, answer))


def test_what_is_wrong_is_told() -> None:
    """Tests the sentences about wrong drawings."""
    problem = board("A.A/B.B")
    full = np.array([[[1, 1, 1], [2, 2, 2]]], np.int32)
    assert not violations_by(problem, full, Rules.FLOW)
    (fault,) = violations_by(problem, np.where(full == 2, 2, full * 3), Rules.NIKOLI)[:1]
    assert fault.text == "number 3 at (0,0) layer 1: there are LINE#1 to LINE#2 only"
    (fault,) = violations_by(board("A.A/..."), full * (full == 1), Rules.FLOW)
    assert fault.text == "the cell (0,1) layer 1 and 2 more is empty"
    with pytest.raises(ValueError, match="rules flow: found a board of 2 layers, expected one"):
        violations_by(Problem(2, 1, 2, [((0, 0, 1), (1, 0, 1))]), full, Rules.FLOW)


def test_line_that_is_drawn_in_part() -> None:
    """Tests that a line with a gap is wrong by all rules, though its cells have its number."""
    text = "pzprv3/numlin/2/3/1 . 1/. . ./1 0/0 0/0 0 0"
    answer, strokes = parse_pzprv3_answer(text, "gap")
    answer[0, 0] = 1
    for rules in Rules:
        assert violations_by(board("A.A/..."), answer, rules, strokes)[0].rule == "cut"


def test_way_that_is_too_hard_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a search without end is given up and told."""
    monkeypatch.setattr(drawn, "MOST_STEPS", 10)
    problem = board("A.../..../..../...A")
    with pytest.raises(CannotTell, match="has to be drawn"):
        violations_by(problem, np.ones(problem.shape, np.int32), Rules.NIKOLI)
