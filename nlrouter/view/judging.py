"""The verdict on a drawing, as the page shows it. The checker decides; nothing is added here."""

from __future__ import annotations

from typing import Any

import numpy as np

from nlrouter.checker.contest import ContestCheckerCrash, judge
from nlrouter.checker.cost import bends, measure
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import format_answer
from nlrouter.view.documents import Document

MOST_VIOLATIONS = 1000
"""Violations that are sent one by one; a page with more of them helps nobody."""


def verdict(document: Document) -> dict[str, Any]:
    """Judge a drawing.

    Returns
    -------
    dict
        ``correct`` by the rules; ``joined``, numbers of the lines without a violation; ``count``
        of violations and the first of them as ``violations``; ``contest``, whether the contest's
        checker passes it, None without a verdict; ``cost`` with its parts; ``length_of`` and
        ``bends_of`` by line number, 0 standing for no line.
    """
    problem, answer = document.problem, document.answer
    found = violations(problem, answer)
    cost = measure(answer)
    numbers = len(problem.lines) + 1
    known = np.where(answer < numbers, answer, 0)
    faulty = {violation.line for violation in found}
    shared = [violation.cell for violation in found if violation.rule == "via-shared"]
    for via in problem.vias:  # One violation stands for all that share a via, and names none.
        if via.cells[0] in shared:
            faulty |= {int(answer[cell]) for cell in via.cells}
    return {
        "correct": not found,
        "count": len(found),
        "joined": [line.number for line in problem.lines if line.number not in faulty],
        "violations": [
            {"rule": v.rule, "line": v.line, "cell": v.cell, "text": v.text}
            for v in found[:MOST_VIOLATIONS]
        ],
        "contest": _contest(document),
        "cost": {"total": cost.total, "length": cost.length, "bends": cost.bends},
        "length_of": np.bincount(known.ravel(), minlength=numbers).tolist(),
        "bends_of": np.bincount(known[bends(answer)], minlength=numbers).tolist(),
    }


def _contest(document: Document) -> bool | None:
    """Whether the contest's checker passes the answer; None where it gives no verdict."""
    problem, answer = document.problem, document.answer
    try:
        verdicts = judge(problem, format_answer(answer, len(problem.lines)))
    except ContestCheckerCrash:
        return None
    return verdicts[0][0] if verdicts else None
