"""Boards with one layer for the tests of puzzles: random ones, and all their answers.

The answers are found without any code of the program's searches: paths are put side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from nlrouter.answer import Answer
from nlrouter.problem import Problem
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes

Path = list[tuple[int, int]]


@st.composite
def boards(draw: st.DrawFn, most_side: int = 12, most_lines: int = 40) -> Problem:
    """Boards with ends anywhere, answered or not."""
    width, height = draw(st.integers(1, most_side)), draw(st.integers(2, most_side))
    count = draw(st.integers(1, min(most_lines, width * height // 2)))
    cells = draw(st.permutations(range(width * height)))[: 2 * count]
    places = [(cell % width, cell // width, 1) for cell in cells]
    return Problem(width, height, 1, list(zip(places[::2], places[1::2], strict=True)))


def all_answers(
    problem: Problem, rules: Rules, walls: Iterable[tuple[int, int]] = ()
) -> Iterator[tuple[Answer, Strokes]]:
    """Find every answer by a rule set that keeps out of some cells."""
    grid = nx.Graph(nx.grid_2d_graph(problem.height, problem.width))
    grid.remove_nodes_from(walls)
    ends = [tuple((end.y, end.x) for end in line.ends) for line in problem.lines]

    def lay(number: int, free: nx.Graph, paths: list[Path]) -> Iterator[list[Path]]:
        if number == len(ends):
            if rules is not Rules.FLOW or not free:
                yield paths
            return
        start, stop = ends[number]
        later = {end for pair in ends[number + 1 :] for end in pair}
        for path in nx.all_simple_paths(free.subgraph(set(free) - later), start, stop):
            touches = grid.subgraph(path).number_of_edges() > len(path) - 1
            if not (touches and rules is Rules.ADC):
                yield from lay(number + 1, free.subgraph(set(free) - set(path)), [*paths, path])

    for paths in lay(0, grid, []):
        answer = np.zeros(problem.shape, np.int32)
        strokes = Strokes.none(problem.height, problem.width)
        for number, path in enumerate(paths, start=1):
            for first, second in pairwise(path):
                strokes.join(first, second)
            for y, x in path:
                answer[0, y, x] = number
        yield answer, strokes
