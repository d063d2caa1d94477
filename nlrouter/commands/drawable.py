"""What keeps a picture from being drawn, told in a sentence. Light to import."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def drawable(name: str) -> Iterator[None]:
    """Raise `FileError` on the file `name` where a picture is too large or matplotlib missing.

    matplotlib and Pillow draw pictures in files; whoever only routes and checks can do without.
    """
    from nlrouter.drawing.layout import TooLargeError
    from nlrouter.files.errors import FileError

    try:
        yield
    except TooLargeError as error:
        raise FileError(name, None, error.found, error.expected) from error
    except ModuleNotFoundError as error:
        package = {"PIL": "pillow"}.get(error.name or "", error.name or "")
        if package.startswith("nlrouter"):
            raise
        expected = f"it, for pictures: pip install {package}"
        raise FileError(name, None, f"no package {package}", expected) from error
