"""Tests of where the password comes from."""

from __future__ import annotations

import getpass
import warnings
from pathlib import Path

import pytest

from nlrouter.contest.account import PASSWORD_VARIABLE, find_password
from nlrouter.files.errors import FileError


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A password file as it should be."""
    path = tmp_path / "password"
    path.write_text("pa55 wörd\r\nnot this\n")
    path.chmod(0o600)
    return path


def test_file(secret: Path) -> None:
    """Tests that the first line of a private file is the password, blanks and all."""
    assert find_password(str(secret), "team") == "pa55 wörd"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610, 0o777])
def test_open_file(secret: Path, mode: int) -> None:
    """Tests that a file to which others have any right is refused."""
    secret.chmod(mode)
    with pytest.raises(FileError, match=f"rights {mode:o}, expected a file for its owner alone"):
        find_password(str(secret), "team")


@pytest.mark.parametrize("content", [b"", b"\n\nx\n", b"\xff\n"])
def test_no_password(secret: Path, content: bytes) -> None:
    """Tests that a file without a password is told."""
    secret.write_bytes(content)
    with pytest.raises(FileError, match="password"):
        find_password(str(secret), "team")


def test_missing_file(tmp_path: Path) -> None:
    """Tests that a file that is not there is told."""
    with pytest.raises(FileError, match="No such file"):
        find_password(str(tmp_path / "none"), "team")


def test_environment_before_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the environment is asked first, then the person."""
    monkeypatch.setattr(getpass, "getpass", lambda prompt: f"typed at {prompt!r}")
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    assert find_password(None, "team") == "typed at 'password of team: '"
    monkeypatch.setenv(PASSWORD_VARIABLE, "from there")
    assert find_password(None, "team") == "from there"


def test_prompt_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """Tests that what Python says of a password that is shown is not shown with its code."""

    def ask(prompt: str) -> str:
        warnings.warn("cannot control echo", getpass.GetPassWarning, stacklevel=1)
        return "secret"

    monkeypatch.setattr(getpass, "getpass", ask)
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    assert find_password(None, "team") == "secret"
    assert list(recwarn) == []


def test_nobody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that an end of input at the prompt is told."""

    def end(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(getpass, "getpass", end)
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    with pytest.raises(FileError, match="found none, expected one on the terminal"):
        find_password(None, "team")
