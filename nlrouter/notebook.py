"""How boards and results show themselves in a notebook: as a picture, where one can be drawn."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from nlrouter.extras import MissingExtra, require

if TYPE_CHECKING:
    from nlrouter.answer import Answer
    from nlrouter.problem import Problem


def svg_of(
    problem: Problem, answer: Answer | None = None, *, title: str = "", bound: int | None = None
) -> str | None:
    """Return a board as SVG; None without the extra ``draw``, or for a board that is too large."""
    try:
        require("draw")
    except MissingExtra:
        return None
    # By name: data are below what draws them.
    picture = import_module("nlrouter.drawing.picture")
    draw = import_module("nlrouter.interface.pictures").draw
    known = bound if answer is not None else None
    try:
        return str(picture.render(draw(problem, answer, title=title, bound=known), "svg"), "utf-8")
    except picture.TooLargeError:
        return None
