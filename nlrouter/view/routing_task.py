"""What the page asks the router for."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.answer import Answer
from nlrouter.files.answer_file import parse_answer, require_shape
from nlrouter.view.documents import BadRequest, Document, parse_document, parse_fields

LONGEST = 86400
"""Seconds of a search at most; nobody watches a page for longer than a day."""


@dataclass(frozen=True)
class RoutingTask:
    """A drawing to complete or to improve.

    Parameters
    ----------
    document
        The board and the drawing.
    kept
        The cells of the drawing that have to stay, 0 elsewhere.
    seconds
        After which the search ends.
    counts
        Whether only to tell if the board has one answer.
    """

    document: Document
    kept: Answer
    seconds: float
    counts: bool


def parse_task(body: bytes) -> RoutingTask:
    """Read a document that has another answer as ``kept``, a number of ``seconds``, and ``counts``.

    Raises
    ------
    BadRequest, FileError
        As `nlrouter.view.documents.parse_document` does; or if the drawings are not of the board's
        size.
    """
    fields = parse_fields(body, ("kept", "seconds", "counts"))
    document = parse_document(fields)
    kept, seconds = fields.get("kept"), fields.get("seconds")
    if not isinstance(kept, str):
        raise BadRequest("'kept' is no text")
    if not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST:
        raise BadRequest(f"'seconds' is no number of at most {LONGEST}")
    cells = parse_answer(kept, "kept")
    counts = fields.get("counts") is True
    if counts and document.problem.layers > 1:
        raise BadRequest("the answers of a board with several layers are not counted")
    for drawing in (document.answer, cells):
        require_shape("the drawing", drawing, document.problem)
    return RoutingTask(document, cells, seconds, counts)
