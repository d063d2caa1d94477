"""Tests that a bound is told together with what has raised it."""

from multiprocessing import Pipe

import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.messages import Found
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.prove.layer_proof import LayerProof
from nlrouter.engine.search import Board, Role, Search, SearchConfig
from nlrouter.engine.worker import standing, tell
from nlrouter.result import Progress
from tests.engine.tiny_layers import layer_problem, random_nets


def test_worker_tells_the_phase() -> None:
    """Tests that what raised a bound in a worker reaches the parent."""
    nets = nets_of(layer_problem(0, 4, 4, 2))
    board = Board(nets, split(nets), Deadline(60), lambda progress: None)
    before = standing(board, 0)
    board.take_bound(0, 3, "prove+sweep")
    ours, theirs = Pipe()
    tell(theirs, board, 0, before)
    assert ours.recv() == Found(0, None, 3, None, "prove+sweep")


def test_search_names_its_means() -> None:
    """Tests that the bound of a search comes with the phases of the proof that it rests on."""
    heard: list[Progress] = []
    nets = nets_of(layer_problem(1, 5, 5, 3))
    (part,) = split(nets)
    deadline = Deadline(60, WorkClock())
    board = Board(nets, [part], deadline, heard.append)
    search = Search(0, part, 0, SearchConfig())
    for _ in range(200):
        if not board.done:
            search.step(board, deadline, Role.PROVE)
    assert board.done
    assert {phase for news in heard for phase in news.phase.split("+")} <= {
        "prove",
        "sweep",
        "solve",
        "maxsat",
    }
    assert "prove" in board.phases[0].split("+")


@pytest.mark.parametrize("seed", range(5))
def test_layer_names_its_means(seed: int) -> None:
    """Tests that a layer's proof names what raised its bound, and nothing where none did."""
    proof = LayerProof(random_nets(seed, 4, 4, 3), 0, None)
    assert not proof.phases
    while not (proof.exact or proof.bound >= 10**9):
        before, known = proof.bound, set(proof.phases)
        proof.step(Deadline(60), None)
        assert proof.bound > before or proof.phases == known
    assert proof.phases <= {"prove", "sweep", "solve", "maxsat"}
    assert proof.phases
