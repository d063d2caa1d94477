import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from nlrouter.files.atomic import clear_litter, write_atomically
from nlrouter.files.errors import FileError


def mode(path: Path) -> int:
    """Return a file's permission bits."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask() -> Iterator[int]:
    """Set a umask that differs from the usual one."""
    old = os.umask(0o027)
    yield 0o027
    os.umask(old)


def test_writes_and_overwrites(tmp_path: Path) -> None:
    """Tests that the file holds exactly the text, and that nothing else is left."""
    path = tmp_path / "answer.txt"
    for text in "SIZE 1X1X1\n", "other\r\n":
        write_atomically(str(path), text)
        assert path.read_bytes() == text.encode()
    assert list(tmp_path.iterdir()) == [path]


def test_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a bare file name means the working directory."""
    monkeypatch.chdir(tmp_path)
    write_atomically("answer.txt", "text")
    assert (tmp_path / "answer.txt").read_text() == "text"


def test_mode_of_new_file(tmp_path: Path, umask: int) -> None:
    """Tests that a new file has the mode that the umask gives."""
    path = tmp_path / "answer.txt"
    write_atomically(str(path), "text")
    assert mode(path) == 0o666 & ~umask


def test_mode_of_old_file(tmp_path: Path) -> None:
    """Tests that a private file stays private."""
    path = tmp_path / "answer.txt"
    path.write_text("old")
    path.chmod(0o600)
    write_atomically(str(path), "new")
    assert mode(path) == 0o600


@pytest.mark.parametrize("target_exists", [True, False])
def test_symbolic_link(tmp_path: Path, target_exists: bool) -> None:
    """Tests that a link stays a link, and its target gets the text."""
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target.txt", tmp_path / "link.txt"
    if target_exists:
        target.write_text("old")
    link.symlink_to(target)
    write_atomically(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_device_is_not_replaced(tmp_path: Path) -> None:
    """Tests that a pipe is written to and stays a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(str(pipe), "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_failure_keeps_old_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Tests that a full disk leaves the old content, no litter, and a clear sentence."""

    def fail(*args: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    path = tmp_path / "answer.txt"
    path.write_text("old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(FileError) as raised:
        write_atomically(str(path), "new")
    assert str(raised.value).startswith(f"{path}: found no way to write it (No space left")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_interrupt_leaves_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that Ctrl-C passes through, and leaves neither a new file nor litter."""

    def interrupt(*args: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(str(tmp_path / "answer.txt"), "text")
    assert list(tmp_path.iterdir()) == []


def test_missing_folder(tmp_path: Path) -> None:
    """Tests that a missing folder is an error that names the file."""
    path = tmp_path / "none" / "answer.txt"
    with pytest.raises(FileError, match="No such file or directory"):
        write_atomically(str(path), "text")


def test_directory(tmp_path: Path) -> None:
    """Tests that a directory is refused."""
    with pytest.raises(FileError, match="Is a directory"):
        write_atomically(str(tmp_path), "text")


KILLED = """
import os, signal
from nlrouter.files.atomic import write_atomically
os.fsync = lambda _: os.kill(os.getpid(), signal.SIG{how})
write_atomically("answer.txt", "text")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill")
def test_killed_while_it_writes(tmp_path: Path) -> None:
    """Tests that what a killed process leaves is removed, but not what a stopped one goes on with.

    Nor is a file of somebody else's that looks alike.
    """
    (tmp_path / ".a.tmp").write_text("")
    command = [sys.executable, "-c", KILLED.format(how="KILL")]
    assert subprocess.run(command, cwd=tmp_path).returncode == -signal.SIGKILL
    command[-1] = KILLED.format(how="STOP")
    stopped = subprocess.Popen(command, cwd=tmp_path)
    os.waitid(os.P_PID, stopped.pid, os.WSTOPPED)
    assert len(list(tmp_path.iterdir())) == 3
    clear_litter(str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 2
    stopped.send_signal(signal.SIGCONT)
    assert stopped.wait() == 0
    assert {path.name for path in tmp_path.iterdir()} == {".a.tmp", "answer.txt"}
