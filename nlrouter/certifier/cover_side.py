"""How the sides in covers of the search are numbered by the check, which draws its own curves."""

from __future__ import annotations

import numpy as np

from nlrouter.certifier.cores import board_of
from nlrouter.checker.certificate.covers import curves_in_cover, walk_in_cover
from nlrouter.checker.certificate.paths import neighbours_of
from nlrouter.engine.bounds.covers import crossings, lift, ray_from
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.prove.questions import Question


def differs(nets: Nets, question: Question, turns: tuple[int, int]) -> bool:
    """Return whether side 0 in a cover is side 1 to the check.

    Both count the crossings of a path with a curve between the same ends, and two such curves make
    a closed one, which all paths with the same ends cross as often, modulo 2. So one is looked at.

    Parameters
    ----------
    nets
        The nets of the layer, all settled.
    question
        Two nets, and an end; see `questions`.
    turns
        The settled turns of the two nets about the end.
    """
    i, j, end = question
    board = board_of(nets)
    near = neighbours_of(board.height, board.width)
    ends = list(zip(board.source, board.target, strict=True))
    which, net = divmod(end, nets.count)
    point = ends[net][which]
    walk = walk_in_cover(ends[i], turns[0], point, {point, *ends[j]}, near, board.width)
    drawn = curves_in_cover((ends[i], ends[j]), turns, point, near, board.width)
    framed = int(np.concatenate([nets.source, nets.target])[end])
    ray = ray_from(framed, nets.stride, nets.cells)
    curve = np.zeros((2, 2, nets.cells), np.bool_)
    lift(
        nets.source[j], nets.target[j], turns[1], framed, ray, nets.free[0], nets.stride, curve,
    )  # fmt: skip
    assert walk is not None
    assert drawn is not None
    rows = np.array([cell // board.width for cell, _ in walk]) + 1
    columns = np.array([cell % board.width for cell, _ in walk]) + 1
    states = 2 * (rows * nets.stride + columns) + np.array([sheet for _, sheet in walk])
    # The check's curves cross as often as this walk and the other's curve do.
    return bool(crossings(states, curve)) != bool(drawn[2])
