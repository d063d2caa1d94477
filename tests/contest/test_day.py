"""Tests of whole days against the stand-in service, with a router that is told what to find."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from adc_contest import Contest, Fault
from adc_server import serve

from nlrouter.contest.client import Client
from tests.contest import small_day
from tests.contest.fake_router import board
from tests.contest.small_day import play

SECONDS = 60.0
"""A deadline that no day here reaches that ends by itself."""


def straight(width: int) -> str:
    """Return the answer to such a board."""
    return f"SIZE {width}X2X1\nLAYER 1\n{','.join('1' * width)}\n{','.join('0' * width)}\n"


def contest_of(count: int) -> Contest:
    """Return a contest of so many boards, with gaps in their numbers."""
    return Contest({3 * n + 1: board(n + 3) for n in range(count)})


def correct(contest: Contest) -> int:
    return sum(stored.correct for stored in contest.answers.values())


def puts(contest: Contest) -> list[int]:
    return [put.number for put in contest.puts]


def test_plain_day(tmp_path: Path) -> None:
    """Tests that every board is answered once, the easy ones first, with info and alive report."""
    contest = contest_of(4)
    with serve(contest, "/adc") as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS)
    assert puts(contest) == [1, 4, 7, 10]
    assert correct(contest) == 4
    stored = contest.answers["team", 10]
    assert stored.cpu_sec and stored.mem_byte
    assert stored.misc_text and stored.misc_text.endswith("cost 6, optimal")
    assert contest.alive["team"]


def test_waits_for_its_state(tmp_path: Path) -> None:
    """Tests that a day begins when the service opens."""
    contest = contest_of(1)
    contest.set_state("im1")

    def listen(line: str) -> None:
        if line.startswith("not open"):
            contest.set_state("Aup")

    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS, log=listen)
    assert correct(contest) == 1


def test_whole_contest(tmp_path: Path) -> None:
    """Tests 20 boards with all kinds of faults and the client killed twice: all as it should be.

    That is 20 correct answers with their infos, none sent twice.
    """
    contest = contest_of(20)
    contest.faults = [
        Fault(kind, chance=0.07) for kind in ("drop", "lose", "half", "busy", "page", "expire")
    ]
    random_pause = random.Random(1)
    with serve(contest) as url:
        command = [sys.executable, small_day.__file__, url, str(tmp_path), "optimal"]
        for _ in range(2):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            sent = len(contest.answers)
            while len(contest.answers) < sent + 3:
                assert process.poll() is None
                time.sleep(0.01)
            time.sleep(0.2 * random_pause.random())
            process.kill()
            process.wait()
        assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0
    assert correct(contest) == 20
    assert max(Counter(puts(contest)).values()) == 1
    assert all(stored.cpu_sec is not None for stored in contest.answers.values())
    assert set(contest.struck) == {"drop", "lose", "half", "busy", "page", "expire"}


def test_best_at_the_deadline(tmp_path: Path) -> None:
    """Tests that what is not proven optimal goes out before the deadline, after several runs."""
    contest = contest_of(2)
    runs = 0

    def listen(line: str) -> None:
        nonlocal runs
        runs += ": cost" in line

    def clock() -> float:
        return time.time() + (SECONDS - small_day.PLAN.closing if runs >= 4 else 0.0)

    with serve(contest) as url:
        assert play(url, tmp_path, "feasible", seconds=SECONDS, log=listen, clock=clock)
    assert sorted(puts(contest)) == [1, 4] and correct(contest) == 2
    state = json.loads((tmp_path / "state.json").read_text())
    assert min(record["runs"] for record in state["boards"]) >= 2


def test_best_after_own_time(tmp_path: Path) -> None:
    """Tests that without a deadline an answer goes out when its board's time is used."""
    contest = contest_of(2)
    with serve(contest) as url:
        assert play(url, tmp_path, "feasible", board_time=0.4)
    assert correct(contest) == 2


@pytest.mark.parametrize("kind", ["lose", "half", "drop", "busy", "page"])
def test_lost_in_transit(tmp_path: Path, kind: str) -> None:
    """Tests that an answer of unknown fate is asked for, and sent again only if not stored."""
    contest = contest_of(1)
    contest.faults = [Fault(kind, count=2, calls="PUT /A/team/Q/1")]
    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS)
    assert puts(contest) == [1] and correct(contest) == 1


