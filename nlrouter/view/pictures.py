"""Pictures of what the page shows, those that ``nldraw`` makes."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.view.documents import BadRequest, Document

PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
"""The formats, with their content types."""


@dataclass(frozen=True)
class PictureLook:
    """How a picture looks.

    Parameters
    ----------
    title
        What its caption starts with.
    language
        ``en`` or ``ja``.
    stack
        Whether layers lie above each other.
    dark
        Whether the paper is dark.
    """

    title: str
    language: str
    stack: bool
    dark: bool


def picture(document: Document, form: str, look: PictureLook) -> bytes:
    """Draw a document as one of `PICTURE_TYPES`.

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
    words = LANGUAGES.get(look.language, ENGLISH)
    scene = compose(problem, answer, look.title, words=words)
    try:
        return render(draw(scene, stack=look.stack, dark=look.dark), form)
    except TooLargeError as error:
        raise BadRequest(str(error)) from error
