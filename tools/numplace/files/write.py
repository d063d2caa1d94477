"""Writing what was asked for; where that fails, the input was not to blame."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable

from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError


class NotDone(FileError):
    """Something asked for that could not be made or written, though the input is good."""


def write(path: str, content: str | bytes) -> None:
    """Write a file as a whole or not at all.

    Raises
    ------
    NotDone
        If it cannot be written.
    """
    try:
        write_atomically(path, content)
    except FileError as error:
        raise NotDone(*error.args) from error


def require_places(outputs: Iterable[str | None], inputs: Iterable[str]) -> None:
    """Make sure, before the work, that it can be written and will replace none of its files.

    Parameters
    ----------
    outputs
        The files to write; None is none.
    inputs
        The files that the puzzle is read from; ``-``, standard input, is none.

    Raises
    ------
    FileError
        If an output is an input, or the same file as another output.
    NotDone
        If one cannot be written.
    """
    taken = {os.path.realpath(path): "the puzzle itself" for path in inputs if path != "-"}
    for path in outputs:
        if path is None or _is_device(path):
            continue
        place = os.path.realpath(path)
        if place in taken:
            raise FileError(path, None, taken[place], "a file of its own for each output")
        taken[place] = "the same file for two things"
        require_writable(path)


def require_writable(path: str) -> None:
    """Raise `NotDone` unless a file can be put at ``path``."""
    if os.path.isdir(path):
        raise NotDone(path, None, "a folder", "a file to write")
    if _is_device(path):
        return
    # Permission bits do not tell all (root, read-only disks, /proc), so try it.
    try:
        with tempfile.TemporaryFile(dir=os.path.dirname(os.path.realpath(path))):
            pass
    except OSError as error:
        found = f"no way to write it ({error.strerror or error})"
        raise NotDone(path, None, found, "a file in a folder that can be written") from error


def _is_device(path: str) -> bool:
    """Tell whether something is there that is written to, but keeps nothing."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
