"""Tests of the search processes: how many there are, and what comes of one that is lost."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from nlrouter.deadline import WALL, Deadline, WorkClock
from nlrouter.engine import worker as worker_module
from nlrouter.engine import workers as workers_module
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.search import Board, Role, Search
from nlrouter.engine.sharing import SharingConfig
from nlrouter.files.problem_file import read_problem
from nlrouter.generators import generate
from nlrouter.result import Outcome, Status
from tests.board_router import route_board

BOARD, _ = generate(7, 7, 2, 6, 4, 0.5, seed=0)
LONG, _ = generate(24, 24, 1, 18, 0, 0.85, seed=1)
HARD = Path(__file__).parents[2] / "problems" / "random_24x24x3.txt"
AT_ONCE = RouterConfig(opening_seconds=0.0)
NESTED = Path(__file__).parents[2] / "problems" / "nested_detours_13x13x2.txt"
PATIENCE = 60.0

Work = Callable[..., None]


def run(workers: int, deadline: Deadline | None = None, most_lost: int = 3) -> Outcome:
    """Route the board, by processes alone if there are to be several."""
    with patch("nlrouter.engine.workers.MOST_LOST", most_lost):
        return route_board(BOARD, deadline or Deadline(inf), workers=workers, config=AT_ONCE)


@pytest.fixture
def replace(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Work], Work]], None]:
    """Put something in the place of what a worker does."""
    return lambda change: monkeypatch.setattr(
        worker_module,
        "_work",
        change(worker_module._work),
    )


@pytest.mark.parametrize(
    ("workers", "clock", "roles"),
    [
        (1, time.monotonic, []),
        (2, time.monotonic, [Role.FIND, Role.PROVE]),
        (3, time.monotonic, [Role.FIND, Role.FIND, Role.PROVE]),
        (6, time.monotonic, [Role.FIND] * 3 + [Role.PROVE] * 3),
        (3, WorkClock(), []),
    ],
)
def test_as_many_as_asked_for(
    tmp_path: Path, replace: Any, workers: int, clock: Callable[[], float], roles: list[Role]
) -> None:
    """Tests the processes and their roles, of which a search by work has none, and that all end."""

    def noting(work: Work) -> Work:
        def note(board: Any, searches: Any, link: Any, role: Role, *rest: Any) -> None:
            (tmp_path / f"{role.name} {os.getpid()}").touch()
            while len(list(tmp_path.iterdir())) < workers:  # One could end the search alone.
                time.sleep(0.001)
            work(board, searches, link, role, *rest)

        return note

    replace(noting)
    result = run(workers, Deadline(inf, clock))
    assert result.status == Status.OPTIMAL
    hired = sorted(path.name.split()[0] for path in tmp_path.iterdir())
    assert hired == [role.name for role in roles]


def first_time(path: Path) -> bool:
    """Return whether this is called for the first time, by any process."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def failing() -> None:
    raise ValueError("a mistake")


def starved() -> None:
    raise MemoryError


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("lose", "fate"),
    [
        (killed, r"was killed \(SIGKILL\)"),
        (failing, r"failed \(ValueError\('a mistake'\)\)"),
        (starved, r"failed \(out of memory\)"),
    ],
)
def test_a_lost_worker_is_replaced(
    tmp_path: Path, replace: Any, lose: Callable[[], None], fate: str, workers: int
) -> None:
    """Tests that the search goes on to its end with another, whichever role is lost."""
    role = Role.PROVE if workers == 1 else Role.FIND

    def losing(work: Work) -> Work:
        def do(board: Any, searches: Any, link: Any, its_role: Role, *rest: Any) -> None:
            if its_role is role and first_time(tmp_path / "lost"):
                lose()
            if its_role is role:
                (tmp_path / "replaced").touch()
            while not (tmp_path / "replaced").exists():  # The other could end the search alone.
                time.sleep(0.001)
            work(board, searches, link, its_role, *rest)

        return do

    replace(losing)
    with pytest.warns(RuntimeWarning, match=f"a search process {fate}, another takes its place"):
        assert run(2).status == Status.OPTIMAL


@pytest.mark.parametrize("workers", [1, 2, 4, 8])
def test_any_number_of_workers(workers: int) -> None:
    """Tests that the answer's cost and the bound do not depend on how many share the work."""
    nested = read_problem(str(NESTED))
    result = route_board(nested, Deadline(inf), workers=workers, config=AT_ONCE)
    assert result.cost is not None
    assert result.cost.total == result.lower_bound == 93


