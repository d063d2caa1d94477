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
    notes
        Remarks for the user on what has no effect.
    left_out
        Where and what the file has that is left out of the puzzle, as the user asked.
    """

    format: str = ""
    name: str = ""
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
