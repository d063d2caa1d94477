"""The clauses of an ``.sdq`` file: names, words and levels. Knows no clause's meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import to_int

COMMENT = "c"
"""The name of clauses that are comments."""

_LEVEL = re.compile(r"\[([^\[\]]*)\]\s*\Z")
_WORD = re.compile(r"\S+")


class Word(NamedTuple):
    """A word of a clause and the line it stands in, from 1."""

    text: str
    line: int


@dataclass(frozen=True)
class Clause:
    """A clause ``{name: words [level]}``.

    Parameters
    ----------
    name
        As written.
    words
        What stands between the colon and the level, split at blanks.
    level
        The text in brackets; None if there are none.
    line, last_line
        The lines of its braces, from 1.
    file
        The file's name, for messages.
    """

    name: str
    words: tuple[Word, ...]
    level: str | None
    line: int
    last_line: int
    file: str

    def error(self, line: int | None, found: str, expected: str) -> FileError:
        """Return an error about this clause; ``line`` None means its last."""
        found = f"{found} in {{{self.name}:"
        return FileError(self.file, line or self.last_line, found, expected)

    def number(self, index: int, low: int, high: int, what: str) -> int:
        """Return the number at an index, if it is in range.

        Raises
        ------
        FileError
            If there is none or it is out of range.
        """
        expected = f"{what}, {low} to {high}"
        if index >= len(self.words):
            raise self.error(None, "the end", expected)
        word = self.words[index]
        if not re.fullmatch(r"[0-9]+", word.text, re.ASCII):
            raise self.error(word.line, quote(word.text), expected)
        number = to_int(word.text)
        if not low <= number <= high:
            raise self.error(word.line, word.text[:20], expected)
        return number


def parse_clauses(text: str, name: str) -> list[Clause]:
    """Return the clauses of a file in their order, comments too.

    Raises
    ------
    FileError
        If there is text outside of clauses, or a clause does not end or has no colon.
    """
    clauses: list[Clause] = []
    at = 0
    while True:
        at += len(text[at:]) - len(text[at:].lstrip())
        if at == len(text):
            return clauses
        line = text.count("\n", 0, at) + 1
        if text[at] != "{":
            stray = text[at:].split("{")[0].split()[0]
            raise FileError(name, line, quote(stray), "'{', as all text is in clauses")
        end = text.find("}", at)
        body = text[at + 1 : end] if end >= 0 else text[at + 1 :]
        title, colon, rest = body.partition(":")
        is_comment = title.strip() == COMMENT and bool(colon)
        if end < 0 or ("{" in body and not is_comment):
            shown = quote("{" + body.split("{")[0].split("\n")[0])
            raise FileError(name, line, f"{shown} without an end", "'}' at the end of the clause")
        if not colon:
            raise FileError(name, line, quote("{" + body + "}"), "':' after the clause's name")
        start = line + title.count("\n")
        level = None
        if not is_comment and (match := _LEVEL.search(rest)):
            level = match[1].strip()
            rest = rest[: match.start()]
        words = tuple(
            Word(word[0], start + rest.count("\n", 0, word.start()))
            for word in _WORD.finditer(rest)
        )
        last_line = line + body.count("\n")
        clauses.append(Clause(title.strip(), words, level, line, last_line, name))
        at = end + 1
