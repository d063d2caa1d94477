"""Where something is to be written: refused before any work, where it would fail or do harm."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from nlrouter.files.errors import FileError


def require_replaceable(
    path: str, kind: str, read: Callable[[str], object], *, force: bool
) -> None:
    """Raise `FileError` unless a file can be put at a path and does no harm there.

    Parameters
    ----------
    path
        The file to write. A device has no content to keep.
    kind
        What it is to be, in a word.
    read
        Reads a file of this kind; `FileError` tells that another one is none.
    force
        Whether a file of another kind may be replaced.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        if os.path.isdir(path):
            raise FileError(path, None, "a folder", f"a file for the {kind}")
        return
    require_writable(path)
    if force or not os.path.exists(path) or os.path.getsize(path) == 0:
        return
    try:
        read(path)
    except FileError as error:
        if isinstance(error.__cause__, OSError):
            raise  # It may be one, but cannot be read.
        expected = f"an earlier {kind} or no file (--force replaces it)"
        raise FileError(path, None, f"a file that is no {kind}", expected) from error


def require_writable(path: str) -> None:
    """Raise `FileError` unless a file can be put in the folder of a path, and by its name."""
    folder = os.path.dirname(os.path.realpath(path))
    require_room(folder, path, "a file in a folder that can be written")


def require_room(folder: str, path: str, expected: str) -> None:
    """Raise `FileError` about a path unless a file can be put in a folder.

    Parameters
    ----------
    folder
        The folder, which exists.
    path
        What is to be written there, for the message; there must be a file of such a name.
    expected
        What is to be named instead, for the message.
    """
    # Permission bits do not tell all (root, read-only disks, /proc), so try it.
    try:
        with contextlib.suppress(FileNotFoundError):
            os.stat(path)  # Fails too where no file could have such a name.
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        found = f"no way to write it ({error.strerror or error})"
        raise FileError(path, None, found, expected) from error


def require_apart(path: str, others: Mapping[str, str | None], expected: str) -> None:
    """Raise `FileError` where what is to be written would take another file's place.

    Parameters
    ----------
    path
        The file or folder to write.
    others
        Other files by what they are, for the message; None for those that there are not.
    expected
        What is to be named instead, for the message.
    """
    place = Path(os.path.realpath(path))
    for found, other in others.items():
        if other is not None and place.is_relative_to(os.path.realpath(other)):
            raise FileError(path, None, found, expected)
