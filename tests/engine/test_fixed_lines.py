"""Tests of warm starts and fixed lines, on tiny boards against trying everything."""

import threading
from math import isinf

import networkx as nx
import numpy as np
import pytest

from nlrouter.answer import Answer
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.checker.usable import usable
from nlrouter.deadline import WALL, Deadline, WorkClock
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.find.drawn import drawn_nets
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.router import route
from nlrouter.engine.task import Task
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import generate
from nlrouter.grid import layered_graph
from nlrouter.problem import Cell, Problem
from nlrouter.result import Outcome, Progress, Status, unobserved
from tests.board_router import route_board
from tests.engine.routing_oracle import cheapest_cost, random_problem


def run(
    problem: Problem,
    start: Answer,
    fixed: frozenset[int] = frozenset(),
    seconds: float = 60,
    workers: int = 1,
    seen: list[Progress] | None = None,
) -> Outcome:
    """Route a board; check that what comes out is correct and that fixed lines have stayed."""
    result = route_board(
        problem, Deadline(seconds), unobserved if seen is None else seen.append,
        workers=workers, config=RouterConfig(opening_seconds=0.05), start=start, fixed=fixed,
    )  # fmt: skip
    if result.answer is not None:
        assert violations(problem, result.answer) == []
        assert measure(result.answer) == result.cost
        assert np.array_equal(only(result.answer, fixed), only(start, fixed))
    return result


def same(one: Answer | None, other: Answer | None) -> bool:
    """Return whether two answers are there and alike."""
    return one is not None and other is not None and np.array_equal(one, other)


def only(answer: Answer, numbers: frozenset[int]) -> Answer:
    """Return some lines of an answer, 0 elsewhere."""
    return np.where(np.isin(answer, list(numbers)), answer, 0)


def random_lines(problem: Problem, seed: int) -> Answer:
    """Draw some lines of a tiny board at random: correct, but with whatever detours."""
    random = np.random.default_rng(seed)
    graph = layered_graph(problem)
    drawing = np.zeros(problem.shape, np.int32)
    for line in problem.lines:
        pairs, cells = [line.ends], list(line.ends)
        if line.crosses_layers:
            vias = [via for via in problem.vias if via.span == line.span]
            if not vias:
                continue
            via = vias[random.integers(len(vias))]
            cells += via.cells
            pairs = [(line.end_on(z), Cell(z, via.y, via.x)) for z in via.span]
        for start, stop in pairs:
            passable = [c for c in graph if c.z == start.z and (c in cells or not graph.nodes[c])]
            layer = graph.subgraph(passable)
            paths = [
                path
                for path in nx.all_simple_paths(layer, start, stop)
                if layer.subgraph(path).number_of_edges() == len(path) - 1
            ]
            if paths:
                cells += paths[random.integers(len(paths))]
        if random.random() < 0.8 and not any(drawing[cell] for cell in cells):
            for cell in cells:
                drawing[cell] = line.number
    return usable(problem, drawing)[0]


def numbers_of(answer: Answer) -> frozenset[int]:
    """Return the numbers of the lines that are drawn."""
    return frozenset(np.unique(answer[answer > 0]).tolist())


@pytest.mark.parametrize("seed", range(75))
def test_tiny_boards(seed: int) -> None:
    """Tests that with fixed lines status and cost are those of trying everything."""
    problem = random_problem(seed)
    start = random_lines(problem, seed)
    fixed = frozenset(sorted(numbers_of(start))[: 1 + seed % 3])
    best = cheapest_cost(problem, only(start, fixed))
    result = run(problem, start, fixed, workers=1 + (seed % 15 == 0))
    if isinf(best):
        assert result.status == Status.INFEASIBLE and result.reason
    else:
        assert result.status == Status.OPTIMAL
        assert result.cost is not None and result.cost.total == best == result.lower_bound


def test_enough_is_fixed() -> None:
    """Tests that the tiny boards have what matters: detours, vias, and boards they close."""
    detours = crossing = closed = 0
    for seed in range(60):
        problem = random_problem(seed)
        start = random_lines(problem, seed)
        fixed = frozenset(sorted(numbers_of(start))[: 1 + seed % 3])
        crossing += any(problem.lines[number - 1].crosses_layers for number in fixed)
        free, bound = cheapest_cost(problem), cheapest_cost(problem, only(start, fixed))
        detours += free < bound < np.inf
        closed += free < bound == np.inf
    assert detours > 5 and crossing > 5 and closed > 1


def test_complete_start_is_the_first_answer() -> None:
    """Tests that the search never has anything worse than a complete start, even without time."""
    problem, hidden = generate(10, 10, 2, 10, 4, 0.6, seed=1)
    seen: list[Progress] = []
    result = run(problem, hidden, seconds=0, seen=seen)
    assert result.cost == measure(hidden) and same(result.answer, hidden)
    assert seen[0].phase == "start" and seen[0].cost == result.cost


@pytest.mark.parametrize("workers", [1, 2])
def test_complete_start_is_improved(workers: int) -> None:
    """Tests that the search goes on from a complete start until nothing is better."""
    problem, hidden = generate(8, 8, 2, 8, 4, 0.6, seed=3)
    better = run(problem, hidden, workers=workers)
    assert better.status == Status.OPTIMAL
    assert better.cost is not None and better.cost.total < measure(hidden).total


