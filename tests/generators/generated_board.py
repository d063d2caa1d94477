"""What is asked of every generated board."""

from nlrouter.answer import Answer
from nlrouter.checker.rules import violations
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.problem import Problem


def check(problem: Problem, answer: Answer) -> None:
    """Check that the answer is right and that the problem is one that a file can hold."""
    assert violations(problem, answer) == []
    assert parse_problem(format_problem(problem), "generated") == problem
