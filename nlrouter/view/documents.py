"""What page and server send each other: file formats one way, JSON made for drawing the other.

The page sends problems and answers as the text of their files, so that the readers of
``nlrouter.files`` judge all that comes in, by the same limits and in the same words as on the
command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from nlrouter.answer import Answer
from nlrouter.files.answer_file import parse_answer
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.problem import Problem


class BadRequest(ValueError):
    """A request that the page would never send; the message says what is wrong with it."""


class _Request(msgspec.Struct, forbid_unknown_fields=True):
    """What `parse_document` reads."""

    problem: str
    answer: str


@dataclass(frozen=True)
class Document:
    """A board and what is drawn on it."""

    problem: Problem
    answer: Answer


def parse_document(body: bytes) -> Document:
    """Read ``{"problem": text, "answer": text}``.

    Raises
    ------
    BadRequest
        If the body is not of this form.
    FileError
        If one of the texts is not well-formed.
    """
    try:
        request = msgspec.json.decode(body, type=_Request)
    except msgspec.ValidationError as error:
        raise BadRequest(f"the request is no object of two texts: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadRequest("the request is no JSON") from error
    return Document(
        parse_problem(request.problem, "problem"), parse_answer(request.answer, "answer")
    )


def problem_json(problem: Problem) -> dict[str, Any]:
    """Return a problem as the page draws it: cells as ``[z, y, x]``, and the file's text."""
    return {
        "width": problem.width,
        "height": problem.height,
        "layers": problem.layers,
        "lines": [{"number": line.number, "ends": line.ends} for line in problem.lines],
        "vias": [{"name": via.name, "cells": via.cells} for via in problem.vias],
        "text": format_problem(problem),
    }
