"""The files behind nlview: saved as a pair, and never replaced unasked."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from nlrouter.view.guard import TOKEN_HEADER
from nlrouter.view.routing_job import RoutingOptions
from nlrouter.view.server import make_app
from nlrouter.view.session import Session
from tests.view.test_view_server import (
    ANSWER,
    GOOD,
    LOOSE,
    PROBLEM,
    TOKEN,
    Client,
    refusal,
    serve,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder with a problem and an answer."""
    monkeypatch.chdir(tmp_path)
    Path("problem.txt").write_text(PROBLEM)
    Path("answer.txt").write_text(ANSWER)
    return tmp_path


def test_save() -> None:
    """Tests that an edited board and its answer go together to the files of the command line."""
    problem = PROBLEM.replace("3X2X2", "3X3X2")
    answer = LOOSE.replace("3X2X2", "3X3X2").replace("LAYER 2", "00,00,00\nLAYER 2") + "00,00,00\n"

    async def visit(client: Client) -> None:
        seen = (await (await client.get("/api/open")).json())["seen"]
        document = {"problem": problem, "answer": answer, "seen": seen}
        reply = await client.post("/api/save/answer", json=document)
        assert (await reply.json())["objections"] == [
            {"code": "board", "file": "problem.txt", "both": True}
        ]
        assert Path("problem.txt").read_text() == PROBLEM
        reply = await client.post("/api/save/answer", json=document | {"accepted": ["board"]})
        assert (await reply.json())["saved"] == ["problem.txt", "answer.txt"]

    serve(visit)
    assert Path("answer.txt").read_text() == answer
    assert Path("problem.txt").read_text() == problem
    assert Path("problem.txt.bak").read_text() == PROBLEM


def test_conflicts() -> None:
    """Tests that a save says what it would lose, and goes on once that is accepted."""

    async def visit(client: Client) -> None:
        seen = (await (await client.get("/api/open")).json())["seen"]
        Path("answer.txt").write_text(ANSWER + "\n")
        wish = GOOD | {"answer": LOOSE, "seen": seen}
        reply = await client.post("/api/save/answer", json=wish)
        assert reply.status == 200  # Browsers take others for an error of the page.
        conflict = await reply.json()
        assert conflict["objections"] == [
            {"code": "changed", "file": "answer.txt"},
            {"code": "better", "file": "answer.txt", "cost": 4, "own": None},
        ]
        assert Path("answer.txt").read_text() == ANSWER + "\n"
        accepted = ["changed", "better"]
        reply = await client.post("/api/save/answer", json=wish | {"accepted": accepted})
        assert "objections" in await reply.json()  # What has changed must have been seen.
        wish |= {"seen": conflict["seen"], "accepted": accepted}
        saved = await (await client.post("/api/save/answer", json=wish)).json()
        assert (saved["saved"], saved["backups"]) == (["answer.txt"], ["answer.txt.bak"])

    serve(visit)
    assert Path("answer.txt").read_text() == LOOSE
    assert Path("answer.txt.bak").read_text() == ANSWER + "\n"


@pytest.mark.parametrize(
    "fields", [{"seen": []}, {"seen": {"answer": 1}}, {"accepted": "x"}, {"accepted": [1]}]
)
def test_bad_save(fields: dict[str, Any]) -> None:
    """Tests that odd fields of a save are refused with a sentence."""
    status, error = refusal("POST", "/api/save/answer", body=json.dumps(GOOD | fields).encode())
    assert status == 400 and error.startswith(("'seen'", "'accepted'"))


def test_file_that_is_gone() -> None:
    """Tests that a file that was deleted is written again unasked."""

    async def visit(client: Client) -> None:
        seen = (await (await client.get("/api/open")).json())["seen"]
        Path("answer.txt").unlink()
        reply = await client.post("/api/save/answer", json=GOOD | {"seen": seen})
        assert (await reply.json())["saved"] == ["answer.txt"]

    serve(visit)


def test_no_files() -> None:
    """Tests that without any file there is no board, and that there are samples."""

    async def visit() -> None:
        app = make_app(Session(None, None), TOKEN, RoutingOptions(time_limit=600, workers=1))
        async with TestClient(TestServer(app), headers={TOKEN_HEADER: TOKEN}) as client:
            opened = await (await client.get("/api/open")).json()
            assert opened["problem"] is None and opened["problem_file"] is None
            found = await (await client.get("/api/samples")).json()
            assert [sample["problem"]["width"] for sample in found["samples"]] == [5, 5, 7, 12]

    asyncio.run(visit())


def test_litter(folder: Path) -> None:
    """Tests that a start removes what a killed process has left beside the files."""
    litter = folder / f".{16 * 'a'}.tmp"
    litter.write_text("half of an ans")
    Session("problem.txt", None)
    assert not litter.exists()
