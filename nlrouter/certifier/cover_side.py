"""How the sides in covers of the search are numbered by the check, which draws its own curves."""

from __future__ import annotations

import numpy as np

from nlrouter.certifier.frame import framed, unframed
from nlrouter.checker.certificate.covers import curves_in_cover, walk_in_cover
from nlrouter.checker.certificate.paths import neighbours_of
from nlrouter.engine.bounds.covers import crossings
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.prove.questions import Question


def differs(dual: Dual, question: Question) -> bool:
    """Return whether side 0 in a cover is side 1 to the check.

    Both count the crossings of a path with a curve between the same ends, and two such curves make
    a closed one, which all paths with the same ends cross as often, modulo 2. So one is looked at.

    Parameters
    ----------
    dual
        A dual of one layer in which the question is settled.
    question
        It: two nets, and an end.
    """
    nets, stride = dual.nets, dual.nets.stride
    i, j, end = question
    near = neighbours_of(nets.cells // stride - 2, stride - 2)
    ends = [
        (unframed(source, stride), unframed(target, stride))
        for source, target in zip(nets.source, dual.target, strict=True)
    ]
    which, net = divmod(end, nets.count)
    point = ends[net][which]
    passed = {passage.name: passage for passage in dual.passages[i]}
    turn, back = passed[-1, end].parity, dual.passed(j, (-1, end))
    assert back is not None
    walk = walk_in_cover(ends[i], turn, point, {point, *ends[j]}, near, stride - 2)
    drawn = curves_in_cover((ends[i], ends[j]), (turn, back), point, near, stride - 2)
    assert walk is not None
    assert drawn is not None
    states = np.array([2 * framed(cell, stride) + sheet for cell, sheet in walk])
    # The check's curves cross as often as this walk and the other's curve do.
    return bool(crossings(states, passed[j, end].crossed)) != bool(drawn[2])
