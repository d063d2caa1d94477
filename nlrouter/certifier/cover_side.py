"""How the sides in covers of the search are numbered by the check, which draws its own curves."""

from __future__ import annotations

from itertools import pairwise

from nlrouter.checker.certificate.covers import crossings, curves_in_cover, walk_in_cover
from nlrouter.checker.certificate.paths import neighbours_of
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
    nets = dual.nets
    i, j, end = question
    width = nets.stride - 2
    near = neighbours_of(nets.cells // nets.stride - 2, width)

    def unframed(cell: int) -> int:
        row, column = divmod(int(cell), nets.stride)
        return (row - 1) * width + column - 1

    one, other = ((unframed(nets.source[net]), unframed(dual.target[net])) for net in (i, j))
    which, net = divmod(end, nets.count)
    point = unframed(dual.target[net] if which else nets.source[net])
    passed = {passage.name: passage for passage in dual.passages[i]}
    turn, back = passed[-1, end].parity, dual.passed(j, (-1, end))
    assert back is not None
    walk = walk_in_cover(one, turn, point, {point, *other}, near, width)
    drawn = curves_in_cover((one, other), (turn, back), point, near, width)
    assert walk is not None
    assert drawn is not None
    times = 0
    for here, there in pairwise(walk):
        cell, sheet = min(here, there)
        row, column = divmod(cell, width)
        axis = int(here[0] // width != there[0] // width)
        times += bool(passed[j, end].crossed[sheet, axis, (row + 1) * nets.stride + column + 1])
    return times % 2 != crossings(walk, drawn[1], width)
