"""Makes the certificate that a puzzle has no answer, or none but one that fills the board.

The clauses of the check are refuted by a solver that keeps a record of what it learns. The search
itself knows other ways as well, and takes about as long.
"""

from __future__ import annotations

from pysat.solvers import Solver

from nlrouter.certificate import PuzzleCertificate, digest_of
from nlrouter.checker.certificate.puzzle import PuzzleClauses, can_be_filled, not_all, numbered
from nlrouter.deadline import Deadline
from nlrouter.problem import Problem
from nlrouter.puzzle.answers import Answers, Verdict
from nlrouter.rule_sets import Rules

SOLVER = "glucose4"
"""It keeps a record; CaDiCaL, in this library, does not."""

SLICE = 1_000
"""Conflicts between two looks at the clock: some hundredths of a second."""

Clause = tuple[int, ...]


def certify_answers(
    problem: Problem, rules: Rules, found: Answers, deadline: Deadline
) -> PuzzleCertificate | None:
    """Return the certificate of what is known of a board's answers.

    Parameters
    ----------
    problem, rules
        The board, and what makes an answer.
    found
        Its answers. That there are several needs no certificate.
    deadline
        When to give up; it may pass by a fraction of a second.

    Returns
    -------
    PuzzleCertificate or None
        The certificate; None if the verdict is another, the only answer leaves cells empty, or the
        time is up.
    """
    drawing = found.drawings[0] if found.drawings else None
    if found.verdict not in (Verdict.ONLY_ONE, Verdict.NONE) or (
        drawing is not None and not drawing.answer.all()
    ):
        return None
    only = None if drawing is None else PuzzleClauses.crossed(drawing.strokes)
    # Where full answers are wanted, others can mostly be refuted as well, and sooner.
    for filled in (False, True) if rules is Rules.FLOW else (False,):
        refuted: tuple[list[Clause], list[Clause]] | None = [], []
        if not filled or can_be_filled(problem):
            refuted = _refuted(problem, PuzzleClauses(problem, filled=filled), only, deadline)
        if refuted is not None:
            loops, lemmas = map(tuple, refuted)
            return PuzzleCertificate(digest_of(problem), rules, filled, only, loops, lemmas)
    return None


def _refuted(
    problem: Problem, formula: PuzzleClauses, only: Clause | None, deadline: Deadline
) -> tuple[list[Clause], list[Clause]] | None:
    """Return the loops and lemmas that refute all but an answer; None if they cannot in time."""
    loops: list[Clause] = []
    with Solver(name=SOLVER, with_proof=True) as solver:

        def add(clause: Clause) -> None:
            solver.add_clause([-(n // 2) - 1 if n % 2 else n // 2 + 1 for n in clause])

        for clause in formula.clauses:
            add(clause)
        if only is not None:
            add(not_all(only))
        solved = None
        while solved is not False:
            if deadline.passed():
                return None
            solver.conf_budget(SLICE)
            solved = solver.solve_limited()
            if solved:
                more = _loops(problem, formula, solver.get_model())
                if not more:
                    return None
                loops += more
                for loop in more:
                    add(not_all(loop))
        learnt = (line.split()[:-1] for line in solver.get_proof() if not line.startswith("d"))
        return loops, [tuple(2 * abs(n) - 2 + (n < 0) for n in map(int, row)) for row in learnt]


def _loops(problem: Problem, formula: PuzzleClauses, model: list[int]) -> list[Clause]:
    """Return the sides of each loop of a model."""
    strokes = formula.strokes([n - 1 for n in model if 0 < n <= formula.side_count])
    answer = numbered(problem, strokes)[0]
    return [
        PuzzleClauses.crossed(strokes.only(piece))
        for piece in strokes.pieces()
        if not answer[piece[0]]
    ]
