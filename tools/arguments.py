"""Types of the tools' arguments: numbers, and files, looked at before anything is measured.

A measurement takes minutes to hours, and must not be lost at its end for want of a folder.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from nlrouter.files.errors import FileError


def positive(text: str) -> float:
    """Parse a number above 0; `inf` is one."""
    with suppress(ValueError):
        if (value := float(text)) > 0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")


def checked(*checks: Callable[[Path], object]) -> Callable[[str], Path]:
    """Return a type of argument: a path that passes checks, which raise `FileError`."""

    def parse(text: str) -> Path:
        path = Path(text)
        try:
            for check in checks:
                check(path)
        except FileError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        return path

    return parse


def require_writable(path: Path) -> None:
    """Raise `FileError` unless a file can be written, which need not be there yet."""
    if path.is_dir():
        raise FileError(str(path), None, "a folder", "a file to write")
    if not path.exists() and not path.parent.is_dir():
        raise FileError(str(path), None, "no folder for it", "a file in an existing folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(str(path), None, "no way to write it", "a file that can be written")


def require_file(path: Path) -> None:
    """Raise `FileError` unless a file is there."""
    if not path.is_file():
        raise FileError(str(path), None, "no file", "an existing one")


def require_folder(path: Path) -> None:
    """Raise `FileError` unless a folder is there."""
    if not path.is_dir():
        raise FileError(str(path), None, "no folder", "an existing one")


def readable(read: Callable[[Path], object], expected: str) -> Callable[[Path], None]:
    """Return a check that a file can be read by a function, if it is there.

    Parameters
    ----------
    read
        Reads the file; raises whatever it likes of one that it does not understand.
    expected
        What it understands, for the message.
    """

    def check(path: Path) -> None:
        if not path.exists():
            return
        if not path.is_file():  # A device or a pipe may have no end.
            raise FileError(str(path), None, "no regular file", expected)
        try:
            read(path)
        except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
            found = f"other content ({type(error).__name__}: {error})"
            raise FileError(str(path), None, found, expected) from error

    return check