def test_all_lines_fixed() -> None:
    """Tests that nothing is left to search where all lines are fixed."""
    problem, hidden = generate(10, 10, 2, 10, 4, 0.6, seed=1)
    seen: list[Progress] = []
    result = run(problem, hidden, numbers_of(hidden), seconds=0, seen=seen)
    assert result.status == Status.OPTIMAL and result.cost == measure(hidden)
    assert same(result.answer, hidden) and len(seen) == 1


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("share", [0.3, 0.8])
def test_partial_start(share: float, workers: int) -> None:
    """Tests that a partial start leads to the same optimum, whatever is drawn."""
    problem, hidden = generate(8, 8, 2, 8, 4, 0.6, seed=3)
    drawn = np.random.default_rng(0).permutation(8)[: round(8 * share)] + 1
    free = run(problem, np.zeros(problem.shape, np.int32))
    result = run(problem, only(hidden, frozenset(drawn.tolist())), workers=workers)
    assert result.status == free.status == Status.OPTIMAL and result.cost == free.cost


def test_partial_start_is_filled_up() -> None:
    """Tests that the first answer keeps what is drawn where the rest fits in beside it."""
    problem, hidden = generate(12, 12, 2, 12, 5, 0.5, seed=5)
    drawn = only(hidden, frozenset(range(3, 13)))
    seen: list[Progress] = []
    stop = threading.Event()

    def see(progress: Progress) -> None:
        seen.append(progress)
        if progress.answer is not None:
            stop.set()

    config = RouterConfig(finish_seconds=60.0, finish_share=1.0)
    route_board(problem, Deadline(60, WALL, stop.is_set), see, start=drawn, config=config)
    first = seen[-1].answer
    assert first is not None
    assert np.array_equal(only(first, numbers_of(drawn)), drawn)


def test_partial_start_in_the_way() -> None:
    """Tests that a drawn line that leaves another no way is moved, unless it is fixed."""
    problem = parse_problem(
        "SIZE 5X4\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (2,1)-(2,3)\n", "in the way"
    )
    drawing = np.zeros((1, 4, 5), np.int32)
    drawing[0, 0, [0, 4]] = drawing[0, 1, [0, 4]] = 1
    drawing[0, 2] = 1
    assert usable(problem, drawing)[1] == []
    moved = run(problem, drawing)
    assert moved.cost is not None and moved.cost.total == 5 + 3
    kept = run(problem, drawing, frozenset({1}))
    assert kept.status == Status.INFEASIBLE
    assert "LINE#2 is walled in" in kept.reason


def test_deterministic() -> None:
    """Tests that a search by work from the same start ends the same."""
    problem, hidden = generate(10, 10, 2, 12, 6, 0.8, seed=2)
    task = Task(problem, only(hidden, frozenset(range(1, 8))), frozenset({1, 2}), 2, seed=4)
    results = [route(task, Deadline(0.5, WorkClock())) for _ in range(2)]
    assert results[0].lower_bound == results[1].lower_bound
    assert same(results[0].answer, results[1].answer)


def test_alike_parts_take_the_best_copy() -> None:
    """Tests that of layers that are alike, all take the start's cheapest routing."""
    problem = parse_problem(
        "SIZE 3X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (2,0,1)\nLINE#2 (0,0,2) (2,0,2)\n", "alike"
    )
    start = np.zeros(problem.shape, np.int32)
    start[0, 0], start[1] = 1, [[2, 0, 2], [2, 2, 2], [0, 0, 0]]
    result = run(problem, start, seconds=0)
    assert result.cost is not None and result.cost.total == 6
    assert run(problem, start, frozenset({2}), seconds=0).cost == measure(start)


def test_missing_fixed_line() -> None:
    """Tests that a line that is to stay has to be there."""
    problem, hidden = generate(8, 8, 2, 8, 4, 0.6, seed=3)
    with pytest.raises(ValueError, match="no line 2 in the start that could be kept"):
        run(problem, only(hidden, frozenset({1})), frozenset({1, 2}))


@pytest.mark.parametrize("seed", range(5))
def test_drawing_is_read_back(seed: int) -> None:
    """Tests that the nets read from an answer draw the same answer."""
    problem, hidden = generate(9, 8, 4, 12, 6, 0.8, seed=seed)
    nets = nets_of(problem)
    routing = drawn_nets(nets, hidden).routing()
    assert routing is not None
    assert np.array_equal(nets.answer(routing.paths, routing.assignment), hidden)
    assert routing.cost + nets.constant == measure(hidden).total


@pytest.mark.parametrize("workers", [1, 2])
def test_partial_of_a_failure(workers: int) -> None:
    """Tests that without an answer there are lines that are correct, in the end and before it."""
    problem = parse_problem(
        "SIZE 5X5\nLINE_NUM 4\nLINE#1 (1,0)-(2,2)\nLINE#2 (0,3)-(1,4)\nLINE#3 (3,1)-(1,3)\n"
        "LINE#4 (0,2)-(3,2)\n"
    )
    seen: list[Answer | None] = []
    result = route_board(
        problem,
        Deadline(60),
        lambda progress: seen.append(progress.partial()),
        workers=workers,
        config=RouterConfig(opening_seconds=0.0),
    )
    assert result.status == Status.INFEASIBLE and seen
    for lines in (result.partial, *seen):
        assert lines is not None and np.array_equal(usable(problem, lines)[0], lines)
        assert 2 <= len(numbers_of(lines)) < 4


def test_partial_without_time() -> None:
    """Tests that without time what is drawn is filled up by simple means."""
    problem, hidden = generate(12, 12, 2, 12, 5, 0.9, seed=5)
    drawn = only(hidden, frozenset(range(5, 13)))
    result = run(problem, drawn, seconds=0)
    lines = result.answer if result.partial is None else result.partial
    assert lines is not None
    assert np.array_equal(only(lines, numbers_of(drawn)), drawn)
    assert np.array_equal(usable(problem, lines)[0], lines)
