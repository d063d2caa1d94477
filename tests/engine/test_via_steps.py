"""Tests of which line is branched on by its via."""

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.prove.via_steps import _most_doubtful
from nlrouter.problem import Problem


def three_lines(taken: list[list[float]], domains: NDArray[np.bool_] | None = None) -> Dual:
    """Return a dual of three lines and vias, the third of them far from the others.

    ``taken`` is how much of each line takes each via on average.
    """
    lines = [((1, y, 1), (1, y, 2)) for y in (1, 2, 3)]
    vias = {"a": (5, 1), "b": (5, 2), "c": (12, 3)}
    ends = {name: [(x, y, z) for z in (1, 2)] for name, (x, y) in vias.items()}
    nets = nets_of(Problem(13, 4, 2, lines, ends))
    dual = Dual(nets, None if domains is None else (domains,))
    for members in (nets.classes[0].lower, nets.classes[0].upper):
        dual.averages.taken[members] = taken
    return dual


def test_vias_far_apart_matter() -> None:
    """Tests that of two lines of two minds the one is settled whose vias are farther apart."""
    dual = three_lines([[0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    dual.averages.taken[dual.nets.classes[0].lower[2]] = [0, 0.1, 0.9]
    assert _most_doubtful(dual, 0.04) == (0, 1)


def test_pairs_matter() -> None:
    """Tests that a line whose nets are paired goes before one of as much doubt, or a bit more."""
    dual = three_lines([[0, 0.5, 0.5], [0.1, 0.4, 0.5], [1, 0, 0]])
    assert _most_doubtful(dual, 0.04) == (0, 1)
    span = dual.nets.classes[0]
    pair = (int(span.lower[0]), int(span.lower[2]))
    paired = dual.paired_with([pair], np.ones(2))
    paired.averages.taken[:] = dual.averages.taken
    assert _most_doubtful(paired, 0.04) == (0, 0)


def test_fewest_vias_left_where_nothing_is_in_doubt() -> None:
    """Tests that of lines that have settled the one with the fewest vias left goes first."""
    domains = np.array([[1, 1, 1], [0, 1, 1], [1, 1, 1]], np.bool_)
    nearly = three_lines([[0.999, 0.001, 0], [0, 1, 0], [0, 0, 1]], domains)
    doubtful = three_lines([[0.9, 0.1, 0], [0, 1, 0], [0, 0, 1]], domains)
    assert _most_doubtful(nearly, 0.04) == (0, 1)
    assert _most_doubtful(doubtful, 0.04) == (0, 0)
