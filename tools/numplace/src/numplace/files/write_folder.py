"""Writing a puzzle as a folder of CSV files."""

from __future__ import annotations

import os
from collections.abc import Mapping

from nlrouter.files.errors import FileError
from numplace.files.csv_folder import INPUTS, find_files
from numplace.files.csv_writer import format_folder
from numplace.files.write import NotDone, require_folder, write
from numplace.puzzle import Puzzle


def folder_of(path: str) -> str:
    """Return the folder that a name means: one of a CSV file means its folder."""
    return os.path.dirname(path) or "." if os.path.basename(path) in INPUTS else path


def files_there(folder: str) -> dict[str, str]:
    """Return the paths of the CSV files that a folder has, by name; none where it is missing.

    Raises
    ------
    NotDone
        If it cannot be a folder to write to.
    """
    require_folder(folder)
    try:
        return {name: str(path) for name, path in find_files(folder).items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _not_done(folder, error) from error


def folder_files(path: str, puzzle: Puzzle) -> dict[str, str | None]:
    """Return what the files of a puzzle's folder are to hold, by path; None for what has to go.

    What an earlier puzzle left would become part of this one.

    Raises
    ------
    CannotSay
        If CSV files cannot say what the puzzle says.
    NotDone
        As `files_there`.
    """
    texts = format_folder(puzzle)
    if path == "-":
        raise FileError(path, None, "standard output", "a folder for the CSV files")
    folder = folder_of(path)
    gone = {left: None for name, left in files_there(folder).items() if name not in texts}
    return gone | {os.path.join(folder, name): text for name, text in texts.items()}


def write_files(files: Mapping[str, str | None]) -> None:
    """Write what `folder_files` returns, and the folder where it is missing.

    Raises
    ------
    NotDone
        If that cannot be done.
    """
    for path, text in files.items():
        folder = os.path.dirname(path)
        try:
            os.makedirs(folder, exist_ok=True)
            if text is None:
                os.unlink(path)
        except OSError as error:
            raise _not_done(folder, error) from error
        if text is not None:
            write(path, text)


def _not_done(folder: str, error: OSError) -> NotDone:
    found = f"no way to write it ({error.strerror or error})"
    return NotDone(folder, None, found, "a folder that can be written")
