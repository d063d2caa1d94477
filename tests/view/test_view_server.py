"""The server behind nlview: what it answers, and what it refuses without a trace."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import ClientConnectionResetError
from aiohttp.log import server_logger
from aiohttp.test_utils import TestClient, TestServer

from nlrouter.checker.usable import usable
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem
from nlrouter.view.guard import TOKEN_HEADER, Ticket
from nlrouter.view.routing_job import RoutingOptions
from nlrouter.view.server import make_app, report_own_errors_only
from nlrouter.view.session import Session

TOKEN = "secret"
LIMIT = 2000
PROBLEM = "SIZE 3X2X2\nLINE_NUM 1\n\nLINE#1 (0,0,1) (2,0,2)\n\nVIA#a (1,0,1) (1,0,2)\n"
ANSWER = "SIZE 3X2X2\nLAYER 1\n01,01,00\n00,00,00\nLAYER 2\n00,01,01\n00,00,00\n"
LOOSE = ANSWER.replace("00,00,00", "00,00,01", 1)
GOOD = {"problem": PROBLEM, "answer": ANSWER}
BARE = {"kept": ANSWER.replace("01", "00"), "seconds": 60}
WAITING = {"waiting": True}

Client = TestClient[Any, Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder with a problem and an answer."""
    monkeypatch.chdir(tmp_path)
    Path("problem.txt").write_text(PROBLEM)
    Path("answer.txt").write_text(ANSWER)
    return tmp_path


def serve(visit: Callable[[Client], Awaitable[None]], limit: int = LIMIT) -> None:
    """Visit a server of its own for both files, and see that it still works after that."""

    async def run() -> None:
        session = Session("problem.txt", "answer.txt")
        app = make_app(session, TOKEN, RoutingOptions(time_limit=600, workers=1), limit)
        async with TestClient(TestServer(app), headers={TOKEN_HEADER: TOKEN}) as client:
            await visit(client)
            reply = await client.get("/api/open")
            assert reply.status == 200

    asyncio.run(run())


def refusal(
    method: str, path: str, *, headers: dict[str, str] | None = None, body: bytes = b""
) -> tuple[int, str]:
    """Make one request to a server; return its status and error, having seen no file change."""
    found: list[tuple[int, str]] = []

    async def visit(client: Client) -> None:
        async with client.request(method, path, headers=headers, data=body or None) as reply:
            found.append((reply.status, (await reply.json())["error"]))

    serve(visit)
    assert Path("problem.txt").read_text() == PROBLEM
    assert Path("answer.txt").read_text() == ANSWER
    return found[0]


def test_open() -> None:
    """Tests that the page gets both files, cells as (z, y, x), and the names to save under."""

    async def visit(client: Client) -> None:
        opened = await (await client.get("/api/open")).json()
        assert opened["problem"]["text"] == PROBLEM
        assert opened["problem"]["lines"] == [{"number": 1, "ends": [[0, 0, 0], [1, 0, 2]]}]
        assert opened["problem"]["vias"] == [{"name": "a", "cells": [[0, 0, 1], [1, 0, 1]]}]
        assert opened["answer"] == [[[1, 1, 0], [0, 0, 0]], [[0, 1, 1], [0, 0, 0]]]
        assert (opened["problem_file"], opened["answer_file"]) == ("problem.txt", "answer.txt")

    serve(visit)


def test_verdicts() -> None:
    """Tests that a right drawing is judged correct with its cost, a wrong one with its cells."""

    async def visit(client: Client) -> None:
        verdict = await (await client.post("/api/judge", json=GOOD)).json()
        assert verdict["correct"] and verdict["contest"]
        assert verdict["cost"] == {"total": 4, "length": 4, "bends": 0}
        assert (verdict["length_of"], verdict["bends_of"]) == ([8, 4], [0, 0])
        verdict = await (await client.post("/api/judge", json=GOOD | {"answer": LOOSE})).json()
        assert not verdict["correct"] and not verdict["contest"] and verdict["count"] == 1
        assert verdict["violations"][0]["cell"] == [0, 1, 2]

    serve(visit)


def test_line_on_half_a_via() -> None:
    """Tests that a line is not joined whose via carries its number on one layer only."""

    async def visit(client: Client) -> None:
        document = GOOD | {"answer": ANSWER.replace("00,01,01", "00,00,01")}
        verdict = await (await client.post("/api/judge", json=document)).json()
        assert [violation["rule"] for violation in verdict["violations"]] == ["via-shared"]
        assert verdict["joined"] == []

    serve(visit)


