"""Tests that a puzzle's certificate is made where it can be, and shows only what is so."""

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from nlrouter.certificate import PuzzleCertificate, digest_of
from nlrouter.checker.certificate.limits import CheckLimits, Refused
from nlrouter.checker.certificate.puzzle import PuzzleClauses, not_all, verified_answer
from nlrouter.deadline import Deadline
from nlrouter.files.certificate_file import format_certificate, parse_certificate
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import fill_board
from nlrouter.interface.puzzles import checked_answers
from nlrouter.problem import Problem
from nlrouter.puzzle.answers import Answers, Verdict
from nlrouter.rule_sets import Rules
from tests.puzzle_boards import all_answers, boards

any_board = boards(most_side=4, most_lines=4) | st.builds(
    lambda width, height, seed: fill_board(width, height, seed)[0],
    st.integers(3, 5),
    st.integers(3, 5),
    st.integers(0, 10**6),
)


def certified(problem: Problem, rules: Rules) -> Answers:
    """Return a board's answers with the certificate."""
    return checked_answers(problem, rules, Deadline(60), 2, certify=True)


@pytest.mark.parametrize("rules", Rules)
@given(problem=any_board)
@settings(max_examples=100)
def test_what_is_known_is_certified(rules: Rules, problem: Problem) -> None:
    """Tests that each only answer that is full has a certificate, and none has, which holds."""
    found = certified(problem, rules)
    known = found.verdict in (Verdict.ONLY_ONE, Verdict.NONE)
    full = all(drawing.answer.all() for drawing in found.drawings)
    assert (found.certificate is not None) == (known and full)
    if found.certificate is not None:
        again = parse_certificate(format_certificate(found.certificate), "file")
        assert again == found.certificate
        only = verified_answer(problem, found.certificate)
        assert (only is not None) == (found.verdict is Verdict.ONLY_ONE)
        if only is not None:
            assert not only.cells_that_differ(found.drawings[0].strokes).any()


@pytest.mark.parametrize("rules", Rules)
@given(problem=any_board)
@settings(max_examples=100)
def test_no_clause_is_too_much(rules: Rules, problem: Problem) -> None:
    """Tests that the clauses have a solution besides a full answer if there is another answer."""
    found = list(islice(all_answers(problem, rules), 50))
    full = [drawn for answer, drawn in found if answer.all()]
    for filled in (False, True) if rules is Rules.FLOW else (False,):
        clauses = PuzzleClauses(problem, filled=filled)
        for forbidden in [[], *([clauses.crossed(one)] for one in full)]:
            if len(found) == len(forbidden):
                continue
            with Solver(name="glucose4") as solver:
                for clause in [*clauses.clauses, *map(not_all, forbidden)]:
                    solver.add_clause([-(n // 2) - 1 if n % 2 else n // 2 + 1 for n in clause])
                assert solver.solve()


ONLY = parse_problem("AB\n..\nAB\n", "only")
"""Two lines side by side, which fill the board."""

CERTIFICATE = certified(ONLY, Rules.NIKOLI).certificate


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"digest": "0"}, "of another problem"),
        ({"answer": None, "lemmas": ()}, "contradict nothing"),
        ({"answer": None}, "lemma [0-9]+ does not follow"),
        ({"answer": (0,)}, "the answer is wrong"),
        ({"answer": (10**9,)}, "the answer is wrong"),
        ({"filled": True}, "by the rules nikoli cells may stay empty"),
        ({"loops": ((0, 3),)}, "is none"),
        ({"loops": ((),)}, "is none"),
        ({"loops": ((10**9,),)}, "is none"),
        ({"answer": None, "lemmas": ((),)}, "lemma 0 does not follow"),
        ({"answer": None, "lemmas": ((10**9,),)}, "lemma 0 is no clause"),
        ({"answer": None, "lemmas": ((2, 2),)}, "lemma 0 is no clause"),
    ],
)
def test_forged(changes: dict[str, object], reason: str) -> None:
    """Tests that nothing in a certificate is believed."""
    assert CERTIFICATE is not None
    with pytest.raises(Refused, match=reason):
        verified_answer(ONLY, replace(CERTIFICATE, **changes))  # type: ignore[arg-type]


def test_only_answer_that_is_not_full() -> None:
    """Tests that an answer that leaves cells empty is refused: moves could have led to it."""
    problem = parse_problem("AA\n..\n", "board")
    shown = PuzzleCertificate(digest_of(problem), Rules.ADC, False, (0,), (), ())
    with pytest.raises(Refused, match="does not fill the board"):
        verified_answer(problem, shown)


@pytest.mark.parametrize("rules", Rules)
def test_board_with_several_answers(rules: Rules) -> None:
    """Tests that there is no certificate that one of several answers is the only one."""
    problem = parse_problem("AB..\n....\n....\nAB..\n", "several")
    found = certified(problem, rules)
    assert found.verdict is Verdict.SEVERAL
    assert found.certificate is None


def test_work() -> None:
    """Tests that a check that takes too long is refused."""
    lemmas = ((0, 1),) * 10
    shown = PuzzleCertificate(digest_of(ONLY), Rules.ADC, False, None, (), lemmas)
    with pytest.raises(Refused, match="takes more than 5 steps"):
        verified_answer(ONLY, shown, CheckLimits(steps=5))


def test_loops() -> None:
    """Tests a board that a line could fill with a loop as well, and not by looser rules."""
    problem = parse_problem("...\n.11\n...\n...\n", "board")
    certificate = certified(problem, Rules.FLOW).certificate
    assert certificate is not None and certificate.filled and certificate.loops
    assert verified_answer(problem, certificate) is not None
    with pytest.raises(Refused, match=r"does not follow|contradict nothing"):
        verified_answer(problem, replace(certificate, loops=()))


def test_colours_of_a_chessboard() -> None:
    """Tests that a board that lines cannot fill is told without a lemma."""
    problem = Problem(9, 9, 1, [((0, 0, 1), (1, 0, 1))])
    certificate = certified(problem, Rules.FLOW).certificate
    assert certificate is not None and not certificate.lemmas
    assert verified_answer(problem, certificate) is None
