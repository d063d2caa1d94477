"""Tests of routing whole boards: what the result says is true, and nothing is left behind."""

import multiprocessing
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf, isinf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlrouter.answer import Cost
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.deadline import WALL, Deadline, WorkClock
from nlrouter.engine import router
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.messages import News
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board, Search
from nlrouter.engine.workers import _Post
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import generate
from nlrouter.problem import Cell, Line, Problem, Via
from nlrouter.result import Outcome, Progress, Status
from tests.board_router import route_board
from tests.engine.routing_oracle import cheapest_cost, exact_cost, random_problem


class Witness:
    """Remembers what the observer is told, and checks that it only gets better."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.cost = inf
        self.bound = -inf
        self.calls = 0

    def __call__(self, progress: Progress) -> None:
        """Take note of a moment."""
        self.calls += 1
        assert (progress.answer is None) == (progress.cost is None)
        if progress.cost is not None and progress.answer is not None:
            assert progress.cost.total <= self.cost
            if progress.cost.total < self.cost:
                assert violations(self.problem, progress.answer) == []
                assert measure(progress.answer) == progress.cost
            self.cost = progress.cost.total
        else:
            assert self.cost == inf
        if progress.lower_bound is not None:
            assert self.bound <= progress.lower_bound
            self.bound = progress.lower_bound


def run(
    problem: Problem,
    seconds: float = 60,
    workers: int = 1,
    seed: int = 0,
    stop: threading.Event | None = None,
    opening: float | None = None,
) -> Outcome:
    """Route a board, and check the result for contradictions."""
    witness = Witness(problem)
    others = children()
    config = None if opening is None else RouterConfig(opening_seconds=opening)
    deadline = Deadline(seconds, WALL, (stop or threading.Event()).is_set)
    result = route_board(problem, deadline, witness, workers=workers, seed=seed, config=config)
    assert multiprocessing.active_children() == [] and children() == others
    assert (result.answer is None) == (result.cost is None)
    if result.answer is not None and result.cost is not None:
        assert violations(problem, result.answer) == []
        assert measure(result.answer) == result.cost
        assert witness.cost == result.cost.total
        assert result.lower_bound is not None and result.lower_bound <= result.cost.total
        proven = result.lower_bound == result.cost.total
        assert result.status == (Status.OPTIMAL if proven else Status.FEASIBLE)
    else:
        assert result.status in (Status.INFEASIBLE, Status.UNKNOWN)
    assert bool(result.reason) == (result.status == Status.INFEASIBLE)
    return result


def children() -> list[str]:
    """Return the processes that this one has started and that are still there."""
    found: list[str] = []
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(FileNotFoundError):  # A thread that has ended meanwhile.
            found += path.read_text().split()
    return found


def check_optimum(problem: Problem, result: Outcome, best: float) -> None:
    """Check that a result is the best answer's, or says that there is none."""
    if isinf(best):
        assert result.status == Status.INFEASIBLE
        return
    assert result.status == Status.OPTIMAL
    assert result.cost is not None and result.cost.total == best == result.lower_bound


@pytest.mark.parametrize("seed", range(220))
def test_tiny_boards(seed: int) -> None:
    """Tests that status and cost are those of trying everything."""
    problem = random_problem(seed)
    check_optimum(problem, run(problem, seed=seed), cheapest_cost(problem))


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_tiny_boards_by_workers(seed: int) -> None:
    """Tests the same with processes that do all the work."""
    problem = random_problem(seed)
    result = run(problem, seed=seed, workers=2, opening=0.0)
    check_optimum(problem, result, cheapest_cost(problem))


REQUESTS = [
    # width, height, layers, lines, vias, fill
    (8, 7, 1, 6, 0, 0.6),
    (7, 7, 2, 6, 4, 0.5),
    (6, 6, 3, 6, 5, 0.5),
    (12, 2, 1, 4, 0, 0.6),
    (1, 9, 2, 3, 1, 0.6),
    (9, 1, 1, 2, 0, 0.6),
]


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_small_boards(request_: tuple[int, int, int, int, int, float], workers: int) -> None:
    """Tests that boards which take a moment are closed at the flow model's optimum."""
    problem, _ = generate(*request_, seed=workers)
    nets = nets_of(problem)
    result = run(problem, workers=workers, opening=0.05)
    check_optimum(problem, result, nets.constant + exact_cost(nets))


