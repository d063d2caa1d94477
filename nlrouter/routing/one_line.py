"""Draws one line of a board past all that is drawn already."""

from __future__ import annotations

from math import inf

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.usable import usable
from nlrouter.problem import Problem


def draw_line(problem: Problem, drawing: Answer, number: int) -> Answer | None:
    """Draw a line anew on its cheapest way, everything else staying as it is.

    Parameters
    ----------
    problem
        The board; it has as many vias for each two layers as lines that join them.
    drawing
        ``(layers, height, width)`` line numbers, 0 where empty.
    number
        The line's number.

    Returns
    -------
    Answer or None
        The drawing with the line; None if there is no way for it.
    """
    from nlrouter.engine.nets.nets import OPEN, framed, nets_of
    from nlrouter.engine.paths.cost import path_cost
    from nlrouter.engine.paths.single import cheapest_path

    others = np.where(drawing == number, 0, drawing)
    nets, taken = nets_of(problem), framed(others) > 0
    members = np.flatnonzero(nets.line == number).tolist()
    targets: list[tuple[int, list[int]]] = [(int(nets.target[members[0]]), [])]
    if targets[0][0] == OPEN:
        span = next(span for span in nets.classes if members[0] in span.lower)
        targets = list(zip(span.via_cells.tolist(), ([via] for via in span.vias), strict=True))
    best, least = None, inf
    for target, vias in targets:
        cells = [cell for via in vias for cell in problem.vias[via].cells]
        if any(others[cell] for cell in cells):
            continue
        drawn, cost = others.copy(), 0.0
        for net in members:
            z = nets.layer[net]
            path = cheapest_path(nets, net, target, nets.free[z] & ~taken[z])
            y, x = np.divmod(path, nets.stride)
            drawn[z, y - 1, x - 1] = number
            cost += path_cost(path, len(path)) if len(path) else inf
        for cell in cells:
            drawn[cell] = number
        if cost < least and number in usable(problem, drawn)[0]:
            best, least = drawn, cost
    return best
