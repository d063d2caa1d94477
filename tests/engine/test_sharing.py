"""Tests who proves and who finds."""

import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.nets.nets import BoardNets
from nlrouter.engine.nets.parts import Part, split
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board, Role, Search, SearchConfig, next_part
from nlrouter.engine.sharing import leaders
from nlrouter.result import unobserved
from tests.engine.tiny_layers import MIXED, mixed_nets, random_nets


@pytest.mark.parametrize(
    ("workers", "parts", "count"), [(2, 5, 1), (3, 5, 1), (4, 1, 1), (4, 5, 2), (8, 3, 3)]
)
def test_leaders(workers: int, parts: int, count: int) -> None:
    """Tests that every part has one leader, and that processes are left that find."""
    led = leaders(workers, parts)
    assert len(led) == count < workers
    assert sorted(part for some in led for part in some) == list(range(parts))


@pytest.mark.parametrize(
    ("cost", "elapsed", "vias", "far"),
    [
        (100, 11.0, True, True),
        (100, 9.0, True, False),
        (97, 11.0, True, False),
        (100, 11.0, False, False),
    ],
    ids=["vias", "early", "near with vias", "no vias"],
)
def test_far(cost: int, elapsed: float, vias: bool, far: bool) -> None:
    """Tests that who proves finds where vias are open and the bound is far off, not too early."""
    nets = mixed_nets(MIXED[0]) if vias else random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    search = Search(0, split(nets)[0], 0, SearchConfig())
    search.finder.best, search.proof.bound = Routing([], (), cost), 95
    search._turns.spent[search._find] = 1.0
    shares = search._shares(Role.PROVE, elapsed)
    assert (search._find in shares) == far
    if far:
        assert shares[search._prove] == 2 * shares[search._find]


def test_who_proves() -> None:
    """Tests that bounds come from those who lead proofs: only they can write what shows them."""
    nets = random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    search = Search(0, split(nets)[0], 0, SearchConfig())
    prove = {role for role in Role if search._prove in search._shares(role, 0.0)}
    assert prove == {Role.ALL, Role.PROVE}


@pytest.mark.parametrize("vias", [True, False])
def test_who_proves_looks_for_puzzles_first(vias: bool) -> None:
    """Tests that who proves a layer without an answer begins so, and with vias mostly finds."""
    nets = mixed_nets(MIXED[0]) if vias else random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    search = Search(0, split(nets)[0], 0, SearchConfig())
    shares = search._shares(Role.PROVE, 0.0)
    assert search._turns.next(shares) == (search._find if vias else search._prove)
    assert (shares[search._find] < shares[search._prove]) == (not vias)
    shares = search._shares(Role.ALL, 0.0)
    assert shares[search._find] / shares[search._prove] == (6 if vias else 2)


@pytest.mark.parametrize(("bound", "first"), [(59, True), (61, False)])
def test_finding_first_while_an_answer_is_dear(bound: int, first: bool) -> None:
    """Tests that an answer far too dear, such as fills the board, is shortened before proofs."""
    nets = random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    search = Search(0, split(nets)[0], 0, SearchConfig())
    search.finder.best, search.proof.bound = Routing([], (), 100), bound
    shares = search._shares(Role.ALL, 0.0)
    assert (shares[search._find] > shares[search._prove]) == first
    assert (search._find in search._shares(Role.PROVE, 0.0)) == first


def test_gaps_share_out_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that parts have time as their gaps are; that one has nothing to do stops no other."""
    nets = random_nets(0, 4, 4, 2)
    assert isinstance(nets, BoardNets)
    (part, *_) = split(nets)
    parts = [Part(part.nets, part.places * copies) for copies in (1, 2, 1)]
    board = Board(nets, parts, Deadline(60, WorkClock()), unobserved)
    board.routings = [Routing([], (), 100) for _ in parts]
    board.bounds = [99, 97, 99]
    searches = [Search(i, part, 0, SearchConfig()) for i, part in enumerate(parts)]
    for search in searches:
        monkeypatch.setattr(search, "_shares", lambda *_, own=search: {own._prove: 1.0})
        monkeypatch.setattr(search, "_prove", lambda deadline, _: deadline.work(1))
    monkeypatch.setattr(searches[0], "_prove", lambda *_: None)
    for _ in range(130):
        i = next_part(board, searches, [1, 2])
        searches[i].step(board, board.deadline, Role.PROVE)
    assert [search.spent for search in searches[1:]] == pytest.approx([111, 19], abs=2)
    for _ in range(10**5):
        i = next_part(board, searches, [0, 2])
        searches[i].step(board, board.deadline, Role.PROVE)
        if i == 2:
            return
    pytest.fail("a part that has nothing to do is asked for ever")
