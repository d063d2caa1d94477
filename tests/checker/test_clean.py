"""Tests of cleaning an answer."""

from __future__ import annotations

import csv
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlrouter.checker.clean import CannotClean, cheapest_path, clean
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import parse_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.problem import Cell
from tests.checker.drawing import (
    CORPUS,
    FLAT,
    SHAFT,
    SHAFT_LAYERS,
    TOWER,
    TOWER_LAYERS,
    draw,
    needs_corpus,
)


def least_cost(start: Cell, stop: Cell, free: set[Cell]) -> int | None:
    """Return cells and bends of the cheapest path, by a graph of cells and directions."""
    graph = nx.DiGraph()
    for cell in free:
        graph.add_edge((cell, "x"), (cell, "y"), weight=1)
        graph.add_edge((cell, "y"), (cell, "x"), weight=1)
    for cell in (start, stop):
        for way in "xy":
            graph.add_node((cell, way))
    for cell in free | {start}:
        for way, near in (
            ("x", Cell(0, cell.y, cell.x + 1)),
            ("x", Cell(0, cell.y, cell.x - 1)),
            ("y", Cell(0, cell.y + 1, cell.x)),
            ("y", Cell(0, cell.y - 1, cell.x)),
        ):
            if near in free | {stop}:
                graph.add_edge((cell, way), (near, way), weight=1)
    lengths = [
        nx.dijkstra_path_length(graph, (start, way), (stop, last)) + 1
        for way in "xy"
        for last in "xy"
        if nx.has_path(graph, (start, way), (stop, last))
    ]
    return min(lengths, default=None)


@given(st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_cheapest_path(height: int, width: int, random: Random) -> None:
    """Tests that the path found costs what a shortest path in a graph of states costs."""
    board = [Cell(0, y, x) for y in range(height) for x in range(width)]
    if len(board) < 2:
        return
    start, stop = random.sample(board, 2)
    free = {cell for cell in board if random.random() < 0.7} - {start, stop}
    path = cheapest_path(start, stop, free)
    cost = least_cost(start, stop, free)
    if path is None or cost is None:
        assert path is cost is None
        return
    drawn = np.zeros((1, height, width), dtype=np.int32)
    for cell in path:
        drawn[cell] = 1
    assert measure(drawn).total == cost
    assert cheapest_path(start, stop, free, below=cost) is None
    assert cheapest_path(start, stop, free, below=cost + 1) == path


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ("11111/...../22222", "11111/...../22222"),
        ("1.111/1.1.1/111.1", None),
        ("11.11/.111./22222", "11111/...../22222"),
        ("11111/..1../22222", "11111/...../22222"),
        ("11111/....9/22222", "11111/...../22222"),
        ("11111/22222/22222", "11111/...../22222"),
    ],
)
def test_one_layer(layers: str, expected: str | None) -> None:
    """Tests that detours, loose ends, strangers and loops go; a line that is missing cannot."""
    if expected is None:
        with pytest.raises(CannotClean, match="LINE#2"):
            clean(FLAT, draw(layers))
    else:
        assert np.array_equal(clean(FLAT, draw(layers)), draw(expected))


def test_lines_make_room_for_each_other() -> None:
    """Tests that a line is redrawn again once a later one has left its way."""
    problem = parse_problem("SIZE 5X4\nLINE_NUM 2\nLINE#1 (0,1)-(4,1)\nLINE#2 (0,0)-(4,0)\n", "q")
    answer = draw("22.22/12221/1...1/11111")
    assert np.array_equal(clean(problem, answer), draw("22222/11111/...../....."))


def test_via_stays() -> None:
    """Tests that a line over several layers keeps its via, with the middle cells."""
    assert np.array_equal(clean(TOWER, draw(*TOWER_LAYERS)), draw(*TOWER_LAYERS))
    assert np.array_equal(clean(SHAFT, draw(*SHAFT_LAYERS)), draw(*SHAFT_LAYERS))


def test_needless_via_is_left() -> None:
    """Tests that a via that a line passes without need is left, for the line that needs it."""
    problem = parse_problem(
        "SIZE 5X2X2\nLINE_NUM 1\nLINE#1 (0,0,1) (0,0,2)\nVIA#a (1,0,1) (1,0,2)\n", "q"
    )
    cleaned = clean(problem, draw("11.../11...", "111../....."))
    assert np.array_equal(cleaned, draw("11.../.....", "11.../....."))


def test_vias_that_are_not_shared_out() -> None:
    """Tests that the line that is left without a via is named."""
    problem = parse_problem(
        "SIZE 5X2X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (4,1,1) (4,1,2)\n"
        "VIA#a (1,0,1) (1,0,2)\nVIA#b (3,0,1) (3,0,2)\n",
        "q",
    )
    with pytest.raises(CannotClean, match=r"the ends of LINE#2$"):
        clean(problem, draw("1111./....2", "1111./....2"))


def test_other_size() -> None:
    """Tests that an answer to a board of another size is refused."""
    with pytest.raises(CannotClean, match="SIZE"):
        clean(FLAT, draw("11", "22"))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 47), st.integers(0, 2)), max_size=8))
def test_whatever_is_scribbled(changes: list[tuple[int, int]]) -> None:
    """Tests that a cleaned answer is correct, costs no more, and cannot be cleaned further."""
    answer = draw(*TOWER_LAYERS)
    for place, number in changes:
        answer.flat[place] = number
    try:
        cleaned = clean(TOWER, answer)
    except CannotClean:
        assert violations(TOWER, answer)
        return
    assert violations(TOWER, cleaned) == []
    assert measure(cleaned).total <= measure(answer).total
    assert np.array_equal(clean(TOWER, cleaned), cleaned)


@needs_corpus
def test_corpus() -> None:
    """Tests the same on right and mutated answers to boards that others made."""
    with open(CORPUS / "verdicts" / "verdicts.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cleaned_ones = 0
    for row in rows[::5]:
        problem = read_problem(str(CORPUS / row["board"]))
        text = (CORPUS / "verdicts" / row["answer"]).read_text(encoding="utf-8")
        try:
            answer = parse_answer(text, row["answer"])
            cleaned = clean(problem, answer)
        except (FileError, CannotClean):
            assert row["correct"] == "0" or violations(problem, answer)
            continue
        assert violations(problem, cleaned) == []
        assert measure(cleaned).total <= measure(answer).total
        cleaned_ones += 1
    assert cleaned_ones > 10
