"""What the names of files tell: their format, and which answer belongs to which problem."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from nlrouter.files.errors import FileError

SPREADSHEETS = ("xlsx", "xlsm")
"""Endings of spreadsheets."""

_QUESTION = re.compile(r"(?<![A-Za-z])Q([0-9]+)$")


def ending(path: str) -> str:
    """Return the ending of a file, which names its format, in lower case and without the dot."""
    return Path(path).suffix.lower().removeprefix(".")


def is_spreadsheet(path: str) -> bool:
    """Tell by its name whether a file is a spreadsheet."""
    return ending(path) in SPREADSHEETS


def answer_stem(problem_stem: str) -> str:
    """Return the name of a problem's answer, both without ``.txt``.

    The contest answers ``Q01.txt`` in ``A01.txt``: a name that ends with Q and a number has A in
    its place (``NL_Q01`` becomes ``NL_A01``). Any other name stays, so that the answer needs a
    folder of its own.
    """
    return _QUESTION.sub(r"A\1", problem_stem)


def find_answers(files: Sequence[Path], problem_stem: str) -> list[Path]:
    """Find the answer files of a problem among a team's.

    Parameters
    ----------
    files
        The team's files.
    problem_stem
        The problem's name, without ``.txt``.

    Returns
    -------
    list
        The file of `answer_stem`; else those with its number at the end, whatever the team puts
        before it (``T99_A01.txt``); else that of the problem's own name.
    """
    if found := [path for path in files if path.stem == answer_stem(problem_stem)]:
        return found
    if match := _QUESTION.search(problem_stem):
        numbered = re.compile(rf".*(?<![A-Za-z])A{match[1]}")
        if found := [path for path in files if numbered.fullmatch(path.stem)]:
            return found
    return [path for path in files if path.stem == problem_stem]


def require_other(path: str, problem: str, expected: str) -> None:
    """Raise `FileError` where what is to be written would replace the problem.

    Parameters
    ----------
    path
        The file to write.
    problem
        The problem file; ``-``, standard input, is no file.
    expected
        What is to be named instead, for the message.
    """
    files = problem != "-" and os.path.exists(problem) and os.path.exists(path)
    if files and os.path.samefile(path, problem):
        raise FileError(path, None, "the problem itself", expected)