CROSSING = {
    "one layer": (
        "SIZE 5X5\nLINE_NUM 4\nLINE#1 (1,0)-(2,2)\nLINE#2 (0,3)-(1,4)\nLINE#3 (3,1)-(1,3)\n"
        "LINE#4 (0,2)-(3,2)\n"
    ),
    "vias": (
        "SIZE 5X5X2\nLINE_NUM 4\nLINE#1 (1,0,1) (2,2,1)\nLINE#2 (0,3,1) (0,0,2)\n"
        "LINE#3 (3,1,1) (4,0,2)\nLINE#4 (0,2,1) (3,2,1)\nVIA#a (1,4,1) (1,4,2)\n"
        "VIA#b (1,3,1) (1,3,2)\n"
    ),
    "a layer among others": (
        "SIZE 5X5X3\nLINE_NUM 6\nLINE#1 (0,0,1) (4,0,1)\nLINE#2 (1,0,2) (2,2,2)\n"
        "LINE#3 (0,3,2) (1,4,2)\nLINE#4 (3,1,2) (1,3,2)\nLINE#5 (0,2,2) (3,2,2)\n"
        "LINE#6 (0,0,3) (4,4,3)\n"
    ),
}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", CROSSING)
def test_no_answer(name: str, workers: int) -> None:
    """Tests that lines which must cross, for no reason simple enough, are refused."""
    result = run(parse_problem(CROSSING[name], name), workers=workers, opening=0.0)
    assert result.status == Status.INFEASIBLE


def test_no_answer_for_a_simple_reason() -> None:
    """Tests that the reason is given where one is known."""
    board = "SIZE 2X2\nLINE_NUM 2\nLINE#1 (0,0)-(1,1)\nLINE#2 (1,0)-(0,1)\n"
    assert "walled in" in run(parse_problem(board, "board")).reason


BESIDE = Problem(2, 1, 1, (Line(1, (Cell(0, 0, 0), Cell(0, 0, 1))),))
THROUGH = Problem(
    3, 1, 8, (Line(1, (Cell(0, 0, 0), Cell(7, 0, 2))),), (Via("a", 0, 1, 0, 7),)
)  # fmt: skip
NO_FREE_CELL = Problem(2, 2, 1, tuple(Line(y + 1, (Cell(0, y, 0), Cell(0, y, 1))) for y in (0, 1)))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("problem", "best"), [(BESIDE, 2), (THROUGH, 10), (NO_FREE_CELL, 4)], ids=["2", "8", "4"]
)
def test_least_boards(problem: Problem, best: int, workers: int) -> None:
    """Tests boards on which nothing is to be done but to say so."""
    check_optimum(problem, run(problem, workers=workers), best)


@pytest.mark.parametrize("workers", [1, 2])
def test_more_nets_than_a_byte_holds(workers: int) -> None:
    """Tests a layer of 140 lines, more than a byte tells apart."""
    lines = tuple(Line(k + 1, (Cell(0, k, 0), Cell(0, k, 3))) for k in range(140))
    problem = Problem(4, 140, 1, lines)
    check_optimum(problem, run(problem, workers=workers), 560)


LARGE, _ = generate(24, 24, 3, lines=60, vias=20, fill=0.6, seed=1)


@pytest.mark.parametrize("workers", [1, 2])
def test_stop(workers: int) -> None:
    """Tests that a stop ends a search that has no other end, with what it has."""
    stop = threading.Event()
    timer = threading.Timer(2.5, stop.set)
    timer.start()
    result = run(LARGE, seconds=inf, workers=workers, stop=stop)
    timer.join()
    assert result.lower_bound is not None


def test_stop_before_the_start() -> None:
    """Tests that a search that is not to begin ends at once, with nothing claimed."""
    stop = threading.Event()
    stop.set()
    assert run(LARGE, workers=2, stop=stop).status == Status.UNKNOWN


@pytest.mark.parametrize("workers", [1, 2])
def test_no_time(workers: int) -> None:
    """Tests that no time gives no answer, and no verdict."""
    result = run(LARGE, seconds=0.0, workers=workers)
    assert result.status == Status.UNKNOWN


def test_layers_alike_are_counted() -> None:
    """Tests that cost and bound of equal layers count once for each."""
    lines = tuple(
        Line(2 * z + k + 1, (Cell(z, 0, k), Cell(z, 4, k + 2))) for z in range(4) for k in range(2)
    )
    problem = Problem(4, 5, 4, lines)
    result = run(problem)
    one = run(Problem(4, 5, 1, lines[:2]))
    assert one.cost is not None and result.cost is not None
    assert result.cost.total == 4 * one.cost.total == result.lower_bound


