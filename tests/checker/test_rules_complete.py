"""Tests that an answer has no violation exactly if it is correct, against another definition.

The other definition builds answers instead of judging them: a via for each line that needs
one, a path for each pair of cells to join, and whatever combinations of those do not meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlrouter.answer import Answer
from nlrouter.checker.contest import judge
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import format_answer, read_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.problem import Cell, Problem
from tests.checker.drawing import (
    CORPUS,
    SHAFT,
    SHAFT_LAYERS,
    TOWER,
    TOWER_LAYERS,
    draw,
    needs_corpus,
)

BOARDS = {
    "one layer": "SIZE 3X3\nLINE_NUM 2\nLINE#1 (0,0)-(2,2)\nLINE#2 (1,0)-(2,0)\n",
    "neighbours": "SIZE 4X2\nLINE_NUM 2\nLINE#1 (0,0)-(1,0)\nLINE#2 (3,0)-(3,1)\n",
    "crossed": "SIZE 2X2\nLINE_NUM 2\nLINE#1 (0,0)-(1,1)\nLINE#2 (0,1)-(1,0)\n",
    "choice of vias": "SIZE 2X2X2\nLINE_NUM 2\nLINE#1 (0,1,2) (0,1,1)\nLINE#2 (1,0,1) (1,0,2)\n"
    "VIA#a (0,0,1) (0,0,2)\nVIA#b (1,1,1) (1,1,2)\n",
    "vias in a row": "SIZE 4X1X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (3,0,1) (3,0,2)\n"
    "VIA#a (1,0,1) (1,0,2)\nVIA#b (2,0,1) (2,0,2)\n",
    "via with a middle": "SIZE 2X2X3\nLINE_NUM 1\nLINE#1 (0,0,1) (0,0,3)\n"
    "VIA#a (1,1,1) (1,1,2) (1,1,3)\n",
    "four layers": "SIZE 2X1X4\nLINE_NUM 1\nLINE#1 (0,0,4) (0,0,1)\n"
    "VIA#a (1,0,1) (1,0,2) (1,0,3) (1,0,4)\n",
    "no via of the span": "SIZE 2X1X3\nLINE_NUM 1\nLINE#1 (0,0,1) (0,0,3)\nVIA#a (1,0,1) (1,0,2)\n",
    "one column": "SIZE 1X4X2\nLINE_NUM 1\nLINE#1 (0,0,1) (0,3,2)\nVIA#a (0,2,1) (0,2,2)\n",
    "line beside a via": "SIZE 3X1X3\nLINE_NUM 2\nLINE#1 (1,0,1) (1,0,3)\n"
    "LINE#2 (0,0,2) (1,0,2)\nVIA#a (2,0,1) (2,0,2) (2,0,3)\n",
}
COUNTS = {
    "one layer": 3,
    "neighbours": 1,
    "crossed": 0,
    "choice of vias": 2,
    "vias in a row": 1,
    "via with a middle": 4,
    "four layers": 1,
    "no via of the span": 0,
    "one column": 1,
    "line beside a via": 1,
}


@pytest.mark.parametrize("name", BOARDS)
def test_all_labelings(name: str) -> None:
    """Tests that of all ways to fill a tiny board, those without violation are the routings."""
    problem = parse_problem(BOARDS[name], name)
    correct = {answer.tobytes() for answer in routings(problem)}
    assert len(correct) == COUNTS[name]
    numbers = range(len(problem.lines) + 1)
    cells = problem.layers * problem.height * problem.width
    for filling in product(numbers, repeat=cells):
        answer = np.array(filling, dtype=np.int32).reshape(problem.shape)
        found = violations(problem, answer)
        assert (not found) == (answer.tobytes() in correct), (answer, found)
        if not found and problem.width > 1:
            text = format_answer(answer, len(problem.lines))
            assert [passes for passes, _ in judge(problem, text)] == [True]


def routings(problem: Problem) -> Iterator[Answer]:
    """Build every correct answer of a problem."""
    for vias in permutations(problem.vias):
        taken = iter(vias)
        joins: list[tuple[int, Cell, Cell]] = []
        middles: list[tuple[int, Cell]] = []
        for line in problem.lines:
            first, second = sorted(line.ends)
            if first.z == second.z:
                joins.append((line.number, first, second))
                continue
            via = next(taken)
            if (via.bottom, via.top) != (first.z, second.z):
                break
            bottom, *middle, top = via.cells
            joins += [(line.number, first, bottom), (line.number, top, second)]
            middles += [(line.number, cell) for cell in middle]
        else:
            yield from _fill(problem, joins, middles)


def _fill(
    problem: Problem, joins: list[tuple[int, Cell, Cell]], middles: list[tuple[int, Cell]]
) -> Iterator[Answer]:
    """Build every answer in which these cells are joined and these are filled."""
    named = {end for line in problem.lines for end in line.ends}
    named |= {cell for via in problem.vias for cell in via.cells}
    for paths in product(*(list(_paths(problem, a, b, named)) for _, a, b in joins)):
        cells = [cell for path in paths for cell in path]
        if len(set(cells)) == len(cells):
            answer = np.zeros(problem.shape, dtype=np.int32)
            for (number, _, _), path in zip(joins, paths, strict=True):
                for cell in path:
                    answer[cell] = number
            for number, cell in middles:
                answer[cell] = number
            yield answer


def _paths(problem: Problem, start: Cell, stop: Cell, named: set[Cell]) -> Iterator[list[Cell]]:
    """Find the paths on a layer that neither touch themselves nor visit a named cell."""
    grid = nx.Graph(nx.grid_2d_graph(problem.height, problem.width))
    layer = nx.relabel_nodes(grid, {(y, x): Cell(start.z, y, x) for y, x in grid})
    layer.remove_nodes_from(named - {start, stop})
    for path in nx.all_simple_paths(layer, start, stop):
        if layer.subgraph(path).number_of_edges() == len(path) - 1:
            yield path


CORRECT = [(TOWER, draw(*TOWER_LAYERS)), (SHAFT, draw(*SHAFT_LAYERS))]


@pytest.mark.parametrize(("problem", "answer"), CORRECT)
def test_no_single_cell_can_change(problem: Problem, answer: Answer) -> None:
    """Tests that a correct answer is wrong after any change of one cell.

    There is no exception: a cell taken from a path that does not touch itself cuts it, and a
    cell added to one hangs on it or beside it.
    """
    for cell in np.ndindex(answer.shape):
        for number in range(-1, len(problem.lines) + 2):
            if number != answer[cell]:
                changed = answer.copy()
                changed[cell] = number
                assert violations(problem, changed), (cell, number)


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_the_contest_passes_what_the_rules_pass(data: st.DataObject) -> None:
    """Tests that the contest's checker is never the stricter one."""
    problem, answer = data.draw(st.sampled_from(CORRECT))
    changed = answer.copy()
    cells = st.tuples(*(st.integers(0, size - 1) for size in problem.shape))
    numbers = st.integers(0, len(problem.lines))
    for cell, number in data.draw(st.lists(st.tuples(cells, numbers), max_size=4)):
        changed[cell] = number
    verdicts = judge(problem, format_answer(changed, len(problem.lines)))
    assert violations(problem, changed) or verdicts == judge(problem, format_answer(answer, 2))


@needs_corpus
@pytest.mark.parametrize("number", ["1", "2", "3"])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_single_cell_can_change_on_the_samples(number: str, data: st.DataObject) -> None:
    """Tests that the organisers' own answers are correct, and wrong after any single change."""
    problem = read_problem(str(CORPUS / "sample" / f"NL_Q0{number}.txt"))
    answer = read_answer(str(CORPUS / "sample" / f"T99_A0{number}.txt"))
    assert violations(problem, answer) == []
    cell = data.draw(st.tuples(*(st.integers(0, size - 1) for size in problem.shape)))
    old = answer[cell]
    answer[cell] = data.draw(st.integers(0, len(problem.lines)).filter(lambda n: n != old))
    assert violations(problem, answer)
