"""Tests who proves and who finds."""

import numpy as np
import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.nets.nets import BoardNets
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board, Role, Search, SearchConfig
from nlrouter.engine.sharing import SharingConfig, is_far, leaders
from tests.engine.tiny_layers import every_routing, random_nets

CONFIG = SharingConfig(most_open_gap=0.05, far_seconds=5.0)


@pytest.mark.parametrize(
    ("gap", "elapsed", "vias", "far"),
    [
        (None, 10.0, True, False),
        (0.1, 10.0, True, True),
        (0.1, 4.0, True, False),
        (0.04, 10.0, True, False),
        (0.1, 10.0, False, False),
        (0.3, 10.0, False, False),
    ],
    ids=["no answer", "vias", "early", "near with vias", "no vias", "far off, no vias"],
)
def test_far(gap: float | None, elapsed: float, vias: bool, far: bool) -> None:
    """Tests that those who prove find where vias are open and far from settled, not too early."""
    assert is_far(gap, elapsed, CONFIG, open_vias=vias) == far


@pytest.mark.parametrize(
    ("workers", "parts", "count"), [(2, 5, 1), (3, 5, 1), (4, 1, 1), (4, 5, 2), (8, 3, 3)]
)
def test_leaders(workers: int, parts: int, count: int) -> None:
    """Tests that every part has one leader, and that processes are left that find."""
    led = leaders(workers, parts)
    assert len(led) == count < workers
    assert sorted(part for some in led for part in some) == list(range(parts))


@pytest.mark.parametrize("far", [False, True])
def test_a_far_prover_finds(far: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a process that proves finds as well exactly where the end of its proof is far."""
    nets = random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    (part,) = split(nets)
    paths = [np.array(path, np.int32) for path in next(every_routing(nets, nets.target))]
    done = []
    for name in ("_find", "_prove"):

        def work(self: Search, deadline: Deadline, board: Board, name: str = name) -> None:
            done.append(name)
            deadline.work(0.1)

        monkeypatch.setattr(Search, name, work)
    search = Search(0, part, 0, SearchConfig())
    deadline = Deadline(60, WorkClock())
    board = Board(nets, [part], deadline, lambda progress: None)
    search.take(board, Routing.along(paths, ()), "find")
    for _ in range(30):
        search.step(board, deadline, Role.PROVE, far=far)
    assert done.count("_find") == (10 if far else 0)


def test_who_proves() -> None:
    """Tests that bounds come from those who lead proofs: only they can write what shows them."""
    nets = random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    search = Search(0, split(nets)[0], 0, SearchConfig())
    prove = {role for role in Role if search._prove in search._shares(role, far=False)}
    assert prove == {Role.ALL, Role.PROVE}


def test_finding_first_while_it_gains() -> None:
    """Tests that who proves finds as well while an answer is dear and gets cheaper, not longer."""
    nets = random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    search = Search(0, split(nets)[0], 0, SearchConfig())

    def finds(cost: int, bound: int, gained: float) -> bool:
        search.finder.best, search.proof.bound = Routing([], (), cost), bound
        search._turns.spent[search._find], search._gained = 10.0, gained
        return search._find in search._shares(Role.PROVE, far=False)

    assert finds(100, 79, 6.0)
    assert not finds(100, 79, 4.0)
    assert not finds(100, 81, 6.0)
