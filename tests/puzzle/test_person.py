"""Tests of what a puzzle asks of a person."""

import pytest

from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Problem
from nlrouter.puzzle.person import PersonGrade, person_difficulty


@pytest.mark.parametrize(
    ("rows", "rules", "grade"),
    [
        ("AB\nAB\n", "flow", PersonGrade.EASY),
        ("....2\n13.24\n...1.\n...54\n356.6\n", "nikoli", PersonGrade.EASY),
        ("1...2\n3.3..\n.....\n.4..2\n..1.4\n", "adc", PersonGrade.MEDIUM),
        ("1...2\n3.3..\n.....\n.4..2\n..1.4\n", "flow", PersonGrade.HARD),
        ("....1\n.2.3.\n.4...\n..32.\n14...\n", "adc", PersonGrade.HARD),
    ],
)
def test_grades(rows: str, rules: str, grade: PersonGrade) -> None:
    """Tests that a puzzle has the least grade that is enough."""
    found = person_difficulty(parse_problem(rows, "board"), rules)
    assert found.grade is grade
    assert bool(found.suppositions) == (grade is PersonGrade.HARD)


def test_what_is_no_puzzle() -> None:
    """Tests that layers and unknown rules are refused."""
    with pytest.raises(ValueError, match="a puzzle has one layer, the board has 2"):
        person_difficulty(Problem(2, 1, 2, [((0, 0, 1), (1, 0, 1))]))
    with pytest.raises(ValueError, match="rule"):
        person_difficulty(Problem(2, 1, 1, [((0, 0, 1), (1, 0, 1))]), "rule")
