"""Pictures of what the page shows, those that ``nldraw`` makes."""

from __future__ import annotations

from collections.abc import Mapping

from nlrouter.view.documents import BadRequest, Document

PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
"""The formats, with their content types."""


def picture(document: Document, form: str, look: Mapping[str, str]) -> bytes:
    """Draw a document as one of `PICTURE_TYPES`.

    ``look`` may have the ``title`` of its caption, its ``language``, ``en`` or ``ja``, and, with
    whatever value, ``stack`` for layers above each other and ``dark`` for dark paper.

    Raises
    ------
    BadRequest
        If the drawing is not of the board's size, or larger than a picture can be.
    """
    from nlrouter.drawing.layout import TooLargeError
    from nlrouter.drawing.picture import draw, render
    from nlrouter.drawing.scene import compose
    from nlrouter.drawing.words import ENGLISH, LANGUAGES

    problem, answer = document.problem, document.answer
    if answer.shape != problem.shape:
        raise BadRequest("the answer's SIZE is not the problem's")
    words = LANGUAGES.get(look.get("language", ""), ENGLISH)
    scene = compose(problem, answer, look.get("title", ""), words=words)
    try:
        return render(draw(scene, stack="stack" in look, dark="dark" in look), form)
    except TooLargeError as error:
        raise BadRequest(str(error)) from error
