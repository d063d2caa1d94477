"""The colours of a board's lines in the page, those of its pictures."""

from __future__ import annotations

import numpy as np

from nlrouter.draw.palette import MUTED, colour_lines
from nlrouter.problem import Problem


def page_colours(problem: Problem) -> list[dict[str, str]]:
    """Return for each line its CSS colour on ``light`` and on ``dark`` paper."""
    indices = colour_lines(problem, np.zeros(problem.shape, np.int32), len(MUTED))
    return [{"light": MUTED[index], "dark": MUTED[index]} for index in indices]
