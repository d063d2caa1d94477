"""Results as JSON records, one object a line."""

from __future__ import annotations

from numplace.answer import Answer, to_rows
from numplace.result import Result


def answer_rows(answer: Answer) -> list[list[int | None]]:
    """Return an answer as rows; null outside."""
    width = max((cell.x + 1 for cell in answer), default=0)
    height = max((cell.y + 1 for cell in answer), default=0)
    return to_rows(answer, width, height)


def result_record(result: Result) -> dict[str, object]:
    """Return what a result says, for JSON."""
    return {
        "status": str(result.status),
        "answers": [answer_rows(answer) for answer in result.answers],
        "found": len(result.answers),
        "exhausted": result.exhausted,
        "phase": result.phase,
        "seconds": round(result.seconds, 6),
    }
