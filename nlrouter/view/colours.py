"""The colours of a board's lines in the page: those of its pictures."""

from __future__ import annotations

from nlrouter.drawing.palette import colours
from nlrouter.problem import Problem


def page_colours(problem: Problem) -> list[dict[str, str]]:
    """Return for each line its CSS colour on ``light`` and on ``dark`` paper."""
    pairs = zip(colours(problem), colours(problem, dark=True), strict=True)
    return [{"light": light, "dark": dark} for light, dark in pairs]
