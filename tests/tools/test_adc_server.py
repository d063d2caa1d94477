"""Tests of tools/adc_server.py by its calls, as a client sees them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import httpx
import pytest
from adc_contest import Contest, Fault, parse_fault, parse_schedule
from adc_server import serve

PROBLEM = "SIZE 3X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,0,1)\n"
STRAIGHT = "SIZE 3X2X1\nLAYER 1\n1,1,1\n0,0,0\n"
DETOUR = "SIZE 3X2X1\nLAYER 1\n1,0,1\n1,1,1\n"
CUT = "SIZE 3X2X1\nLAYER 1\n1,0,1\n0,0,0\n"
INFO = {"cpu_sec": 1.5, "mem_byte": 2000, "misc_text": None}


@pytest.fixture
def contest() -> Contest:
    """A contest of two problems and two teams."""
    return Contest({1: PROBLEM, 4: PROBLEM}, {"team": "practice", "other": "secret"})


@pytest.fixture
def team(contest: Contest) -> Iterator[httpx.Client]:
    """A team that has logged in."""
    with serve(contest, "/adc") as url, httpx.Client(base_url=url) as client:
        account = {"username": "team", "password": "practice"}
        assert client.post("/login", json=account).text == "login OK\n"
        yield client


def test_login(contest: Contest) -> None:
    """Tests that calls need a login, which needs the right password, until the logout."""
    with serve(contest) as url, httpx.Client(base_url=url) as client:
        assert client.get("/whoami").status_code == 401
        wrong = {"username": "team", "password": "secret"}
        assert client.post("/login", json=wrong).status_code == 401
        assert client.post("/login", content="team").status_code == 400
        client.post("/login", json={"username": "team", "password": "practice"})
        assert client.get("/whoami").text == "team\n"
        assert client.get("/logout").text == "logout OK\n"
        assert client.get("/whoami").text == "not login yet\n"


def test_json_on_demand(team: httpx.Client) -> None:
    """Tests that a client that asks for JSON gets the words as its msg."""
    headers = {"Accept": "application/json"}
    assert team.get("/whoami", headers=headers).json() == {"msg": "team\n"}


def test_problems(team: httpx.Client) -> None:
    """Tests the list, with its gaps, and the problems."""
    lines = team.get("/Q").text.splitlines()
    assert lines == [f"Q{n} SIZE 3X2X1 LINE_NUM 1 (organiser)" for n in (1, 4)]
    assert team.get("/Q/4").text == PROBLEM
    assert team.get("/Q/2").status_code == 404


def test_only_in_its_state(team: httpx.Client, contest: Contest) -> None:
    """Tests that a call outside its state is 503."""
    contest.set_state("Qup")
    for reply in (team.get("/Q"), team.get("/Q/1"), team.put("/A/team/Q/1", content=STRAIGHT)):
        assert (reply.status_code, reply.text) == (503, "deadline passed\n")
    contest.set_state("Aup")
    assert team.get("/user/team/Q/1").status_code == 503


def test_states_by_clock(contest: Contest) -> None:
    """Tests that the schedule counts from the start."""
    contest.schedule = parse_schedule("Qup=10,Aup=20,im2=30")
    states = []
    for seconds in (5, 15, 25, 35):
        contest.started -= seconds
        states.append(contest.state)
        contest.started += seconds
    assert states == ["init", "Qup", "Aup", "im2"]


def test_one_answer_each(team: httpx.Client, contest: Contest) -> None:
    """Tests that the first answer counts, with its quality, and a second is refused."""
    first = team.put("/A/team/Q/1", content=DETOUR)
    assert first.status_code == 200 and "Quality factor = 0.1428571" in first.text
    second = team.put("/A/team/Q/1", content=STRAIGHT)
    assert (second.status_code, second.text) == (403, "ERROR: duplicated answer\n")
    assert contest.answers["team", 1].text == DETOUR
    assert [put.status for put in contest.puts] == [200, 403]


@pytest.mark.parametrize("text", [CUT.replace("1,0,1", "2,2,2"), "1 1 1", "SIZE 3X2X1\n1\n", ""])
def test_wrong_answer_counts(team: httpx.Client, text: str) -> None:
    """Tests that a wrong answer, however broken, is refused and takes the problem's place."""
    assert "not correct" in team.put("/A/team/Q/1", content=text).text
    assert "duplicated" in team.put("/A/team/Q/1", content=STRAIGHT).text


def test_info(team: httpx.Client) -> None:
    """Tests that an info needs an answer, and is told with it."""
    assert team.put("/A/team/Q/1/info", json=INFO).status_code == 403
    assert team.get("/A/team/Q/0/info").json()["results"] == []
    team.put("/A/team/Q/1", content=STRAIGHT)
    assert team.put("/A/team/Q/1/info", json={"cpu_sec": 1}).status_code == 400
    assert team.put("/A/team/Q/1/info", json=INFO).text == "UPDATE A1 info\n"
    (result,) = team.get("/A/team/Q/1/info").json()["results"]
    assert result["anum"] == 1 and INFO.items() <= result.items()


