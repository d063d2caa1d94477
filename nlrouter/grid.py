"""The board as a grid: one array that says what stands in each cell, and a graph made of it.

The array is the one source; the engines take it as it is, and whatever wants a graph
(validation, examples, oracles in tests) gets it from `layered_graph`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlrouter.problem import Cell, Problem

if TYPE_CHECKING:
    import networkx as nx

FREE = 0
"""Mark of a cell that no end and no via occupies."""


def occupants(problem: Problem) -> NDArray[np.int32]:
    """Mark what stands in each cell.

    Returns
    -------
    numpy.ndarray
        ``(layers, height, width)``: `FREE`, a line's number in its two end cells, and
        ``-1 - i`` in every cell of ``problem.vias[i]``.
    """
    board = np.zeros(problem.shape, dtype=np.int32)
    for line in problem.lines:
        for end in line.ends:
            board[end] = line.number
    for i, via in enumerate(problem.vias):
        board[via.bottom : via.top + 1, via.y, via.x] = -1 - i
    return board


def layered_graph(problem: Problem) -> nx.Graph:
    """Return the board as a graph of cells.

    Nodes are `Cell`; neighbours on a layer are joined, and so are the cells of a via's column
    (edge attribute ``via``, its name). Node attributes: ``line``, the number in an end cell;
    ``via``, the name in a via's cell.
    """
    import networkx as nx

    graph: nx.Graph = nx.Graph()
    board = occupants(problem)
    for (z, y, x), occupant in np.ndenumerate(board):
        cell = Cell(z, y, x)
        if occupant > 0:
            graph.add_node(cell, line=int(occupant))
        elif occupant < 0:
            graph.add_node(cell, via=problem.vias[-1 - occupant].name)
        else:
            graph.add_node(cell)
        if x:
            graph.add_edge(Cell(z, y, x - 1), cell)
        if y:
            graph.add_edge(Cell(z, y - 1, x), cell)
    for via in problem.vias:
        nx.add_path(graph, via.cells, via=via.name)
    return graph
