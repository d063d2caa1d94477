"""What page and server send each other: file formats one way, JSON made for drawing the other.

The page sends problems and answers as the text of their files, so that the readers of
``nlrouter.files`` judge all that comes in, by the same limits and in the same words as on the
command line.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from nlrouter.answer import Answer
from nlrouter.drawing.palette import colours
from nlrouter.files.answer_file import parse_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.files.pzpr_file import format_address
from nlrouter.problem import Problem


class BadRequest(ValueError):
    """A request that the page would never send; the message says what is wrong with it."""


@dataclass(frozen=True)
class Document:
    """A board and what is drawn on it."""

    problem: Problem
    answer: Answer


def parse_fields(body: bytes, optional: Collection[str] = ()) -> dict[str, Any]:
    """Read a request's ``{"problem": text, "answer": text}``, with further fields where allowed.

    Raises
    ------
    BadRequest
        If the body is not of this form.
    """
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest("the request is no JSON") from error
    needed = {"problem", "answer"}
    if not isinstance(fields, dict) or not needed <= fields.keys() <= needed.union(optional):
        raise BadRequest("the request is no object of 'problem' and 'answer'")
    return fields


def parse_document(fields: dict[str, Any]) -> Document:
    """Read the texts in a request's fields.

    Raises
    ------
    BadRequest
        If they are no texts.
    FileError
        If one of the texts is not well-formed.
    """
    problem, answer = fields["problem"], fields["answer"]
    if not isinstance(problem, str) or not isinstance(answer, str):
        raise BadRequest("'problem' and 'answer' are not both texts")
    return Document(parse_problem(problem, "problem"), parse_answer(answer, "answer"))


def problem_json(problem: Problem) -> dict[str, Any]:
    """Return a problem as the page draws it: cells as ``[z, y, x]``, and the file's text.

    ``colours`` of lines are those of pictures, on ``light`` and on ``dark`` paper; ``address`` is
    that of puzz.link, None for a board that it cannot hold.
    """
    try:
        address = format_address(problem)
    except FileError:
        address = None
    papers = zip(colours(problem), colours(problem, dark=True), strict=True)
    return {
        "width": problem.width,
        "height": problem.height,
        "layers": problem.layers,
        "lines": [{"number": line.number, "ends": line.ends} for line in problem.lines],
        "vias": [{"name": via.name, "cells": via.cells} for via in problem.vias],
        "colours": [{"light": light, "dark": dark} for light, dark in papers],
        "text": format_problem(problem),
        "address": address,
    }
