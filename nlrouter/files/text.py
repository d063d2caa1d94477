"""The text of a file, and the pieces of it that both formats share: lines, numbers and SIZE."""

from __future__ import annotations

import codecs
import re
import sys
from typing import NamedTuple

from nlrouter.files.errors import FileError, quote
from nlrouter.problem import MAX_CELLS, MAX_LAYERS

MAX_BYTES = 64 * 2**20
"""Largest file that is read: many answers to the largest board, yet no threat to memory."""

MAX_LINES = MAX_CELLS // 2
"""Most lines of a board, as each has two ends of its own."""

FOREIGN = {
    b"PK\x03\x04": "a zip archive (or a spreadsheet, which nlconv reads by its ending .xlsx)",
    b"\x1f\x8b": "data packed by gzip",
    codecs.BOM_UTF16_LE: "text in UTF-16",
    codecs.BOM_UTF16_BE: "text in UTF-16",
}
"""What is no text of ours and begins with a mark of its own, by that mark."""

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_KEYWORD = re.compile(r"^[ \t]*(?:SIZE|LAYER|LINE_NUM|LINE#|VIA#)", re.IGNORECASE | re.MULTILINE)
_SIZE = re.compile(r"SIZE[ \t]+([0-9]+)X([0-9]+)(?:X([0-9]+))?", re.ASCII | re.IGNORECASE)


class Size(NamedTuple):
    """A SIZE line; ``dimensions`` is 2 for the older form without Z, which means one layer."""

    width: int
    height: int
    layers: int
    dimensions: int


def read_text(path: str, max_bytes: int | None = None) -> tuple[str, str]:
    """Read a file of UTF-8 text, with or without a byte-order mark.

    Parameters
    ----------
    path
        The file; ``-`` is standard input.
    max_bytes
        Largest file that is read; `MAX_BYTES` by default.

    Returns
    -------
    tuple
        The file's name as messages show it, and its text.

    Raises
    ------
    FileError
        If it cannot be read, is larger than that, or is no UTF-8.
    """
    name = "<stdin>" if path == "-" else path
    max_bytes = MAX_BYTES if max_bytes is None else max_bytes
    try:
        data = _read_bytes(path, max_bytes)
    except OSError as error:
        reason = error.strerror or error
        raise FileError(name, None, f"no readable file ({reason})", "a text file") from error
    if len(data) > max_bytes:
        raise FileError(name, None, "a larger file", f"at most {max_bytes} bytes")
    return name, decode(data, name)


def decode(data: bytes, name: str) -> str:
    """Return the text of a file's bytes.

    Parameters
    ----------
    data
        UTF-8, with or without a byte-order mark.
    name
        The file's name, for the error's message.

    Raises
    ------
    FileError
        If it is no UTF-8.
    """
    for start, kind in FOREIGN.items():
        if data.startswith(start):
            raise FileError(name, None, kind, "text in UTF-8")
    if data[:2].count(0) == 1:  # Without the mark; ours begin with ASCII.
        raise FileError(name, None, "text in UTF-16", "text in UTF-8")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()
        byte = error.object[error.start]
        line = len(split_lines(before))
        raise FileError(name, line, f"the byte 0x{byte:02x}", "text in UTF-8") from error


def _read_bytes(path: str, max_bytes: int) -> bytes:
    """Read at most one byte more than allowed, so that an endless device ends too."""
    if path != "-":
        with open(path, "rb") as file:
            return file.read(max_bytes + 1)
    if sys.stdin is None:  # Python's stand-in for a standard input that was closed.
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read(max_bytes + 1)


def split_lines(text: str) -> list[str]:
    """Split at LF, CRLF and CR, and strip the blanks at the end of each line.

    `str.splitlines` would also split at form feeds and other separators, and so count lines
    that no editor shows.
    """
    return [line.rstrip(" \t") for line in _LINE_BREAK.split(text)]


def to_int(digits: str) -> int:
    """Return the value of ASCII digits, cut to ten of them.

    Ten digits are beyond every limit of the formats, so the cut changes no verdict; `int`
    itself refuses thousands of digits.
    """
    return int(digits.lstrip("0")[:10] or "0")


def is_contest_text(text: str) -> bool:
    """Whether a text has a line of the contest's files, or none at all."""
    return _KEYWORD.search(text) is not None or not text.strip()


def parse_size(text: str, name: str, line: int) -> Size:
    """Read a SIZE line.

    Parameters
    ----------
    text
        The line, ``SIZE XxYxZ`` or ``SIZE XxY``.
    name, line
        Where it stands, for the error's message.

    Raises
    ------
    FileError
        If it is none, or the board is empty or too large.
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        raise FileError(name, line, quote(text), "'SIZE XxYxZ', or 'SIZE XxY' in the 2-D form")
    numbers = [to_int(digits) for digits in match.groups() if digits is not None]
    width, height, layers = (*numbers, 1)[:3]
    if min(numbers) == 0:
        raise FileError(name, line, quote(text), "a SIZE of 1 or more in every direction")
    if layers > MAX_LAYERS:
        raise FileError(name, line, quote(text), f"at most {MAX_LAYERS} layers")
    if width * height * layers > MAX_CELLS:
        raise FileError(name, line, quote(text), f"a board of at most {MAX_CELLS} cells")
    return Size(width, height, layers, dimensions=len(numbers))
