"""Answer files, one answer each.

Here and in ``problem_file`` alone layers count from 1. The reader is stricter than the
contest's, which fills short rows and skips what it does not know; whether an answer is right
is not its business.
"""

from __future__ import annotations

import os
import re

import numpy as np
from numpy.typing import ArrayLike

from nlrouter.answer import Answer, as_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError, quote
from nlrouter.files.grid_file import parse_grid_answer
from nlrouter.files.pzpr_file import is_pzprv3, parse_pzprv3_answer
from nlrouter.files.text import (
    MAX_LINES,
    is_contest_text,
    parse_size,
    read_text,
    split_lines,
    to_int,
)
from nlrouter.problem import Problem, size_text
from nlrouter.strokes import Strokes

_LAYER = re.compile(r"LAYER[ \t]+([0-9]+)", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+")


def read_answer(path: str | os.PathLike[str]) -> Answer:
    """Read an answer file; ``-`` is standard input. Whether it is correct, `nlrouter.check` says.

    Returns
    -------
    Answer
        ``(layers, height, width)`` line numbers, 0 where empty.

    Raises
    ------
    FileError
        If the file cannot be read, or is not exactly one answer.

    Examples
    --------
    >>> read_answer("answers/smallest_2x2x2.txt").tolist()
    [[[1, 1], [2, 2]], [[0, 1], [0, 1]]]
    """
    name, text = read_text(os.fspath(path))
    return parse_answer(text, name)


def parse_answer(text: str, name: str = "<text>") -> Answer:
    r"""Read the text of an answer file.

    Its form is told by its content: the contest's in 3-D or the older 2-D, a pzprv3 file with
    lines, or a plain grid of labels.

    Parameters
    ----------
    text
        The file's text: one answer, with blank lines only before and after it.
    name
        The file's name, for messages.

    Raises
    ------
    FileError
        If the text is not exactly one answer.

    Examples
    --------
    >>> parse_answer("SIZE 3X1X1\nLAYER 1\n01,01,01\n").tolist()
    [[[1, 1, 1]]]
    """
    if is_pzprv3(text):
        return parse_pzprv3_answer(text, name)[0]
    if not is_contest_text(text):
        return parse_grid_answer(text, name)
    return _parse_contest(text, name)


def read_drawing(path: str) -> tuple[Answer, Strokes | None]:
    """Read an answer file, with where the lines run if it tells that as well; see `read_answer`."""
    name, text = read_text(path)
    return parse_drawing(text, name)


def parse_drawing(text: str, name: str) -> tuple[Answer, Strokes | None]:
    """Read the text of an answer file; see `read_drawing`."""
    if is_pzprv3(text):
        return parse_pzprv3_answer(text, name)
    return parse_answer(text, name), None


def read_contest_answer(path: str) -> Answer:
    """Read an answer file in the contest's form alone, as hardly a text is one by chance."""
    name, text = read_text(path)
    return _parse_contest(text, name)


def _parse_contest(text: str, name: str) -> Answer:
    """Read the text of an answer in the contest's form."""
    reader = _Reader(text, name)
    size = reader.next_line("an answer, which starts with SIZE")
    width, height, layers, dimensions = parse_size(size, name, reader.number)
    answer = np.zeros((layers, height, width), dtype=np.int32)
    for z in range(layers):
        if dimensions == 3 or reader.is_layer():
            reader.read_layer(z + 1)
        place = f"in layer {z + 1}"
        for y in range(height):
            answer[z, y] = reader.read_row(width, f"row {y + 1} of {height} {place}")
    reader.finish()
    return answer


def write_answer(path: str | os.PathLike[str], problem: Problem, answer: ArrayLike) -> None:
    """Write an answer file, as a whole or not at all, right or wrong; see `Result.save`.

    Parameters
    ----------
    path
        The file; what it holds is replaced.
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.

    Raises
    ------
    ValueError
        If the answer has another shape than the board, or is no array of whole numbers.
    FileError
        If it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> board = Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_answer(f"{folder}/answer.txt", board, [[[1, 1, 1]]])
    ...     read_answer(f"{folder}/answer.txt").tolist()
    [[[1, 1, 1]]]
    """
    text = format_answer(as_answer(answer, problem.shape), len(problem.lines))
    write_atomically(os.fspath(path), text)


def format_answer(answer: ArrayLike, line_count: int) -> str:
    """Write an answer as the contest does.

    Parameters
    ----------
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.
    line_count
        Number of the problem's lines: from 100 on, numbers have three digits instead of two.

    Raises
    ------
    ValueError
        If the answer is no array of whole numbers in three dimensions.

    Examples
    --------
    >>> print(format_answer([[[1, 1, 1], [0, 0, 0]]], 1), end="")
    SIZE 3X2X1
    LAYER 1
    01,01,01
    00,00,00
    """
    array = as_answer(answer)
    digits = 2 if line_count < 100 else 3
    rows = [f"SIZE {size_text(array.shape)}"]
    for z, layer in enumerate(array.tolist(), start=1):
        rows.append(f"LAYER {z}")
        rows += (",".join(f"{number:0{digits}d}" for number in row) for row in layer)
    return "\n".join(rows) + "\n"


class _Reader:
    """The lines of the file, read one by one as what must come next."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines = split_lines(text)
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        self.number = 0
        while self.number < len(self.lines) and not self.lines[self.number]:
            self.number += 1

    def next_line(self, expected: str) -> str:
        """Return the next line, which must neither be blank nor missing."""
        if self.number == len(self.lines):
            raise FileError(self.name, self.number or None, "the end of the file", expected)
        text = self.lines[self.number]
        self.number += 1
        if not text:
            raise self._error(
                "a blank line",
                f"{expected}; a blank line ends an answer, so the contest reads two answers here",
            )
        return text

    def is_layer(self) -> bool:
        """Whether a layer starts here, as it need not in the 2-D form."""
        return (
            self.number < len(self.lines) and _LAYER.fullmatch(self.lines[self.number]) is not None
        )

    def read_layer(self, layer: int) -> None:
        """Read the line that starts a layer."""
        text = self.next_line(f"'LAYER {layer}'")
        match = _LAYER.fullmatch(text)
        if match is None:
            place = "before the first row" if layer == 1 else f"after the rows of layer {layer - 1}"
            raise self._error(quote(text), f"'LAYER {layer}' {place}")
        number = to_int(match[1])
        if 1 <= number < layer:
            raise self._error(quote(text), f"'LAYER {layer}', as layer {number} is complete")
        if number != layer:
            raise self._error(quote(text), f"'LAYER {layer}', as layers come in order")

    def read_row(self, width: int, row: str) -> list[int]:
        """Read the line of a row."""
        text = self.next_line(row)
        if _LAYER.fullmatch(text):
            raise self._error(quote(text), row)
        tokens = [token.strip(" \t") for token in text.split(",")]
        if len(tokens) != width:
            found = f"{quote(text)} of length {len(tokens)}"
            raise self._error(found, f"{row} of length {width}")
        for token in tokens:
            if _NUMBER.fullmatch(token) is None or to_int(token) > MAX_LINES:
                raise self._error(quote(token), f"a number from 0 to {MAX_LINES} in {row}")
        return [to_int(token) for token in tokens]

    def finish(self) -> None:
        """Refuse whatever follows the last row."""
        rest = self.lines[self.number :]
        if not rest:
            return
        first = next(index for index, text in enumerate(rest) if text)
        self.number += first + 1
        found = quote(rest[first])
        if first > 0:
            raise self._error(
                f"{found} after a blank line",
                "the end of the file: the contest reads a second answer here",
            )
        raise self._error(found, "the end of the file after the answer's last row")

    def _error(self, found: str, expected: str) -> FileError:
        """Return the error of the line read last."""
        return FileError(self.name, self.number, found, expected)


def require_shape(name: str, answer: Answer, problem: Problem) -> None:
    """Raise `FileError` where the answer in the file ``name`` is not of the problem's size."""
    if answer.shape != problem.shape:
        found = f"SIZE {size_text(answer.shape)}"
        raise FileError(name, None, found, f"the problem's SIZE {problem.size}")
