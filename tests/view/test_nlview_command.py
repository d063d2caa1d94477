"""The command nlview as a process: its address, its exit codes and its errors."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

COMMAND = [sys.executable, "-m", "nlrouter.commands.nlview"]
PATIENCE = 60


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder that holds problem.txt alone."""
    monkeypatch.chdir(tmp_path)
    Path("problem.txt").write_text("SIZE 2X1X1\nLINE_NUM 1\nLINE#1 (0,0,1) (1,0,1)\n")
    return tmp_path


def run(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [*COMMAND, *options], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    """Serve problem.txt until the test has ended, whatever comes of it."""
    with subprocess.Popen(
        [*COMMAND, "problem.txt", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def test_requests_that_are_no_http(process: subprocess.Popen[str]) -> None:
    """Tests that broken requests are refused without a word, and the server goes on."""
    assert process.stdout is not None
    address = httpx.URL(process.stdout.readline().strip())
    head = f"Host: 127.0.0.1:{address.port}\r\nX-Nlview-Token: {address.params['token']}\r\n"
    for request in (
        "\0" * 1000,
        "GET / HTTP/1.1\r\n\r\n",
        f"POST /api/judge HTTP/1.1\r\n{head}Content-Length: -1\r\n\r\n",
        f"POST /api/judge HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\nno size\r\n",
        f"POST /api/judge HTTP/1.1\r\n{head}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ):
        with socket.create_connection((address.host, address.port), PATIENCE) as connection:
            connection.sendall(request.encode())
            assert b" 400 " in connection.recv(100)
    assert httpx.get(address, timeout=PATIENCE, trust_env=False).status_code == 200
    process.terminate()
    _, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serves_until_a_signal(process: subprocess.Popen[str], number: int) -> None:
    """Tests that the address is printed at once, works, and that a signal ends it with code 0."""
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:")
    assert httpx.get(address, timeout=PATIENCE, trust_env=False).status_code == 200
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["none.txt"], "nlview: none.txt: found no readable file"),
        (["problem.txt", "problem.txt"], "nlview: problem.txt: found the problem itself"),
        (["problem.txt", "bad.txt"], "nlview: bad.txt:1: found 'SIZE x'"),
        (["problem.txt", "none/a.txt"], "nlview: none/a.txt: found no way to write it"),
        (["problem.txt", "x" * 300], f"nlview: {'x' * 300}: found no way to write it"),
    ],
)
def test_bad_files(options: list[str], message: str) -> None:
    """Tests that bad files end the command with code 2 and one sentence."""
    Path("bad.txt").write_text("SIZE x")
    done = run(*options, "--no-browser")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(message) and done.stderr.count("\n") == 1


def test_port_that_is_taken() -> None:
    """Tests that a port that another program has is told in one sentence."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = run("problem.txt", "--no-browser", "--port", port)
    assert done.returncode == 2
    assert done.stderr.startswith(f"nlview: --port: found {port} (Address already in use)")


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_port_that_is_none(port: str) -> None:
    """Tests that a number that is no port is refused as bad usage."""
    done = run("problem.txt", "--port", port)
    assert done.returncode == 2 and "Traceback" not in done.stderr and port in done.stderr
