"""What keeps a picture from being drawn, told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nlrouter.drawing.layout import TooLargeError
from nlrouter.extras import require
from nlrouter.files.errors import FileError


@contextmanager
def drawable(name: str) -> Iterator[None]:
    """Raise `FileError` on the file `name` where a picture is too large.

    Raises
    ------
    MissingExtra
        Where what draws pictures in files is not installed.
    """
    require("draw")
    try:
        yield
    except TooLargeError as error:
        raise FileError(name, None, error.found, error.expected) from error
