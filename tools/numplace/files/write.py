"""Writing what was asked for; where that fails, the input was not to blame."""

from __future__ import annotations

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