def test_a_worker_that_reads_late() -> None:
    """Tests that news for a busy worker make nobody wait, and that it gets the latest."""
    ours, theirs = multiprocessing.Pipe()
    post = _Post(ours)
    post.start()
    for cost in range(200):
        routing = Routing([np.zeros(10_000, np.int32)], (), 1000 - cost)
        post.put(News(1, routing, cost))
    received = [theirs.recv()]
    while received[-1].bound < 199:
        received.append(theirs.recv())
    assert received[-1].routing.cost == 801
    for _ in range(50):
        post.put(News(2, Routing([np.zeros(10_000, np.int32)], (), 5), 0))
    theirs.close()
    post.close()


@pytest.mark.parametrize(
    ("workers", "clock", "together"),
    [(1, time.monotonic, False), (2, time.monotonic, True), (3, time.monotonic, True),
     (2, WorkClock(), False)],
)  # fmt: skip
def test_processes(
    workers: int, clock: Callable[[], float], together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that as many processes work as are asked for, and one where work is counted."""
    asked = []

    def work_together(board: Board, searches: list[Search], number: int, *rest: object) -> bool:
        asked.append(number)
        return True

    monkeypatch.setattr(router, "work_together", work_together)
    deadline = Deadline(600, clock, StopAfter(40).is_set)
    route_board(LARGE, deadline, workers=workers, config=RouterConfig(opening_seconds=0.0))
    assert asked == ([workers] if together else [])


class StopAfter(threading.Event):
    """A stop event that is set after some looks at it."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def is_set(self) -> bool:
        """Return whether it is set; a look."""
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize("workers", [1, 2])
def test_it_ends_when_it_is_done(workers: int) -> None:
    """Tests that no search goes on once cost and bound have met."""
    problem, _ = generate(8, 7, 1, 6, 0, 0.6, seed=1)
    late = 0

    def count(progress: Progress) -> None:
        nonlocal late
        late += progress.cost is not None and progress.cost.total == progress.lower_bound
        assert late < 8, "it goes on"

    config = RouterConfig(opening_seconds=0.0)
    result = route_board(problem, Deadline(600), count, workers=workers, config=config)
    assert result.status == Status.OPTIMAL
    assert late > 0


def test_observer_may_fail() -> None:
    """Tests that no process is left where the observer raises an error."""

    def fail(progress: Progress) -> None:
        if progress.seconds > 0.6:
            raise RuntimeError("enough")

    others = children()
    with pytest.raises(RuntimeError, match="enough"):
        route_board(LARGE, Deadline(60), fail, workers=2, config=RouterConfig(opening_seconds=0.1))
    assert multiprocessing.active_children() == [] and children() == others


def test_lines_in_each_others_way_are_named() -> None:
    """Tests that while there is no answer those are named that the others leave no room."""
    ends = [((1, 0, 1), (1, 2, 1)), ((0, 1, 1), (2, 1, 1)), ((3, 0, 1), (3, 2, 1))]
    nets = nets_of(Problem(4, 3, 1, ends))
    seen: list[tuple[int, ...]] = []
    board = Board(nets, split(nets), Deadline(60), lambda progress: seen.append(progress.missing()))
    board.report("start")
    straight = [np.array(cells, np.int32) for cells in ([8, 14, 20], [13, 14, 15], [10, 16, 22])]
    board.take_draft(0, Draft(straight, (), 1))
    board.report("find")
    assert seen == [(), (1, 2)]


def test_equal_seeds() -> None:
    """Tests that by a work clock a seed decides the whole course of a search, watched or not."""
    problem, _ = generate(10, 10, 2, 9, 4, 0.6, 1)
    courses = []
    looks = []
    for is_watched in (False, True):
        course: list[tuple[float, Cost | None, int | None]] = []

        def note(
            progress: Progress, course: list[Any] = course, is_watched: bool = is_watched
        ) -> None:
            course.append((progress.seconds, progress.cost, progress.lower_bound))
            if is_watched and progress.answer is None:
                looks.append(progress.partial())

        result = route_board(problem, Deadline(8, WorkClock()), note, workers=2, seed=5)
        courses.append((course, result.cost, result.lower_bound))
    assert courses[0] == courses[1]
    assert courses[0][1] is not None
    assert looks and all(lines is not None and lines.any() for lines in looks)
