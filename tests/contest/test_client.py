"""Tests of the client against the stand-in service."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress

import pytest
from adc_contest import Contest, Fault
from adc_server import serve

from nlrouter.contest.client import (
    Client,
    ClientConfig,
    Closed,
    LoginFailed,
    Refused,
    ServiceError,
    Unreached,
    _Reply,
    one_line,
)
from tests.contest.fake_router import board

ANSWER = "SIZE 3X2X1\nLAYER 1\n1,1,1\n0,0,0\n"
QUICK = ClientConfig(silence=5.0, first_pause=0.01, longest_pause=0.05)
PATIENCE = 20.0


@pytest.fixture
def contest() -> Contest:
    """A contest of two problems."""
    return Contest({1: board(3), 7: board(4)})


@pytest.fixture
def log() -> list[str]:
    """What the client has logged."""
    return []


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    """Make clients, which are closed in the end."""
    with ExitStack() as clients:

        def make(
            url: str,
            user: str,
            password: str,
            log: Callable[[str], None] = print,
            stop: threading.Event | None = None,
            config: ClientConfig = QUICK,
        ) -> Client:
            client = Client(url, user, password, log, stop or threading.Event(), config)
            return clients.enter_context(closing(client))

        yield make


@pytest.fixture
def client(contest: Contest, connect: Callable[..., Client], log: list[str]) -> Iterator[Client]:
    """A client that has not logged in."""
    with serve(contest, "/some/path") as url:
        yield connect(url + "/", "team", "practice", log=log.append)


def test_calls(client: Client, contest: Contest) -> None:
    """Tests each call of a day once, with the login made when it is first needed."""
    assert client.list_problems(PATIENCE).count("\n") == 2
    assert client.problem(7, PATIENCE).decode() == board(4)
    assert not client.is_stored(1, PATIENCE)
    assert "Quality factor" in client.put_answer(1, ANSWER)
    assert client.is_stored(1, PATIENCE)
    client.put_info(1, {"cpu_sec": 1.0, "mem_byte": 5, "misc_text": "ü"}, PATIENCE)
    client.report_alive("at work")
    assert contest.answers["team", 1].misc_text == "ü"
    assert len(contest.alive["team"]) == 1


def test_own_problems(client: Client, contest: Contest) -> None:
    """Tests checking, uploading, reading and deleting a problem of one's own."""
    contest.set_state("Qup")
    assert client.check_problem(board(3), PATIENCE).startswith("OK")
    assert client.put_own_problem(2, board(3), PATIENCE).startswith("PUT OK")
    assert client.own_problem(2, PATIENCE) == board(3)
    client.delete_own_problem(2, PATIENCE)
    with pytest.raises(Refused, match="404"):
        client.own_problem(2, PATIENCE)


@pytest.mark.parametrize("kind", ["drop", "lose", "half", "busy", "page", "expire"])
def test_tries_again(client: Client, contest: Contest, log: list[str], kind: str) -> None:
    """Tests that a call is repeated, and that told, until it is answered as a whole."""
    client.login(PATIENCE)
    contest.faults.append(Fault(kind, count=3, calls="GET .*"))
    assert client.list_problems(PATIENCE).startswith("Q1 ")
    assert contest.struck[kind] == 3
    assert len(log) >= 3


def test_patience_ends(client: Client, contest: Contest) -> None:
    """Tests that a call is given up when its patience is over."""
    contest.faults.append(Fault("drop"))
    with pytest.raises(Unreached, match="GET /Q: RemoteProtocolError"):
        client.list_problems(0.2)


def test_stop_ends_patience(contest: Contest, connect: Callable[..., Client]) -> None:
    """Tests that nothing is tried again once the client is to stop."""
    stop = threading.Event()
    stop.set()
    contest.faults.append(Fault("busy"))
    with serve(contest) as url, pytest.raises(Unreached):
        connect(url, "team", "practice", stop=stop).list_problems(1e9)
    assert contest.struck["busy"] == 1


def test_slow_service(contest: Contest, connect: Callable[..., Client]) -> None:
    """Tests that an answer that does not come is not waited for any longer than configured."""
    contest.faults.append(Fault("slow", seconds=5.0))
    config = ClientConfig(silence=0.1)
    with serve(contest) as url, pytest.raises(Unreached, match="ReadTimeout"):
        connect(url, "team", "practice", config=config).report_alive("here")


