"""Colours that stay apart: for every reader, and where lines come close to each other."""

from __future__ import annotations

import networkx as nx
import numpy as np

from nlrouter.answer import Answer
from nlrouter.grid import occupants
from nlrouter.problem import Problem

MUTED = (
    "#332288",
    "#44aa99",
    "#cc6677",
    "#117733",
    "#88ccee",
    "#882255",
    "#ddcc77",
    "#aa4499",
    "#999933",
)
"""Paul Tol's scheme "muted" (SRON/EPS/TN/09-002), made for colour-blind readers, on white."""

TERMINAL = (33, 208, 36, 175, 178, 74, 160, 247)
"""Okabe's and Ito's colours for colour-blind readers, as the nearest of the 256 of a terminal
that can be read on black and on white."""

_REACHES = (1, 2, 3, 4, 6, 8, 12)
"""Distances in cells within which lines shall differ, tried in this order. 1 is touching, also
by a corner; at 12 an eye has to search for the other line."""


def colour_lines(problem: Problem, answer: Answer, count: int) -> list[int]:
    """Give each line a colour that no line near it has.

    All differ if there are enough colours. Else lines differ that come within some distance,
    the largest for which greedy colouring of the graph of such lines, smallest degree last
    (Matula and Beck 1983), needs no more colours than there are. If lines that touch need
    more, colours repeat.

    Parameters
    ----------
    problem
        The board.
    answer
        What is drawn, of the board's shape. Ends count as well.
    count
        Number of colours.

    Returns
    -------
    list
        A colour from 0 for each line, in the order of `Problem.lines`.
    """
    numbers = range(1, len(problem.lines) + 1)
    if len(numbers) <= count:
        return list(range(len(numbers)))
    board = np.where(answer == 0, np.maximum(occupants(problem), 0), answer)
    board[board > len(numbers)] = 0
    graph = nx.Graph()
    graph.add_nodes_from(numbers)
    best: dict[int, int] = {}
    for reach in _REACHES:
        graph.add_edges_from(_near(board, reach))
        colours = nx.greedy_color(graph, strategy="smallest_last")
        fits = max(colours.values()) < count
        if fits or not best:
            best = colours
        if not fits:
            break
    return [best[number] % count for number in numbers]


def _near(board: Answer, reach: int) -> list[tuple[int, int]]:
    """Return the pairs of lines with cells at most `reach` rows and columns apart, in order."""
    base = int(board.max()) + 1
    _, height, width = board.shape
    codes = []
    for dy in range(min(reach, height - 1) + 1):
        for dx in range(-min(reach, width - 1), min(reach, width - 1) + 1):
            upper = board[:, : height - dy, max(0, -dx) : width - max(0, dx)].astype(np.int64)
            lower = board[:, dy:, max(0, dx) : width - max(0, -dx)]
            apart = (upper != 0) & (lower != 0) & (upper != lower)
            codes.append(np.unique(upper[apart] * base + lower[apart]))
    return [divmod(code, base) for code in np.unique(np.concatenate(codes)).tolist()]