def test_answers_are_secret(team: httpx.Client, contest: Contest) -> None:
    """Tests that an answer can be read and deleted in test mode only."""
    team.put("/A/team/Q/1", content=STRAIGHT)
    assert team.get("/A/team/Q/1").status_code == 403
    contest.test_mode = True
    assert team.get("/A/team/Q/1").text == STRAIGHT
    assert team.delete("/A/team/Q/1").status_code == 200
    assert team.get("/A/team/Q/1").status_code == 404


def test_names_of_others(team: httpx.Client) -> None:
    """Tests that nothing can be done in another user's name."""
    assert team.put("/A/other/Q/1", content=STRAIGHT).status_code == 403
    assert team.put("/user/other/alive", content="here").status_code == 403


def test_own_problems(team: httpx.Client, contest: Contest) -> None:
    """Tests that problems of one's own are checked, kept, and deleted."""
    contest.set_state("Qup")
    path = "/user/team/Q/2"
    assert team.get(path).status_code == 404
    assert team.put(path, content="SIZE 3X3").text.startswith("ERROR in Q data")
    assert team.put(path, content=PROBLEM).text.startswith("PUT OK update")
    assert team.get(path).text == PROBLEM
    assert team.delete(path).status_code == 200
    assert team.delete(path).status_code == 404
    assert team.put("/user/team/Q/4", content=PROBLEM).status_code == 404


def test_check(team: httpx.Client) -> None:
    """Tests that a problem is judged, and told as read or with its error."""
    assert team.put("/Qcheck", content=PROBLEM).text.startswith("OK\nSIZE 3X2X1\n")
    assert team.put("/Qcheck", content="SIZE 3X2X1\nLINE#1 (0,0)\n").text.startswith("NG\nQ:")


def test_alive(team: httpx.Client, contest: Contest) -> None:
    """Tests that reports are recorded with their text."""
    assert team.put("/user/team/alive", content="at work").text == "OK\n"
    assert [text for _, text in contest.alive["team"]] == ["at work"]


def test_points(contest: Contest) -> None:
    """Tests the contest's formula: one per correct answer, ten shared by quality."""
    contest.store("team", 1, STRAIGHT)
    contest.store("other", 1, DETOUR)
    contest.store("other", 4, "")
    assert contest.score() == pytest.approx({"team": 1 + 10 * 0.7, "other": 1 + 10 * 0.3})


def test_dropped(team: httpx.Client, contest: Contest) -> None:
    """Tests that a dropped call has no effect, and the next is taken."""
    contest.faults.append(Fault("drop", count=1))
    with pytest.raises(httpx.RemoteProtocolError):
        team.put("/A/team/Q/1", content=STRAIGHT)
    assert not contest.answers
    assert team.put("/A/team/Q/1", content=STRAIGHT).status_code == 200
    assert contest.struck == {"drop": 1}


@pytest.mark.parametrize("kind", ["lose", "half"])
def test_lost_answer(team: httpx.Client, contest: Contest, kind: str) -> None:
    """Tests that a call whose answer is lost or cut short has its effect."""
    contest.faults.append(Fault(kind, calls="PUT .*"))
    with pytest.raises(httpx.RemoteProtocolError):
        team.put("/A/team/Q/1", content=STRAIGHT)
    assert contest.answers["team", 1].correct


def test_busy_and_expired(team: httpx.Client, contest: Contest) -> None:
    """Tests a burst of 503, and a session that ends early."""
    contest.faults = [Fault("busy", count=2), Fault("expire", count=1)]
    assert [team.get("/whoami").status_code for _ in range(4)] == [503, 503, 401, 401]


def test_slow(team: httpx.Client, contest: Contest) -> None:
    """Tests that a slow answer comes after all."""
    contest.faults.append(Fault("slow", seconds=0.1))
    assert team.get("/whoami").text == "team\n"


def test_by_hand(team: httpx.Client, contest: Contest) -> None:
    """Tests that states and faults can be set, and the record be read, while it runs."""
    admin = str(team.base_url).removesuffix("/adc/") + "/admin"
    assert httpx.put(f"{admin}/state", content="im2").status_code == 200
    assert httpx.put(f"{admin}/state", content="lunch").status_code == 400
    assert httpx.put(f"{admin}/fault", content="busy,count=1").status_code == 200
    assert httpx.put(f"{admin}/fault", content="hiccup").status_code == 400
    assert team.get("/whoami").status_code == 503
    record = httpx.get(f"{admin}/record").json()
    assert record["state"] == "im2" and record["struck"] == {"busy": 1}


def test_faults_as_text() -> None:
    """Tests that a fault is read with all its settings."""
    fault = parse_fault("slow,chance=0.5,count=3,calls=PUT /A/.*,seconds=9")
    assert fault == Fault("slow", 0.5, 3, "PUT /A/.*", 9.0)


@pytest.mark.parametrize("text", ["", "hiccup", "drop,often", "drop,count=x", "drop,calls=("])
def test_bad_fault(text: str) -> None:
    """Tests that a fault that is none is refused."""
    with pytest.raises(argparse.ArgumentTypeError):
        parse_fault(text)


@pytest.mark.parametrize("text", ["", "Aup", "Aup=soon", "lunch=3", "Aup=1,,"])
def test_bad_schedule(text: str) -> None:
    """Tests that a schedule that is none is refused."""
    with pytest.raises(argparse.ArgumentTypeError):
        parse_schedule(text)