def test_number_of_no_line() -> None:
    """Tests that a number which no line has is a violation, and counts for no line."""

    async def visit(client: Client) -> None:
        document = GOOD | {"answer": ANSWER.replace("00,00,00", "00,00,77", 1)}
        verdict = await (await client.post("/api/judge", json=document)).json()
        assert [violation["rule"] for violation in verdict["violations"]] == ["number"]
        assert verdict["length_of"] == [8, 4]

    serve(visit)


def test_no_answer_file(folder: Path) -> None:
    """Tests that without an answer file nothing is saved."""
    session = Session("problem.txt", None)
    opened = session.open()
    assert opened["answer"] is None and opened["answer_file"] is None
    assert {path.name for path in folder.iterdir()} == {"problem.txt", "answer.txt"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("SIZE 2X2X1\nLAYER 1\n0,0\n0,x\n", "answer.txt:4: found 'x'"),
        ("SIZE 2X1X1\nLAYER 1\n0,0\n", "found SIZE 2X1X1, expected the problem's SIZE 3X2X2"),
        (PROBLEM, "answer.txt:2: found 'LINE_NUM 1'"),
    ],
)
def test_bad_answer_file(answer: str, message: str) -> None:
    """Tests that a wrong answer file is told when the session starts."""
    Path("answer.txt").write_text(answer)
    with pytest.raises(FileError) as raised:
        Session("problem.txt", "answer.txt")
    assert message in str(raised.value)


def test_answer_file_that_is_a_pipe() -> None:
    """Tests that nobody waits for a pipe to hold an answer."""
    os.mkfifo("pipe")
    with pytest.raises(FileError, match="pipe: found no regular file, expected a file"):
        Session("problem.txt", "pipe")


def test_problem_from_a_pipe() -> None:
    """Tests that a problem that can be read but once stays on show, and is saved nowhere."""
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_text, args=(PROBLEM,))
    writer.start()
    session = Session("pipe", "answer.txt")
    writer.join()
    opened = session.open()
    assert opened["problem"]["lines"] and opened["problem_file"] is None


def test_answer_file_that_is_the_problem() -> None:
    """Tests that the answer never goes into the problem's file."""
    with pytest.raises(FileError, match="the problem itself"):
        Session("problem.txt", "./problem.txt")


@pytest.mark.parametrize("path", ["/", "/main.js", "/api/open", "/api/judge"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Host": "evil.example"},
        {"Host": "evil.example:80", "Origin": "http://evil.example:80"},
        {"Host": "127.0.0.1"},
    ],
)
def test_foreign_page(path: str, headers: dict[str, str]) -> None:
    """Tests that a second origin, or a foreign name for this host, gets nothing at all."""
    method = "POST" if path == "/api/judge" else "GET"
    status, error = refusal(method, path, headers=headers, body=json.dumps(GOOD).encode())
    assert status == 403 and "only" in error


@pytest.mark.parametrize("token", ["", "wrong", "sécret"])
@pytest.mark.parametrize("path", ["open", "judge", "save/answer", "route"])
def test_token(path: str, token: str) -> None:
    """Tests that nothing is read, judged, saved or routed without the token."""
    method = "GET" if path == "open" else "POST"
    body = json.dumps(GOOD | {"answer": LOOSE}).encode()
    status, error = refusal(method, f"/api/{path}", headers={TOKEN_HEADER: token}, body=body)
    assert status == 403 and "token" in error


def test_ticket() -> None:
    """Tests that a ticket is worth the token once, and another code nothing."""

    async def visit() -> None:
        ticket = Ticket(TOKEN)
        options = RoutingOptions(time_limit=1, workers=1)
        app = make_app(Session("problem.txt", "answer.txt"), TOKEN, options, ticket=ticket)
        async with TestClient(TestServer(app)) as client:
            replies = [
                await client.post("/api/enter", data=code)
                for code in ("", b"\xff", TOKEN, ticket.code, ticket.code)
            ]
            assert [reply.status for reply in replies] == [403, 403, 403, 200, 403]
            assert await replies[3].json() == {"token": TOKEN}
            assert (await client.get("/api/open")).status == 403

    asyncio.run(visit())


