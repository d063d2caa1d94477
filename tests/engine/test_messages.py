"""Tests of what the processes of a search tell each other."""

from multiprocessing import Pipe

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.messages import Found
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board, Role, Search, SearchConfig
from nlrouter.engine.worker import standing, tell
from nlrouter.problem import Problem
from nlrouter.result import Progress
from tests.engine.tiny_layers import layer_problem


def test_worker_tells_the_phase() -> None:
    """Tests that what raised a bound in a worker reaches the parent."""
    nets = nets_of(layer_problem(0, 4, 4, 2))
    board = Board(nets, split(nets), Deadline(60), lambda progress: None)
    before = standing(board, 0)
    board.take_bound(0, 3, "maxsat+prove")
    ours, theirs = Pipe()
    tell(theirs, board, 0, before)
    assert ours.recv() == Found(0, None, 3, None, "maxsat+prove")


def test_parts_without_a_routing_come_first() -> None:
    """Tests that what has a routing waits while another part has none, and is open until closed."""
    lines = [((0, 0, z), (2, y, z)) for z, y in ((1, 0), (2, 1))]
    nets = nets_of(Problem(3, 2, 2, lines))
    board = Board(nets, split(nets), Deadline(60), lambda progress: None)
    assert board.open_parts() == [0, 1]
    board.routings[0] = Routing([], (), 5)
    assert board.open_parts() == [1]
    board.routings[1] = Routing([], (), 5)
    assert board.open_parts() == [0, 1]
    board.bounds[0] = 5
    assert board.open_parts() == [1]


def test_search_names_its_means() -> None:
    """Tests that the bound of a search comes with the phases of the proof that it rests on."""
    heard: list[Progress] = []
    nets = nets_of(layer_problem(1, 5, 5, 3))
    (part,) = split(nets)
    deadline = Deadline(60, WorkClock())
    board = Board(nets, [part], deadline, heard.append)
    # Which would close it before the tree does.
    search = Search(0, part, 0, SearchConfig(), frozenset({"only answer", "maxsat"}))
    for _ in range(200):
        if not board.done:
            search.step(board, deadline, Role.PROVE)
    assert board.done
    assert {phase for news in heard for phase in news.phase.split("+")} <= {"prove"}
    assert "prove" in board.phases[0].split("+")
