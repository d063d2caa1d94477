"""Writing, and before the work whether it can be done and does no harm."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress

from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.text import read_text
from nlrouter.keep.place import require_room


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
    if not _is_device(path):
        folder = os.path.dirname(os.path.realpath(path))
        _try_folder(folder, path, "a file in a folder that can be written")


def require_folder(path: str) -> None:
    """Raise `NotDone` unless ``path`` is, or can be made, a folder to put files in."""
    place = os.path.realpath(path)
    while not os.path.exists(place):
        place = os.path.dirname(place)
    _try_folder(place, path, "a folder that can be written")


def require_replaceable(path: str, may_go: Callable[[str], bool] | None = None) -> None:
    """Make sure that writing a file takes nothing away that nobody asked to replace.

    Parameters
    ----------
    path
        The file to write. Where there is none, or an empty one, nothing can get lost.
    may_go
        Tells from a file's text whether it may be replaced; by default none may.

    Raises
    ------
    FileError
        If the file has another text, or what is no text.
    """
    if not os.path.isfile(path):
        return
    with suppress(FileError):
        _, text = read_text(os.path.realpath(path))  # Which is never ``-``, standard input.
        if not text or (may_go is not None and may_go(text)):
            return
    raise FileError(path, None, "another file", "no such file (--force replaces it)")


def _try_folder(folder: str, path: str, expected: str) -> None:
    """Raise `NotDone` about a path unless a file can be put in a folder."""
    try:
        require_room(folder, path, expected)
    except FileError as error:
        raise NotDone(*error.args) from error


def _is_device(path: str) -> bool:
    """Tell whether something is there that is written to, but keeps nothing."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
