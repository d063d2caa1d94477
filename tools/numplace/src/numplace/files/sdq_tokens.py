"""The clauses of an ``.sdq`` file: names, words and levels. Knows no clause's meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import to_int

_COMMENT = re.compile(r"\{\s*c\s*:[^}]*\}", re.IGNORECASE)
_LEVEL = re.compile(r"\[([^\[\]]*)\]\s*\Z")
_WORD = re.compile(r"\S+")


class Word(NamedTuple):
    """A word of a clause and the line it stands in, from 1."""

    text: str
    line: int

    def says(self, word: str) -> bool:
        """Tell whether it is a word of the format, in any case."""
        return self.text.casefold() == word.casefold()


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

    @property
    def key(self) -> str:
        """The name without case and blanks, by which clauses are known."""
        return key_of(self.name)

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


def key_of(name: str) -> str:
    """Return a clause's name without case and blanks."""
    return re.sub(r"\s", "", name).casefold()


def parse_clauses(text: str, name: str) -> tuple[list[Clause], list[Word]]:
    """Return the clauses of a file in their order, and the lines of text outside of them.

    A comment ``{C: ...}`` ends at the first closing brace. It may stand anywhere, in a clause
    too, and is taken for blanks.

    Raises
    ------
    FileError
        If a clause does not end or has no colon.
    """
    text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    clauses: list[Clause] = []
    outside: list[Word] = []
    at = 0
    while True:
        start = text.find("{", at)
        line = text.count("\n", 0, at) + 1
        between = text[at:] if start < 0 else text[at:start]
        outside += [
            Word(each.strip(), number)
            for number, each in enumerate(between.split("\n"), line)
            if each.strip()
        ]
        if start < 0:
            return clauses, outside
        line += between.count("\n")
        end = text.find("}", start)
        body = text[start + 1 :] if end < 0 else text[start + 1 : end]
        if end < 0 or "{" in body:
            shown = quote("{" + body.split("{")[0].split("\n")[0])
            raise FileError(name, line, f"{shown} without an end", "'}' at the end of the clause")
        title, colon, rest = body.partition(":")
        if not colon:
            raise FileError(name, line, quote("{" + body + "}"), "':' after the clause's name")
        level = None
        if match := _LEVEL.search(rest):
            level = match[1].strip()
            rest = rest[: match.start()]
        first = line + title.count("\n")
        words = tuple(
            Word(word[0], first + rest.count("\n", 0, word.start()))
            for word in _WORD.finditer(rest)
        )
        clauses.append(Clause(title.strip(), words, level, line, line + body.count("\n"), name))
        at = end + 1
