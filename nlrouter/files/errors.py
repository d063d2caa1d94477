"""What is wrong with a file, in one sentence. Knows neither format."""

from __future__ import annotations

LONGEST_QUOTE = 60
"""Characters of a file's text that a message shows, so that it stays one readable line."""


class FileError(Exception):
    """A file that cannot be read, written or understood.

    Parameters
    ----------
    name
        The file, as the user named it.
    line
        Number of the offending line, from 1; None where no single line is to blame.
    found
        What was found, a phrase; text of the file goes through `quote` first.
    expected
        What was expected instead, a phrase.
    """

    def __init__(self, name: str, line: int | None, found: str, expected: str) -> None:
        # All four go to Exception, which pickles by them: errors cross process borders.
        super().__init__(name, line, found, expected)
        self.name = name
        self.line = line
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        """Say it in one sentence, starting with ``file:line:``."""
        place = self.name if self.line is None else f"{self.name}:{self.line}"
        return f"{place}: found {self.found}, expected {self.expected}"


def quote(text: str) -> str:
    """Return text of a file for a message: in quotes, escaped and cut to a readable length."""
    if len(text) > LONGEST_QUOTE:
        text = text[:LONGEST_QUOTE] + "..."
    return repr(text)
