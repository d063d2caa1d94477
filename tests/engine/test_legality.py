"""Tests that only routings are taken up as routings."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlrouter.checker.usable import usable
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.find.group_kernels import overlaps_of
from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import read_problem
from nlrouter.generators import generate
from nlrouter.result import Status, unobserved
from tests.board_router import route_board

BOARDS = Path(__file__).resolve().parents[1] / "data" / "boards"


def found() -> tuple[Board, Routing]:
    """Return a board of one part and a routing of it."""
    problem, _ = generate(8, 8, 2, 6, 3, 0.5, seed=2)
    nets = nets_of(problem)
    parts = split(nets)
    finder = Finder(parts[0].nets, 0)
    while not finder.best:
        finder.step(Deadline(60))
    return Board(nets, parts, Deadline(60), unobserved), finder.best


def test_nets_without_a_path_count() -> None:
    """Tests that each net without a path counts for more than all cells of the layer do."""
    paths = np.array([[1, 2, 3, 0], [5, 2, 7, 0], [0, 0, 0, 0]], np.int32)
    lengths = np.array([3, 3, 0], np.int32)
    held = np.zeros(9, np.int32)
    for members, overlaps in (([0], 0), ([0, 1], 1), ([2], 9), ([0, 1, 2], 10)):
        assert overlaps_of(np.array(members, np.int32), paths, lengths, held) == overlaps


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["no_path_no_answer_4x4x2", "no_path_no_answer_2"])
def test_finder_finds_none(name: str, seed: int) -> None:
    """Tests that a swap of vias does not make a net without a path be forgotten."""
    problem = read_problem(str(BOARDS / f"{name}.txt"))
    for part in split(nets_of(problem)):
        finder = Finder(part.nets, seed)
        for _ in range(40):
            finder.step(Deadline(60, WorkClock()))
            assert finder.best is None


@pytest.mark.parametrize("seed", range(4))
def test_start_that_leaves_a_line_no_way(seed: int) -> None:
    """Tests that a start whose vias leave other lines none is got over."""
    problem = read_problem(str(BOARDS / "no_path_3x6x2.txt"))
    start, _ = usable(problem, read_answer(str(BOARDS / "no_path_3x6x2_start.txt")))
    result = route_board(problem, Deadline(60, WorkClock()), seed=seed, start=start)
    assert result.status is Status.OPTIMAL
    assert result.cost is not None and result.cost.total == 24


def test_faults() -> None:
    """Tests that every way not to be a routing is told, and refused by the board."""
    board, routing = found()
    nets = board.parts[0].nets
    assert fault(nets, routing) == ""
    long = max(range(nets.count), key=lambda net: len(routing.paths[net]))
    path = routing.paths[long]

    def with_path(changed: np.ndarray) -> Routing:
        return replace(routing, paths=[*routing.paths[:long], changed, *routing.paths[long + 1 :]])

    wrong = {
        "does not reach its target": with_path(path[:0]),
        "does not reach": with_path(path[:-1]),
        "is cut": with_path(np.delete(path, 1)),
        "is taken": with_path(np.insert(path, 3, path[1:3])),
        "one to one": replace(
            routing, assignment=tuple(np.zeros_like(chosen) for chosen in routing.assignment)
        ),
    }
    for words, other in wrong.items():
        assert words in fault(nets, other)
        with pytest.warns(RuntimeWarning, match="refused"):
            assert not board.take_routing(0, replace(other, cost=0), "test")
    assert "not free" in fault(replace(nets, free=np.zeros_like(nets.free)), routing)
    assert board.answer is None
    assert board.take_routing(0, routing, "test")