@pytest.mark.parametrize("arrived", [True, False])
def test_killed_while_putting(tmp_path: Path, arrived: bool) -> None:
    """Tests that a restarted client sends an answer that was about to be sent, if need be."""
    contest = contest_of(1)
    with serve(contest) as url:
        contest.faults = [Fault("drop", calls="PUT /A/.*")]
        stop = threading.Event()

        def listen(line: str) -> None:
            if "asking whether" in line:
                stop.set()

        assert not play(url, tmp_path, "optimal", seconds=SECONDS, log=listen, stop=stop)
        assert json.loads((tmp_path / "state.json").read_text())["boards"][0]["status"] == "putting"
        contest.faults.clear()
        if arrived:
            contest.store("team", 1, (tmp_path / "A1.txt").read_text())
        assert play(url, tmp_path, "crash", seconds=SECONDS)
    assert puts(contest) == ([] if arrived else [1])
    assert contest.answers["team", 1].correct and contest.answers["team", 1].cpu_sec


def test_state_lost(tmp_path: Path) -> None:
    """Tests that a client without its state routes and sends nothing that is there already."""
    contest = contest_of(2)
    contest.store("team", 1, straight(3))
    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS)
    assert puts(contest) == [4]


def test_stored_problem_of_another_board(tmp_path: Path) -> None:
    """Tests that a stored problem that is not the one listed is fetched anew, and never sent."""
    contest = contest_of(2)
    with serve(contest) as url:
        assert not play(url, tmp_path, "unknown", board_time=0.4)
        (tmp_path / "Q1.txt").write_text(board(9))
        (tmp_path / "A1.txt").write_text(straight(9))
        log: list[str] = []
        assert play(url, tmp_path, "optimal", seconds=SECONDS, log=log.append)
    told = "Q1: what is stored is another board, the list says 'SIZE 3X2X1 LINE_NUM 1'"
    assert [line for line in log if "another board" in line] == [told]
    assert correct(contest) == 2
    assert not any("refused" in line for line in log)


def test_stored_answer_that_is_none(tmp_path: Path) -> None:
    """Tests that a damaged answer is put aside, and its board routed anew."""
    contest = contest_of(1)
    with serve(contest) as url:
        assert not play(url, tmp_path, "unknown", board_time=0.4)
        (tmp_path / "A1.txt").write_text("SIZE 3X")
        assert play(url, tmp_path, "optimal", seconds=SECONDS)
    assert correct(contest) == 1
    assert (tmp_path / "A1.txt.damaged").read_text() == "SIZE 3X"


def test_damaged_state_is_told(tmp_path: Path) -> None:
    """Tests that a day goes on with what is left of its state, and tells what is not."""
    contest = contest_of(2)
    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS)
        path = tmp_path / "state.json"
        record = json.loads(path.read_text())
        record["boards"][0] |= {"status": None, "runs": "many"}
        path.write_text(json.dumps(record))
        log: list[str] = []
        assert play(url, tmp_path, "crash", seconds=SECONDS, log=log.append)
    assert log[0].startswith(f"{path}: found None as boards[0].status, expected one of open, ")
    assert log[1].startswith(f"{path}: found 'many' as boards[0].runs")
    assert puts(contest) == [1, 4]


def test_sent_by_another(tmp_path: Path) -> None:
    """Tests that an answer that another machine sent meanwhile counts as sent."""
    contest = contest_of(1)
    log: list[str] = []

    def listen(line: str) -> None:
        if "routing" in line:
            contest.store("team", 1, straight(3))
        log.append(line)

    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS, log=listen)
    assert "Q1: sent: ERROR: duplicated answer" in log


def test_dry_run(tmp_path: Path) -> None:
    """Tests that a dry run puts nothing at all, and a real one then sends what it has found."""
    contest = contest_of(2)
    log: list[str] = []
    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS, dry_run=True, log=log.append)
        assert (contest.puts, contest.alive) == ([], {})
        assert "A4: dry run, not sent: cost 4, optimal" in log
        assert play(url, tmp_path, "crash", seconds=SECONDS)
    assert correct(contest) == 2


def test_signal(tmp_path: Path) -> None:
    """Tests that a stopped day sends nothing more and that a later one goes on from it."""
    contest = contest_of(1)
    stop = threading.Event()
    log: list[str] = []

    def listen(line: str) -> None:
        log.append(line)
        if ": routing" in line:
            stop.set()

    with serve(contest) as url:
        assert not play(url, tmp_path, "endless", seconds=SECONDS, stop=stop, log=listen)
        assert "Q1: NOT SENT, no answer" in log
        assert play(url, tmp_path, "optimal", seconds=SECONDS)


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("wrong", "A1: not to be sent: LINE#1 "),
        ("crash", "Q1: the router gave no figures: nlroute: out of luck"),
        ("unknown", "Q1: NOT SENT, no answer"),
        ("infeasible", "Q1: skipped: proven to have no answer"),
    ],
)
def test_nothing_to_send(tmp_path: Path, mode: str, told: str) -> None:
    """Tests that nothing but a correct answer is sent, and what is missing is told."""
    contest = contest_of(1)
    log: list[str] = []
    with serve(contest) as url:
        assert not play(url, tmp_path, mode, seconds=SECONDS, board_time=0.4, log=log.append)
    assert contest.puts == []
    assert any(line.startswith(told) for line in log)