@pytest.mark.parametrize(
    "path",
    [
        "/problem.txt",
        "/server.py",
        "/../server.py",
        "/..%2fserver.py",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/%2fetc%2fpasswd",
        "/static/main.js",
        "/main.js%00",
        "/api/nothing",
    ],
)
def test_path_outside(path: str) -> None:
    """Tests that only the page's own files are served."""
    assert refusal("GET", path)[0] in (404, 405)


@pytest.mark.parametrize(
    "path", ["judge", "save/answer", "save/problem", "route", "answer", "problem"]
)
def test_huge_body(path: str) -> None:
    """Tests that a body beyond the limit is refused."""
    status, error = refusal("POST", f"/api/{path}?name=big%0a.txt", body=b"0" * (LIMIT + 1))
    assert status == 413
    assert error.endswith(f": found a larger file, expected at most {LIMIT} bytes")


@pytest.mark.parametrize("path", ["judge", "save/answer", "save/problem", "route"])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff\xfe\xfd", "no JSON"),
        (b"[" * 1500, "no JSON"),
        (b"[]", "no object"),
        (b'{"problem": ""}', "no object"),
        (b'{"problem": "", "answer": "", "path": "/etc/passwd"}', "no object"),
        (b'{"problem": 1, "answer": NaN}', "not both texts"),
        (b'{"problem": "", "answer": ""}', "problem: found no SIZE line"),
        (json.dumps(GOOD | {"answer": ANSWER.replace("01", "-1")}).encode(), "answer:3: found"),
        (json.dumps(GOOD | {"answer": ANSWER.replace("01", "9" * 99)}).encode(), "answer:3: found"),
        (json.dumps(GOOD | {"problem": "SIZE 9999999X9X9"}).encode(), "problem:1: found"),
        (json.dumps(GOOD | {"problem": "\ud800"}).encode(), "problem:1: found"),
    ],
)
def test_bad_document(path: str, body: bytes, message: str) -> None:
    """Tests that anything but two well-formed texts is refused with a sentence."""
    status, error = refusal("POST", f"/api/{path}", body=body)
    assert status == 400 and message in error


@pytest.mark.parametrize(
    ("kind", "body", "message"),
    [
        ("answer", b"SIZE 1X1X1\nLAYER 1\nx\n", "my.txt:3: found 'x', expected a number from 0"),
        ("answer", b"SIZE 1X1X1\n\xff", "my.txt:2: found the byte 0xff, expected text in UTF-8"),
        ("answer", b"", "my.txt: found the end of the file, expected an answer"),
        ("problem", b"SIZE 0X1X1\n", "my.txt:1: found 'SIZE 0X1X1', expected a SIZE of 1 or more"),
        ("problem", b"LINE_NUM 1\n", "my.txt: found no SIZE line"),
    ],
)
def test_bad_file(kind: str, body: bytes, message: str) -> None:
    """Tests that a bad file gets the sentence of the command line, with the file's name.

    It is no refused request, which browsers would take for an error of the page.
    """
    status, error = refusal("POST", f"/api/{kind}?name=my.txt", body=body)
    assert status == 200 and error.startswith(message)


def test_routing_stops_when_the_page_leaves() -> None:
    """Tests that a page which leaves ends its search, so that the next one gets its turn."""
    boards = Path(__file__).resolve().parents[2] / "problems"
    problem = (boards / "random_24x24x3.txt").read_text()  # Not closed in a minute.
    Path("problem.txt").write_text(problem)
    Path("answer.txt").unlink()
    layers = (f"LAYER {z}\n" + (",".join(["0"] * 24) + "\n") * 24 for z in (1, 2, 3))
    empty = "SIZE 24X24X3\n" + "".join(layers)
    task = {"problem": problem, "answer": empty, "kept": empty, "seconds": 600}

    async def visit(client: Client) -> None:
        for _ in range(2):
            async with asyncio.timeout(60), client.post("/api/route", json=task) as reply:
                first = json.loads(await reply.content.readline())
                if first == WAITING:  # For the last one to stop.
                    first = json.loads(await reply.content.readline())
                assert first == {"fixed": [], "continued": [], "dropped": []}
                assert "bound" in json.loads(await reply.content.readline())

    serve(visit, limit=2**20)


@pytest.mark.parametrize(
    "fields", [{"kept": 1}, {"seconds": 0}, {"seconds": 1e9}, {"kept": "SIZE 1X1X1\nLAYER 1\n0\n"}]
)
def test_bad_task(fields: dict[str, Any]) -> None:
    """Tests that a task without a time, or with a drawing of another size, is refused."""
    body = json.dumps(GOOD | BARE | fields).encode()
    status, error = refusal("POST", "/api/route", body=body)
    assert status == 400 and error.startswith(("'kept'", "'seconds'", "the drawing"))


