"""Tests of what hangs together in an answer."""

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import integers, tuples

from nlrouter.answer import Answer
from nlrouter.checker.pieces import pieces


@given(arrays(np.int32, tuples(*[integers(1, 4)] * 3), elements=integers(0, 2)))
def test_pieces(answer: Answer) -> None:
    """Tests that pieces are what networkx finds connected, each from its first cell on."""
    graph = nx.Graph([(cell, cell) for cell in map(tuple, np.argwhere(answer).tolist())])
    for z, y, x in graph:
        graph.add_edges_from(
            ((z, y, x), near)
            for near in ((z, y, x + 1), (z, y + 1, x))
            if near in graph and answer[near] == answer[z, y, x]
        )
    found = pieces(answer)
    assert {frozenset(piece) for piece in found.values()} == {
        frozenset(piece) for piece in nx.connected_components(graph)
    }
    for cell, piece in found.items():
        assert cell in piece
        assert piece[0] == min(piece)