@pytest.mark.parametrize("kind", ["drop", "lose", "half", "busy", "page"])
def test_answer_by_single_try(client: Client, contest: Contest, kind: str) -> None:
    """Tests that an answer whose fate is not known is not put again unasked."""
    client.login(PATIENCE)
    contest.faults.append(Fault(kind, count=1, calls="PUT /some/path/A/.*"))
    with pytest.raises(Unreached):
        client.put_answer(1, ANSWER)
    assert len(contest.puts) == (kind in ("lose", "half"))
    assert client.is_stored(1, PATIENCE) == (kind in ("lose", "half"))


def test_answer_after_session(client: Client, contest: Contest) -> None:
    """Tests that an answer that met an ended session is put after a new login."""
    contest.faults.append(Fault("expire", count=1, calls="PUT .*"))
    assert "OK" in client.put_answer(1, ANSWER)


def test_duplicate(client: Client) -> None:
    """Tests that the service's reason is told."""
    client.put_answer(1, ANSWER)
    with pytest.raises(Refused, match="403 ERROR: duplicated answer") as caught:
        client.put_answer(1, ANSWER)
    assert caught.value.status == 403


def test_closed(client: Client, contest: Contest) -> None:
    """Tests that a call outside its state fails at once."""
    contest.set_state("im2")
    with pytest.raises(Closed, match="GET /Q: 503 deadline passed"):
        client.list_problems(1e9)


def test_wrong_password(contest: Contest, connect: Callable[..., Client], log: list[str]) -> None:
    """Tests that a wrong account fails at once and its password shows nowhere."""
    with serve(contest) as url, pytest.raises(LoginFailed) as caught:
        connect(url, "team", "pa55word", log=log.append).login(1e9)
    assert "pa55word" not in str(caught.value) + "".join(log)


def test_no_service(connect: Callable[..., Client]) -> None:
    """Tests that a service that is not there is told."""
    client = connect("http://127.0.0.1:1", "team", "practice")
    with pytest.raises(Unreached, match="ConnectError"):
        client.login(0.1)


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"\x00\xff\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://[::bad\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://portal/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 13\r\n\r\n <HTML></HTML>",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 100,
    ],
)
def test_garbage(reply: bytes, connect: Callable[..., Client]) -> None:
    """Tests that what the service cannot have meant is no answer, to whatever was asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):  # The client may leave, and the test end, before all is said.
                for _ in range(2):
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65536)
                        connection.sendall(reply)

        threading.Thread(target=answer, daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        client = connect(url, "team", "practice")
        with pytest.raises(Unreached):
            client.is_stored(1, 0.0)
        with pytest.raises(Unreached):
            client.put_answer(1, ANSWER)


@pytest.mark.parametrize("body", [b"", b"[" * 100_000, b'{"results": 1', b"[]", b'{"results": []}'])
def test_no_word_of_an_answer(client: Client, contest: Contest, body: bytes) -> None:
    """Tests that an answer is not stored unless the service says so."""
    client.login(PATIENCE)
    client._try = lambda *_, **__: _Reply(200, body)  # type: ignore[method-assign]
    assert not client.is_stored(1, PATIENCE)


def test_secrets_stay_out_of_the_log(client: Client, contest: Contest, log: list[str]) -> None:
    """Tests that neither the password nor a session's cookie is ever logged."""
    contest.faults = [Fault(kind, chance=0.4, count=8) for kind in ("drop", "expire", "lose")]
    for _ in range(8):
        client.list_problems(PATIENCE)
    tokens = [*contest.sessions]
    assert log and not any(secret in line for line in log for secret in ["practice", *tokens])


def test_user_names_are_quoted(contest: Contest, connect: Callable[..., Client]) -> None:
    """Tests that a name with a slash names no other path."""
    contest.accounts["a/b c"] = "x"
    with serve(contest) as url:
        client = connect(url, "a/b c", "x")
        client.report_alive("here")
    assert list(contest.alive) == ["a/b c"]


def test_words_as_one_line() -> None:
    """Tests that words of several lines or with escapes show as one harmless line."""
    assert one_line(" a\r\n b\x1b[31m\n") == "a b[31m"
    assert len(one_line("x" * 1000)) == 200


def test_errors_are_service_errors() -> None:
    """Tests that whoever catches `ServiceError` catches all that the client raises."""
    assert all(issubclass(e, ServiceError) for e in (Unreached, Closed, Refused, LoginFailed))