def test_second_search_waits() -> None:
    """Tests that a page is told that it has to wait for the search of another page."""

    async def visit(client: Client) -> None:
        async with (
            asyncio.timeout(60),
            client.post("/api/route", json=GOOD | BARE) as first,
            client.post("/api/route", json=GOOD | BARE) as second,
        ):
            assert json.loads(await second.content.readline()) == WAITING
            for reply in (first, second):
                *_, last = (await reply.text()).splitlines()
                assert json.loads(last)["status"] == "optimal"

    serve(visit)


def test_routing_that_fails() -> None:
    """Tests that without an answer come the lines that go together, and what is in the way.

    The lines come on the way already.
    """
    crossing = (
        "SIZE 5X5X1\nLINE_NUM 4\nLINE#1 (1,0,1) (2,2,1)\nLINE#2 (0,3,1) (1,4,1)\n"
        "LINE#3 (3,1,1) (1,3,1)\nLINE#4 (0,2,1) (3,2,1)\n"
    )
    empty = "SIZE 5X5X1\nLAYER 1\n" + "0,0,0,0,0\n" * 5
    task = {"problem": crossing, "answer": empty, "kept": empty, "seconds": 60}

    async def visit(client: Client) -> None:
        reply = await client.post("/api/route", json=task)
        *moments, last = map(json.loads, (await reply.text()).splitlines())
        assert last["status"] == "infeasible"
        early = [moment for moment in moments if "partial" in moment]
        assert early and all(moment["cost"] is None for moment in moments[1:])
        for moment in early:
            lines, dropped = usable(parse_problem(crossing), np.array(moment["partial"]))
            assert not dropped and np.unique(lines[lines > 0]).size == moment["lines"]
        lines, _ = usable(parse_problem(crossing), np.array(last["answer"]))
        joined = set(np.unique(lines[lines > 0]).tolist())
        assert 2 <= len(joined) < 4
        assert last["told"][0] == f"{len(joined)} of 4 lines could be routed together; missing:"
        assert len(last["told"]) == 1 + 4 - len(joined)

    serve(visit)


def test_answer_file_that_no_longer_fits() -> None:
    """Tests that a problem replaced by one of another size is shown, with a word on the answer."""

    async def visit(client: Client) -> None:
        Path("problem.txt").write_text(PROBLEM.replace("3X2X2", "3X3X2"))
        opened = await (await client.get("/api/open")).json()
        assert opened["problem"]["height"] == 3 and opened["answer"] is None
        assert opened["complaint"] == (
            "answer.txt: found SIZE 3X2X2, expected the problem's SIZE 3X3X2"
        )

    serve(visit)


def test_file_lost() -> None:
    """Tests that files which have gone since the start are told, and do not stop the server."""

    async def visit(client: Client) -> None:
        Path("problem.txt").rename("elsewhere.txt")
        reply = await client.get("/api/open")
        assert reply.status == 400
        assert (await reply.json())["error"].startswith("problem.txt: found no readable file")
        Path("elsewhere.txt").rename("problem.txt")

    serve(visit)


def test_headers() -> None:
    """Tests that the page may load nothing from elsewhere, nor be framed."""

    async def visit(client: Client) -> None:
        for path in ("/", "/main.js"):
            headers = (await client.get(path, headers={TOKEN_HEADER: ""})).headers
            assert headers["Content-Security-Policy"].startswith("default-src 'self'")
            assert headers["Referrer-Policy"] == "no-referrer"

    serve(visit)


def test_page_needs_no_network() -> None:
    """Tests that the page's files name no other host."""
    folder = Path(__file__).resolve().parents[2] / "nlrouter" / "view" / "static"
    paths = [path for path in folder.rglob("*") if path.is_file()]
    assert {"index.html", "main.js", "style.css"} <= {path.name for path in paths}
    for path in paths:
        text = path.read_text().replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "//" not in text.replace("// ", "").replace("//\n", ""), path


def test_page_that_leaves_is_no_error(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that only errors of the server's own are told in the terminal."""
    monkeypatch.setattr(server_logger, "filters", [])
    report_own_errors_only()
    for error in (ClientConnectionResetError(), ValueError()):
        server_logger.error("Error handling request", exc_info=error)
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ValueError]
