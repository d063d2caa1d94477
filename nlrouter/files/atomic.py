"""Writing a file as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator

from nlrouter.files.errors import FileError

try:
    import fcntl
except ImportError:  # Not on Windows.
    fcntl = None  # type: ignore[assignment]

_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp")

LOCK_PATIENCE = 5.0
"""Seconds to wait for who holds a folder: it takes milliseconds, unless its holder is stopped."""


def write_atomically(path: str, content: str | bytes) -> None:
    """Write a file, so that any reader finds the old content or all of the new.

    The content goes to a new file beside the target, which then takes the target's place. A
    symbolic link stays, and its target is replaced; a replaced file's mode stays too.

    Parameters
    ----------
    path
        The file. One that is no regular file, such as ``/dev/stdout``, has no content to keep
        and is written directly.
    content
        Its new content; text is written in UTF-8, with its line ends as they are.

    Raises
    ------
    FileError
        If the file cannot be written. Its old content is then as it was.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except OSError as error:
        found = f"no way to write it ({error.strerror or error})"
        raise FileError(path, None, found, "a file in a folder that can be written") from error


def write_all(texts: dict[str, str]) -> None:
    """Write files by path, all or none; raise `FileError` where one cannot be written."""
    before = {}
    for path in texts:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                before[path] = file.read()
    written: list[str] = []
    try:
        for path, text in texts.items():
            write_atomically(path, text)
            written.append(path)
    except FileError:
        for path in written:
            if path in before:
                write_atomically(path, before[path])
            else:
                os.unlink(path)
        raise


@contextlib.contextmanager
def hold_folder(path: str) -> Iterator[None]:
    """Keep others who hold the folder of a file too out of it, to read and then write the file.

    Where that cannot be had, for lack of a file system that does it or of a holder that ever ends,
    it is done without.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            folder = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
            stack.callback(os.close, folder)  # Which lets go of it, as the end of the process does.
            end = time.monotonic() + LOCK_PATIENCE
            while fcntl is not None and time.monotonic() < end:
                try:
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(0.01)
        yield


def clear_litter(folder: str) -> None:
    """Remove the new files that processes killed while they wrote have left in a folder."""
    with contextlib.suppress(OSError):  # A folder that cannot be read or written keeps its litter.
        for name in filter(_TEMPORARY.fullmatch, os.listdir(folder or ".")):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                if _take(file.fileno()):
                    os.unlink(path)


def _take(descriptor: int) -> bool:
    """Take a file until it is closed; return whether that can be done and nobody else has it."""
    with contextlib.suppress(OSError):
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False


def _replace(target: str, data: bytes) -> None:
    """Put a new file in the place of the target, which may not exist yet."""
    temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
    # os.open, unlike the tempfile module, leaves the mode to the umask.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        # It is taken until it has its place; Windows moves no open file.
        with open(descriptor, "wb", closefd=fcntl is None) as file:
            _take(descriptor)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        with contextlib.suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
    except BaseException:  # Ctrl-C too must leave no litter.
        os.unlink(temporary)
        raise
    finally:
        if fcntl is not None:
            os.close(descriptor)
