"""Where a puzzle came from: what its file says beside the puzzle, kept for writing it back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """The format and file of a puzzle. Formats that have more to keep derive from it.

    Parameters
    ----------
    format
        ``csv``, ``text``, ``lines``, ``sdq``, ``calcudoku`` or ``json``; empty if no file.
    name
        The file or folder, as the user named it.
    """

    format: str = ""
    name: str = ""
