"""The text files of a folder."""

from __future__ import annotations

from pathlib import Path

from nlrouter.files.errors import FileError


def text_files(folder: str, expected: str) -> list[Path]:
    """Return the files ``*.txt`` of a folder, in the order of their names.

    Parameters
    ----------
    folder
        The folder.
    expected
        What it should be, for the message.

    Raises
    ------
    FileError
        If it cannot be read.
    """
    try:
        return sorted(path for path in Path(folder).iterdir() if path.suffix == ".txt")
    except OSError as error:
        found = f"no readable folder ({error.strerror or error})"
        raise FileError(folder, None, found, expected) from error
