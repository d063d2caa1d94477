"""Writing proofs that a puzzle has no answer, or no other than one."""

from __future__ import annotations

import json

from nlrouter.deadline import Deadline
from numplace.answer import Answer, to_rows
from numplace.check.direct import Direct
from numplace.check.proof import VERSION, puzzle_hash
from numplace.puzzle import Puzzle
from numplace.sat.run import solve_by


def make_proof(puzzle: Puzzle, answer: Answer | None, deadline: Deadline) -> str | None:
    """Return the text of a proof file; None if the time was up or there is an (other) answer.

    Parameters
    ----------
    answer
        The only answer; None to prove that there is none.
    """
    from pysat.solvers import Glucose3

    head: dict[str, object] = {
        "numplace_proof": VERSION,
        "puzzle": puzzle_hash(puzzle),
        "answer": None if answer is None else to_rows(answer, puzzle.width, puzzle.height),
    }
    direct = Direct(puzzle, answer)
    lines: list[str] = []
    # A clause without literals is refuted by itself, and solvers do not take it.
    if all(direct.clauses):
        with Glucose3(bootstrap_with=direct.clauses, with_proof=True) as solver:
            if solve_by(solver, deadline) is not False:
                return None
            lines = [line.strip() for line in solver.get_proof() or []]
    lines.append("0")
    return "\n".join([json.dumps(head | {"steps": len(lines)}), *lines, ""])
