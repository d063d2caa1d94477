"""The successive answers of a run as files of one folder: ``0001.txt``, ``0002.txt``, ..."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from nlrouter.answer import Answer
from nlrouter.files.answer_file import format_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.keep.place import require_apart

_NAME = re.compile(r"[0-9]{4,}\.txt", re.ASCII)


class History:
    """Writes answers to a folder, one after the other.

    Parameters
    ----------
    folder
        The folder; made where it is missing.
    line_count
        Number of the problem's lines.
    others
        Other files of the run by what they are, for the message; None for those that there are
        not. Their places are not the history's.
    force
        Whether to remove the files of an earlier history.

    Raises
    ------
    FileError
        If the folder cannot be made or cleared, has files of an earlier history, or would take the
        place of another file.
    """

    def __init__(
        self,
        folder: str,
        line_count: int,
        others: Mapping[str, str | None],
        *,
        force: bool = False,
    ) -> None:
        require_apart(folder, others, "another name for the folder")
        for what, other in others.items():
            if other is not None and _has_place_for(folder, other):
                found = f"{what} where {folder} has its answers"
                raise FileError(other, None, found, "another file")
        self.folder = folder
        self.line_count = line_count
        self.count = 0
        try:
            os.makedirs(folder, exist_ok=True)
            earlier = sorted(name for name in os.listdir(folder) if _NAME.fullmatch(name))
            if earlier and not force:
                found = f"{earlier[0]} of an earlier history in it"
                raise FileError(
                    folder, None, found, "a folder without such files (--force removes them)"
                )
            for name in earlier:
                os.unlink(os.path.join(folder, name))
        except OSError as error:
            found = f"no way to use it ({error.strerror or error})"
            raise FileError(folder, None, found, "a folder that can be written") from error

    def add(self, answer: Answer) -> None:
        """Write the next answer.

        Raises
        ------
        FileError
            If it cannot be written.
        """
        self.count += 1
        path = os.path.join(self.folder, f"{self.count:04d}.txt")
        write_atomically(path, format_answer(answer, self.line_count))


def _has_place_for(folder: str, path: str) -> bool:
    """Return whether an answer of the history would have the place of a file."""
    place = os.path.realpath(path)
    inside = os.path.dirname(place) == os.path.realpath(folder)
    return inside and _NAME.fullmatch(os.path.basename(place)) is not None