def test_compiling_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that what a worker compiles counts against no limit, and for several at once once."""
    before = WALL.excluded
    step = Search.step
    parent = os.getpid()

    def compile_first(self: Search, *given: Any, **more: Any) -> None:
        if os.getpid() != parent and WALL.excluded < before + 1000:
            WALL.exclude(1000, 0.0)
        step(self, *given, **more)

    monkeypatch.setattr(WALL, "excluded", before)
    monkeypatch.setattr(Search, "step", compile_first)
    assert run(3).status == Status.OPTIMAL
    assert 1000 <= WALL.excluded - before < 2000


@pytest.mark.parametrize("killed", [False, True])
def test_compiling_for_longer_than_the_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, killed: bool
) -> None:
    """Tests that the clock stands still while a worker compiles, and no longer than it lives."""
    step, begun = Search.step, tmp_path / "begun"

    def compile_first(self: Search, *given: Any, **more: Any) -> None:
        if not begun.exists():
            begun.touch()
            WALL.tell(None)
            time.sleep(1.5)
            if killed:
                os.kill(os.getpid(), signal.SIGKILL)
            WALL.exclude(1.5, 0.0)
        if killed:
            time.sleep(0.1)
        else:
            step(self, *given, **more)

    monkeypatch.setattr(Search, "step", compile_first)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        result = run(2, Deadline(1.0))
    assert (result.status == Status.OPTIMAL) == (not killed)


@pytest.mark.parametrize("fork_fails", [False, True])
def test_workers_that_are_lost_again_and_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, replace: Any, fork_fails: bool
) -> None:
    """Tests that a search whose processes die, or are not to be had, goes on alone to its end."""

    def losing(_: Work) -> Work:
        def do(board: Any, searches: Any, link: Any, role: Role, *rest: Any) -> None:
            (tmp_path / str(os.getpid())).touch()
            while role is not Role.PROVE or len(list(tmp_path.iterdir())) < 2:
                time.sleep(0.001)
            failing()

        return do

    replace(losing)
    fork = workers_module.forked

    def refuse_later(*given: Any) -> Any:
        if fork_fails and len(list(tmp_path.iterdir())) == 2:
            raise OSError(12, "Cannot allocate memory")
        return fork(*given)

    monkeypatch.setattr(workers_module, "forked", refuse_later)
    with pytest.warns(RuntimeWarning) as warned:
        assert run(2, most_lost=1).status == Status.OPTIMAL
    plans = [str(warning.message).rpartition(", ")[2] for warning in warned]
    assert plans[-1] == "this process goes on alone"
    assert ("another takes its place" in plans) == (not fork_fails)
    assert len(list(tmp_path.iterdir())) == (2 if fork_fails else 3)


def test_nodes_are_lent_to_who_has_nothing_to_prove(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Tests that nodes go to another process and come back, as they were where that is killed."""
    back: list[bytes | None] = []
    work_on = worker_module.work_on

    def work(*given: Any) -> bytes:
        if first_time(tmp_path / "lost"):
            killed()
        return work_on(*given)

    def give_back(self: Any, repaid: Any) -> None:
        back.append(repaid.result)
        return_it(self, repaid)

    return_it = workers_module._Crew._give_back
    monkeypatch.setattr(worker_module, "work_on", work)
    monkeypatch.setattr(workers_module._Crew, "_give_back", give_back)
    done = Deadline(PATIENCE).unless(lambda: sum(result is not None for result in back) > 2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = route_board(LONG, done, workers=4, config=AT_ONCE)
    assert sum(each is not None for each in back) > 2 or result.status is Status.OPTIMAL
    assert None in back
    assert len(caught) == 1


def test_room_for_loans() -> None:
    """Tests that who leads may lend two nodes to each who helps, or whose parts are all closed."""
    told: dict[int, list[int]] = {}

    def worker(k: int, role: Role, *leads: int) -> Any:
        told[k] = []
        post = SimpleNamespace(put=lambda room: told[k].append(room.loans))
        return SimpleNamespace(duty=workers_module._Duty(role, frozenset(leads)), post=post)

    closed: set[int] = set()
    crew: Any = object.__new__(workers_module._Crew)
    crew._board = SimpleNamespace(closed=closed.__contains__)
    crew._config, crew._room = SharingConfig(), 0
    crew._workers = {
        1: worker(1, Role.PROVE, 0),
        2: worker(2, Role.PROVE, 1),
        3: worker(3, Role.FIND),
    }
    crew.tell_room()
    assert told == {1: [], 2: [], 3: []}
    crew._workers[4] = worker(4, Role.PROVE)
    crew.tell_room()
    crew.tell_room()
    assert told == {1: [1], 2: [1], 3: [], 4: []}
    closed.add(1)
    crew.tell_room()
    assert told == {1: [1, 4], 2: [1], 3: [], 4: []}


@pytest.mark.parametrize(("waits", "pauses"), [([True, True], 1), ([True, False], 0)])
def test_pauses_only_where_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, waits: list[bool], pauses: int
) -> None:
    """Tests that who leads several proofs pauses only when nothing is left to do of any of them."""
    paused: list[float] = []
    monkeypatch.setattr(worker_module, "standing", lambda *_: None)
    worker: Any = object.__new__(worker_module._Worker)
    worker._board = SimpleNamespace(open_parts=lambda: [0, 1])
    worker._searches = [
        SimpleNamespace(step=lambda *_, **__: None, proof=SimpleNamespace(waits=each))
        for each in waits
    ]
    worker._leads, worker._role, worker._config = frozenset((0, 1)), Role.PROVE, SharingConfig()
    worker._deadline = None
    worker._tell = lambda *_: None
    worker._mail = SimpleNamespace(wait=paused.append)
    worker._search(0, Role.PROVE)
    assert len(paused) == pauses


