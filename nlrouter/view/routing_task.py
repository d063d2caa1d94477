"""What the page asks the router for."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.view.documents import BadRequest, Document, parse_document, parse_fields


@dataclass(frozen=True)
class RoutingTask:
    """A drawing to finish or to improve.

    Parameters
    ----------
    document
        The board and the drawing.
    locked
        Numbers of lines that have to stay as they are, if they are complete.
    """

    document: Document
    locked: frozenset[int]


def parse_task(body: bytes) -> RoutingTask:
    """Read a document that may have a list of numbers as ``locked``.

    Raises
    ------
    BadRequest, FileError
        As `nlrouter.view.documents.parse_document` does.
    """
    fields = parse_fields(body, ("locked",))
    locked = fields.get("locked", [])
    if not isinstance(locked, list) or not all(type(number) is int for number in locked):
        raise BadRequest("'locked' is no list of numbers")
    return RoutingTask(parse_document(fields), frozenset(locked))