def test_unreadable_board(tmp_path: Path) -> None:
    """Tests that a board that cannot be read is told and skipped, and the others are played."""
    contest = contest_of(3)
    contest.problems[2] = "SIZE 3X2X1\nLINE#1 (0,0,1)\n"
    contest.problems[4] = "\ufeff" + contest.problems[4].replace("\n", "\r\n")
    log: list[str] = []
    with serve(contest) as url:
        assert not play(url, tmp_path, "optimal", seconds=SECONDS, log=log.append)
    assert correct(contest) == 3
    assert "Q2: skipped: its problem is not readable" in log
    assert any(line.startswith("Q2: not readable: Q2:2: found") for line in log)


def test_mended_board(tmp_path: Path) -> None:
    """Tests that a problem that the organisers mend is played, also after it was skipped."""
    contest = contest_of(1)
    good, contest.problems[1] = contest.problems[1], "SIZE\n"

    def listen(line: str) -> None:
        if line.startswith("Q1: not readable"):
            contest.problems[1] = good

    with serve(contest) as url:
        assert not play(url, tmp_path / "a", "optimal", seconds=SECONDS)
        assert play(url, tmp_path / "a", "optimal", seconds=SECONDS, log=listen)
        contest.problems[1] = "SIZE\n"
        contest.answers.clear()
        assert play(url, tmp_path / "b", "optimal", seconds=SECONDS, log=listen)


def test_refused_for_a_while(tmp_path: Path) -> None:
    """Tests that an answer that was refused, but not stored, is put again."""
    contest = contest_of(1)
    store = contest.store

    def refuse(user: str, number: int, text: str) -> tuple[int, str]:
        if len(contest.puts) < 2:
            return 403, "not now\n"
        return store(user, number, text)

    contest.store = refuse  # type: ignore[method-assign]
    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS)
    assert correct(contest) == 1


def test_internal_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that an error that nobody thought of, wherever it is, does not end the day."""
    failing = {"list_problems", "put_answer", "report_alive"}

    def fail_once(name: str) -> None:
        method = getattr(Client, name)

        def call(*arguments: Any) -> Any:
            if name in failing:
                failing.remove(name)
                raise RuntimeError(name)
            return method(*arguments)

        monkeypatch.setattr(Client, name, call)

    for name in sorted(failing):
        fail_once(name)
    contest = contest_of(2)
    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS)
    assert not failing and correct(contest) == 2


def test_judged_wrong(tmp_path: Path) -> None:
    """Tests that an answer that the judge takes for wrong is told and not sent again."""
    contest = contest_of(1)
    log: list[str] = []

    def listen(line: str) -> None:
        if "about to put" in line:
            contest.problems[1] = board(9)
        log.append(line)

    with serve(contest) as url:
        assert not play(url, tmp_path, "optimal", seconds=SECONDS, log=listen)
    assert puts(contest) == [1]
    assert any("skipped: stored, but judged wrong: 403" in line for line in log)


def test_closed_for_good(tmp_path: Path) -> None:
    """Tests that a service that has closed ends a day that has no deadline."""
    contest = contest_of(1)
    log: list[str] = []

    def listen(line: str) -> None:
        if line.startswith("Q1: cost 3"):
            contest.set_state("im2")
        log.append(line)

    with serve(contest) as url:
        assert not play(url, tmp_path, "optimal", board_time=5, log=listen)
    assert "Q1: NOT SENT, answer of cost 3, optimal" in log


def test_service_goes_away(tmp_path: Path) -> None:
    """Tests that routing goes on while the service is away, and all is sent when it is back."""
    contest = contest_of(3)
    away = Fault("drop", count=0)
    contest.faults = [away]
    log: list[str] = []

    def listen(line: str) -> None:
        log.append(line)
        if line.startswith("Q4: 4X2X1"):
            away.count = None
        if line.startswith("Q7: cost"):
            away.count = 0

    with serve(contest) as url:
        assert play(url, tmp_path, "optimal", seconds=SECONDS, log=listen)
    assert correct(contest) == 3 and len(contest.puts) == 3