def test_no_process_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that where no process can be forked, the search goes on in this one."""

    def refuse() -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    with pytest.warns(RuntimeWarning, match="no search process: Resource temporarily"):
        assert run(2).status == Status.OPTIMAL


def warned(workers: int) -> tuple[Status, list[str]]:
    """Return how a search ends, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        status = run(workers).status
    return status, [str(warning.message) for warning in caught]


def test_in_a_pool() -> None:
    """Tests that a process that may not start any searches alone, and says so where it should."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        alone, several = pool.map(warned, [1, 2])
    assert alone == (Status.OPTIMAL, [])
    assert several[0] == Status.OPTIMAL
    assert len(several[1]) == 1 and "in multiprocessing.Pool, starts none" in several[1][0]


def members(group: int) -> list[int]:
    """Return the processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # It has just ended.
            continue
        if int(its_group) == group and state != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_without_a_word(tmp_path: Path, number: signal.Signals) -> None:
    """Tests a signal to all processes, as by Ctrl-C, and one that kills the parent alone."""
    answer = tmp_path / "answer.txt"
    command = [sys.executable, "-m", "nlrouter.commands.nlroute", str(HARD), "-o", str(answer)]
    with subprocess.Popen(
        [*command, "--workers", "2"], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        wait_for(lambda: len(members(process.pid)) == 3 and answer.exists())
        if number is signal.SIGKILL:
            process.kill()
        else:
            os.killpg(process.pid, number)
        _, words = process.communicate(timeout=PATIENCE)
        wait_for(lambda: not members(process.pid))
    if number is signal.SIGKILL:
        assert words == ""
    else:
        assert words.startswith("feasible  cost ")
        assert words.count("\n") == 1
        assert process.returncode == 0


def wait_for(happened: Callable[[], bool]) -> None:
    """Wait until it has."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_better_routings_are_told_in_time() -> None:
    """Tests that better routings wait while one is checked, but no bound, first or last one."""
    nets = nets_of(BOARD)
    part = split(nets)[0]
    board = Board(nets, [part], Deadline(inf), lambda _: None)
    ours, theirs = multiprocessing.Pipe()
    finder = Search(0, part, 0, RouterConfig().search)
    worker = worker_module._Worker(
        board, [finder], theirs, Role.FIND, frozenset(), SharingConfig(net_seconds=1e6)
    )
    routings = [Routing([], (), cost) for cost in (9, 8, 7)]

    def told(routing: Routing, bound: int) -> list[tuple[int | None, int | None]]:
        before = worker_module.standing(board, 0)
        board.routings[0], board.bounds[0] = routing, bound
        worker._tell(0, before)
        heard = []
        while ours.poll():
            found = ours.recv()
            heard.append((found.routing and found.routing.cost, found.bound))
        return heard

    assert told(routings[0], 1) == [(9, 1)]
    assert told(routings[1], 1) == []
    assert told(routings[1], 2) == [(None, 2)]
    assert told(routings[2], 2) == []
    assert told(routings[2], 7) == [(7, 7)]
