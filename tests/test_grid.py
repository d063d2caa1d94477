"""Tests that the array and the graph of a board say the same."""

import networkx as nx
import numpy as np
import pytest

from nlrouter.generators import generate
from nlrouter.grid import FREE, layered_graph, occupants
from nlrouter.problem import Cell

REQUESTS = [(1, 6, 1, 1, 0, 0.5), (4, 5, 2, 4, 2, 0.6), (6, 3, 4, 5, 3, 0.5), (7, 7, 8, 9, 9, 0.4)]


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_array_and_graph_agree(request_: tuple[int, int, int, int, int, float], seed: int) -> None:
    """Tests that both name the same ends and vias, and the graph joins all neighbours."""
    problem, _ = generate(*request_, seed=seed)
    board = occupants(problem)
    graph = layered_graph(problem)
    assert board.shape == problem.shape and len(graph) == board.size
    for index, occupant in np.ndenumerate(board):
        marks = graph.nodes[Cell(*index)]
        if occupant == FREE:
            assert marks == {}
        elif occupant > 0:
            assert marks == {"line": occupant}
        else:
            assert marks == {"via": problem.vias[-1 - occupant].name}
    for line in problem.lines:
        assert [int(board[end]) for end in line.ends] == [line.number] * 2
    layers = nx.union_all(
        [
            nx.relabel_nodes(
                nx.grid_2d_graph(problem.height, problem.width),
                {
                    (y, x): Cell(z, y, x)
                    for y in range(problem.height)
                    for x in range(problem.width)
                },
            )
            for z in range(problem.layers)
        ]
    )
    through = {edge for edge in graph.edges if edge[0].z != edge[1].z}
    assert set(map(frozenset, graph.edges)) - set(map(frozenset, through)) == set(
        map(frozenset, layers.edges)
    )
    columns = {
        frozenset(pair)
        for via in problem.vias
        for pair in zip(via.cells, via.cells[1:], strict=False)
    }
    assert set(map(frozenset, through)) == columns
    assert all("via" in graph.edges[edge] for edge in through)
