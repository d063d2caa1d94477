"""Pictures of what the page shows, those that ``nldraw`` makes."""

from __future__ import annotations

from nlrouter.view.documents import Document

PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
"""The formats, with their content types."""


def picture(document: Document, form: str) -> bytes:
    """Draw a document as one of `PICTURE_TYPES`."""
    from nlrouter.draw.picture import draw, render
    from nlrouter.draw.scene import compose

    return render(draw(compose(document.problem, document.answer, "nlview")), form)
