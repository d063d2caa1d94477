"""The board as a grid: one array that says what stands in each cell, and a graph made of it.

The array is the one source; the engines take it as it is, and whatever wants a graph
(validation, examples, oracles in tests) gets it from `layered_graph`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.extras import require
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


def neighbours(cell: Cell, width: int, height: int) -> Iterator[Cell]:
    """Yield the neighbours of a cell on its layer."""
    z, y, x = cell
    if x + 1 < width:
        yield Cell(z, y, x + 1)
    if y + 1 < height:
        yield Cell(z, y + 1, x)
    if x:
        yield Cell(z, y, x - 1)
    if y:
        yield Cell(z, y - 1, x)


def follow(answer: Answer, end: Cell) -> list[Cell]:
    """Follow a line from an end as far as it goes on this layer.

    Examples
    --------
    >>> [tuple(cell) for cell in follow(np.array([[[1, 1, 0], [2, 1, 0]]]), Cell(0, 0, 0))]
    [(0, 0, 0), (0, 0, 1), (0, 1, 1)]
    """
    _, height, width = answer.shape
    path, seen = [end], {end}
    while True:
        near = neighbours(path[-1], width, height)
        onward = next((c for c in near if answer[c] == answer[end] and c not in seen), None)
        if onward is None:
            return path
        path.append(onward)
        seen.add(onward)


def layered_graph(problem: Problem) -> nx.Graph:
    """Return the board as a graph of cells.

    Nodes are `Cell`; neighbours on a layer are joined, and so are the cells of a via's column
    (edge attribute ``via``, its name). Node attributes: ``line``, the number in an end cell;
    ``via``, the name in a via's cell.

    Parameters
    ----------
    problem
        The board; any is taken.

    Returns
    -------
    networkx.Graph
        The cells, ``layers * height * width`` of them, ``(z, y, x)`` with every index from 0.

    Raises
    ------
    MissingExtra
        If networkx is not installed.

    Examples
    --------
    >>> import networkx
    >>> graph = layered_graph(Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))]))
    >>> graph.number_of_nodes(), graph.number_of_edges(), graph.nodes[Cell(0, 1, 2)]
    (6, 7, {'line': 1})
    >>> networkx.shortest_path_length(graph, Cell(0, 0, 0), Cell(0, 1, 2))
    3
    """
    require("graph")
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
